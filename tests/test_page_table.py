# SPDX-License-Identifier: Apache-2.0
"""The page table by hand-computed examples: order of pages, slots, copies, holes, handles, refusals, growth."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from impl.arena import Arena, capacity_for, capacity_to_grow
from impl.errors import BadArgument, CacheError, OutOfPages, RowsReleased, UnknownRequest
from impl.owners import Owners
from impl.page_table import Copy, PageTable
from impl.requests import GENERATIONS, Requests


def table_with(pages: int, page_size: int, *lengths: int) -> tuple[PageTable, list[int]]:
    """A table with one request of each length."""
    table = PageTable(pages, page_size)
    handles = [table.open() for _ in lengths]
    for handle, length in zip(handles, lengths, strict=True):
        table.append(handle, length)
    return table, handles


def refused(table: PageTable, kind: type[CacheError], operation: Callable[[], object], message: str = ".") -> None:
    """The operation raises this and no other refusal, and nothing has changed."""
    before = table.snapshot()
    with pytest.raises(CacheError, match=message) as caught:
        operation()
    assert caught.type is kind
    assert str(caught.value)
    assert table.snapshot() == before
    table.check()


class Index:
    """An integer that is no int."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


NO_INTEGERS = [True, 1.0, "1", None, np.float64(1), np.bool_(True), b"1", [1]]


# Order of pages.


def test_a_new_pool_hands_out_page_0_first_and_a_freed_page_next() -> None:
    table, (a, b) = table_with(6, 2, 6, 2)
    assert table.table(a) == [0, 1, 2]
    assert table.table(b) == [3]
    assert table.free_stack() == [5, 4]
    table.close(a)
    assert table.free_stack() == [5, 4, 0, 1, 2]
    c = table.open()
    table.append(c, 3)
    assert table.table(c) == [2, 1]


def test_trim_and_truncate_push_in_ascending_logical_order() -> None:
    table, (a, b) = table_with(8, 1, 4, 4)
    table.trim(a, 2)
    assert table.free_stack() == [0, 1]
    table.truncate(b, 1)
    assert table.free_stack() == [0, 1, 5, 6, 7]
    table.close(a)
    assert table.free_stack() == [0, 1, 5, 6, 7, 2, 3]


def test_a_page_goes_back_with_its_last_owner() -> None:
    table, (a,) = table_with(4, 2, 5)
    b = table.fork(a)
    assert [table.refcount(page) for page in range(4)] == [2, 2, 2, 0]
    table.close(a)
    assert table.free_stack() == [3]
    assert [table.refcount(page) for page in range(4)] == [1, 1, 1, 0]
    table.close(b)
    assert table.free_stack() == [3, 0, 1, 2]


def test_pages_shared_in_a_batch_go_back_when_the_last_owner_lets_go() -> None:
    """a and b share pages 0 … 3, c has 4 and 5: in order a frees nothing, c frees 4, b frees 0 and 1."""
    table, (a, c) = table_with(6, 1, 4, 2)
    b = table.fork(a)
    table.trim_batch(np.array([a, c, b]), np.array([3, 1, 2]))
    assert table.free_stack() == [4, 0, 1]
    assert [table.refcount(page) for page in range(6)] == [0, 0, 1, 2, 0, 1]


def test_owners_that_let_go_together() -> None:
    owners = Owners(5)
    owners.take(3)
    owners.share(np.array([0, 1], dtype=np.int32))
    owners.let_go(np.array([1, 0, 2, 1], dtype=np.int32))
    assert owners.counts.tolist() == [1, 0, 0, 0, 0]
    assert owners.stack[: owners.free].tolist() == [4, 3, 2, 1]


# Appends, slots and copies.


def test_slots_of_an_append() -> None:
    table, (a, b) = table_with(6, 4, 3, 1)
    assert table.append(a, 1).slots.tolist() == [3]
    assert table.append(a, 6).slots.tolist() == [8, 9, 10, 11, 12, 13]
    assert table.append(b, 2).slots.tolist() == [5, 6]
    assert table.slots(a, 2, 9).tolist() == [2, 3, 8, 9, 10, 11, 12]
    slots = table.append(a, 1).slots
    assert slots.tolist() == [14]
    assert slots.dtype == np.int64
    assert table.table(a) == [0, 2, 3]


def test_slots_of_a_batch() -> None:
    table, (a, b, c) = table_with(8, 4, 3, 4, 0)
    done = table.append_batch(np.array([b, a, c]), np.array([6, 2, 0]))
    assert done.slots.tolist() == [8, 9, 10, 11, 12, 13, 3, 16]
    assert done.slots.dtype == np.int64
    assert [column.tolist() for column in done.copies] == [[], [], []]
    assert table.table(b) == [1, 2, 3]
    assert table.table(a) == [0, 4]


def test_decode_steps() -> None:
    """Three requests in one batch; the second needs a page in the first step, the first one in the second step."""
    table, handles = table_with(6, 2, 1, 2, 0)
    batch, ones = np.array(handles), np.ones(3, dtype=np.int64)
    assert table.append_batch(batch, ones).slots.tolist() == [1, 4, 6]
    assert table.append_batch(batch, ones).slots.tolist() == [8, 5, 7]
    assert [table.length(handle) for handle in handles] == [3, 4, 2]
    assert table.lengths(batch).tolist() == [3, 4, 2]
    assert table.free_stack() == [5]


def test_a_copy_before_writing_into_a_shared_page() -> None:
    table, (a,) = table_with(8, 4, 10)
    b = table.fork(a)
    assert (table.pages_needed(b, 1), table.pages_needed(b, 2), table.pages_needed(b, 3)) == (1, 1, 2)
    done = table.append(b, 1)
    assert done.copies == Copy(source=2, target=3, rows=2)
    assert all(type(number) is int for number in done.copies)
    assert done.slots.tolist() == [14]
    assert (table.table(a), table.table(b)) == ([0, 1, 2], [0, 1, 3])
    assert table.pages_needed(a, 1) == 0
    done = table.append(a, 3)
    assert done.copies is None
    assert done.slots.tolist() == [10, 11, 16]


def test_no_rows_take_and_copy_nothing_even_when_the_tail_is_shared() -> None:
    table, (a,) = table_with(3, 4, 2)
    b = table.fork(a)
    before = table.snapshot()
    assert table.append(b, 0).slots.tolist() == []
    assert table.append(b, 0).copies is None
    done = table.append_batch(np.array([a, b]), np.array([0, 0]))
    assert (done.slots.tolist(), done.copies.source.tolist()) == ([], [])
    assert table.snapshot() == before
    assert table.pages_needed(b, 0) == 0


@pytest.mark.parametrize(("owners", "writers", "copies"), [(2, 2, 1), (3, 3, 2), (3, 2, 2), (4, 1, 1)])
def test_the_last_owner_that_writes_needs_no_copy(owners: int, writers: int, copies: int) -> None:
    table, handles = table_with(1 + copies, 4, 2)
    handles += [table.fork(handles[0]) for _ in range(owners - 1)]
    done = table.append_batch(np.array(handles[:writers]), np.ones(writers, dtype=np.int64))
    assert done.copies.source.tolist() == [0] * copies
    assert done.copies.target.tolist() == list(range(1, copies + 1))
    assert done.copies.rows.tolist() == [2] * copies
    assert done.slots.tolist() == [*range(6, 4 * copies + 3, 4), 2][:writers]
    assert table.free_count == 0
    assert table.refcount(0) == owners - copies


def test_of_many_owners_the_last_in_the_batch_needs_no_copy() -> None:
    """Two groups of 100 owners each, their writes mixed."""
    table, (a, b) = table_with(400, 2, 1, 1)
    groups = [[first, *(table.fork(first) for _ in range(99))] for first in (a, b)]
    batch = [handle for pair in zip(*groups, strict=True) for handle in pair]
    done = table.append_batch(np.array(batch), np.ones(200, dtype=np.int64))
    assert done.copies.source.tolist() == [0, 1] * 99
    assert done.copies.target.tolist() == list(range(2, 200))
    assert [table.table(handle) for handle in batch[-2:]] == [[0], [1]]


def test_a_batch_may_be_longer_than_there_are_requests() -> None:
    table, (a, b) = table_with(300, 1, 0, 0)
    assert table.append_batch([a, b] * 100, [1] * 200).slots.tolist() == list(range(200))
    table.trim_batch([a, b] * 100, list(range(100)) * 2)
    assert (table.held(a), table.held(b)) == (2, 1)


def test_a_copy_comes_before_the_new_pages_of_its_request_and_after_those_of_the_request_before() -> None:
    table, (a, c) = table_with(9, 2, 3, 2)
    b = table.fork(a)
    done = table.append_batch(np.array([c, a, b]), np.array([1, 4, 2]))
    assert table.table(c) == [2, 3]
    assert table.table(a) == [0, 4, 5, 6]
    assert table.table(b) == [0, 1, 7]
    assert [column.tolist() for column in done.copies] == [[1], [4], [1]]
    assert done.slots.tolist() == [6, 9, 10, 11, 12, 3, 14]


def test_a_handle_that_comes_twice_means_two_appends() -> None:
    table, (a, b) = table_with(8, 2, 1, 1)
    c = table.fork(a)
    done = table.append_batch(np.array([a, b, a, c, a]), np.array([2, 2, 0, 1, 3]))
    assert table.table(a) == [2, 3, 5]
    assert table.table(b) == [1, 4]
    assert table.table(c) == [0]
    assert done.slots.tolist() == [5, 6, 3, 8, 1, 7, 10, 11]
    assert [column.tolist() for column in done.copies] == [[0], [2], [1]]


def test_a_full_page_of_one_is_no_writer_of_the_partial_page_of_another() -> None:
    """b is cut into page 0, which is full for a and c: a and c never write into it, so b needs a copy."""
    table, (a,) = table_with(6, 2, 2)
    b, c = table.fork(a), table.fork(a)
    table.truncate(b, 1)
    done = table.append_batch(np.array([a, c, b]), np.array([1, 1, 1]))
    assert done.copies.source.tolist() == [0]
    assert table.table(b) == [3]
    assert table.refcount(0) == 2


# Capacity.


def test_all_rows_or_none() -> None:
    table, (a,) = table_with(3, 2, 3)
    refused(table, OutOfPages, lambda: table.append(a, 4), "takes 2 pages, 1 are free")
    assert table.append(a, 3).slots.tolist() == [3, 4, 5]
    refused(table, OutOfPages, lambda: table.append(a, 1))
    assert table.length(a) == 6


def test_a_copy_needs_a_page() -> None:
    table, (a,) = table_with(2, 2, 3)
    b = table.fork(a)
    refused(table, OutOfPages, lambda: table.append(b, 1))
    refused(table, OutOfPages, lambda: table.append_batch([a, b], [1, 1]))
    table.close(a)
    assert table.append(b, 1) == (np.array([3]), None)


@pytest.mark.parametrize("huge", [2**62, 2**61, 2**33])
def test_huge_counts_are_refused_and_do_not_wrap(huge: int) -> None:
    table, (a, b, c) = table_with(7, 3, 1, 0, 0)
    refused(table, OutOfPages, lambda: table.append(a, huge))
    batch = np.array([a, b, c, b])
    refused(table, OutOfPages, lambda: table.append_batch(batch[:3], np.array([huge, huge, huge])))
    refused(table, OutOfPages, lambda: table.append_batch(batch[1:], np.array([huge, huge, huge])))
    assert table.pages_needed(b, huge) == -(-huge // 3)


def test_a_batch_with_a_repeated_handle_is_refused_as_a_whole() -> None:
    table, (a, b) = table_with(4, 2, 2, 1)
    refused(table, OutOfPages, lambda: table.append_batch([a, b, a], [2, 1, 3]))
    table.append_batch([a, b, a], [2, 1, 2])
    assert table.free_count == 0


# Trim, hole, truncate, reads.


def test_trim_releases_whole_pages_only() -> None:
    table, (a,) = table_with(4, 4, 14)
    for keep, held in [(3, 4), (4, 3), (7, 3), (0, 3), (13, 1), (14, 1)]:
        table.trim(a, keep)
        assert table.held(a) == held
    assert table.hole(a) == (0, 12)
    assert table.table(a) == [None, None, None, 3]
    table.append(a, 2)
    table.trim(a, 16)
    assert (table.table(a), table.held(a), table.free_count) == ([None] * 4, 0, 4)


def test_sinks_are_never_trimmed() -> None:
    table = PageTable(5, 4)
    a = table.open(sinks=5)
    table.append(a, 20)
    table.trim(a, 11)
    assert table.hole(a) == (0, 0)
    table.trim(a, 17)
    assert table.hole(a) == (8, 16)
    assert table.table(a) == [0, 1, None, None, 4]
    assert table.sinks(a) == 5
    assert table.slots(a, 6, 8).tolist() == [6, 7]
    assert table.slots(a, 16, 20).tolist() == [16, 17, 18, 19]
    b = table.fork(a)
    assert (table.sinks(b), table.hole(b), table.table(b)) == (5, (8, 16), table.table(a))


def test_reads_in_the_hole() -> None:
    table = PageTable(5, 4)
    a = table.open(sinks=4)
    table.append(a, 18)
    table.trim(a, 12)
    for low, high in [(4, 5), (11, 12), (3, 5), (11, 13), (0, 18)]:
        refused(table, RowsReleased, partial(table.slots, a, low, high), "rows 4 … 11 were released")
    assert table.slots(a, 4, 4).size == table.slots(a, 8, 8).size == 0
    assert table.slots(a, 3, 4).tolist() == [3]
    assert table.slots(a, 12, 13).tolist() == [12]
    assert table.slots(a, 18, 18).size == 0
    for low, high in [(-1, 2), (3, 2), (0, 19), (19, 19)]:
        refused(table, BadArgument, partial(table.slots, a, low, high))


def test_truncate() -> None:
    table, (a,) = table_with(6, 4, 13)
    table.trim(a, 8)
    for length in (1, 4, 7):
        refused(table, RowsReleased, partial(table.truncate, a, length), "rows 0 … 7 were released")
    refused(table, BadArgument, lambda: table.truncate(a, 14))
    refused(table, BadArgument, lambda: table.truncate(a, -1))
    table.truncate(a, 9)
    assert (table.table(a), table.length(a), table.hole(a)) == ([None, None, 2], 9, (0, 8))
    assert table.append(a, 1).slots.tolist() == [9]
    table.truncate(a, 8)
    assert (table.table(a), table.held(a), table.hole(a)) == ([None, None], 0, (0, 8))
    assert table.append(a, 1).slots.tolist() == [8]
    table.truncate(a, 0)
    assert (table.table(a), table.hole(a), table.free_count) == ([], (0, 0), 6)


def test_truncate_before_the_hole_makes_it_vanish() -> None:
    table = PageTable(6, 2)
    a = table.open(sinks=3)
    table.append(a, 11)
    table.trim(a, 8)
    assert table.table(a) == [0, 1, None, None, 4, 5]
    table.truncate(a, 3)
    assert (table.table(a), table.hole(a)) == ([0, 1], (0, 0))
    assert table.append(a, 4).slots.tolist() == [3, 10, 11, 8]
    table.trim(a, 6)
    assert table.hole(a) == (4, 6)


def test_truncate_a_table_that_has_slid_over_its_hole() -> None:
    """The table of a fork begins at the start of its segment, whatever the hole; without a hole it is as any other."""
    table = PageTable(40, 2)
    a = table.open(sinks=3)
    table.append(a, 40)
    table.trim(a, 34)
    b, c = table.fork(a), table.fork(a)
    table.truncate(b, 4)
    table.check()
    table.append(b, 6)
    table.check()
    assert table.slots(b, 0, 4).tolist() == [0, 1, 2, 3]
    assert table.table(b)[:2] == [0, 1]
    assert len(set(table.table(b))) == 5
    table.truncate(c, 0)
    table.append(c, 3)
    table.check()
    assert len(table.table(c)) == 2
    assert table.table(a)[17:] == [17, 18, 19]


def test_truncate_into_a_shared_page_leaves_it_shared_until_the_next_write() -> None:
    table, (a,) = table_with(3, 4, 4)
    b = table.fork(a)
    table.truncate(b, 2)
    assert table.refcount(0) == 2
    assert table.pages_needed(b, 1) == 1
    assert table.append(b, 1).copies == Copy(0, 1, 2)
    assert table.pages_needed(a, 1) == 1
    table.truncate(b, 1)
    assert table.append(b, 1).copies is None


def test_truncate_the_only_owner_of_what_was_shared() -> None:
    table, (a,) = table_with(2, 4, 3)
    b = table.fork(a)
    table.close(b)
    table.truncate(a, 2)
    assert table.pages_needed(a, 1) == 0
    assert table.append(a, 1) == (np.array([2]), None)


# Handles.


def test_handles_are_of_one_request_only() -> None:
    table = PageTable(2, 2)
    a, b = table.open(), table.open()
    assert a != b
    assert table.handles() == sorted([a, b])
    table.close(a)
    c = table.open()
    assert c & 0xFFFFFFFF == a & 0xFFFFFFFF
    assert c >> 32 == 1
    assert table.handles() == sorted([b, c])
    table.append(c, 1)
    for stale in (a, 0, -1, -a, c - (1 << 32), c + (1 << 32), 7, 10**30, -(10**30), (1 << 62) + 1, 1 << 32):
        refused(table, UnknownRequest, partial(table.append, stale, 1))
        refused(table, UnknownRequest, partial(table.append_batch, [b, stale, c], [1, 1, 1]))
        refused(table, UnknownRequest, partial(table.trim_batch, [b, stale], [0, 0]))
        if abs(stale) < 2**63:
            refused(table, UnknownRequest, partial(table.append_batch, np.array([b, stale]), [1, 1]))
    table.append_batch([c, b], [1, 1])


@pytest.mark.parametrize("live", [0, 1, 14, 15, 16, 30, 31, 32, 200])
def test_no_number_is_taken_for_a_handle(live: int) -> None:
    """Whatever leads to a column in use or not, at the end of the arrays or behind it."""
    table = PageTable(1, 1)
    handles = [table.open() for _ in range(live)]
    for handle in handles[1::2]:
        table.close(handle)
    known = set(table.handles())
    assert known == set(handles[::2])
    for generation in (-1, 0, 1, 2):
        for index in range(600):
            number = (generation << 32) + index
            if number not in known:
                with pytest.raises(UnknownRequest):
                    table.length(number)
                with pytest.raises(UnknownRequest):
                    table.lengths(np.array([number]))


def test_an_index_is_retired_after_its_last_generation() -> None:
    requests = Requests()
    index = requests.open()
    requests.handle[index] = (GENERATIONS - 1) << 32 | index
    last = requests.handle.item(index)
    assert requests.find(last) == index
    assert requests.find_all([last]).tolist() == [index]
    requests.close(index)
    assert requests.vacant == []
    assert requests.open() == index + 1
    for handle in (last, index, 0, GENERATIONS << 32 | index):
        with pytest.raises(UnknownRequest):
            requests.find(handle)
    table = PageTable(1, 1)
    table.store.requests = requests
    table.check()


@pytest.mark.parametrize("handle", NO_INTEGERS)
def test_what_is_no_integer_is_no_handle(handle: int) -> None:
    table = PageTable(2, 2)
    live = table.open()
    for operation in (table.length, table.fork, table.close, table.sinks, table.hole, table.table, table.held):
        refused(table, UnknownRequest, partial(operation, handle))
    refused(table, UnknownRequest, lambda: table.append(handle, -1))
    refused(table, UnknownRequest, lambda: table.trim(handle, -1))
    refused(table, UnknownRequest, lambda: table.truncate(handle, -1))
    refused(table, UnknownRequest, lambda: table.slots(handle, -1, -1))
    refused(table, UnknownRequest, lambda: table.pages_needed(handle, -1))
    refused(table, UnknownRequest, lambda: table.append_batch([live, handle], [-1, -1]))


# Arguments.


def test_integers_of_every_kind() -> None:
    table = PageTable(np.int64(4), np.uint8(2))  # type: ignore[arg-type]
    a = table.open(np.int32(1))  # type: ignore[arg-type]
    assert type(a) is int
    table.append(np.int64(a), Index(3))  # type: ignore[arg-type]
    table.append_batch((a,), [np.int8(1)])
    table.append_batch(np.array([a], dtype=np.uint64), np.array([1], dtype=np.int32))
    assert table.length(np.uint64(a)) == 5  # type: ignore[arg-type]
    for number in (table.length(a), table.sinks(a), table.held(a), table.free_count, table.refcount(0), table.pages):
        assert type(number) is int
    assert {type(page) for page in [*table.table(a), *table.free_stack(), *table.hole(a)]} == {int}


@pytest.mark.parametrize("wrong", [*NO_INTEGERS, -1, 10**30, -(10**30), 2**63, 2**64, 2**62 + 1])
def test_arguments_that_are_refused(wrong: int) -> None:
    table, (a, b) = table_with(4, 2, 3, 1)
    refused(table, BadArgument, lambda: table.open(wrong))
    refused(table, BadArgument, lambda: table.append(a, wrong))
    refused(table, BadArgument, lambda: table.trim(a, wrong))
    refused(table, BadArgument, lambda: table.truncate(a, wrong))
    refused(table, BadArgument, lambda: table.slots(a, wrong, 1))
    refused(table, BadArgument, lambda: table.slots(a, 0, wrong))
    refused(table, BadArgument, lambda: table.pages_needed(a, wrong))
    refused(table, BadArgument, lambda: table.refcount(wrong))
    refused(table, BadArgument, lambda: table.append_batch([b, a], [1, wrong]))
    refused(table, BadArgument, lambda: table.trim_batch([b, a], [1, wrong]))
    for arguments in ((wrong, 2), (2, wrong)):
        with pytest.raises(BadArgument):
            PageTable(*arguments)


@pytest.mark.parametrize(
    "wrong", [[1.0], [[1]], "12", b"12", 1, None, [True], np.array([[1]]), np.array(1), np.array(["1"])]
)
def test_batches_that_are_refused(wrong: object) -> None:
    table, (a,) = table_with(4, 2, 3)
    refused(table, BadArgument, lambda: table.append_batch([a], wrong))
    refused(table, BadArgument, lambda: table.trim_batch([a], wrong))
    refused(table, UnknownRequest, lambda: table.append_batch(wrong, [1]))
    refused(table, UnknownRequest, lambda: table.trim_batch(wrong, [1]))


def test_batches_of_unequal_length_and_numbers_out_of_range() -> None:
    table, (a, b) = table_with(4, 2, 3, 2)
    refused(table, BadArgument, lambda: table.append_batch([a, b], [1]), "1 values .* 2 handles")
    refused(table, BadArgument, lambda: table.trim_batch([a], [1, 1]))
    refused(table, BadArgument, lambda: table.append_batch(np.array([a, b]), np.array([0, -1])), "entry 1 .* is -1")
    refused(table, BadArgument, lambda: table.append_batch(np.array([a, b]), np.array([2**62 + 1, 0])), "entry 0 ")
    refused(table, BadArgument, lambda: table.trim_batch(np.array([a, b]), np.array([3, 3])), "entry 1 .* from 0 to 2")
    refused(table, BadArgument, lambda: table.trim_batch(np.array([a, b]), np.array([-1, 0])))
    table.trim_batch(np.array([a, b]), np.array([3, 2]))
    assert table.free_stack() == [3, 0, 2]


def test_precedence_in_a_batch() -> None:
    table, (a,) = table_with(2, 2, 1)
    refused(table, UnknownRequest, lambda: table.append_batch([a, 99], [-1, 10**9]))
    refused(table, BadArgument, lambda: table.append_batch([a, a], [10**9, -1]))
    refused(table, UnknownRequest, lambda: table.trim_batch([a, 99], [5, 0]))


@pytest.mark.parametrize("empty", [(), [], np.array([]), np.array([], dtype=np.int64)])
def test_an_empty_batch(empty: object) -> None:
    table = PageTable(1, 1)
    done = table.append_batch(empty, empty)
    assert done.slots.size == 0
    assert done.slots.dtype == np.int64
    table.trim_batch(empty, empty)


def test_sizes_of_pools() -> None:
    for pages, page_size in [(0, 1), (1, 0), (-1, 1), (2**31, 1), (2, 2**61 + 1)]:
        with pytest.raises(BadArgument):
            PageTable(pages, page_size)
    table = PageTable(2, 2**61)
    a = table.open()
    assert table.pages_needed(a, 2**61 + 1) == 2
    assert table.append_batch([a], [3]).slots.tolist() == [0, 1, 2]
    table, (a,) = table_with(1, 1, 1)
    refused(table, OutOfPages, lambda: table.append(a, 1))


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
    while table.store.requests.used < table.store.requests.fields.shape[1]:
        a = table.open()
    table.append(a, 1)
    before = table.snapshot()
    with monkeypatch.context() as patch:
        patch.setattr(Requests, "reserve_columns", no_memory)
        for operation in (table.open, lambda: table.fork(a)):
            with pytest.raises(MemoryError):
                operation()
            assert table.snapshot() == before
            table.check()


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
