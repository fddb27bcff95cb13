# SPDX-License-Identifier: Apache-2.0
"""The exports of 256 requests of 512 rows and a window of 256, each with a hole at the front.

The yardstick makes the same arrays the way an engine does that keeps a list per request.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from impl import export
from impl.page_table import PageTable
from kvproof.bench.case import Case
from kvproof.bench.setup import PAGE, Ints, pages_for, plain_of, staggered, table_of
from kvproof.bench.timing import Effort, Measured, Work, contest
from kvproof.targets.plain import PlainCache

REQUESTS, ROWS, WINDOW = 256, 512, 256

Ours = Callable[[PageTable, Ints], object]
Plain = Callable[[PlainCache, list[str]], object]


def exported(ours: Ours, plain: Plain) -> Callable[[Effort], Measured]:
    """The measurement of one format, per batch."""

    def measure(effort: Effort) -> Measured:
        lengths = staggered(REQUESTS, ROWS)
        pages = pages_for(lengths, 0)
        keeps = [length - WINDOW for length in lengths]
        table, handles = table_of(lengths, pages)
        table.trim_batch(handles, np.array(keeps, dtype=np.int64))
        cache, names = plain_of(lengths, pages)
        for name, keep in zip(names, keeps, strict=True):
            cache.trim(name, keep)
        return contest(
            effort, Work(lambda: lambda: ours(table, handles), 1), Work(lambda: lambda: plain(cache, names), 1)
        )

    return measure


def plain_padded(cache: PlainCache, names: list[str]) -> NDArray[np.int32]:
    """The block table, one list after the other."""
    tables = [cache.table(name) for name in names]
    padded = np.full((len(tables), max(map(len, tables))), -1, dtype=np.int32)
    for line, table in zip(padded, tables, strict=True):
        line[: len(table)] = [-1 if page is None else page for page in table]
    return padded


def plain_csr(cache: PlainCache, names: list[str]) -> tuple[NDArray[np.int32], ...]:
    """Pages one after the other, their bounds, and the rows in each last page."""
    indptr, indices, last = [0], list[int](), list[int]()
    for name in names:
        indices += [page for page in cache.table(name) if page is not None]
        indptr.append(len(indices))
        last.append((cache.length(name) - 1) % PAGE + 1)
    return tuple(np.array(part, dtype=np.int32) for part in (indptr, indices, last))


def plain_slots(rows: int, cache: PlainCache, names: list[str]) -> Ints:
    """The slots of the last `rows` rows of each."""
    slots: list[int] = []
    for name in names:
        table, length = cache.table(name), cache.length(name)
        for row in range(length - rows, length):
            page = table[row // PAGE]
            assert page is not None
            slots.append(page * PAGE + row % PAGE)
    return np.array(slots, dtype=np.int64)


def flat_read(table: PageTable, handles: Ints) -> object:
    """The read indices of the rows in the window."""
    lengths = np.array(staggered(REQUESTS, ROWS), dtype=np.int64)
    return export.flat_read(table, handles, lengths - WINDOW, lengths)


def flat_write(table: PageTable, handles: Ints) -> object:
    """The slot mapping of a decode step."""
    return export.flat_write(table, handles, np.ones(REQUESTS, dtype=np.int64))


CASES = [
    Case("export", "padded", "padded table, B = 256", exported(export.padded, plain_padded)),
    Case("export", "csr", "CSR, B = 256", exported(export.csr, plain_csr)),
    Case("export", "compact", "compact table, B = 256", exported(export.compact, plain_padded)),
    Case("export", "read", "256 read indices each", exported(flat_read, partial(plain_slots, WINDOW))),
    Case("export", "write", "slot mapping, B = 256", exported(flat_write, partial(plain_slots, 1))),
]
