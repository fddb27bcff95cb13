# SPDX-License-Identifier: Apache-2.0
"""Every export format read the way its kernel reads it gives the rows that the cache gives."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl import export
from impl.errors import CacheError, RowsReleased
from tests.export_scenes import Scene, scene_of, scenes, with_sinks

NULL = 12_345


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


def test_sinks_and_window_are_two_ranges_of_one_request() -> None:
    scene = with_sinks()
    flat = export.flat_read(scene.table, scene.handles(["r0", "r0"]), [0, 30], [4, 35])
    assert scene.stored()[flat.indices].tolist() == [1000, 1001, 1002, 1003, 1030, 1031, 1032, 1033, 1034]
    assert flat.indptr.tolist() == [0, 4, 9]


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
