# SPDX-License-Identifier: Apache-2.0
"""`check()` names the invariant that is broken: each is broken here in turn, in arrays that are sound otherwise."""

import numpy as np
import pytest

from impl.cache import PagedCache
from impl.page_table import InvariantBroken, PageTable
from impl.requests import FIELDS

SINKS, FORK, SHORT, EMPTY, ENDED = 1, 2, 3, 4, 5
"""The requests of `sound` by index."""


def sound() -> PageTable:
    """Twelve pages of four rows. Tables: SINKS and FORK share 0 1 – – 4 5 (22 rows), SHORT has 3 (3 rows).

    Segments of eight entries: SINKS, FORK (whose table has slid over the hole), SHORT, and a vacant one.
    """
    table = PageTable(12, 4)
    sinks = table.open(sinks=5)
    table.append(sinks, 22)
    table.trim(sinks, 17)
    table.fork(sinks)
    table.append(table.open(), 3)
    table.open()
    ended = table.open()
    table.append(ended, 21)
    table.close(ended)
    table.check()
    store = table.store
    assert store.requests.vacant == [ENDED]
    assert store.arena.entries[:8].tolist() == [0, 1, 2, 3, 4, 5, 0, 0]
    assert store.arena.entries[8:24].tolist() == [0, 1, 4, 5, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]
    assert (store.arena.vacant, store.arena.top) == ([{}, {}, {}, {24: None}], 32)
    assert store.requests.base[1:4].tolist() == [0, 6, 16]
    return table


ARRAYS = [
    ("owners.stack", 0, 12, "free stack: it names a page that does not exist"),
    ("owners.stack", 0, -1, "free stack: it names a page that does not exist"),
    ("owners.stack", 0, 10, "free stack: a page is in it twice"),
    ("owners.stack", 0, 4, "free and owned: a free page has an owner"),
    ("owners.counts", 11, 1, "free and owned: a free page has an owner"),
    ("owners.counts", 4, 0, "free and owned: a page without an owner is not free"),
    ("owners.counts", 4, 3, "owners: those counted are not those in the tables"),
    ("requests.handle", SHORT, -1, "handles: one is negative"),
    ("requests.handle", SHORT, FORK, "handles: one names another column"),
    ("requests.handle", SINKS, FORK, "handles: one names another column"),
    ("requests.handle", EMPTY, 6, "handles: one names another column"),
    ("requests.handle", 0, 0, "handles: index 0 is in use"),
    ("requests.handle", 0, 2, "handles: index 0 is in use"),
    ("requests.handle", ENDED, ENDED, "handles: a vacant column is in use"),
    ("requests.room", SHORT, 4, "lengths: the room in a last page is not less than a page"),
    ("requests.room", SHORT, -4, "lengths: the room in a last page is not less than a page"),
    ("requests.end_row", SHORT, 5, "lengths: a last page does not end at the end of a page"),
    ("requests.end_row", EMPTY, -4, "lengths: one is negative"),
    ("requests.sinks", SHORT, -1, "lengths: a number of sinks is negative"),
    ("requests.tail", SINKS, 1, "hole: it ends before it begins"),
    ("requests.tail", SINKS, 6, "hole: it ends after the last row"),
    ("requests.tail", SHORT, 1, "hole: it ends after the last row"),
    ("requests.tail", SINKS, 3, "owners: those counted are not those in the tables"),
    ("requests.sinks", SINKS, 9, "owners: those counted are not those in the tables"),
    ("requests.stop", SINKS, 5, "segments: a table is longer than its segment"),
    ("requests.base", SINKS, 1, "segments: a table overlaps itself"),
    ("requests.base", SINKS, -3, "segments: a table overlaps itself"),
    ("requests.stop", SHORT, 23, "segments: the size of one is no power of two"),
    ("requests.stop", SHORT, 20, "segments: two overlap, or there is a gap between them"),
    ("requests.stop", SHORT, 32, "segments: two overlap, or there is a gap between them"),
    ("arena.vacant", 3, {}, "segments: they do not fill the arena"),
    ("arena.vacant", 3, {16: None, 24: None}, "segments: two overlap, or there is a gap between them"),
    ("arena.vacant", 3, {32: None}, "segments: two overlap, or there is a gap between them"),
    ("arena.vacant", 3, {28: None}, "segments: one is not at a multiple of its size"),
    ("arena.entries", 0, 12, "tables: one names a page that does not exist"),
    ("arena.entries", 0, -1, "tables: one names a page that does not exist"),
    ("arena.entries", 0, 2, "owners: those counted are not those in the tables"),
    ("arena.entries", 10, 5, "owners: those counted are not those in the tables"),
    ("requests.end_slot", SHORT, 12, "last pages: an end slot is wrong"),
    ("requests.end_slot", FORK, 20, "last pages: an end slot is wrong"),
]


@pytest.mark.parametrize(("array", "index", "value", "message"), ARRAYS)
def test_an_entry_is_wrong(array: str, index: int, value: object, message: str) -> None:
    table = sound()
    part, name = array.split(".")
    getattr(getattr(table.store, part), name)[index] = value
    broken(table, message)


def broken(table: PageTable, message: str) -> None:
    """The check fails with this message, the whole of it."""
    with pytest.raises(InvariantBroken) as caught:
        table.check()
    assert str(caught.value) == message
    assert isinstance(caught.value, AssertionError)


@pytest.mark.parametrize(
    ("free", "message"),
    [
        (-1, "free stack: its height is none of 0 … pages"),
        (13, "free stack: its height is none of 0 … pages"),
        (6, "free and owned: a page without an owner is not free"),
    ],
)
def test_the_height_of_the_free_stack(free: int, message: str) -> None:
    table = sound()
    assert table.free_count == 7
    table.store.owners.free = free
    broken(table, message)


@pytest.mark.parametrize(
    ("vacant", "message"),
    [
        ([], "handles: a column is neither in use nor vacant nor retired"),
        ([0], "handles: a vacant column does not exist"),
        ([6], "handles: a vacant column does not exist"),
        ([ENDED, ENDED], "handles: a column is vacant twice"),
        ([SHORT], "handles: a vacant column is in use"),
    ],
)
def test_vacant_columns(vacant: list[int], message: str) -> None:
    table = sound()
    table.store.requests.vacant = vacant
    broken(table, message)


@pytest.mark.parametrize("field", range(1, FIELDS))
def test_a_column_that_is_not_in_use_means_nothing(field: int) -> None:
    table = sound()
    table.store.requests.fields[field, [0, ENDED]] = 77
    table.check()


def test_a_page_twice_in_one_table() -> None:
    """SINKS holds page 0 twice and page 1 not at all, and the counts say so."""
    table = sound()
    table.store.arena.entries[1] = 0
    table.store.owners.counts[:2] = [3, 1]
    broken(table, "tables: a page is in one table twice")


def test_a_page_shared_at_two_logical_indices() -> None:
    table = sound()
    table.store.arena.entries[:2] = [1, 0]
    broken(table, "sharing: a page is shared at two logical indices")


def test_a_page_shared_at_two_very_large_logical_indices() -> None:
    """2**53 and the next one, which a float does not tell apart: after a long hole that is where a page may be."""
    table = PageTable(4, 1)
    source = table.open()
    table.append(source, 3)
    table.trim(source, 2)
    both = [table.store.requests.find(handle) for handle in (source, table.fork(source))]

    def move(index: int, pages: int) -> None:
        requests = table.store.requests
        requests.tail[index] += pages
        requests.end_row[index] += pages
        requests.base[index] -= pages

    for index in both:
        move(index, 2**53 - 2)
    table.check()
    assert table.hole(source) == (0, 2**53)
    move(both[1], 1)
    broken(table, "sharing: a page is shared at two logical indices")


def test_a_shared_last_page_that_is_not_marked() -> None:
    table = sound()
    table.store.requests.room[SINKS] += 4
    table.store.requests.end_row[SINKS] += 4
    broken(table, "last pages: one that is shared is not marked")


@pytest.mark.parametrize("change", [4, -4])
def test_the_end_of_the_arena(change: int) -> None:
    table = sound()
    table.store.arena.top += change
    broken(table, "segments: they do not fill the arena")


def test_an_arena_that_is_too_short() -> None:
    table = sound()
    table.store.arena.entries = table.store.arena.entries[:31]
    broken(table, "segments: they do not fill the arena")


def test_segments_of_every_power_of_two_are_sound() -> None:
    """The vacant eight entries as 1 + 1 + 2 + 4."""
    table = sound()
    table.store.arena.vacant = [{24: None, 25: None}, {26: None}, {28: None}, {}]
    table.check()


def test_pools_that_are_empty_and_full() -> None:
    table = PageTable(3, 2)
    table.check()
    table.append(table.open(), 6)
    table.check()
    assert table.free_count == 0


def test_ids_and_live_requests() -> None:
    cache = PagedCache(2, 2)
    cache.new("a")
    cache.new("b")
    cache.check()
    cache.page_table.close(cache.handle("a"))
    with pytest.raises(InvariantBroken, match=r"^ids: "):
        cache.check()


def test_a_large_state_is_checked_at_once() -> None:
    table = PageTable(4000, 4)
    handles = [table.open(sinks=number % 9) for number in range(200)]
    table.append_batch(handles, np.arange(200) % 60)
    for handle in handles:
        table.trim(table.fork(handle), table.length(handle) // 2)
    table.check()
