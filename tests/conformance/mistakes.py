# SPDX-License-Identifier: Apache-2.0
"""Seeded mistakes, each a small change to the plain cache.

The first twelve are the page-table mistakes that this project names; the others are what rows and owner counts alone
do not show, and what engines have got wrong. Those of refusals, truncates and sinks are in `mistakes_in_corners.py`,
those of batches in `mistakes_in_batches.py`.
"""

from collections.abc import Sequence
from typing import Any

from kvproof.targets.plain import OutOfPages, Page, PlainCache, Request


class FreedPageNotReturned(PlainCache):
    """A page freed by its last owner is not returned to the free list."""

    def _let_go(self, pages: list[Page | None]) -> None:
        for page in pages:
            if page is not None:
                page.owners -= 1


class FreedWhileShared(PlainCache):
    """A page is put on the free list while others still share it."""

    def _let_go(self, pages: list[Page | None]) -> None:
        for page in pages:
            if page is not None:
                page.owners -= 1
                self.free.append(page)


class ForkNotCounted(PlainCache):
    """Fork does not count the new owner."""

    def fork(self, source: str, request: str) -> None:
        super().fork(source, request)
        for page in self.requests[request].pages:
            if page is not None:
                page.owners -= 1


class NoCopy(PlainCache):
    """No copy before writing into a shared page."""

    def _tail_shared(self, this: Request) -> bool:
        return False


class EmptyCopy(PlainCache):
    """The copy-on-write copy is empty."""

    def _copy_tail(self, this: Request) -> None:
        super()._copy_tail(this)
        tail = this.pages[-1]
        assert tail is not None
        tail.rows[:] = [None] * self.page_size


class CopyKeepsReference(PlainCache):
    """The copy keeps its reference on the shared page."""

    def _copy_tail(self, this: Request) -> None:
        shared = this.pages[-1]
        assert shared is not None
        super()._copy_tail(this)
        shared.owners += 1


class WrongOffset(PlainCache):
    """The offset in the page is computed with P+1."""

    def rows(self, request: str, low: int, high: int) -> list[int | None]:
        rows = super().rows(request, low, high)
        for row in range(low, high):
            page = self.requests[request].pages[row // self.page_size]
            assert page is not None
            rows[row - low] = page.rows[row % (self.page_size + 1) % self.page_size]
        return rows


class LookUpIgnoresDropped(PlainCache):
    """The block-table look-up ignores the pages already dropped."""

    def rows(self, request: str, low: int, high: int) -> list[int | None]:
        super().rows(request, low, high)
        kept = [page for page in self.requests[request].pages if page is not None]
        return [kept[row // self.page_size].rows[row % self.page_size] for row in range(low, high)]


class TrimTooMuch(PlainCache):
    """Trim releases a page that still holds a needed row."""

    def trim(self, request: str, keep_from: int) -> None:
        super().trim(request, keep_from)
        pages = self.requests[request].pages
        index = keep_from // self.page_size
        if 0 < index < len(pages) and pages[index - 1] is None:
            self._let_go([pages[index]])
            pages[index] = None


class TrimTooLittle(PlainCache):
    """Trim keeps a page that lies completely outside the window."""

    def trim(self, request: str, keep_from: int) -> None:
        inside = 0 < keep_from <= self._known(request).length
        super().trim(request, keep_from - 1 if inside else keep_from)


class ReleaseForgetsPages(PlainCache):
    """Release forgets the request's pages."""

    def release(self, request: str) -> None:
        self._known(request)
        del self.requests[request]


class ExhaustionNotReported(PlainCache):
    """Exhaustion is not reported: what fits is written."""

    def append(self, request: str, rows: Sequence[int]) -> None:
        fits = len(rows)
        while self.pages_needed(request, fits) > len(self.free):
            fits -= 1
        super().append(request, rows[:fits])


class LengthTooLong(PlainCache):
    """The length is one too long when the last page is full."""

    def length(self, request: str) -> int:
        length = super().length(request)
        return length + 1 if length and length % self.page_size == 0 else length


class FloatPage(PlainCache):
    """A page index is a float."""

    def table(self, request: str) -> Any:
        return [None if page is None else page / 1 for page in super().table(request)]


class BoolLength(PlainCache):
    """A length of 1 is a bool."""

    def length(self, request: str) -> int:
        length = super().length(request)
        return True if length == 1 else length


class NeedlessCopy(PlainCache):
    """The tail is copied before every write into it, shared or not; it is not counted."""

    def append(self, request: str, rows: Sequence[int]) -> None:
        super().append(request, rows)
        this = self.requests[request]
        tail = this.pages[-1] if this.pages else None
        if rows and tail is not None and tail.owners == 1 and self.free:
            copy = self._take()
            copy.rows[:] = tail.rows
            this.pages[-1] = copy
            self._let_go([tail])


class CopyForNothing(PlainCache):
    """An append of no rows copies a shared tail."""

    def append(self, request: str, rows: Sequence[int]) -> None:
        super().append(request, rows)
        this = self.requests[request]
        if not rows and self._tail_shared(this) and self.free:
            self._copy_tail(this)


class PageTooEarly(PlainCache):
    """A page that is filled exactly takes the next one at once."""

    def append(self, request: str, rows: Sequence[int]) -> None:
        super().append(request, rows)
        this = self.requests[request]
        if rows and this.length % self.page_size == 0 and self.free:
            this.pages.append(self._take())


class LastPageKeptBack(PlainCache):
    """A possible append is refused: the one that needs every free page."""

    def append(self, request: str, rows: Sequence[int]) -> None:
        if self.pages_needed(request, len(rows)) == len(self.free) > 1:
            raise OutOfPages
        super().append(request, rows)


class CopyNotForeseen(PlainCache):
    """`pages_needed` does not count the copy."""

    def append(self, request: str, rows: Sequence[int]) -> None:
        needed = PlainCache.pages_needed(self, request, len(rows))
        if needed > len(self.free):
            raise OutOfPages
        super().append(request, rows)

    def pages_needed(self, request: str, count: int) -> int:
        needed = super().pages_needed(request, count)
        return needed - 1 if count and self._tail_shared(self._known(request)) else needed


class ForkCopies(PlainCache):
    """A fork gets copies of the pages where there is room, instead of sharing them."""

    def fork(self, source: str, request: str) -> None:
        super().fork(source, request)
        this = self.requests[request]
        for index, page in enumerate(this.pages):
            if page is not None and self.free:
                copy = self._take()
                copy.rows[:] = page.rows
                this.pages[index] = copy
                self._let_go([page])


class TwoInOne(PlainCache):
    """The table shows the first page of a request in every place."""

    def table(self, request: str) -> list[int | None]:
        table = super().table(request)
        return table[:1] * len(table) if None not in table else table


class CheckFails(PlainCache):
    """Its own check finds a request of more than two pages wrong."""

    capabilities = PlainCache.capabilities | {"self_check"}

    def check(self) -> None:
        for name, this in self.requests.items():
            if len(this.pages) > 2:
                raise AssertionError(f"{name} has {len(this.pages)} pages")
