# SPDX-License-Identifier: Apache-2.0
"""Caches with some requests in them, for the tests of the exports."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from impl.cache import PagedCache
from impl.errors import CacheError

Ints = NDArray[np.int64]


class Scene:
    """A cache with some requests, and the rows of each that were not trimmed, by row number."""

    def __init__(self, pages: int, page_size: int) -> None:
        self.cache = PagedCache(pages, page_size)
        self.table = self.cache.page_table
        self.page_size = page_size
        self.names: list[str] = []
        self.next_row = 1000

    def do(self, kind: str, which: int, amount: int) -> None:
        """One operation, on the request that `which` falls on; a refused one does nothing."""
        with suppress(CacheError):  # a refused one has changed nothing
            if kind == "new":
                name = f"r{len(self.names)}"
                self.cache.new(name, sinks=amount % 6)
                self.names.append(name)
            elif self.names:
                self._change(kind, self.names[which % len(self.names)], amount)

    def _change(self, kind: str, name: str, amount: int) -> None:
        cache, length = self.cache, self.cache.length(name)
        if kind == "append":
            cache.append(name, range(self.next_row, self.next_row + amount))
            self.next_row += amount
        elif kind == "fork":
            child = f"r{len(self.names)}"
            cache.fork(name, child)
            self.names.append(child)
        elif kind == "trim":
            cache.trim(name, max(0, length - amount % 8))
        else:
            cache.truncate(name, max(0, length - amount % 8))

    def handles(self, names: Sequence[str]) -> Ints:
        return np.array([self.cache.handle(name) for name in names], dtype=np.int64)

    def kept(self, name: str) -> list[int]:
        """The numbers of the rows that were not trimmed."""
        begin, end = self.table.hole(self.cache.handle(name))
        return [row for row in range(self.cache.length(name)) if not begin <= row < end]

    def rows(self, name: str, numbers: Sequence[int]) -> list[int]:
        """What the cache gives for these rows, one by one."""
        return [int(self.cache.rows(name, number, number + 1)[0]) for number in numbers]

    def stored(self) -> Ints:
        """The rows of the pool by slot."""
        return self.cache.pool.by_slot

    def read(self, page: int, row: int) -> int:
        """What a kernel finds for a row that it looks for in this page."""
        return int(self.stored()[page * self.page_size + row % self.page_size])


KINDS = st.sampled_from(["new", "append", "append", "append", "fork", "trim", "truncate"])
OPERATIONS = st.lists(st.tuples(KINDS, st.integers(0, 9), st.integers(0, 20)), min_size=1, max_size=25)


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Scene, list[str]]:
    """A scene and a batch of its requests: any order, some of them twice, some not at all."""
    scene = Scene(draw(st.sampled_from([4, 24, 60])), draw(st.integers(1, 5)))
    for kind, which, amount in [("new", 0, draw(st.integers(0, 5))), *draw(OPERATIONS)]:
        scene.do(kind, which, amount)
    return scene, draw(st.lists(st.sampled_from(scene.names), max_size=6))


def scene_of(*lengths: int, page_size: int = 4) -> Scene:
    """A scene of requests r0, r1, … of these lengths."""
    scene = Scene(8, page_size)
    for which, length in enumerate(lengths):
        scene.do("new", 0, 0)
        scene.do("append", which, length)
    return scene


def with_sinks() -> Scene:
    """Rows 0 … 3 and 30 … 34 of r0 in pages of 2, in a table that has grown over its own hole."""
    scene = Scene(20, 2)
    for operation in [
        ("new", 0, 3),
        ("append", 0, 15),
        ("trim", 0, 5),
        ("append", 0, 16),
        ("append", 0, 4),
        ("trim", 0, 5),
    ]:
        scene.do(*operation)
    requests = scene.table.store.requests
    assert requests.base[1] != requests.start[1]
    return scene
