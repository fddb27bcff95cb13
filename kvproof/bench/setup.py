# SPDX-License-Identifier: Apache-2.0
"""The states that the cases start from: many requests in our table and in the plain one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from impl import window as formulas
from impl.page_table import PageTable
from kvproof.targets.plain import PlainCache

Ints = NDArray[np.int64]

PAGE = 16
"""Rows in a page."""

ROW = (7,)
"""The one row that a decode step of the plain cache stores."""


def staggered(requests: int, least: int) -> list[int]:
    """Lengths from `least` on, the positions within a page all equally frequent."""
    return [least + index % PAGE for index in range(requests)]


def pages_for(lengths: Sequence[int], more: int) -> int:
    """Pages that requests of these lengths need, and `more` rows for each of them."""
    return sum(formulas.pages_for(length + more, PAGE) for length in lengths)


def table_of(lengths: Sequence[int], pages: int) -> tuple[PageTable, Ints]:
    """Our table with one request of each length, and their handles."""
    table = PageTable(pages, PAGE)
    handles = np.array([table.open() for _ in lengths], dtype=np.int64)
    table.append_batch(handles, np.array(lengths, dtype=np.int64))
    return table, handles


def plain_of(lengths: Sequence[int], pages: int) -> tuple[PlainCache, list[str]]:
    """The plain cache with one request of each length, and their names."""
    cache = PlainCache(pages, PAGE)
    names = [str(index) for index in range(len(lengths))]
    for name, length in zip(names, lengths, strict=True):
        cache.new(name)
        cache.append(name, range(length))
    return cache, names
