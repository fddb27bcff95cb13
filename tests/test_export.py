# SPDX-License-Identifier: Apache-2.0
"""Every export format read the way its kernel reads it gives the rows that the cache gives."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from impl import export
from impl.cache import PagedCache
from impl.errors import BadArgument, CacheError, RowsReleased, UnknownRequest
from impl.page_table import PageTable

Ints = NDArray[np.int64]

NULL = 12_345


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


def test_the_scenes_hold_what_they_are_for() -> None:
    """Holes at the front and behind sinks, shared pages, requests that hold no page though they have rows."""
    scene = Scene(8, 2)
    for operation in [("new", 0, 1), ("append", 0, 9), ("trim", 0, 1), ("fork", 0, 0), ("new", 0, 0), ("append", 2, 4)]:
        scene.do(*operation)
    scene.do("trim", 2, 0)
    assert scene.kept("r0") == scene.kept("r1") == [0, 1, 8]
    assert scene.kept("r2") == []
    assert scene.cache.length("r2") == 4


@given(scenes())
def test_padded_reads_back_by_logical_page(given_scene: tuple[Scene, list[str]]) -> None:
    scene, names = given_scene
    table = export.padded(scene.table, scene.handles(names), NULL)
    pages = [scene.cache.length(name) for name in names]
    assert table.dtype == np.int32
    assert table.shape == (len(names), max((-(-length // scene.page_size) for length in pages), default=0))
    for line, name in zip(table.tolist(), names, strict=True):
        kept = scene.kept(name)
        assert [scene.read(line[row // scene.page_size], row) for row in kept] == scene.rows(name, kept)
        of_rows = {row // scene.page_size for row in kept}
        assert [page for index, page in enumerate(line) if index not in of_rows] == [NULL] * (len(line) - len(of_rows))


@given(scenes())
def test_csr_reads_back_as_its_kernel_reads_it(given_scene: tuple[Scene, list[str]]) -> None:
    scene, names = given_scene
    indptr, indices, last = export.csr(scene.table, scene.handles(names))
    assert indptr.dtype == indices.dtype == last.dtype == np.int32
    assert indptr.shape == (len(names) + 1,)
    assert last.shape == (len(names),)
    assert indptr[0] == 0
    assert indptr[-1] == len(indices)
    for begin, end, rows_in_last, name in zip(indptr[:-1], indptr[1:], last, names, strict=True):
        pages, kept = indices[begin:end].tolist(), scene.kept(name)
        # The length of an empty request is what both readers of the format make of it, see `csr`.
        assert max(0, len(pages) - 1) * scene.page_size + rows_in_last == len(kept)
        assert 1 <= rows_in_last <= scene.page_size if pages else rows_in_last == 0
        read = [scene.read(pages[at // scene.page_size], at) for at in range(len(kept))]
        assert read == scene.rows(name, kept)


@given(scenes())
def test_compact_reads_back_with_its_dropped_counts(given_scene: tuple[Scene, list[str]]) -> None:
    scene, names = given_scene
    compact = export.compact(scene.table, scene.handles(names), NULL)
    assert [part.dtype for part in compact] == [np.int32, np.int32, np.int32, np.int64]
    assert compact.pages.shape == (len(names), compact.held.max(initial=0))
    for line, held, before, dropped, name in zip(*(part.tolist() for part in compact), names, strict=True):
        kept = scene.kept(name)
        logical = {column if column < before else column + dropped: line[column] for column in range(held)}
        assert len(logical) == held
        assert set(logical) == {row // scene.page_size for row in kept}
        assert [scene.read(logical[row // scene.page_size], row) for row in kept] == scene.rows(name, kept)
        assert line[held:] == [NULL] * (len(line) - held)


@given(scenes(), st.data())
def test_flat_read_reads_back_or_refuses_like_rows(given_scene: tuple[Scene, list[str]], data: st.DataObject) -> None:
    scene, names = given_scene
    lengths = [scene.cache.length(name) for name in names]
    ranges = [sorted(data.draw(st.tuples(st.integers(0, length), st.integers(0, length)))) for length in lengths]
    lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
    handles = scene.handles(names)
    try:
        wanted = [list(scene.cache.rows(name, low, high)) for name, (low, high) in zip(names, ranges, strict=True)]
    except RowsReleased:
        with pytest.raises(RowsReleased):
            export.flat_read(scene.table, handles, lows, highs)
        return
    indices, indptr = export.flat_read(scene.table, handles, lows, highs)
    assert indices.dtype == np.int64
    assert indptr.dtype == np.int32
    assert indptr[-1] == len(indices)
    read = scene.stored()[indices].tolist()
    assert [read[begin:end] for begin, end in pairwise(indptr)] == wanted


@given(scenes(), st.integers(0, 20))
def test_flat_write_is_what_append_handed_out(given_scene: tuple[Scene, list[str]], count: int) -> None:
    scene, names = given_scene
    names = sorted(set(names))
    handles, counts = scene.handles(names), [(count + place) % 7 for place in range(len(names))]
    try:
        slots = scene.table.append_batch(handles, np.array(counts, dtype=np.int64)).slots
    except CacheError:
        return
    written = export.flat_write(scene.table, handles, counts)
    assert written.dtype == np.int64
    assert written.tolist() == slots.tolist()


@given(scenes())
def test_a_view_is_the_table_itself(given_scene: tuple[Scene, list[str]]) -> None:
    scene, names = given_scene
    for name in names:
        before, behind, resume = export.view(scene.table, int(scene.handles([name])[0]))
        logical = dict(enumerate(before.tolist())) | dict(enumerate(behind.tolist(), resume))
        assert len(logical) == len(before) + len(behind) == len({row // scene.page_size for row in scene.kept(name)})
        assert [scene.read(logical[row // scene.page_size], row) for row in scene.kept(name)] == scene.rows(
            name, scene.kept(name)
        )


def test_a_view_is_read_only_and_no_copy() -> None:
    scene = with_sinks()
    view = export.view(scene.table, int(scene.handles(["r0"])[0]))
    for pages in (view.before, view.behind):
        assert pages.size
        assert np.shares_memory(pages, scene.table.store.arena.entries)
        with pytest.raises(ValueError, match="read-only"):
            pages[0] = 1
    assert scene.table.store.arena.entries.flags.writeable


def test_whole_requests_are_read_when_no_ranges_are_given() -> None:
    scene = scene_of(5, 7)
    flat = export.flat_read(scene.table, scene.handles(["r0", "r1"]))
    assert scene.stored()[flat.indices].tolist() == list(range(1000, 1012))
    assert flat.indptr.tolist() == [0, 5, 12]
    tail = export.flat_read(scene.table, scene.handles(["r0", "r1"]), lows=[4, 7])
    assert scene.stored()[tail.indices].tolist() == [1004]


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


def test_sinks_and_window_are_two_ranges_of_one_request() -> None:
    scene = with_sinks()
    flat = export.flat_read(scene.table, scene.handles(["r0", "r0"]), [0, 30], [4, 35])
    assert scene.stored()[flat.indices].tolist() == [1000, 1001, 1002, 1003, 1030, 1031, 1032, 1033, 1034]
    assert flat.indptr.tolist() == [0, 4, 9]


@pytest.mark.parametrize(("low", "high"), [(0, 35), (3, 5), (4, 30), (29, 31), (10, 11)])
def test_a_range_with_a_row_of_the_hole_is_refused(low: int, high: int) -> None:
    scene = with_sinks()
    with pytest.raises(RowsReleased, match="either side of the hole"):
        export.flat_read(scene.table, scene.handles(["r0", "r0"]), [0, low], [1, high])


@pytest.mark.parametrize("row", [0, 4, 10, 30, 35])
def test_an_empty_range_is_no_row_of_the_hole(row: int) -> None:
    scene = with_sinks()
    flat = export.flat_read(scene.table, scene.handles(["r0", "r0"]), [row, 33], [row, 34])
    assert scene.stored()[flat.indices].tolist() == [1033]
    assert flat.indptr.tolist() == [0, 0, 1]


@pytest.mark.parametrize("function", [export.padded, export.csr, export.compact, export.flat_read])
def test_an_empty_batch_gives_well_formed_arrays(function: Callable[..., object]) -> None:
    result = function(Scene(4, 2).table, np.array([], dtype=np.int64))
    shapes = [
        part.shape for part in (result if isinstance(result, tuple) else (result,)) if isinstance(part, np.ndarray)
    ]
    assert (
        shapes
        == {
            export.padded: [(0, 0)],
            export.csr: [(1,), (0,), (0,)],
            export.compact: [(0, 0), (0,), (0,), (0,)],
            export.flat_read: [(0,), (1,)],
        }[function]
    )
    assert export.flat_write(Scene(4, 2).table, [], []).shape == (0,)


FORMATS: list[Callable[..., object]] = [
    export.padded,
    export.csr,
    export.compact,
    export.flat_read,
    lambda table, handles: export.flat_write(table, handles, [0] * len(handles)),
    lambda table, handles: [export.view(table, int(handle)) for handle in handles],
]


@pytest.mark.parametrize("function", FORMATS)
def test_a_handle_that_is_not_live_is_an_unknown_request(function: Callable[..., object]) -> None:
    scene = scene_of(3, 3)
    live, stale = scene.handles(["r0", "r1"]).tolist()
    scene.cache.release("r1")
    scene.cache.new("another")
    for wrong in (stale, -1, live + 99, 2**40):
        with pytest.raises(UnknownRequest):
            function(scene.table, np.array([live, wrong], dtype=np.int64))


@pytest.mark.parametrize("function", [export.padded, export.compact])
@pytest.mark.parametrize("null", [-2, 2**31, 1.0, True, None])
def test_a_null_page_is_minus_one_or_a_page_number(function: Callable[..., object], null: object) -> None:
    scene = scene_of(3)
    with pytest.raises(BadArgument, match="null"):
        function(scene.table, scene.handles(["r0"]), null)
    function(scene.table, scene.handles(["r0"]), np.int32(2**31 - 1))


@pytest.mark.parametrize(
    ("lows", "highs"), [([-1], [2]), ([2], [1]), ([0], [4]), ([0, 0], [1, 1]), ([0], []), ([0.0], [1]), ([True], [1])]
)
def test_ranges_of_rows_must_lie_within_the_request(lows: list[int], highs: list[int]) -> None:
    scene = scene_of(3)
    with pytest.raises(BadArgument):
        export.flat_read(scene.table, scene.handles(["r0"]), lows, highs)


@pytest.mark.parametrize("counts", [[-1], [4], [], [1, 1], [1.0]])
def test_counts_of_rows_must_lie_within_the_request(counts: list[int]) -> None:
    scene = scene_of(3)
    with pytest.raises(BadArgument):
        export.flat_write(scene.table, scene.handles(["r0"]), counts)


def test_unknown_requests_and_bad_arguments_come_in_the_order_of_precedence() -> None:
    scene = scene_of(3)
    table = scene.table
    with pytest.raises(UnknownRequest):
        export.padded(table, [-1], -2)
    with pytest.raises(UnknownRequest):
        export.flat_read(table, [-1], [5], [1])
    scene.cache.append("r0", range(6))
    scene.cache.trim("r0", 8)
    with pytest.raises(BadArgument):
        export.flat_read(table, scene.handles(["r0", "r0"]), [0, 0], [9, 10])


def test_what_does_not_fit_int32_is_refused_before_it_is_made() -> None:
    scene = scene_of(2**17, page_size=2**17)
    handles = np.full(2**14, scene.handles(["r0"])[0])
    with pytest.raises(BadArgument, match="2,147,483,648 entries do not fit"):
        export.flat_read(scene.table, handles)
    assert export._bounds(np.array([2**31 - 2, 1])).tolist() == [0, 2**31 - 2, 2**31 - 1]


def test_a_page_that_does_not_fit_int32_is_refused() -> None:
    fits, too_long = PageTable(1, 2**31 - 1), PageTable(1, 2**31)
    assert export.csr(fits, [fits.open()]).last_page_len.tolist() == [0]
    with pytest.raises(BadArgument, match="2,147,483,648 rows"):
        export.csr(too_long, [too_long.open()])


def scene_of(*lengths: int, page_size: int = 4) -> Scene:
    """A scene of requests r0, r1, … of these lengths."""
    scene = Scene(8, page_size)
    for which, length in enumerate(lengths):
        scene.do("new", 0, 0)
        scene.do("append", which, length)
    return scene
