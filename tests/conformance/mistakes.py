# SPDX-License-Identifier: Apache-2.0
"""Seeded mistakes, each a small change to the plain cache.

The first twelve are the page-table mistakes that this project names; the others are what rows and owner counts alone
do not show, and what engines have got wrong.
"""

from collections.abc import Sequence
from typing import Any

from kvproof.targets.plain import BadArgument, OutOfPages, Page, PlainCache, Request, RequestExists, UnknownRequest


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


class RefusedAppendLeaks(PlainCache):
    """A refused append has taken a page and does not give it back."""

    def append(self, request: str, rows: Sequence[int]) -> None:
        try:
            super().append(request, rows)
        except OutOfPages:
            if self.free:
                self.free.pop()
            raise


class RefusedAppendWrites(PlainCache):
    """A refused append has written the rows that fitted into the last page."""

    def append(self, request: str, rows: Sequence[int]) -> None:
        try:
            super().append(request, rows)
        except OutOfPages:
            this = self._known(request)
            room = -this.length % self.page_size
            super().append(request, rows[: room if not self._tail_shared(this) else 0])
            raise


class RefusedTrimTrims(PlainCache):
    """A refused trim has trimmed all that there was."""

    def trim(self, request: str, keep_from: int) -> None:
        try:
            super().trim(request, keep_from)
        except BadArgument:
            if keep_from > 0:
                super().trim(request, self._known(request).length)
            raise


class TruncateKeepsPages(PlainCache):
    """Truncate shortens the length and keeps the pages behind it."""

    def truncate(self, request: str, length: int) -> None:
        pages = list(self._known(request).pages)
        kept = [page for page in pages if page is not None]
        for page in kept:
            page.owners += 1
        super().truncate(request, length)
        this = self.requests[request]
        self._let_go(pages[: len(this.pages)])
        this.pages += pages[len(this.pages) :]


class TruncateWritesShared(PlainCache):
    """After a truncate into a shared page the next write goes into it."""

    def truncate(self, request: str, length: int) -> None:
        super().truncate(request, length)
        if length % self.page_size:
            self.private = request

    def _tail_shared(self, this: Request) -> bool:
        return super()._tail_shared(this) and self.requests.get(getattr(self, "private", "")) is not this


class TruncateIntoHole(PlainCache):
    """A truncate into released rows is not refused."""

    def truncate(self, request: str, length: int) -> None:
        this = self._known(request)
        if 0 <= length <= this.length and None in this.pages:
            kept = -(-length // self.page_size)
            self._let_go(this.pages[kept:])
            del this.pages[kept:]
            this.length = length
        else:
            super().truncate(request, length)


class StaleRows(PlainCache):
    """Released rows are read from the page that follows them, in silence."""

    def rows(self, request: str, low: int, high: int) -> list[int | None]:
        this = self._known(request)
        saved = list(this.pages)
        tail = next((page for page in reversed(saved) if page is not None), None)
        if tail is not None:
            this.pages = [tail if page is None else page for page in saved]
        try:
            return super().rows(request, low, high)
        finally:
            this.pages = saved


class SinksNotInherited(PlainCache):
    """A fork does not inherit the sinks."""

    def fork(self, source: str, request: str) -> None:
        super().fork(source, request)
        self.requests[request].sinks = 0


class SinksRoundedDown(PlainCache):
    """The page that holds the last sink rows is released when it is not full of them."""

    def trim(self, request: str, keep_from: int) -> None:
        this = self._known(request)
        sinks, this.sinks = this.sinks, this.sinks - this.sinks % self.page_size
        try:
            super().trim(request, keep_from)
        finally:
            this.sinks = sinks


class DoubleRelease(PlainCache):
    """A second release is accepted in silence."""

    def release(self, request: str) -> None:
        if request in self.requests:
            super().release(request)


class TrimBeyondLength(PlainCache):
    """A trim beyond the length is taken for one at the length."""

    def trim(self, request: str, keep_from: int) -> None:
        super().trim(request, min(keep_from, self._known(request).length))


class WrongError(PlainCache):
    """An unknown request is a plain KeyError."""

    def _known(self, request: str) -> Request:
        return self.requests[request]


class WrongPrecedence(PlainCache):
    """A fork of an unknown request onto a name in use complains of the name."""

    def fork(self, source: str, request: str) -> None:
        if source not in self.requests and request in self.requests:
            raise RequestExists(request)
        super().fork(source, request)


class NegativeRows(PlainCache):
    """A range that begins below 0 counts from the end."""

    def rows(self, request: str, low: int, high: int) -> list[int | None]:
        length = self._known(request).length
        return super().rows(request, low + length if -length <= low < 0 else low, high)


class ForkRaises(PlainCache):
    """A fork of a trimmed request raises something unforeseen."""

    def fork(self, source: str, request: str) -> None:
        if source in self.requests and request not in self.requests and None in self.requests[source].pages:
            raise IndexError("list index out of range")
        super().fork(source, request)


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


class BatchCache(PlainCache):
    """The plain cache with batches, by putting back how everything was; right, and the base of wrong ones."""

    capabilities = PlainCache.capabilities | {"batch"}

    def append_batch(self, requests: Sequence[str], rows: Sequence[Sequence[int]]) -> None:
        self._all_or_nothing(self.append, requests, rows)

    def trim_batch(self, requests: Sequence[str], keep_froms: Sequence[int]) -> None:
        self._all_or_nothing(self.trim, requests, keep_froms)

    def _all_or_nothing(self, operation: Any, requests: Sequence[str], arguments: Sequence[Any]) -> None:
        for request in requests:
            if request not in self.requests:
                raise UnknownRequest(request)
        saved = self._saved()
        try:
            for request, argument in zip(requests, arguments, strict=True):
                operation(request, argument)
        except Exception:
            self._put_back(saved)
            raise

    def _saved(self) -> tuple[Any, ...]:
        pages = [(page, list(page.rows), page.owners) for page in self.pool]
        requests = {name: (this, this.length, list(this.pages)) for name, this in self.requests.items()}
        return pages, requests, list(self.free), self.copied

    def _put_back(self, saved: tuple[Any, ...]) -> None:
        pages, requests, self.free, self.copied = saved
        for page, rows, owners in pages:
            page.rows, page.owners = rows, owners
        for this, length, table in requests.values():
            this.length, this.pages = length, table


class BatchHalfApplied(BatchCache):
    """A refused batch leaves what came before the refusal."""

    def _put_back(self, saved: tuple[Any, ...]) -> None:
        return


class BatchCopiesTwice(BatchCache):
    """A batch asks for a page for each owner of a shared tail, though the last one needs none."""

    def append_batch(self, requests: Sequence[str], rows: Sequence[Sequence[int]]) -> None:
        known = [request for request in requests if request in self.requests]
        if len(known) == len(requests):
            needed = sum(self.pages_needed(request, len(more)) for request, more in zip(requests, rows, strict=True))
            if len(set(requests)) == len(requests) and needed > len(self.free):
                raise OutOfPages
        super().append_batch(requests, rows)


class BatchForgetsRepeats(BatchCache):
    """A request that is twice in a batch is appended to once."""

    def append_batch(self, requests: Sequence[str], rows: Sequence[Sequence[int]]) -> None:
        once = dict(zip(requests, rows, strict=True))
        super().append_batch(list(once), list(once.values()))
