# SPDX-License-Identifier: Apache-2.0
"""The page table: which slot of the pool each row of each request is in. Bookkeeping only, no row is ever touched here.

A slot is the index of a row in the pool: physical page · P + offset. Requests are named by handles (see
`impl/requests.py`), pages are handed out in the order of `impl/owners.py`. Every operation that raises has changed
nothing, also when an array can't be allocated in the middle of it. When several refusals apply, the first of
UnknownRequest, BadArgument, RowsReleased, OutOfPages is raised. P is the page size in rows, B the size of a batch;
costs never depend on the size of the pool or on the number of requests.
"""

from typing import NamedTuple

import numpy as np

from impl import elementwise
from impl import window as formulas
from impl.append import NOTHING, AppendedBatch, append_rows, slots_in, spread_one
from impl.arena import capacity_for
from impl.arguments import LARGEST, Ints, integer, integers_for, refuse_beyond
from impl.errors import RowsReleased
from impl.in_order import append_in_order
from impl.invariants import InvariantBroken as InvariantBroken
from impl.invariants import check
from impl.owners import Pages
from impl.spans import span_of
from impl.store import Snapshot, Store
from impl.trim import release_before, trim_rows

_LARGEST = elementwise.constant(LARGEST)


class Copy(NamedTuple):
    """A copy to make before rows are written: the first `rows` rows of page `source` go to page `target`."""

    source: int
    target: int
    rows: int


class Appended(NamedTuple):
    """The slots to write, int64[n], and the copy to make first, if any."""

    slots: Ints
    copies: Copy | None


class PageTable:
    """Block tables over a pool of `pages` ≥ 1 pages of `page_size` ≥ 1 rows each. Raises BadArgument.

    No number may be larger than 2**62, neither pages · page_size nor a number of rows or sinks, nor be a bool or a
    float: that is a BadArgument. Integers of numpy, and whatever else has `__index__`, are as good as an int.

    Memory: 12 bytes per page, 88 per request that there is room for, 4 per entry of the segments in the arena.
    Construction is O(pages).
    """

    def __init__(self, pages: int, page_size: int) -> None:
        self.pages = integer(pages, "the number of pages", least=1, most=2**31 - 1)
        self.page_size = integer(page_size, "the page size", least=1, most=LARGEST // self.pages)
        self.store = Store(self.pages, self.page_size)

    # Requests.

    def open(self, sinks: int = 0) -> int:
        """Start an empty request whose first `sinks` ≥ 0 rows are never trimmed; its handle. O(1)."""
        sinks = integer(sinks, "the number of sinks")
        requests = self.store.requests
        index = requests.open()
        requests.sinks[index] = sinks
        requests.tail[index] = formulas.released_begin(sinks, self.page_size)
        return requests.handle.item(index)

    def fork(self, handle: int) -> int:
        """Start a request that shares every page of another one and has its length, sinks and hole. O(pages held)."""
        store = self.store
        requests, arena = store.requests, store.arena
        source = requests.find(handle)
        pages = store.between(source, 0, store.page_count(source)).copy()
        capacity = capacity_for(pages.size) if pages.size else 0
        requests.reserve()
        if capacity:
            arena.make_room([(source, capacity)], {})
        store.owners.share(pages)
        start = arena.take(capacity) if capacity else 0
        index = requests.open()
        store.shut_last_page(source)
        requests.fields[1:, index] = requests.fields[1:, source]
        begin, tail = store.hole(source)
        arena.entries[start : start + pages.size] = pages
        requests.start[index] = start
        requests.stop[index] = start + capacity
        requests.base[index] = start - (tail - begin)
        return requests.handle.item(index)

    def close(self, handle: int) -> None:
        """End a request. Its pages go back in ascending logical order. O(pages held)."""
        store = self.store
        index = store.requests.find(handle)
        store.owners.let_go(store.between(index, 0, store.page_count(index)))
        start, stop = store.requests.start.item(index), store.requests.stop.item(index)
        if stop > start:
            store.arena.give_back(start, stop - start)
        store.requests.close(index)

    # Rows.

    def append(self, handle: int, n: int) -> Appended:
        """Append n ≥ 0 rows, all or none. Raises BadArgument, OutOfPages, MemoryError. O(n/P + output)."""
        requests = self.store.requests
        index = requests.find(handle)
        n = integer(n, "the number of rows to append")
        room = requests.room.item(index)
        if 0 < n <= room:
            first = requests.end_slot.item(index) - room
            slots = spread_one(first, n)
            requests.room[index] = room - n
            return Appended(slots, None)
        done = append_rows(self.store, np.array([index]), np.array([n]), n == 1)
        copies = [column.tolist() for column in done.copies]
        return Appended(done.slots, Copy(*(column[0] for column in copies)) if copies[0] else None)

    def append_batch(self, handles: object, counts: object) -> AppendedBatch:
        """Append counts[i] rows to each request handles[i], in order: all appends or none. Two int64 arrays of size B.

        The slots are those of the appends one by one, one after the other; all copies may be made before any row is
        written. A handle may come twice; that is slower. Raises BadArgument, OutOfPages, MemoryError.
        O(B + new pages + output).
        """
        store = self.store
        index = store.requests.find_all(handles)
        numbers = integers_for(index, counts, "the numbers of rows to append")
        ones = not np.count_nonzero(numbers != elementwise.ONE)
        if not ones:
            refuse_beyond(numbers, _LARGEST, "the numbers of rows to append")
        if store.requests.are_distinct(index):
            return append_rows(store, index, numbers, ones)
        return append_in_order(store, index, numbers)

    def trim(self, handle: int, keep: int) -> None:
        """Release the pages whose rows are all after the sinks and before row `keep` ≤ length. O(pages released)."""
        store = self.store
        index = store.requests.find(handle)
        keep = integer(keep, "the row to keep from", most=store.length(index))
        release_before(store, index, formulas.released_end(keep, self.page_size))

    def trim_batch(self, handles: object, keeps: object) -> None:
        """Trim each request handles[i] at keeps[i], in order, or none. Two int64 arrays of size B.

        A handle may come twice. Raises BadArgument. O(B + pages released).
        """
        store = self.store
        requests = store.requests
        index = requests.find_all(handles)
        numbers = integers_for(index, keeps, "the rows to keep from")
        refuse_beyond(numbers, requests.end_row[index] - requests.room[index], "the rows to keep from")
        trim_rows(store, index, numbers)

    def truncate(self, handle: int, length: int) -> None:
        """Forget the rows from `length` on and release the pages that are empty then. O(pages released).

        Raises BadArgument, and RowsReleased when the last row to keep is a released one and rows follow the hole.
        """
        store, page = self.store, self.page_size
        requests = store.requests
        index = requests.find(handle)
        length = integer(length, "the length to keep", most=store.length(index))
        begin, tail = store.hole(index)
        if begin * page < length < tail * page:
            raise RowsReleased(
                f"rows {begin * page} … {tail * page - 1} were released, so a length of {length} has no last row; "
                f"truncate to at most {begin * page} or to at least {tail * page}"
            )
        kept = formulas.pages_for(length, page)
        room = formulas.room_in_last_page(length, page)
        last = store.between(index, kept - 1, kept).item(0) if room else 0
        store.owners.let_go(store.between(index, kept, store.page_count(index)))
        if kept <= begin:
            requests.tail[index] = begin
            requests.base[index] = requests.start[index]
        requests.room[index] = room
        requests.end_row[index] = length + room
        if room:
            requests.end_slot[index] = formulas.slot_after(last, page)
            if store.owners.counts.item(last) > 1:
                store.shut_last_page(index)

    def pages_of(self, handle: int, low: int, high: int) -> Pages:
        """The physical pages, int32, that hold the rows low ≤ i < high, in order; the first row is at offset low mod P.

        Raises BadArgument, RowsReleased. O(output). Read-only; may be a view that is valid until the next operation.
        """
        return span_of(self.store, handle, low, high).pages

    def slots(self, handle: int, low: int, high: int) -> Ints:
        """The slots of the rows low ≤ i < high, int64[high − low]. Raises BadArgument, RowsReleased. O(output)."""
        pages, first, count = span_of(self.store, handle, low, high)
        return slots_in(pages.astype(np.int64), first, count, self.store.page) if count else NOTHING.copy()

    # Figures.

    def handles(self) -> list[int]:
        """The handles of all live requests, smallest first. O(requests there have ever been at a time)."""
        requests = self.store.requests
        handles: list[int] = requests.handle[requests.live()].tolist()
        return sorted(handles)

    def lengths(self, handles: object) -> Ints:
        """The length of each of the requests, int64[B]. O(B)."""
        requests = self.store.requests
        index = requests.find_all(handles)
        return requests.end_row[index] - requests.room[index]

    def pages_needed(self, handle: int, n: int) -> int:
        """How many pages an append of n ≥ 0 rows would take. Raises BadArgument. O(1)."""
        index = self.store.requests.find(handle)
        n = integer(n, "the number of rows to append")
        shared = self.store.last_page_is_shared(index)
        return formulas.pages_to_append(self.store.length(index), n, self.page_size, shared)

    def length(self, handle: int) -> int:
        """Rows appended so far, released ones included. O(1)."""
        return self.store.length(self.store.requests.find(handle))

    def sinks(self, handle: int) -> int:
        """The number of rows at the front that are never trimmed. O(1)."""
        return self.store.requests.sinks.item(self.store.requests.find(handle))

    def hole(self, handle: int) -> tuple[int, int]:
        """The released rows [h0, h1); both are 0 when there are none. O(1)."""
        begin, tail = self.store.hole(self.store.requests.find(handle))
        return (begin * self.page_size, tail * self.page_size) if begin < tail else (0, 0)

    def table(self, handle: int) -> list[int | None]:
        """The physical page of each logical page, None where it was released. O(logical pages)."""
        index = self.store.requests.find(handle)
        begin, tail = self.store.hole(index)
        pages: list[int | None] = list(self.store.between(index, 0, self.store.page_count(index)).tolist())
        return pages[:begin] + [None] * (tail - begin) + pages[begin:]

    def held(self, handle: int) -> int:
        """How many pages the request holds. O(1)."""
        index = self.store.requests.find(handle)
        begin, tail = self.store.hole(index)
        return self.store.page_count(index) - (tail - begin)

    @property
    def free_count(self) -> int:
        """How many pages nobody holds. O(1)."""
        return self.store.owners.free

    def free_stack(self) -> list[int]:
        """The free pages, the one that is handed out next last. O(output)."""
        free: list[int] = self.store.owners.stack[: self.store.owners.free].tolist()
        return free

    def refcount(self, page: int) -> int:
        """How many requests hold a physical page. Raises BadArgument. O(1)."""
        return self.store.owners.counts.item(integer(page, "the page", most=self.pages - 1))

    def refcounts(self) -> list[int]:
        """How many requests hold each page. O(pool)."""
        counts: list[int] = self.store.owners.counts.tolist()
        return counts

    # The state as a whole.

    def snapshot(self) -> Snapshot:
        """The whole state, bit for bit: equal for two tables of one size with the same history. O(state)."""
        return self.store.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to the state of a snapshot of a table of the same size, this one or another. O(state).

        Raises BadArgument, MemoryError. Handles are then those of that time: one that was given out since may be given
        out again.
        """
        self.store.restore(snapshot)

    def check(self) -> None:
        """Raise InvariantBroken, naming it, when an invariant of the state is broken. O(state)."""
        check(self.store)
