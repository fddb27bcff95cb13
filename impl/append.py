# SPDX-License-Identifier: Apache-2.0
"""The append of rows to a batch of different requests: first a plan, which may be refused and changes nothing, then the
deed.

The result is that of the appends one by one in the given order: pages are handed out request by request, the copy of a
shared last page first, then the new pages in logical order; and of c owners of one shared last page the first c − 1 to
write get a copy, the last one writes into the page itself.

Arrays are int64 of one dimension unless they say otherwise; pages are physical pages.
"""

from typing import NamedTuple

import numpy as np

from impl import elementwise as formulas
from impl.arguments import Ints
from impl.elementwise import ONE, ZERO
from impl.errors import OutOfPages
from impl.store import Store


class Copies(NamedTuple):
    """Copies to make before any row is written: the first `rows[i]` rows of page `source[i]` go to page `target[i]`."""

    source: Ints
    target: Ints
    rows: Ints


class AppendedBatch(NamedTuple):
    """The slots to write, int64[sum of counts], request after request, and the copies to make first."""

    slots: Ints
    copies: Copies


NOTHING: Ints = np.zeros(0, dtype=np.int64)
NOTHING.flags.writeable = False
NO_COPIES = Copies(NOTHING, NOTHING, NOTHING)


class Plan(NamedTuple):
    """What the requests get whose rows don't fit into a last page of their own, one entry each.

    `room` and `end_slot` are those of the last page when the first row is written, `left` and `last_end` those of the
    last page when all are. The request has `pages` logical pages before and `after` the append; `new` is the
    difference, `one_each` says that it is 1 for all, `fresh` are the new pages, request after request. `copied` are the
    positions of the requests that get a copy. `taken` pages are handed out in all.
    """

    room: Ints
    end_slot: Ints
    left: Ints
    last_end: Ints
    pages: Ints
    after: Ints
    new: Ints
    one_each: bool
    fresh: Ints
    copied: Ints
    copies: Copies
    taken: int


def append_rows(store: Store, index: Ints, counts: Ints, ones: bool) -> AppendedBatch:
    """Append counts[i] ≥ 0 rows to each request index[i], all different. Raises OutOfPages, MemoryError.

    All arrays are allocated before the first change. `ones` says that all counts are 1: a decode step, which is made to
    be fast. O(B + new pages + output).
    """
    requests = store.requests
    room, end_slot = requests.room[index], requests.end_slot[index]
    left = room - counts
    short = (left < ZERO).nonzero()[0]
    if not ones:
        short = short[counts[short] > 0]
    if not short.size:
        slots = spread(end_slot - room, counts, ones)
        requests.room[index] = left
        return AppendedBatch(slots, NO_COPIES)
    growing = index[short]
    plan = plan_growth(store, growing, counts[short])
    left[short] = plan.left
    if ones:
        end_slot[short] = plan.last_end
        slots = end_slot - left - ONE
    else:
        room[short], end_slot[short] = plan.room, plan.end_slot
        slots = _slots(store, room, end_slot, counts, left, short, plan)
    _take(store, growing, plan)
    requests.room[index] = left
    return AppendedBatch(slots, plan.copies)


def plan_growth(store: Store, index: Ints, counts: Ints) -> Plan:
    """The plan for requests that are all different, counts ≥ 1. Changes nothing. Raises OutOfPages.

    O(B + new pages).
    """
    page, owners, requests = store.page, store.owners, store.requests
    room, end_slot, end_row = requests.room[index], requests.end_slot[index], requests.end_row[index]
    copied = (room < ZERO).nonzero()[0]
    source = NOTHING
    if copied.size:
        room[copied] += page
        end_row[copied] += page
        source = formulas.page_of(end_slot[copied] - 1, page)
        shared = (owners.counts[source] - _times_before(source) > 1).nonzero()[0]
        copied, source = copied[shared], source[shared]
    new = formulas.new_pages(room, counts, page)
    taken = sum(new.tolist()) + copied.size
    refuse_beyond_free(store, taken)
    fresh, copies = owners.top(taken), NO_COPIES
    if copied.size:
        first = (new.cumsum() - new)[copied] + np.arange(copied.size)
        copies = Copies(source, fresh[first], page - room[copied])
        end_slot[copied] = formulas.slot_after(copies.target, page)
        fresh = np.delete(fresh, first)
    one_each = fresh.size == np.count_nonzero(new) == index.size
    if one_each:  # as in a decode step, made to be fast
        last_end = formulas.slot_after(fresh, page)
    else:
        grown = new.nonzero()[0]
        last_end = end_slot.copy()
        last_end[grown] = formulas.slot_after(fresh[new.cumsum()[grown] - ONE], page)
    pages = formulas.page_of(end_row, page)
    left = formulas.room_after(room, counts, page)
    return Plan(room, end_slot, left, last_end, pages, pages + new, new, one_each, fresh, copied, copies, taken)


def refuse_beyond_free(store: Store, taken: int) -> None:
    """Raise OutOfPages when there are fewer free pages."""
    free = store.owners.free
    if taken > free:
        raise OutOfPages(f"the append takes {taken} pages, {free} are free; release or trim some first")


def spread(starts: Ints, counts: Ints, ones: bool = False) -> Ints:
    """starts[i], starts[i] + 1, …, counts[i] ≥ 0 of them, for each i in order. O(output).

    `ones` says that all counts are 1, then it is `starts` itself. Raises MemoryError.
    """
    if ones:
        return starts
    if counts.size == 1:
        return spread_one(starts.item(0), counts.item(0))
    try:
        numbers: Ints = (starts - counts.cumsum() + counts).repeat(counts)
    except ValueError as error:
        raise MemoryError(str(error)) from None
    numbers += np.arange(numbers.size)
    return numbers


def spread_one(start: int, count: int) -> Ints:
    """start, start + 1, …, `count` ≥ 0 of them. Raises MemoryError, where numpy may have a ValueError. O(count)."""
    try:
        return np.arange(start, start + count)
    except ValueError as error:
        raise MemoryError(str(error)) from None


def slots_in(pages: Ints, first: int, count: int, page: Ints) -> Ints:
    """The slots of `count` rows that fill these pages from offset `first` of the first to somewhere in the last.

    `first` may be the page size. Raises MemoryError. O(pages + count).
    """
    starts, size = formulas.slot_of(pages, ZERO, page), page.item()
    if size <= count:  # quicker, and too much by two pages at most
        try:
            return (starts[:, np.newaxis] + spread_one(0, size)).ravel()[first : first + count]
        except ValueError as error:
            raise MemoryError(str(error)) from None
    lengths = page.repeat(pages.size)
    starts[0] += first
    lengths[0] -= first
    lengths[-1] -= size * pages.size - first - count
    return spread(starts, lengths)


def _times_before(values: Ints) -> Ints:
    """How often each value has come before it in the array. O(size log size)."""
    order = values.argsort(stable=True)
    ordered = values[order]
    times = np.empty_like(values)
    times[order] = np.arange(values.size) - np.searchsorted(ordered, ordered)
    return times


def _slots(store: Store, room: Ints, end_slot: Ints, counts: Ints, left: Ints, short: Ints, plan: Plan) -> Ints:
    """The slots of all rows of the batch: for each request first those in its last page, then those in its new pages.

    `room` and `end_slot` are those of the last page when the first row is written, `left` is the room when all are.
    """
    if counts.size == 1:  # quicker for one, and just as right
        pages = np.concatenate((formulas.page_of(end_slot - ONE, store.page), plan.fresh))
        return slots_in(pages, store.page_size - room.item(0), counts.item(0), store.page)
    new = np.zeros_like(counts)
    new[short] = plan.new
    first = np.arange(counts.size) + new.cumsum() - new
    runs = counts.size + plan.fresh.size
    is_new = np.ones(runs, dtype=np.bool_)
    is_new[first] = False
    starts, lengths = np.empty(runs, dtype=np.int64), store.page.repeat(runs)
    starts[first] = end_slot - room
    starts[is_new] = formulas.slot_of(plan.fresh, ZERO, store.page)
    lengths[first] = np.minimum(counts, abs(room))
    grown = new > 0
    lengths[(first + new)[grown]] -= left[grown]
    return spread(starts, lengths)


def _take(store: Store, index: Ints, plan: Plan) -> None:
    """Do what the plan says, but for the room left. Raises MemoryError before anything has changed."""
    requests, owners, arena = store.requests, store.owners, store.arena
    ends, end_row = requests.base[index] + plan.pages, plan.after * store.page
    grows = np.count_nonzero(ends + plan.new > requests.stop[index])
    places = last = NOTHING
    if not grows:
        places = spread(ends, plan.new, plan.one_each)
    elif index.size > 1 or plan.copied.size:  # else to grow is the first change, which makes sure of it by itself
        store.make_room(zip(index.tolist(), plan.after.tolist(), strict=True))
    if plan.copied.size:
        last = ends[plan.copied] - ONE
        owners.let_go(plan.copies.source)
    if grows:
        _extend_each(store, index, plan)
    else:
        if plan.copied.size:
            arena.entries[last] = plan.copies.target
        arena.entries[places] = plan.fresh
    owners.take(plan.taken)
    requests.end_slot[index] = plan.last_end
    requests.end_row[index] = end_row


def _extend_each(store: Store, index: Ints, plan: Plan) -> None:
    """The entries of one table after the other, when one of them has to grow. Allocates no array."""
    targets = dict(zip(plan.copied.tolist(), plan.copies.target.tolist(), strict=True))
    begin = 0
    for at, (each, new) in enumerate(zip(index.tolist(), plan.new.tolist(), strict=True)):
        store.extend(each, targets.get(at), plan.fresh[begin : begin + new])
        begin += new
