# SPDX-License-Identifier: Apache-2.0
"""Handles and arguments of the page table: which are accepted, which are refused, and in which order."""

from functools import partial

import numpy as np
import pytest

from impl.cache import PagedCache
from impl.errors import BadArgument, OutOfPages, UnknownRequest
from impl.page_table import PageTable
from impl.requests import GENERATIONS, Requests
from tests.page_tables import NO_INTEGERS, Index, refused, table_with

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


@pytest.mark.parametrize("counts", [(1, 2**62, 2**62), (1, 2**62, 2**62 - 1), (2**62, 2**62, 2**62)])
def test_one_request_several_times_with_counts_beyond_an_int64_changes_nothing(counts: tuple[int, int, int]) -> None:
    table = PageTable(4, 4)
    handle = table.open()
    before = table.snapshot()
    with pytest.raises(OutOfPages):
        table.append_batch([handle] * 3, list(counts))
    assert table.snapshot() == before


@pytest.mark.parametrize("value", [10**5000, -(10**5000), list(range(1000))], ids=["huge", "negative", "list"])
def test_what_has_no_short_text_is_refused_in_short(value: object) -> None:
    table = PageTable(4, 4)
    with pytest.raises(BadArgument) as refused:
        table.append(table.open(), value)  # type: ignore[arg-type]
    assert type(refused.value) is BadArgument
    assert len(str(refused.value)) < 200


KINDS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, Index]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("page_size", [3, 100])
def test_a_number_of_any_kind_is_the_same_number(kind: type, page_size: int) -> None:
    """Each operation with every number of this kind against the one with ints."""
    left, (a, b) = table_with(400, page_size, 120, 100)
    right, _ = table_with(400, page_size, 120, 100)
    for low, high in [(1, 8), (0, 0), (0, 120), (99, 101), (120, 120)]:
        assert left.slots(a, kind(low), kind(high)).tolist() == right.slots(a, low, high).tolist()
        assert left.pages_of(a, kind(low), kind(high)).tolist() == right.pages_of(a, low, high).tolist()
    assert left.pages_needed(a, kind(127)) == right.pages_needed(a, 127)
    assert left.refcount(kind(7)) == right.refcount(7)
    assert left.append(a, kind(127)).slots.tolist() == right.append(a, 127).slots.tolist()
    left.trim(a, kind(120))
    right.trim(a, 120)
    left.truncate(b, kind(97))
    right.truncate(b, 97)
    c = left.open(kind(127))
    assert right.open(127) == c
    assert (
        left.append_batch([a, c], [kind(3), kind(127)]).slots.tolist()
        == right.append_batch([a, c], [3, 127]).slots.tolist()
    )
    left.trim_batch([c, a], [kind(127), kind(125)])
    right.trim_batch([c, a], [127, 125])
    assert left.snapshot() == right.snapshot()
    assert PageTable(kind(100), kind(100)).snapshot() == PageTable(100, 100).snapshot()


def test_the_pages_of_rows_are_read_only() -> None:
    table, (a,) = table_with(8, 2, 9)
    for low, high in [(0, 9), (3, 4), (2, 2)]:
        with pytest.raises(ValueError, match="read-only"):
            table.pages_of(a, low, high)[...] = 7
    table.append(a, 1)
    assert table.table(a) == [0, 1, 2, 3, 4]


def test_the_largest_number_is_told() -> None:
    for told in (PageTable.__doc__, PagedCache.__doc__):
        assert "2**62" in (told or "")
