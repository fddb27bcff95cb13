# SPDX-License-Identifier: Apache-2.0
"""The state of a page table, and the few steps on the tables of single requests that all operations are made of.

An operation allocates every array that it needs before it changes anything, so that one for which there is no memory
has changed nothing. The steps that come after that say that they allocate no array.

Nothing here asks whether an operation is allowed: `impl/page_table.py` has done so.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from impl import window as formulas
from impl.arena import Arena, capacity_to_grow
from impl.arguments import shown
from impl.elementwise import ZERO, Ints, constant
from impl.errors import BadArgument
from impl.owners import Owners, Pages
from impl.requests import FIELDS, Requests


class Snapshot(NamedTuple):
    """The state, bit for bit, without the memory that is only reserved. `vacant_…` wait to be used again."""

    page_size: int
    fields: bytes
    entries: bytes
    counts: bytes
    stack: bytes
    vacant_requests: tuple[int, ...]
    vacant_segments: tuple[tuple[int, ...], ...]


class Store:
    """Requests, owners of pages, and the arena with the tables. An index is that of a live request.

    `page` is `page_size` in the form that is quick with arrays.
    """

    def __init__(self, pages: int, page_size: int) -> None:
        self.page_size = page_size
        self.page = constant(page_size)
        self.requests = Requests()
        self.owners = Owners(pages)
        self.arena = Arena()

    def length(self, index: int) -> int:
        """Rows of the request, released ones included. O(1)."""
        return self.requests.end_row.item(index) - self.requests.room.item(index)

    def page_count(self, index: int) -> int:
        """Logical pages of the request, released ones included. O(1)."""
        return formulas.pages_for(self.length(index), self.page_size)

    def hole(self, index: int) -> tuple[int, int]:
        """The released logical pages: [begin, end), where begin = end when there are none. O(1)."""
        begin = formulas.released_begin(self.requests.sinks.item(index), self.page_size)
        return begin, self.requests.tail.item(index)

    def between(self, index: int, first: int, end: int) -> Pages:
        """The pages held among the logical pages first … end−1, in order. Perhaps a view. O(their number)."""
        requests, entries = self.requests, self.arena.entries
        begin, tail = self.hole(index)
        start, base = requests.start.item(index), requests.base.item(index)
        behind = entries[base + max(first, tail) : base + max(end, tail)]
        if first >= tail:
            return behind
        before = entries[start + first : start + max(first, min(end, begin))]
        return np.concatenate((before, behind)) if behind.size else before

    def grow(self, index: int, end: int) -> None:
        """Find place for the entries of the logical pages up to `end`, for which there is room. Amortised O(new pages).

        When the hole is at least as long as what is held, the table slides over it; else it moves to a larger segment.
        After `make_room` it allocates no array.
        """
        requests, arena = self.requests, self.arena
        old, stop, base = requests.start.item(index), requests.stop.item(index), requests.base.item(index)
        begin, tail = self.hole(index)
        pages = self.page_count(index)
        capacity = capacity_to_grow(stop - old, end - (tail - begin))
        start = arena.take(capacity) if capacity else old
        entries, before, behind = arena.entries, min(begin, pages), max(pages, tail) - tail
        entries[start : start + before] = entries[old : old + before]
        entries[start + begin : start + begin + behind] = entries[base + tail : base + tail + behind]
        requests.base[index] = start - (tail - begin)
        if capacity:
            requests.start[index] = start
            requests.stop[index] = start + capacity
            if stop > old:
                arena.give_back(old, stop - old)

    def make_room(self, ends: Iterable[tuple[int, int]]) -> None:
        """Make sure that `extend` finds memory for each of these tables, an index and an end, one after the other.

        Raises MemoryError.
        """
        requests = self.requests
        held: dict[int, tuple[int, int]] = {}
        capacities: dict[int, int] = {}
        reach: dict[int, int] = {}
        moves: list[tuple[int, int]] = []
        for index, end in ends:
            if index not in held:
                start, stop = requests.start.item(index), requests.stop.item(index)
                held[index] = start, stop - start
                capacities[index], reach[index] = stop - start, stop - requests.base.item(index)
            if end > reach[index]:
                begin, tail = self.hole(index)
                capacity = capacity_to_grow(capacities[index], end - (tail - begin))
                if capacity:
                    moves.append((index, capacity))
                    capacities[index] = capacity
                reach[index] = capacities[index] + tail - begin
        self.arena.make_room(moves, held)

    def extend(self, index: int, copy: int | None, fresh: Ints) -> None:
        """Put physical pages at the end of a table: `copy`, if any, in the place of the last one, then `fresh`.

        The number of its pages is not what it was then; that is to be set. After `make_room` it allocates no array.
        """
        pages = self.page_count(index)
        if self.requests.base[index] + pages + fresh.size > self.requests.stop[index]:
            self.grow(index, pages + fresh.size)
        entries, end = self.arena.entries, self.requests.base.item(index) + pages
        if copy is not None:
            entries[end - 1] = copy
        entries[end : end + fresh.size] = fresh

    def shut_last_page(self, index: int) -> None:
        """Mark the last page as perhaps shared, when a row could be written into it. O(1)."""
        requests = self.requests
        if requests.room[index] > 0:
            requests.room[index] -= self.page_size
            requests.end_row[index] -= self.page_size

    def last_page_is_shared(self, index: int) -> bool:
        """Whether the next row would be written into a page that another request also holds. O(1)."""
        if self.requests.room[index] >= 0:
            return False
        page = formulas.page_of(self.requests.end_slot.item(index) - 1, self.page_size)
        return self.owners.counts.item(page) > 1

    def snapshot(self) -> Snapshot:
        """The whole state, bit for bit. O(state)."""
        requests, owners, arena = self.requests, self.owners, self.arena
        return Snapshot(
            self.page_size,
            requests.fields[:, : requests.used].tobytes(),
            arena.entries[: arena.top].tobytes(),
            owners.counts.tobytes(),
            owners.stack[: owners.free].tobytes(),
            tuple(requests.vacant),
            tuple(map(tuple, arena.vacant)),
        )

    def refuse_other(self, snapshot: Snapshot) -> None:
        """Raise BadArgument when that is no snapshot, or that of a pool of another size. O(1)."""
        if not isinstance(snapshot, Snapshot):
            raise BadArgument(f"{shown(snapshot)} is no snapshot; give one that snapshot() returned")
        counts = self.owners.counts
        if len(snapshot.counts) != counts.nbytes or snapshot.page_size != self.page_size:
            raise BadArgument(
                f"the snapshot is of {len(snapshot.counts) // counts.itemsize} pages of {snapshot.page_size} rows, "
                f"the pool has {counts.size} of {self.page_size}; restore it into one of the same size"
            )

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to that state. Raises as `refuse_other`, and MemoryError, before anything has changed. O(state)."""
        self.refuse_other(snapshot)
        requests, owners, arena = self.requests, self.owners, self.arena
        fields = np.frombuffer(snapshot.fields, dtype=np.int64)
        fields = fields.reshape(FIELDS, fields.size // FIELDS)
        entries = np.frombuffer(snapshot.entries, dtype=np.int32)
        counts = np.frombuffer(snapshot.counts, dtype=np.int32)
        stack = np.frombuffer(snapshot.stack, dtype=np.int64)
        vacant_requests = list(snapshot.vacant_requests)
        vacant_segments = list(map(dict.fromkeys, snapshot.vacant_segments))
        requests.reserve_columns(fields.shape[1])
        arena.reserve(entries.size)
        requests.fields[:, : fields.shape[1]] = fields
        requests.fields[:, fields.shape[1] :] = ZERO
        requests.used = fields.shape[1]
        requests.vacant = vacant_requests
        arena.entries[: entries.size] = entries
        arena.top = entries.size
        arena.vacant = vacant_segments
        owners.counts[:] = counts
        owners.stack[: stack.size] = stack
        owners.free = stack.size
