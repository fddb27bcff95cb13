# SPDX-License-Identifier: Apache-2.0
"""The page table by hand-computed examples: which pages are handed out, slots, copies, capacity."""

import numpy as np
import pytest

from impl.errors import OutOfPages
from impl.in_order import pieces_of
from impl.owners import Owners
from impl.page_table import Copy
from impl.trim import _tails
from tests.page_tables import refused, table_with

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


@pytest.mark.parametrize(("owners", "copies"), [(2, 1), (3, 2), (4, 3), (5, 3)])
def test_the_last_owner_that_writes_needs_no_copy_when_some_write_twice(owners: int, copies: int) -> None:
    """Up to four of the owners write a row each, the first of them a second one at the end."""
    table, handles = table_with(1 + copies, 4, 2)
    handles += [table.fork(handles[0]) for _ in range(owners - 1)]
    writers = handles[: copies + 1] if owners < 5 else handles[:copies]
    done = table.append_batch([*writers, writers[0]], [1] * (len(writers) + 1))
    assert done.copies.source.tolist() == [0] * copies
    assert done.copies.target.tolist() == list(range(1, copies + 1))
    assert done.copies.rows.tolist() == [2] * copies
    assert done.slots.tolist() == [*[*range(6, 4 * copies + 3, 4), 2][: len(writers)], 7]
    assert table.refcount(0) == owners - copies
    assert table.refcounts() == [owners - copies] + [1] * copies


def test_arrays_are_int64_whatever_is_in_them() -> None:
    table, (a, b) = table_with(4, 4, 2, 4)
    c = table.fork(a)
    for handles, counts in [([a, a], [0, 0]), ([b, b], [1, 2]), ([c, c], [1, 1]), ([a], [0]), ([a, b], [1, 1])]:
        done = table.append_batch(handles, counts)
        assert done.slots.dtype == np.int64
        assert len(done.slots) == sum(counts)
        assert [column.dtype for column in done.copies] == [np.int64] * 3
        assert len({len(column) for column in done.copies}) == 1
    for low, high in [(0, 0), (1, 1), (0, 3), (0, 2)]:
        assert table.slots(a, low, high).dtype == np.int64


def test_no_rows_need_no_page_even_when_a_handle_comes_twice() -> None:
    table, (a,) = table_with(1, 2, 2)
    done = table.append_batch([a, a], [0, 0])
    assert done.slots.tolist() == []
    assert [column.tolist() for column in done.copies] == [[], [], []]


def test_a_full_page_is_shared_but_never_written_into() -> None:
    """Of the last page, it is whether the next row goes into it that matters."""
    table, (full, partial) = table_with(6, 2, 2, 1)
    table.fork(full)
    fork = table.fork(partial)
    store = table.store
    index = [store.requests.find(handle) for handle in (full, partial, fork)]
    assert [store.last_page_is_shared(each) for each in index] == [False, True, True]
    table.append(fork, 1)
    assert [store.last_page_is_shared(each) for each in index] == [False, False, False]


def test_lists_of_different_lengths_are_never_cut_short() -> None:
    table, (a, b) = table_with(6, 2, 2, 1)
    two = np.array([table.store.requests.find(handle) for handle in (a, b)])
    with pytest.raises(ValueError, match="zip"):
        pieces_of(table.store, two.tolist(), [1])
    for cut in range(3):
        columns = [two, two, two]
        columns[cut] = two[:1]
        with pytest.raises(ValueError, match="zip"):
            _tails(*columns)


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
