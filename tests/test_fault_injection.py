# SPDX-License-Identifier: Apache-2.0
"""Whatever fails within an operation, the state is then bit for bit what it was before.

What fails: the pool at any page and any position of a batch, and any single allocation of an array that numpy makes on
the way. The state is that of `snapshot()`, rows and the order of free pages included. Memory that is only reserved is
not part of it, nor is it tested that Python's own small objects (numbers, lists, entries of dicts) find memory.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.cache import PagedCache
from impl.errors import BadArgument, CacheError, OutOfPages, UnknownRequest
from impl.page_table import PageTable
from proofs.mistakes import Mistake, applied
from spec.conformance.drawing import Draw, RandomChooser, draw_scope
from spec.conformance.lockstep import start
from tests.allocations import allocations
from tests.calls import arguments_of

CHANGING = {"new", "fork", "append", "append_batch", "trim", "trim_batch", "truncate", "release"}


def refuse_each(state: Callable[[], object], operation: Callable[[], object], what: str) -> int:
    """Do it with its first allocation refused, with its second, …, until it succeeds or is refused for another reason.

    AssertionError unless nothing has changed each time. Returns how many allocations were refused.
    """
    before = state()
    for number in range(1, 10_000):
        try:
            with allocations(refused=number) as seen:
                operation()
        except MemoryError:
            assert state() == before, f"{what}: not bit for bit what it was after allocation {number} was refused"
        except CacheError:
            assert state() == before, f"{what}: not bit for bit what it was after a refusal"
            return number - 1
        else:
            assert seen.count < number, f"{what}: the refusal of allocation {number} was not noticed"
            return number - 1
    raise AssertionError(f"{what}: never ends")


def with_little_memory(pages: int, page_size: int) -> PagedCache:
    """A cache whose arena has to grow soon."""
    cache = PagedCache(pages, page_size)
    arena = cache.page_table.store.arena
    arena.entries = arena.entries[:8].copy()
    return cache


def run_history(seed: int, operations: int, refused: Counter[str]) -> None:
    """A random history, each operation with each of its allocations refused first; a twin never knows of it."""
    chooser = RandomChooser(f"faults/{seed}")
    scope = draw_scope(chooser)
    lockstep = start(PagedCache, scope.pages, scope.page_size)
    draw = Draw(scope, lockstep.capabilities, chooser)
    cache = with_little_memory(scope.pages, scope.page_size)
    twin = PagedCache(scope.pages, scope.page_size)
    for _ in range(operations):
        operation = draw.operation(lockstep.state)
        given = arguments_of(operation, lockstep.next_row)
        lockstep.run(operation)
        call = partial(getattr(cache, operation.kind), *given)
        refused[operation.kind] += refuse_each(cache.snapshot, call, f"{operation} in history {seed}")
        try:
            getattr(twin, operation.kind)(*given)
        except CacheError as error:
            with pytest.raises(type(error)):
                call()
        assert cache.snapshot() == twin.snapshot(), f"{operation} in history {seed}"
    cache.check()


# Memory.


def test_a_refused_allocation_is_a_memory_error_and_is_counted() -> None:
    with allocations() as seen:
        np.zeros(3) + np.ones(3)
    assert seen.count >= 3
    for number in range(1, seen.count + 1):
        with pytest.raises(MemoryError), allocations(refused=number):
            np.zeros(3) + np.ones(3)


@given(st.integers(0, 10**6))
def test_no_allocation_that_fails_changes_anything(seed: int) -> None:
    run_history(seed, 20, Counter())


def test_every_operation_that_changes_something_has_allocations_that_fail() -> None:
    refused: Counter[str] = Counter()
    for seed in range(12):
        run_history(seed, 40, refused)
    assert {kind for kind in CHANGING if refused[kind]} == CHANGING - {"new"}
    assert sum(refused.values()) > 5_000


@pytest.mark.parametrize("kind", ["fork", "new"])
def test_a_request_that_needs_more_columns(kind: str) -> None:
    cache = PagedCache(4, 2)
    cache.new("first")
    cache.append("first", [1, 2, 3])
    for number in range(cache.page_table.store.requests.fields.shape[1] - 2):
        cache.new(number)
    operation = partial(cache.fork, "first", "fork") if kind == "fork" else partial(cache.new, "new", 3)
    assert refuse_each(cache.snapshot, operation, kind) >= 3
    cache.check()


@pytest.mark.parametrize("repeated", [False, True])
def test_tables_that_grow_together(repeated: bool) -> None:
    """Sixteen tables of 7 pages, some of them forks with a shared last page, all of them moved by one batch."""
    cache = PagedCache(200, 2)
    for number in range(12):
        cache.new(number)
        cache.append(number, range(13))
    for number in range(4):
        cache.fork(number, f"fork of {number}")
    requests = [*range(12), *(f"fork of {number}" for number in range(4))]
    if repeated:
        requests += requests[:5]
    arena = cache.page_table.store.arena
    arena.entries = arena.entries[: arena.top].copy()
    top = arena.top
    batch = partial(cache.append_batch, requests, [np.arange(5)] * len(requests))
    assert refuse_each(cache.snapshot, batch, "a batch") > 20
    assert arena.top > top
    cache.check()


def test_a_restore_without_memory() -> None:
    cache, other = with_little_memory(40, 2), PagedCache(40, 2)
    for number in range(40):
        other.new(number)
        other.append(number, [number])
    cache.new("here")
    assert refuse_each(cache.snapshot, partial(cache.restore, other.snapshot()), "restore") >= 4
    assert cache.snapshot() == other.snapshot()


FAULTS = {
    "an array made after the first change": ("impl.owners:Owners.take", "= _ONE_OWNER", "= np.ones(count, np.int32)"),
    "tables moved before there is room for all": ("impl.append:_take", "store.make_room(zip(", "(lambda _: 0)(zip("),
    "pages shared before there is room": ("impl.page_table:PageTable.fork", "arena.make_room([", "(lambda *_: 0)(["),
}


def everything() -> None:
    """What finds each of them."""
    for seed in range(12):
        run_history(seed, 40, Counter())
    test_tables_that_grow_together(repeated=False)


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(fault: str) -> None:
    with applied(Mistake(fault, *FAULTS[fault])), pytest.raises(AssertionError, match="not bit for bit"):
        everything()


# Pages.


def exhausted(table: PageTable, operation: Callable[[], object], kind: type[CacheError] = OutOfPages) -> None:
    """It is refused, and nothing has changed."""
    before = table.snapshot()
    with pytest.raises(kind):
        operation()
    assert table.snapshot() == before
    table.check()


def leave_free(table: PageTable, pages: int) -> None:
    """Let a new request take all free pages but so many."""
    handle = table.open()
    table.append(handle, (table.free_count - pages) * table.page_size)


def shared(table: PageTable, owners: int, rows: int) -> list[int]:
    """Requests that share all their pages."""
    first = table.open()
    table.append(first, rows)
    return [first, *(table.fork(first) for _ in range(owners - 1))]


@pytest.mark.parametrize("page_size", [1, 3])
@pytest.mark.parametrize("owners", [1, 2])
@pytest.mark.parametrize("rows", [0, 2, 3])
def test_an_append_is_refused_at_each_page(page_size: int, owners: int, rows: int) -> None:
    """One that takes 1 … 6 pages, copy included, with each smaller number of free pages."""
    for count in range(1, 5 * page_size + 1):
        table = PageTable(40, page_size)
        handle = shared(table, owners, rows)[0]
        needed = table.pages_needed(handle, count)
        start = table.snapshot()
        for free in range(needed):
            table.restore(start)
            leave_free(table, free)
            exhausted(table, partial(table.append, handle, count))
            exhausted(table, partial(table.append_batch, [handle], [count]))
        table.restore(start)
        leave_free(table, needed)
        table.append(handle, count)
        assert table.free_count == 0


@pytest.mark.parametrize("repeated", [False, True])
def test_a_batch_is_refused_at_each_position(repeated: bool) -> None:
    """Appends with and without copies, growing tables among them, with 0, 1, … free pages: all or nothing."""
    table = PageTable(60, 2)
    writers = [*shared(table, 3, 3), *shared(table, 1, 13), *shared(table, 2, 15), *shared(table, 1, 2)]
    counts = [1, 2, 5, 3, 1, 0, 7]
    if repeated:
        writers, counts = writers + writers[::-1], counts + counts
    start, free = table.snapshot(), table.free_count
    table.append_batch(writers, counts)
    needed = free - table.free_count
    assert needed > len(writers)
    for left in range(needed):
        table.restore(start)
        leave_free(table, left)
        exhausted(table, partial(table.append_batch, writers, counts))
    table.restore(start)
    leave_free(table, needed)
    table.append_batch(writers, counts)
    assert table.free_count == 0


@pytest.mark.parametrize("position", range(5))
@pytest.mark.parametrize("repeated", [False, True])
def test_any_other_refusal_at_each_position(position: int, repeated: bool) -> None:
    table = PageTable(60, 2)
    handles = [*shared(table, 3, 3), *shared(table, 2, 15)]
    if repeated:
        handles[-1] = handles[0]
    lengths = table.lengths(handles).tolist()
    stranger = [*handles[:position], 99, *handles[position:]]
    exhausted(table, partial(table.append_batch, stranger, [1] * 6), UnknownRequest)
    exhausted(table, partial(table.trim_batch, stranger, [0] * 6), UnknownRequest)
    for wrong in (-1, 2**62 + 1):
        counts = [1] * 5
        counts[position] = wrong
        exhausted(table, partial(table.append_batch, handles, counts), BadArgument)
        exhausted(table, partial(table.append_batch, handles, np.array(counts)), BadArgument)
    keeps = list(lengths)
    keeps[position] += 1
    exhausted(table, partial(table.trim_batch, handles, keeps), BadArgument)


@pytest.mark.parametrize("position", range(4))
def test_rows_that_do_not_fit_at_each_position(position: int) -> None:
    """Of the cache: rows of another shape, and an unknown request, in each place."""
    cache = PagedCache(8, 2, (3,))
    for name in "abcd":
        cache.new(name)
        cache.append(name, np.ones((3, 3), dtype=np.int64))
    rows: list[Any] = [np.ones((2, 3), dtype=np.int64)] * 4
    before = cache.snapshot()
    refused: list[Any] = [np.ones((2, 4), dtype=np.int64), np.ones((2, 3)), [[None] * 3]]
    for wrong in refused:
        with pytest.raises(BadArgument):
            cache.append_batch(list("abcd"), [*rows[:position], wrong, *rows[position + 1 :]])
        assert cache.snapshot() == before
    with pytest.raises(UnknownRequest):
        cache.append_batch([*"abcd"[:position], "z", *"abcd"[position + 1 :]], rows)
    assert cache.snapshot() == before
