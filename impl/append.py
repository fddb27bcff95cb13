# SPDX-License-Identifier: Apache-2.0
"""The append of rows to a batch of different requests: first a plan, which may be refused and changes nothing, then the deed.

The result is that of the appends one by one in the given order: pages are handed out request by request, the copy of a
shared last page first, then the new pages in logical order; and of c owners of one shared last page the first c − 1 to
write get a copy, the last one writes into the page itself.

All pages are physical pages, all arrays int64 of one dimension unless they say otherwise.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from impl import window as formulas
from impl.arguments import Ints
from impl.errors import OutOfPages
from impl.owners import Pages
from impl.store import Store

Positions = NDArray[np.intp]


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
    """What the requests of a batch whose rows don't fit into a last page of their own will get, one entry each.

    `room` and `end_slot` of the last page as it will be when rows are written into it, `pages_before`, and `new` pages,
    which are in `fresh`, int32, request after request. `copied` are the positions of those that get a copy.
    """

    room: Ints
    end_slot: Ints
    pages_before: Ints
    new: Ints
    fresh: Pages
    taken: int
    copied: Positions
    copies: Copies


def ragged(counts: Ints) -> tuple[Ints, Ints]:
    """For 0 … counts[i]−1 for each i, one after the other: i and the number, two arrays. O(output)."""
    ends = counts.cumsum()
    owner = np.arange(counts.size).repeat(counts)
    return owner, np.arange(owner.size) - (ends - counts)[owner]


def append_rows(store: Store, index: Ints, counts: Ints) -> AppendedBatch:
    """Append counts[i] ≥ 0 rows to each request index[i], all different. Raises OutOfPages. O(B + new pages + output)."""
    requests = store.requests
    room, end_slot = requests.room[index], requests.end_slot[index]
    left = room - counts
    short = ((left < 0) & (counts > 0)).nonzero()[0]
    if not short.size:
        slots = _slots(room, end_slot, counts, NOTHING, store.page_size, short, NOTHING)
        requests.room[index] = left
        return AppendedBatch(slots, NO_COPIES)
    growing = index[short]
    plan = plan_growth(store, growing, counts[short])
    room[short], end_slot[short] = plan.room, plan.end_slot
    left[short] = plan.room + plan.new * store.page_size - counts[short]
    slots = _slots(room, end_slot, counts, plan.fresh, store.page_size, short, plan.new)
    _take(store, growing, plan)
    requests.room[index] = left
    return AppendedBatch(slots, plan.copies)


def plan_growth(store: Store, index: Ints, counts: Ints) -> Plan:
    """The plan for requests that are all different, counts ≥ 1. Changes nothing. Raises OutOfPages. O(B + new pages)."""
    page, owners, requests = store.page_size, store.owners, store.requests
    room, end_slot = requests.room[index], requests.end_slot[index]
    end_row = requests.end_row[index]
    marked = (room < 0).nonzero()[0]
    copied, source = marked, NOTHING
    if marked.size:
        room[marked] += page
        end_row[marked] += page
        source = formulas.page_of(end_slot[marked] - 1, page)
        shared = (owners.counts[source] - _times_before(source) > 1).nonzero()[0]
        copied, source = marked[shared], source[shared]
    new = formulas.new_pages(room, counts, page)
    takes = new.copy()
    takes[copied] += 1
    total = int(np.minimum(takes, owners.free + 1).sum())
    if total > owners.free:
        raise OutOfPages(f"the append takes {sum(takes.tolist())} pages, {owners.free} are free; release or trim some first")
    taken = owners.top(total)
    copies = NO_COPIES
    if copied.size:
        first = (takes.cumsum() - takes)[copied]
        target = taken[first].astype(np.int64)
        copies = Copies(source, target, page - room[copied])
        end_slot[copied] = formulas.slot_of(target + 1, 0, page)
        taken = np.delete(taken, first)
    return Plan(room, end_slot, formulas.page_of(end_row, page), new, taken, total, copied, copies)


def _times_before(values: Ints) -> Ints:
    """How often each value has come before it in the array. O(size log size)."""
    order = values.argsort(kind="stable")
    ordered = values[order]
    ranks = np.arange(values.size)
    starts = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    times = np.empty_like(values)
    times[order] = ranks - np.maximum.accumulate(starts * ranks)
    return times


def _slots(
    room: Ints, end_slot: Ints, counts: Ints, fresh: Pages, page: int, short: Positions, new: Ints
) -> Ints:
    """The slots of all rows: first those in the last page, which ends at `end_slot`, then those in fresh pages."""
    owner, number = ragged(counts)
    beyond = number - room[owner]
    slots = end_slot[owner] + beyond
    in_fresh = (beyond >= 0).nonzero()[0]
    if in_fresh.size:
        first = np.zeros_like(room)
        first[short] = new.cumsum() - new
        beyond = beyond[in_fresh]
        pages = fresh[first[owner[in_fresh]] + formulas.page_of(beyond, page)].astype(np.int64)
        slots[in_fresh] = formulas.slot_of(pages, formulas.offset_of(beyond, page), page)
    return slots


def _take(store: Store, index: Ints, plan: Plan) -> None:
    """Do what the plan says, but for the room left. Raises MemoryError before anything has changed."""
    requests, owners, arena, page = store.requests, store.owners, store.arena, store.page_size
    after = plan.pages_before + plan.new
    end_slot = plan.end_slot.copy()
    grown = (plan.new > 0).nonzero()[0]
    end_slot[grown] = formulas.slot_of(plan.fresh[plan.new.cumsum()[grown] - 1].astype(np.int64) + 1, 0, page)
    owner, number = ragged(plan.new)
    full = (requests.base[index] + after > requests.stop[index]).nonzero()[0]
    if full.size:
        tables = list(zip(index[full].tolist(), after[full].tolist(), strict=True))
        arena.reserve(sum(store.capacity_to_grow(each, end) for each, end in tables))
        for each, end in tables:
            store.grow(each, end)
    ends = requests.base[index] + plan.pages_before
    arena.entries[(ends)[owner] + number] = plan.fresh
    if plan.copied.size:
        arena.entries[ends[plan.copied] - 1] = plan.copies.target
    owners.take(plan.taken)
    owners.let_go(plan.copies.source.astype(np.int32))
    requests.end_slot[index] = end_slot
    requests.end_row[index] = after * page
