# SPDX-License-Identifier: Apache-2.0
"""Decode steps: one row for each of B requests, with and without a window, and the single append."""

from collections.abc import Callable
from functools import partial

import numpy as np

from kvproof.bench.case import Case
from kvproof.bench.setup import ROW, pages_for, plain_of, staggered, table_of
from kvproof.bench.timing import Effort, Measured, Work, contest

LEAST = 48
"""Rows of the shortest request before a step without a window."""

WINDOW = 128

BATCHES = (1, 16, 64, 256, 1024)


def decode(batch: int, effort: Effort) -> Measured:
    """An append of one row to each request: copy-on-write check included, slots handed out."""
    lengths = staggered(batch, LEAST)
    pages = pages_for(lengths, effort.steps)

    def ours() -> Callable[[], object]:
        table, handles = table_of(lengths, pages)
        append, ones = table.append_batch, np.ones(batch, dtype=np.int64)

        def steps() -> None:
            for _ in range(effort.steps):
                append(handles, ones)

        return steps

    def plain() -> Callable[[], object]:
        cache, names = plain_of(lengths, pages)
        append = cache.append

        def steps() -> None:
            for _ in range(effort.steps):
                for name in names:
                    append(name, ROW)

        return steps

    return contest(effort, Work(ours, batch * effort.steps), Work(plain, batch * effort.steps))


def windowed(batch: int, effort: Effort, pool: int | None = None, with_plain: bool = True) -> Measured:
    """The same and then the trim to the window, the host's arithmetic for it included.

    Every request is past its window: the number of pages in use stays what it is.
    """
    lengths = staggered(batch, WINDOW)
    pages = pool or pages_for(lengths, effort.steps)

    def ours() -> Callable[[], object]:
        table, handles = table_of(lengths, pages)
        append, trim, ones = table.append_batch, table.trim_batch, np.ones(batch, dtype=np.int64)
        keeps = np.array(lengths, dtype=np.int64) + 1 - WINDOW

        def steps() -> None:
            for _ in range(effort.steps):
                append(handles, ones)
                np.add(keeps, 1, out=keeps)
                trim(handles, keeps)

        return steps

    def plain() -> Callable[[], object]:
        cache, names = plain_of(lengths, pages)
        append, trim = cache.append, cache.trim
        first_keeps = [length + 1 - WINDOW for length in lengths]

        def steps() -> None:
            keeps = first_keeps
            for _ in range(effort.steps):
                for name in names:
                    append(name, ROW)
                keeps = [keep + 1 for keep in keeps]
                for name, keep in zip(names, keeps, strict=True):
                    trim(name, keep)

        return steps

    count = batch * effort.steps
    return contest(effort, Work(ours, count), Work(plain, count) if with_plain else None)


def single(effort: Effort) -> Measured:
    """One row to one request by the call for one request."""
    appends = 16 * effort.steps

    def ours() -> Callable[[], object]:
        table, handles = table_of([LEAST], pages_for([LEAST], appends))
        append, handle = table.append, int(handles[0])

        def calls() -> None:
            for _ in range(appends):
                append(handle, 1)

        return calls

    def plain() -> Callable[[], object]:
        cache, names = plain_of([LEAST], pages_for([LEAST], appends))
        append, name = cache.append, names[0]

        def calls() -> None:
            for _ in range(appends):
                append(name, ROW)

        return calls

    return contest(effort, Work(ours, appends), Work(plain, appends))


APPEND_LIMITS = {256: 0.08, 1024: 0.04}
WINDOW_LIMITS = {256: 0.16}

CASES = [
    *(
        Case("decode", f"B={batch}", f"append, B = {batch}", partial(decode, batch), limit=APPEND_LIMITS.get(batch))
        for batch in BATCHES
    ),
    *(
        Case(
            "window",
            f"B={batch}",
            f"append + trim, B = {batch}",
            partial(windowed, batch),
            limit=WINDOW_LIMITS.get(batch),
        )
        for batch in BATCHES
    ),
    Case("append", "one", "append one row to one", single, limit=3.0),
]
