# SPDX-License-Identifier: Apache-2.0
"""The invariants of a page table, each checked on its arrays alone and for all requests at once."""

from typing import NamedTuple

import numpy as np

from impl import elementwise as formulas
from impl.append import spread
from impl.arguments import Ints
from impl.requests import INDEX
from impl.store import Store


class InvariantBroken(AssertionError):
    """The state contradicts itself: the program has a fault, or something else has written into its arrays."""


class Tables(NamedTuple):
    """All live requests, one entry each; then the entries of their tables, request after request, one entry each.

    `room` is that in the last page, without the mark. `owner` is the position of the request that holds the physical
    page `physical` as its logical page `logical`.
    """

    requests: Ints
    room: Ints
    owner: Ints
    logical: Ints
    physical: Ints


def check(store: Store) -> None:
    """Raise InvariantBroken, naming it, for the first invariant that does not hold. O(state), apart from sorting."""
    _free_stack(store)
    _handles(store)
    _lengths(store)
    _segments(store)
    tables = _tables(store)
    _pages(store, tables)
    _last_pages(store, tables)


def _free_stack(store: Store) -> None:
    owners = store.owners
    _require(0 <= owners.free <= owners.stack.size, "free stack: its height is none of 0 … pages")
    free = owners.stack[: owners.free]
    _require(((free >= 0) & (free < owners.stack.size)).all(), "free stack: it names a page that does not exist")
    _require(np.unique(free).size == free.size, "free stack: a page is in it twice")
    _require((owners.counts[free] == 0).all(), "free and owned: a free page has an owner")
    _require((owners.counts == 0).sum() == free.size, "free and owned: a page without an owner is not free")


def _handles(store: Store) -> None:
    requests = store.requests
    used = requests.handle[: requests.used]
    own = used & INDEX
    _require((used >= 0).all(), "handles: one is negative")
    _require(((own == 0) | (own == np.arange(used.size)))[1:].all(), "handles: one names another column")
    _require(used[0] == 1, "handles: index 0 is in use")
    vacant = np.array(requests.vacant, dtype=np.int64)
    _require(((vacant > 0) & (vacant < used.size)).all(), "handles: a vacant column does not exist")
    _require(np.unique(vacant).size == vacant.size, "handles: a column is vacant twice")
    _require((own[vacant] == 0).all(), "handles: a vacant column is in use")
    ended = (own == 0) & (used > 0)
    _require(np.count_nonzero(ended) == vacant.size, "handles: a column is neither in use nor vacant nor retired")


def _lengths(store: Store) -> None:
    requests, page = store.requests, store.page_size
    index = requests.live()
    room, end_row, sinks, tail = (
        field[index] for field in (requests.room, requests.end_row, requests.sinks, requests.tail)
    )
    _require((abs(room) < page).all(), "lengths: the room in a last page is not less than a page")
    _require((end_row % page == 0).all(), "lengths: a last page does not end at the end of a page")
    _require((end_row >= room).all(), "lengths: one is negative")
    _require((sinks >= 0).all(), "lengths: a number of sinks is negative")
    begin = formulas.released_begin(sinks, page)
    _require((tail >= begin).all(), "hole: it ends before it begins")
    _require(((tail == begin) | (tail * page <= end_row - room)).all(), "hole: it ends after the last row")


def _segments(store: Store) -> None:
    requests, arena, page = store.requests, store.arena, store.page_size
    index = requests.live()
    start, stop, base = requests.start[index], requests.stop[index], requests.base[index]
    begin, tail = formulas.released_begin(requests.sinks[index], page), requests.tail[index]
    count = formulas.pages_for(requests.end_row[index] - requests.room[index], page)
    _require((base + count <= stop).all(), "segments: a table is longer than its segment")
    _require((base <= start).all() and (base + tail >= start + begin).all(), "segments: a table overlaps itself")
    starts, sizes = [start[stop > start]], [(stop - start)[stop > start]]
    for power, vacant in enumerate(arena.vacant):
        starts.append(np.array(list(vacant), dtype=np.int64))
        sizes.append(np.full(len(vacant), 1 << power))
    every, size = np.concatenate(starts), np.concatenate(sizes)
    order = every.argsort()
    ends = size[order].cumsum()
    _require((size & (size - 1) == 0).all(), "segments: the size of one is no power of two")
    _require((every & (size - 1) == 0).all(), "segments: one is not at a multiple of its size")
    _require((every[order] + size[order] == ends).all(), "segments: two overlap, or there is a gap between them")
    _require(size.sum() == arena.top <= arena.entries.size, "segments: they do not fill the arena")


def _tables(store: Store) -> Tables:
    requests, page = store.requests, store.page_size
    index = requests.live()
    room = requests.room[index]
    count = formulas.pages_for(requests.end_row[index] - room, page)
    begin, tail = formulas.released_begin(requests.sinks[index], page), requests.tail[index]
    held = count - (tail - begin)
    owner, number = np.arange(index.size).repeat(held), spread(np.zeros_like(held), held)
    logical = np.where(number < begin[owner], number, number + (tail - begin)[owner])
    origin = np.where(number < begin[owner], requests.start[index][owner], requests.base[index][owner])
    return Tables(index, room % page, owner, logical, store.arena.entries[origin + logical].astype(np.int64))


def _pages(store: Store, tables: Tables) -> None:
    counts = store.owners.counts
    owner, logical, physical = tables.owner, tables.logical, tables.physical
    _require(((physical >= 0) & (physical < counts.size)).all(), "tables: one names a page that does not exist")
    _require(
        (np.bincount(physical, minlength=counts.size) == counts).all(),
        "owners: those counted are not those in the tables",
    )
    pairs = owner * counts.size + physical
    _require(np.unique(pairs).size == pairs.size, "tables: a page is in one table twice")
    first: Ints = np.zeros(counts.size, dtype=np.int64)
    first[physical] = logical
    _require((first[physical] == logical).all(), "sharing: a page is shared at two logical indices")


def _last_pages(store: Store, tables: Tables) -> None:
    requests, page = store.requests, store.page_size
    partial = tables.room > 0
    held = np.bincount(tables.owner, minlength=tables.requests.size)
    last = tables.physical[held.cumsum()[partial] - 1]
    index = tables.requests[partial]
    _require((requests.end_slot[index] == formulas.slot_after(last, page)).all(), "last pages: an end slot is wrong")
    shared = store.owners.counts[last] > 1
    _require((requests.room[index][shared] < 0).all(), "last pages: one that is shared is not marked")


def _require(holds: object, broken: str) -> None:
    if not holds:
        raise InvariantBroken(broken)
