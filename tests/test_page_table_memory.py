# SPDX-License-Identifier: Apache-2.0
"""Tables that grow, segments, memory that runs out, and snapshots."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from impl.arena import Arena, capacity_for, capacity_to_grow
from impl.errors import BadArgument, OutOfPages, UnknownRequest
from impl.page_table import PageTable
from impl.requests import Requests
from tests.page_tables import refused, table_with

# Memory: growing tables, segments, and what happens when there is none.


def test_tables_grow_without_a_limit() -> None:
    table = PageTable(3000, 1)
    a, b = table.open(), table.open()
    for step in range(1000):
        table.append_batch([a, b], [1, 2])
        assert table.length(a) == step + 1
    assert table.table(a) == list(range(0, 3000, 3))
    assert table.slots(b, 0, 2000).tolist() == [page for page in range(3000) if page % 3]
    table.check()


def test_a_window_needs_no_more_than_its_segment() -> None:
    """The table slides over its hole: 5,000 rows with at most 9 pages held stay in a segment of 32 entries or less."""
    table = PageTable(50, 2)
    a = table.open(sinks=3)
    for length in range(1, 5001):
        table.append(a, 1)
        table.trim(a, max(0, length - 10))
        if length % 50 == 0:
            table.check()
            assert table.slots(a, 0, 3).tolist() == [0, 1, 2]
            assert table.slots(a, length - 10, length).size == 10
    assert table.held(a) <= 9
    assert table.store.arena.top <= 4 + 8 + 16 + 32


def test_segments_are_used_again() -> None:
    table = PageTable(64, 1)
    for _ in range(50):
        handle = table.open()
        table.append(handle, 20)
        other = table.fork(handle)
        table.close(handle)
        table.close(other)
    assert table.store.arena.top == 2 * capacity_for(20)
    assert table.store.arena.vacant == [{}, {}, {}, {}, {}, {}, {0: None}]
    table.check()


def test_tables_that_grow_together_take_little_more_than_they_hold() -> None:
    table = PageTable(10_000, 1)
    handles = np.array([table.open() for _ in range(100)])
    for _ in range(100):
        table.append_batch(handles, np.ones(100, dtype=np.int64))
    assert table.store.arena.top <= 1.25 * 100 * capacity_for(99)
    table.check()


def test_segments_are_split_and_joined() -> None:
    assert [capacity_for(entries) for entries in (0, 1, 7, 8, 15, 16, 100)] == [8, 8, 8, 16, 16, 32, 128]
    assert [capacity_to_grow(8, entries) for entries in (1, 4, 5, 9, 15, 16)] == [0, 0, 16, 16, 16, 32]
    arena = Arena()
    assert [arena.take(8), arena.take(4), arena.take(4)] == [0, 8, 12]
    arena.give_back(8, 4)
    arena.give_back(0, 8)
    assert [list(starts) for starts in arena.vacant] == [[], [], [8], [0]]
    assert arena.take(4) == 8
    assert arena.take(4) == 0
    assert [list(starts) for starts in arena.vacant] == [[], [], [4], []]
    arena.give_back(12, 4)
    arena.give_back(8, 4)
    arena.give_back(0, 4)
    assert [list(starts) for starts in arena.vacant] == [[], [], [], [], [0]]
    assert (arena.take(2), arena.top) == (0, 16)
    assert [list(starts) for starts in arena.vacant] == [[], [2], [4], [8], []]


def test_a_segment_lies_at_a_multiple_of_its_size() -> None:
    arena = Arena()
    assert [arena.take(4), arena.take(16)] == [0, 16]
    assert [list(starts) for starts in arena.vacant] == [[], [], [4], [8]]
    arena.entries[:32] = 7
    assert arena.take(8) == 8
    assert arena.take(128) == 128
    assert arena.top == 256
    assert arena.entries.size >= 256
    assert arena.entries[:32].tolist() == [7] * 8 + [0] * 8 + [7] * 16
    assert not arena.entries[32:].any()


def test_a_million_pages_take_sixteen_bytes_each_at_most() -> None:
    table = PageTable(1_000_000, 16)
    owners = table.store.owners
    assert owners.counts.nbytes + owners.stack.nbytes <= 16_000_000
    handles = [table.open() for _ in range(10_000)]
    assert table.handles() == sorted(handles)


def no_memory(*_: object) -> None:
    raise MemoryError


def test_nothing_changes_when_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table, (a, b, c) = table_with(64, 1, 6, 15, 6)
    d = table.fork(a)
    before = table.snapshot()
    with monkeypatch.context() as patch:
        patch.setattr(Arena, "reserve", no_memory)
        for operation in (
            lambda: table.fork(a),
            lambda: table.append(a, 3),
            lambda: table.append_batch([a, b, c, d], [2, 3, 4, 1]),
            lambda: table.append_batch([c, b, c, a], [1, 1, 3, 1]),
        ):
            with pytest.raises(MemoryError):
                operation()
            assert table.snapshot() == before
    table = PageTable(4, 1)
    requests = table.store.requests
    for _ in range(requests.fields.shape[1] - requests.used):
        a = table.open()
    assert requests.used == requests.fields.shape[1]
    table.append(a, 1)
    before = table.snapshot()
    with monkeypatch.context() as patch:
        patch.setattr(Requests, "reserve_columns", no_memory)
        for operation in (table.open, lambda: table.fork(a)):
            with pytest.raises(MemoryError):
                operation()
            assert table.snapshot() == before
            table.check()


@pytest.mark.parametrize("count", [2**50, 2**59, 2**60, 2**61])
def test_nothing_changes_when_the_output_is_too_large(count: int) -> None:
    for pages, page_size in [(1, 2**62), (2, 2**61), (8, 2**59)]:
        table = PageTable(pages, page_size)
        a, b = table.open(), table.open()
        operations: list[Callable[[], object]] = [
            partial(table.append, a, count),
            partial(table.append_batch, [a], [count]),
            partial(table.append_batch, [a, a], [1, count]),
            partial(table.append_batch, [a, a], [count, 1]),
        ]
        if pages > 1:
            operations.append(partial(table.append_batch, [b, a], [1, count]))
            operations.append(partial(table.append_batch, [b, a, a, b], [1, 2, count, 0]))
        for used in (False, True):
            if used:
                table.append(a, 3)
            before = table.snapshot()
            for operation in operations:
                with pytest.raises((MemoryError, OutOfPages)) as caught:
                    operation()
                assert caught.type is not OutOfPages or pages > 1
                assert table.snapshot() == before
                table.check()


def test_an_append_of_nothing_several_times() -> None:
    table, (a,) = table_with(2, 2, 1)
    before = table.snapshot()
    done = table.append_batch([a, a], [0, 0])
    assert done.slots.dtype == np.int64
    assert done.slots.size == 0
    assert table.snapshot() == before


# The state as a whole.


def test_snapshots() -> None:
    table, (a, b) = table_with(8, 2, 5, 1)
    early = table.snapshot()
    twin, _ = table_with(8, 2, 5, 1)
    assert twin.snapshot() == early
    for _ in range(40):
        table.open()
    c = table.fork(a)
    table.append(c, 3)
    table.trim(c, 4)
    table.close(b)
    late = table.snapshot()
    assert late != early
    table.restore(early)
    assert table.snapshot() == early
    assert table.handles() == [a, b]
    table.check()
    for stale in range(1, 60):
        if stale not in (a, b):
            refused(table, UnknownRequest, partial(table.length, stale))
            refused(table, UnknownRequest, partial(table.lengths, np.array([stale])))
    twin.restore(late)
    assert twin.snapshot() == late
    assert twin.table(c) == [None, None, 4, 5]
    twin.check()
    table.append(a, 1)
    assert table.snapshot() != early


@pytest.mark.parametrize("other", [PageTable(3, 2), PageTable(2, 3)])
def test_a_snapshot_of_another_size_is_refused(other: PageTable) -> None:
    table, _ = table_with(2, 2, 3)
    refused(table, BadArgument, lambda: table.restore(other.snapshot()), "same size")


@pytest.mark.parametrize("junk", [None, 7, (), (2,) * 7, "snapshot"])
def test_what_is_no_snapshot_is_refused(junk: object) -> None:
    table, _ = table_with(2, 2, 3)
    refused(table, BadArgument, lambda: table.restore(junk), "is no snapshot")  # type: ignore[arg-type]
