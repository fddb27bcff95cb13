# SPDX-License-Identifier: Apache-2.0
"""What is wasteful and never wrong: that the quick ways are taken, and that no more memory is asked for than needed.

No result shows these mistakes, so it is looked at what is called.
"""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from impl import append, arena, in_order, trim
from impl.arena import Arena
from impl.cache import PagedCache
from impl.page_table import PageTable
from impl.requests import FIELDS, GENERATIONS, INDEX_BITS, Requests
from impl.store import Store
from tests.page_tables import table_with
from tests.test_fault_injection import refuse_each


def never(*_: object, **__: object) -> Any:
    raise AssertionError("the slow way was taken")


def recorded(monkeypatch: pytest.MonkeyPatch, holder: Any, name: str) -> list[tuple[Any, ...]]:
    """The arguments of every call of a function from now on."""
    calls: list[tuple[Any, ...]] = []
    real: Callable[..., Any] = getattr(holder, name)

    def record(*arguments: Any) -> Any:
        calls.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(holder, name, record)
    return calls


# Appends.


def test_a_decode_step_computes_no_slots_of_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row for each of three requests, in some steps a new page for one, in one step for all."""
    table, handles = table_with(20, 2, 1, 2, 3)
    monkeypatch.setattr(append, "_slots", never)
    monkeypatch.setattr("impl.page_table.append_in_order", never)
    for step in range(4):
        table.append_batch(np.array(handles), np.ones(3, dtype=np.int64))
        table.append_batch(handles, [1, 1, 1])
        table.append(handles[0], 1)
        assert table.lengths(handles).tolist() == [4 + 3 * step, 4 + 2 * step, 5 + 2 * step]


@pytest.mark.parametrize("lengths", [(1, 1, 1), (2, 2, 2), (1, 2, 3), (2, 1, 2)])
def test_a_decode_step_spreads_nothing(monkeypatch: pytest.MonkeyPatch, lengths: tuple[int, ...]) -> None:
    """Slots that are written and entries of the new pages are one for each request, and it is told so."""
    table, handles = table_with(20, 2, *lengths)
    spread = recorded(monkeypatch, append, "spread")
    table.append_batch(handles, [1, 1, 1])
    assert [ones for *_, ones in spread] == [True]


def test_many_rows_of_one_request_are_spread_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    table, (a, b) = table_with(60, 2, 3, 2)
    spread = recorded(monkeypatch, append, "spread")
    for handle in (a, b, a):
        table.append(handle, 9)
    table.append_batch([b], [12])
    assert {counts.size for _, counts, *_ in spread} == {1}
    spread.clear()
    table.append_batch([a, b], [5, 1])
    assert max(counts.size for _, counts, *_ in spread) > 1


def test_rows_that_fit_into_the_last_page_need_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    table, (a, b) = table_with(4, 4, 1, 1)
    other, (c, d) = table_with(4, 4, 1, 1)
    monkeypatch.setattr(append, "plan_growth", never)
    table.append_batch([a, b], [1, 3])
    monkeypatch.setattr("impl.page_table.append_rows", never)
    assert table.append(a, 1).slots.tolist() == [2]
    assert table.append(a, 1).slots.tolist() == [3]
    monkeypatch.setattr(in_order, "slots_in", never)
    assert other.append_batch([c, c, d, d], [1, 2, 1, 1]).slots.tolist() == [1, 2, 3, 5, 6]


def test_the_runs_of_one_page_each_are_their_starts() -> None:
    starts = np.array([3, 5])
    assert append.spread(starts, np.array([1, 1]), True) is starts


def test_which_batches_name_every_request_once() -> None:
    """Up to as many as there is room for; such a batch is appended and trimmed at once."""
    requests = Requests()
    columns = requests.fields.shape[1]
    assert requests.are_distinct(np.arange(columns))
    assert requests.are_distinct(np.array([3, 1, 2]))
    assert requests.are_distinct(np.array([], dtype=np.int64))
    assert not requests.are_distinct(np.array([3, 1, 3]))
    assert not requests.are_distinct(np.array([2, 2]))
    assert not requests.are_distinct(np.zeros(columns + 1, dtype=np.int64))


# Trims and cuts.


def test_only_what_is_released_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four requests two release one page each, so the table says that it is one each; then one of them two."""
    table, handles = table_with(40, 2, 6, 6, 6, 6)
    spread = recorded(monkeypatch, trim, "spread")
    table.trim_batch(handles, [2, 0, 3, 1])
    table.trim_batch([handles[0], handles[0], handles[3]], [4, 4, 1])
    table.trim_batch(handles, [5, 0, 2, 5])
    assert [(counts.tolist(), ones) for _, counts, ones in spread] == [([1, 1], True), ([1], True), ([2], False)]


def test_pages_that_nobody_shares_are_let_go_without_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    table, (a, b) = table_with(9, 2, 7, 6)
    fork = table.fork(b)
    with monkeypatch.context() as patch:
        patch.setattr(np, "unique", never)
        table.trim(a, 4)
        table.truncate(a, 5)
        table.close(a)
        with pytest.raises(AssertionError, match="slow way"):
            table.close(fork)
    assert table.free_count == 6


def test_a_page_that_nobody_shares_is_not_marked() -> None:
    table, (a,) = table_with(8, 4, 7)
    index = table.store.requests.find(a)
    table.truncate(a, 5)
    assert table.store.requests.room.item(index) == 3
    fork = table.fork(a)
    table.truncate(fork, 5)
    assert table.store.requests.room.item(table.store.requests.find(fork)) == -1


def test_an_index_is_used_as_often_as_it_can_be() -> None:
    requests = Requests()
    index = requests.open()
    requests.close(index)
    requests.handle[index] = (GENERATIONS - 2) << INDEX_BITS
    assert requests.open() == index
    requests.close(index)
    assert requests.open() == index
    assert requests.handle.item(index) == (GENERATIONS - 1) << INDEX_BITS | index
    requests.close(index)
    assert requests.vacant == []
    assert requests.open() == index + 1


# Memory.


def test_room_is_made_for_the_segments_that_are_taken_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of tables with holes, some of them twice in it: what was planned is what is done, to the last entry."""
    planned, taken = recorded(monkeypatch, Arena, "make_room"), recorded(monkeypatch, Arena, "take")
    chance = random.Random(5)
    compared = grown = 0
    for _ in range(60):
        table = PageTable(900, 1)
        handles = [table.open(chance.choice([0, 0, 3])) for _ in range(5)]
        room = table.store.arena
        room.entries = room.entries[:8].copy()
        for _ in range(14):
            batch = [chance.choice(handles) for _ in range(chance.randint(2, 6))]
            if chance.random() < 0.3:
                handles.append(table.fork(chance.choice(handles)))
            planned.clear()
            taken.clear()
            before = room.entries
            table.append_batch(batch, [chance.choice([0, 1, 2, 3, 9]) for _ in batch])
            if planned:
                [(_, moves, held)] = planned
                assert [capacity for _, capacity in moves] == [capacity for _, capacity in taken]
                assert set(held) <= {table.store.requests.find(handle) for handle in batch}
                compared += len(moves)
            if room.entries is not before:
                grown += 1
                assert room.entries.size == max(room.top, before.size * 5 // 4)
            lengths = table.lengths(handles).tolist()
            table.trim_batch(handles, [max(0, length - chance.choice([2, 9])) for length in lengths])
        table.check()
    assert compared > 100
    assert grown > 20


def test_a_table_that_becomes_full_does_not_grow_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a segment of eight entries the eighth is used like any other."""
    table, (a, b) = table_with(40, 1, 7, 7)
    with monkeypatch.context() as patch:
        patch.setattr(append, "_extend_each", never)
        table.append_batch([a, b], [1, 1])
    made = recorded(monkeypatch, Store, "make_room")
    table.append(a, 1)
    assert made == []
    table.append_batch([a, b], [10, 10])
    assert len(made) == 1


def test_two_tables_that_grow_together_without_memory() -> None:
    """Where the second finds none, the first has not grown."""
    cache = PagedCache(60, 1)
    for name in "ab":
        cache.new(name)
        cache.append(name, range(7))
    room = cache.page_table.store.arena
    room.entries = room.entries[: room.top].copy()
    batch = partial(cache.append_batch, "ab", [[1, 2], [3, 4]])
    assert refuse_each(cache.snapshot, batch, "two tables") > 5
    cache.check()


def test_nobody_asks_where_segments_go_that_fit_wherever_they_go(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Arena()
    made.entries = made.entries[:24].copy()
    monkeypatch.setattr(arena, "Segments", never)
    made.make_room([(1, 8), (2, 8), (3, 8)], {1: (0, 0), 2: (0, 0), 3: (0, 0)})
    with pytest.raises(AssertionError, match="slow way"):
        made.make_room([(1, 8), (2, 16)], {1: (0, 0), 2: (0, 0)})


def test_memory_grows_in_steps() -> None:
    """Columns double, entries of tables grow by a quarter, unless more is asked for."""
    requests, entries = Requests(), Arena()
    assert (requests.fields.shape, entries.entries.size) == ((FIELDS, 16), 4096)
    for columns, capacity in [(16, 16), (17, 32), (32, 32), (65, 65), (66, 130)]:
        requests.reserve_columns(columns)
        assert requests.fields.shape == (FIELDS, capacity)
        assert requests.fields.dtype == np.int64
    for top, size in [(4096, 4096), (4097, 5120), (5120, 5120), (6401, 6401), (6402, 8001)]:
        entries.reserve(top)
        assert entries.entries.size == size
        assert entries.entries.dtype == np.int32


def test_a_fork_of_nothing_takes_no_segment() -> None:
    table = PageTable(4, 2)
    fork = table.fork(table.open())
    assert table.store.arena.top == 0
    assert not table.store.requests.fields[1:].any()
    table.append(fork, 1)
    assert table.store.arena.top == 8


# Copies.


def test_copies_are_counted_one_by_one() -> None:
    cache = PagedCache(9, 4)
    cache.new("a")
    cache.append("a", [1, 2])
    for name in "bcd":
        cache.fork("a", name)
    cache.append_batch("abc", [[3], [4], [5]])
    assert cache.copies() == 3
    cache.fork("d", "e")
    cache.append_batch("de", [[6], [7]])
    assert cache.copies() == 4
    assert [cache.rows(name, 0, 3).tolist() for name in "abcde"] == [[1, 2, last] for last in (3, 4, 5, 6, 7)]
