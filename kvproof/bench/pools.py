# SPDX-License-Identifier: Apache-2.0
"""Pools of 1,000 to 1,000,000 pages: that no step depends on them, and what they cost to make and to keep."""

import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from impl.page_table import PageTable
from kvproof.bench.case import Case
from kvproof.bench.decode import windowed
from kvproof.bench.setup import PAGE, Ints
from kvproof.bench.timing import Effort, Measured, Spread, Work, contest

T = TypeVar("T")

SIZES = (1_000, 10_000, 100_000, 1_000_000)

BATCH = 64

LARGEST_PLAIN = 10_000
"""The plain cache makes an object for each page: larger ones take longer to make than everything else takes."""

REQUESTS, PAGES_EACH = 10_000, 100


def step(pages: int, effort: Effort) -> Measured:
    """The decode step with a window, in a pool of so many pages."""
    return windowed(BATCH, effort, pages, with_plain=pages <= LARGEST_PLAIN)


def construct(effort: Effort) -> Measured:
    """The making of the largest pool and of 10,000 requests in it, in milliseconds."""
    return contest(effort, Work(lambda: _made, 1000))


def bytes_per_page(_: Effort) -> Measured:
    """The memory of the largest pool with no request."""
    return _memory(lambda: None, lambda _: PageTable(SIZES[-1], PAGE), SIZES[-1])


def bytes_per_request(_: Effort) -> Measured:
    """The memory of 10,000 requests without rows."""
    return _memory(lambda: PageTable(SIZES[-1], PAGE), _opened, REQUESTS)


def bytes_per_entry(_: Effort) -> Measured:
    """The memory that 1,000,000 table entries add, 100 in each of 10,000 requests, one page each at a time."""

    def filled(made: tuple[PageTable, Ints]) -> None:
        table, handles = made
        rows = np.full(REQUESTS, PAGE, dtype=np.int64)
        for _ in range(PAGES_EACH):
            table.append_batch(handles, rows)

    return _memory(_made, filled, REQUESTS * PAGES_EACH)


def _opened(table: PageTable) -> Ints:
    return np.array([table.open() for _ in range(REQUESTS)], dtype=np.int64)


def _made() -> tuple[PageTable, Ints]:
    table = PageTable(SIZES[-1], PAGE)
    return table, _opened(table)


def _memory(make: Callable[[], T], fill: Callable[[T], object], count: int) -> Measured:
    """The bytes per `count` that `fill` adds to what `make` made. Exact, so there is nothing to repeat."""
    tracemalloc.start()
    try:
        made = make()
        before, _ = tracemalloc.get_traced_memory()
        kept = fill(made)
        after, _ = tracemalloc.get_traced_memory()
        del kept
    finally:
        tracemalloc.stop()
    return Measured(Spread.of([(after - before) / count]))


CASES = [
    *(Case("pool", f"{pages}", f"step of 64 in {pages:,}", partial(step, pages)) for pages in SIZES),
    Case("pool", "construct", "1e6 pages, 1e4 open, ms", construct, unit="ms"),
    Case("pool", "bytes/page", "bytes per page", bytes_per_page, unit="bytes", limit=16.0),
    Case("pool", "bytes/request", "bytes per request", bytes_per_request, unit="bytes"),
    Case("pool", "bytes/entry", "bytes per table entry", bytes_per_entry, unit="bytes", limit=4.0),
]
