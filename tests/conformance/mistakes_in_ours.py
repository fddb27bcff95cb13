# SPDX-License-Identifier: Apache-2.0
"""Seeded mistakes around our own cache, at its methods: changes of its arithmetic are left to the mutation tests."""

from collections.abc import Hashable, Sequence
from typing import Any

from numpy.typing import ArrayLike

from impl.cache import PagedCache
from impl.errors import RequestExists


class ReleaseForgetsPages(PagedCache):
    """Release forgets the request's pages."""

    def release(self, request: Hashable) -> None:
        self.handle(request)
        del self._handles[request]

    def check(self) -> None:
        self.page_table.check()


class TrimTooLittle(PagedCache):
    """Trim keeps a page that lies completely outside the window."""

    def trim(self, request: Hashable, keep_from: int) -> None:
        inside = 0 < keep_from <= self.length(request)
        super().trim(request, keep_from - 1 if inside else keep_from)


class FloatPage(PagedCache):
    """A page index is a float."""

    def table(self, request: Hashable) -> Any:
        return [None if page is None else float(page) for page in super().table(request)]


class BatchHalfApplied(PagedCache):
    """A refused batch leaves what came before the refusal."""

    def append_batch(self, requests: Sequence[Hashable], rows_per_request: Sequence[ArrayLike]) -> None:
        for request in requests:
            self.handle(request)
        for request, rows in zip(requests, rows_per_request, strict=True):
            self.append(request, rows)


class RefusedForkReleases(PagedCache):
    """A fork onto a name in use releases the request of that name, and then complains."""

    def fork(self, source: Hashable, request: Hashable) -> None:
        try:
            super().fork(source, request)
        except RequestExists:
            if source != request:
                self.release(request)
            raise


class RowsWrittenLate(PagedCache):
    """The rows of an append are in the cache only when the next one comes."""

    late: Any = None

    def append(self, request: Hashable, rows: ArrayLike) -> None:
        slots: list[Any] = []
        write, self.pool.write = self.pool.write, lambda *given: slots.append(given)  # type: ignore[method-assign]
        try:
            super().append(request, rows)
        finally:
            self.pool.write = write  # type: ignore[method-assign]
        if self.late is not None:
            write(*self.late)
        if slots:
            self.late = slots[0]
