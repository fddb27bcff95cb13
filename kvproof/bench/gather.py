# SPDX-License-Identifier: Apache-2.0
"""The gather of a window of 4,096 rows, out of pages all over the pool, against a memcpy of as many bytes."""

import random
from collections.abc import Callable
from functools import partial

import numpy as np

from impl.cache import PagedCache
from kvproof.bench.case import Case
from kvproof.bench.setup import PAGE, pages_for
from kvproof.bench.timing import Effort, Measured, Work, contest

ROWS = 4096

FIRST = 5
"""The window begins and ends within a page."""


def scattered(pages: int, row_bytes: int) -> tuple[PagedCache, int]:
    """A cache whose free pages were in random order before the one request took its pages, and its handle."""
    cache = PagedCache(pages, PAGE, (row_bytes,), np.uint8)
    cache.pool.data[:] = 1  # so that all of it is there before anything is timed
    table = cache.page_table
    owners = [table.open() for _ in range(pages)]
    for owner in owners:
        table.append(owner, PAGE)
    random.Random(11).shuffle(owners)
    for owner in owners:
        table.close(owner)
    handle = table.open()
    table.append(handle, FIRST + ROWS)
    return cache, handle


def gather(row_bytes: int, effort: Effort) -> Measured:
    """From the handle to the rows in a buffer that is used again."""
    cache, handle = scattered(2 * pages_for([FIRST + ROWS], 0), row_bytes)
    source = np.ones((ROWS, row_bytes), dtype=np.uint8)
    ours_out, memcpy_out = np.zeros_like(source), np.zeros_like(source)

    def ours() -> Callable[[], object]:
        return lambda: cache.gather(handle, FIRST, FIRST + ROWS, ours_out)

    def memcpy() -> Callable[[], object]:
        return lambda: np.copyto(memcpy_out, source)

    return contest(effort, Work(ours, 1), Work(memcpy, 1))


LIMITS = {512: 1.5, 2048: 1.5}

CASES = [
    Case(
        "gather",
        f"{row_bytes}",
        f"gather 4,096 × {row_bytes} B",
        partial(gather, row_bytes),
        limit=LIMITS.get(row_bytes),
        limit_is_ratio=True,
        yardstick="memcpy",
    )
    for row_bytes in (128, 512, 2048)
]
