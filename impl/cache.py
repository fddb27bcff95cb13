# SPDX-License-Identifier: Apache-2.0
"""The paged cache: a page table, a pool of rows, and ids for the requests. The object that most people use.

Ids are any hashable values; what can't be hashed names no request. An id is looked up once per call. A caller in a
hurry asks `handle()` once for the handle of a request, and uses `append_rows`, `gather` and the page table with that.
The refusals are those of the page table, and RequestExists; whatever raises has changed nothing. Costs are those of the
page table, and O(rows) for rows written, copied or read.
"""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from impl.arguments import integers, items, refuse_beyond, shown
from impl.elementwise import constant
from impl.errors import BadArgument, RequestExists, UnknownRequest
from impl.invariants import InvariantBroken
from impl.page_pool import PagePool, Rows
from impl.page_table import PageTable
from impl.spans import span_of
from impl.store import Snapshot


class CacheSnapshot(NamedTuple):
    """The state of a cache, bit for bit: `kind` is the row shape and the dtype, `rows` all of the pool."""

    kind: tuple[tuple[int, ...], np.dtype[Any]]
    table: Snapshot
    handles: tuple[tuple[Hashable, int], ...]
    copies: int
    rows: bytes


class PagedCache:
    """Rows of the shape `row_shape` and the type `dtype` in `pages` pages of `page_size` rows. Raises BadArgument.

    Rows are bools, integers or floats; which rows fit into which type, `append` tells. No number may be larger than
    2**62, neither pages · page_size nor a number of rows or sinks; integers of any kind are as good as an int.

    `page_table` and `pool` are its parts. It is a target of the conformance checks with every capability.
    """

    capabilities = frozenset(
        {"fork", "trim", "truncate", "sinks", "batch", "length", "pages_needed", "pages_held", "free_pages", "table"}
        | {"owners", "copies", "self_check"}
    )

    def __init__(
        self, pages: int, page_size: int, row_shape: tuple[int, ...] = (), dtype: DTypeLike = np.int64
    ) -> None:
        self.page_table = PageTable(pages, page_size)
        self.pool = PagePool(self.page_table.pages, self.page_table.page_size, row_shape, dtype)
        self._handles: dict[Hashable, int] = {}
        self._copies = 0

    # Requests.

    def new(self, request: Hashable, sinks: int = 0) -> None:
        """Start an empty request whose first `sinks` rows are never trimmed. Raises RequestExists, BadArgument."""
        self._refuse_existing(request)
        self._handles[request] = self.page_table.open(sinks)

    def fork(self, source: Hashable, request: Hashable) -> None:
        """Start a request that shares every page of `source`. Raises UnknownRequest, RequestExists, BadArgument."""
        handle = self.handle(source)
        self._refuse_existing(request)
        self._handles[request] = self.page_table.fork(handle)

    def release(self, request: Hashable) -> None:
        """End a request; its id may be used again. Raises UnknownRequest."""
        self.page_table.close(self.handle(request))
        del self._handles[request]

    def handle(self, request: Hashable) -> int:
        """The handle of a request in the page table. Raises UnknownRequest. O(1)."""
        try:
            return self._handles[request]
        except (KeyError, TypeError):
            raise UnknownRequest(
                f"no live request has the id {shown(request)}; start one with new() or fork()"
            ) from None

    def _refuse_existing(self, request: Hashable) -> None:
        try:
            exists = request in self._handles
        except TypeError:
            raise BadArgument(f"{shown(request)} can't be hashed, so it can't be an id; give a hashable one") from None
        if exists:
            raise RequestExists(
                f"there is a live request with the id {shown(request)}; release it first or use another id"
            )

    # Rows.

    def append(self, request: Hashable, rows: ArrayLike) -> None:
        """Write rows, [n, *row_shape], at the end, all or none. Raises UnknownRequest, BadArgument, OutOfPages.

        Bools go into a cache of bools only, integers into one of integers or of floats that can hold each of them
        exactly, floats into one of floats: they are rounded to the nearest, but no finite one to an infinite.
        """
        handle = self.handle(request)
        given = self.pool.as_rows(rows)
        slots, copies = self.page_table.append(handle, len(given))
        if copies is not None:
            self._copies += 1
            self.pool.copy_page(*copies)
        self.pool.write(slots, given)

    def append_batch(self, requests: Sequence[Hashable], rows_per_request: Sequence[ArrayLike]) -> None:
        """Write rows_per_request[i] at the end of requests[i], in order: all of it or nothing. As `append`."""
        handles = np.fromiter(map(self.handle, items(requests, "the requests")), np.int64)
        given = [self.pool.as_rows(rows) for rows in items(rows_per_request, "the rows per request")]
        counts = np.fromiter(map(len, given), np.int64)
        self.append_rows(handles, counts, np.concatenate(given) if given else ())

    def append_rows(self, handles: object, counts: object, rows: ArrayLike) -> None:
        """Write rows, [sum of counts, *row_shape]: the first counts[0] at the end of handles[0], and so on, or nothing.

        Handles and counts are int64 arrays, or sequences. Raises UnknownRequest, BadArgument, OutOfPages.
        """
        live = self.page_table.store.requests
        index = live.find_all(handles)
        given = self.pool.as_rows(rows)
        numbers = integers(counts, "the numbers of rows to append")
        refuse_beyond(numbers, constant(len(given)), "the numbers of rows to append")
        if numbers.sum() != len(given):
            raise BadArgument(
                f"the counts add up to {numbers.sum()}, but there are {len(given)} rows; give one row each"
            )
        slots, copies = self.page_table.append_batch(live.handle[index], numbers)
        for at in range(copies.source.size):
            self._copies += 1
            self.pool.copy_page(*(column.item(at) for column in copies))
        self.pool.write(slots, given)

    def rows(self, request: Hashable, low: int, high: int) -> Rows:
        """The rows low ≤ i < high in order, [high − low, *row_shape], in a new array. As `gather`."""
        return self.gather(self.handle(request), low, high)

    def gather(self, handle: int, low: int, high: int, out: Rows | None = None) -> Rows:
        """The rows low ≤ i < high of the request with this handle, in `out` (of the pool's dtype) or a new array.

        Raises UnknownRequest, BadArgument, RowsReleased.
        """
        return self.pool.gather(*span_of(self.page_table.store, handle, low, high), out)

    def trim(self, request: Hashable, keep_from: int) -> None:
        """Release whole pages before row `keep_from`, but no sinks. Raises UnknownRequest, BadArgument."""
        self.page_table.trim(self.handle(request), keep_from)

    def trim_batch(self, requests: Sequence[Hashable], keep_froms: object) -> None:
        """Trim requests[i] at keep_froms[i], in order, or none. Raises UnknownRequest, BadArgument."""
        self.page_table.trim_batch([self.handle(request) for request in items(requests, "the requests")], keep_froms)

    def truncate(self, request: Hashable, length: int) -> None:
        """Forget the rows from `length` on. Raises UnknownRequest, BadArgument, RowsReleased."""
        self.page_table.truncate(self.handle(request), length)

    # Figures, all O(1) but the table.

    def length(self, request: Hashable) -> int:
        """Rows appended so far, released ones included. Raises UnknownRequest."""
        return self.page_table.length(self.handle(request))

    def pages_needed(self, request: Hashable, n: int) -> int:
        """How many pages an append of n rows would take. Raises UnknownRequest, BadArgument."""
        return self.page_table.pages_needed(self.handle(request), n)

    def pages_held(self, request: Hashable) -> int:
        """How many pages the request holds. Raises UnknownRequest."""
        return self.page_table.held(self.handle(request))

    def free_pages(self) -> int:
        """How many pages nobody holds."""
        return self.page_table.free_count

    def table(self, request: Hashable) -> list[int | None]:
        """The physical page of each logical page, None where it was released. Raises UnknownRequest. O(output)."""
        return self.page_table.table(self.handle(request))

    def owners(self, page: int) -> int:
        """How many requests hold a physical page. Raises BadArgument."""
        return self.page_table.refcount(page)

    def copies(self) -> int:
        """Page copies made so far, each before a row was written into a shared page."""
        return self._copies

    # The whole state.

    def snapshot(self) -> CacheSnapshot:
        """The whole state, bit for bit, rows included; equal states have equal snapshots. O(pool)."""
        pool = self.pool
        return CacheSnapshot(
            pool.kind, self.page_table.snapshot(), tuple(self._handles.items()), self._copies, pool.data.tobytes()
        )

    def restore(self, snapshot: CacheSnapshot) -> None:
        """Go back to the state of a snapshot of a cache of the same size, row shape and dtype, this one or another.

        Raises BadArgument, MemoryError. O(pool).
        """
        if not isinstance(snapshot, CacheSnapshot):
            raise BadArgument(f"{shown(snapshot)} is no snapshot of a cache; give one that snapshot() returned")
        kind, table, handles, copies, rows = snapshot
        data = self.pool.data
        self.page_table.store.refuse_other(table)
        if kind != self.pool.kind or len(rows) != data.nbytes:
            raise BadArgument(
                f"the snapshot has {len(rows)} bytes of rows of the shape and the dtype {shown(kind)}, the cache has "
                f"{data.nbytes} of {shown(self.pool.kind)}; restore it into one of the same kind"
            )
        restored = np.frombuffer(rows, dtype=data.dtype).reshape(data.shape)
        by_id = dict(handles)
        self.page_table.restore(table)
        self._handles, self._copies = by_id, copies
        data[...] = restored

    def check(self) -> None:
        """Raise InvariantBroken when an invariant of the page table is broken, or ids and live requests differ."""
        self.page_table.check()
        if sorted(self._handles.values()) != self.page_table.handles():
            raise InvariantBroken("ids: the handles that ids stand for are not those of the live requests, each once")
