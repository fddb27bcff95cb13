# SPDX-License-Identifier: Apache-2.0
"""Seeded mistakes of refusals, of truncates and holes, and of sinks, each a small change to the plain cache."""

from collections.abc import Sequence

from kvproof.targets.plain import BadArgument, OutOfPages, PlainCache, Request, RequestExists


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
