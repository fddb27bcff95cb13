# SPDX-License-Identifier: Apache-2.0
"""The paged cache: a page table, a pool of rows, and ids for the requests. The object that most people use.

Ids are any hashable values; what can't be hashed names no request. An id is looked up once per call. A caller in a
hurry asks `handle()` once for the handle of a request, and uses `append_rows`, `gather` and the page table with that.
The refusals are those of the page table, and RequestExists; whatever raises has changed nothing. Costs are those of the
page table, and O(rows) for rows written, copied or read.
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from impl import window as formulas
from impl.arguments import integers, refuse_beyond, shown
from impl.elementwise import constant
from impl.errors import BadArgument, RequestExists, UnknownRequest
from impl.invariants import InvariantBroken
from impl.page_pool import PagePool, Rows
from impl.page_table import PageTable


class PagedCache:
    """Rows of the shape `row_shape` and the type `dtype` in `pages` pages of `page_size` rows. Raises BadArgument.

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
        """Write rows, [n, *row_shape], at the end, all or none. Raises UnknownRequest, BadArgument, OutOfPages."""
        handle = self.handle(request)
        given = self.pool.as_rows(rows)
        slots, copies = self.page_table.append(handle, len(given))
        if copies is not None:
            self._copies += 1
            self.pool.copy_page(*copies)
        self.pool.write(slots, given)

    def append_batch(self, requests: Sequence[Hashable], rows_per_request: Sequence[ArrayLike]) -> None:
        """Write rows_per_request[i] at the end of requests[i], in order: all of it or nothing. As `append`."""
        handles = np.array([self.handle(request) for request in requests], dtype=np.int64)
        given = [self.pool.as_rows(rows) for rows in rows_per_request]
        counts = np.array([len(rows) for rows in given], dtype=np.int64)
        self.append_rows(handles, counts, np.concatenate(given) if given else ())

    def append_rows(self, handles: object, counts: object, rows: ArrayLike) -> None:
        """Write rows, [sum of counts, *row_shape]: the first counts[0] at the end of handles[0], and so on, or nothing.

        Handles and counts are int64 arrays. Raises UnknownRequest, BadArgument, OutOfPages.
        """
        self.page_table.lengths(handles)
        given = self.pool.as_rows(rows)
        numbers = integers(counts, "the numbers of rows to append")
        refuse_beyond(numbers, constant(len(given)), "the numbers of rows to append")
        if numbers.sum() != len(given):
            raise BadArgument(
                f"the counts add up to {numbers.sum()}, but there are {len(given)} rows; give one row each"
            )
        slots, copies = self.page_table.append_batch(handles, numbers)
        for source, target, count in zip(*(column.tolist() for column in copies), strict=True):
            self._copies += 1
            self.pool.copy_page(source, target, count)
        self.pool.write(slots, given)

    def rows(self, request: Hashable, low: int, high: int) -> Rows:
        """The rows low ≤ i < high in order, [high − low, *row_shape], in a new array. As `gather`."""
        return self.gather(self.handle(request), low, high)

    def gather(self, handle: int, low: int, high: int, out: Rows | None = None) -> Rows:
        """The rows low ≤ i < high of the request with this handle, in `out` (of the pool's dtype) or a new array.

        Raises UnknownRequest, BadArgument, RowsReleased.
        """
        pages = self.page_table.pages_of(handle, low, high)
        return self.pool.gather(pages, formulas.offset_of(low, self.page_table.page_size), high - low, out)

    def trim(self, request: Hashable, keep_from: int) -> None:
        """Release whole pages before row `keep_from`, but no sinks. Raises UnknownRequest, BadArgument."""
        self.page_table.trim(self.handle(request), keep_from)

    def trim_batch(self, requests: Sequence[Hashable], keep_froms: object) -> None:
        """Trim requests[i] at keep_froms[i], in order, or none. Raises UnknownRequest, BadArgument."""
        self.page_table.trim_batch([self.handle(request) for request in requests], keep_froms)

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

    def snapshot(self) -> tuple[object, ...]:
        """The whole state, bit for bit, rows included; equal states have equal snapshots. O(pool)."""
        return self.page_table.snapshot(), tuple(self._handles.items()), self._copies, self.pool.data.tobytes()

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Go back to the state of a snapshot of this cache. O(pool)."""
        table, handles, self._copies, rows = snapshot
        self.page_table.restore(table)
        self._handles = dict(handles)
        self.pool.data[...] = np.frombuffer(rows, dtype=self.pool.data.dtype).reshape(self.pool.data.shape)

    def check(self) -> None:
        """Raise InvariantBroken when an invariant of the page table is broken, or ids and live requests differ."""
        self.page_table.check()
        if sorted(self._handles.values()) != self.page_table.handles():
            raise InvariantBroken("ids: the handles that ids stand for are not those of the live requests, each once")
