# SPDX-License-Identifier: Apache-2.0
"""A paged cache of lists and objects, as one writes it down first: a second opinion, and a yardstick for speed.

A page is an object that holds its rows and counts its owners; a request is a list of such objects. Nothing of `spec`
or `impl` is used; the refusals are classes of the same names. It has every capability but "batch" and "self_check".
"""

from collections.abc import Sequence


class UnknownRequest(KeyError):
    """No such request."""


class RequestExists(ValueError):
    """The name is in use."""


class BadArgument(ValueError):
    """A number is out of range."""


class RowsReleased(LookupError):
    """The rows were trimmed away."""


class OutOfPages(RuntimeError):
    """More pages are needed than are free."""


class Page:
    """One page of the pool."""

    def __init__(self, number: int, page_size: int) -> None:
        self.number = number
        self.rows: list[int | None] = [None] * page_size
        self.owners = 0


class Request:
    """One request: its pages by logical index, None once released."""

    def __init__(self, sinks: int) -> None:
        self.sinks = sinks
        self.length = 0
        self.pages: list[Page | None] = []


class PlainCache:
    """A pool of `pages` pages of `page_size` rows; the methods are those of the target protocol."""

    capabilities = frozenset(
        {"fork", "trim", "truncate", "sinks", "length", "pages_needed", "pages_held", "free_pages"}
        | {"table", "owners", "copies"}
    )

    def __init__(self, pages: int, page_size: int) -> None:
        self.page_size = page_size
        self.pool = [Page(number, page_size) for number in range(pages)]
        self.free = self.pool[::-1]
        self.requests: dict[str, Request] = {}
        self.copied = 0

    def new(self, request: str, sinks: int = 0) -> None:
        self._refuse_if_used(request)
        if sinks < 0:
            raise BadArgument(f"sinks = {sinks}")
        self.requests[request] = Request(sinks)

    def append(self, request: str, rows: Sequence[int]) -> None:
        this = self._known(request)
        if self.pages_needed(request, len(rows)) > len(self.free):
            raise OutOfPages(f"{len(rows)} rows with {len(self.free)} free pages")
        if rows and self._tail_shared(this):
            self._copy_tail(this)
        done = 0
        while done < len(rows):
            offset = this.length % self.page_size
            if offset == 0:
                this.pages.append(self._take())
            page = this.pages[-1]
            assert page is not None
            part = rows[done : done + self.page_size - offset]
            page.rows[offset : offset + len(part)] = part
            done += len(part)
            this.length += len(part)

    def rows(self, request: str, low: int, high: int) -> list[int | None]:
        this = self._known(request)
        if not 0 <= low <= high <= this.length:
            raise BadArgument(f"rows {low} to {high} of {this.length}")
        found: list[int | None] = []
        while low < high:
            page = this.pages[low // self.page_size]
            if page is None:
                raise RowsReleased(f"row {low}")
            offset = low % self.page_size
            part = page.rows[offset : offset + high - low]
            found += part
            low += len(part)
        return found

    def release(self, request: str) -> None:
        this = self._known(request)
        del self.requests[request]
        self._let_go(this.pages)

    def fork(self, source: str, request: str) -> None:
        parent = self._known(source)
        self._refuse_if_used(request)
        child = self.requests[request] = Request(parent.sinks)
        child.length = parent.length
        child.pages = list(parent.pages)
        for page in child.pages:
            if page is not None:
                page.owners += 1

    def trim(self, request: str, keep_from: int) -> None:
        this = self._known(request)
        if not 0 <= keep_from <= this.length:
            raise BadArgument(f"keep_from = {keep_from} of {this.length}")
        first = -(-this.sinks // self.page_size)
        for index in range(first, keep_from // self.page_size):
            self._let_go([this.pages[index]])
            this.pages[index] = None

    def truncate(self, request: str, length: int) -> None:
        this = self._known(request)
        if not 0 <= length <= this.length:
            raise BadArgument(f"length = {length} of {this.length}")
        if None in this.pages:
            first = this.pages.index(None)
            end = first + this.pages.count(None)
            if first * self.page_size < length < end * self.page_size:
                raise RowsReleased(f"length = {length} ends in released rows")
        kept = -(-length // self.page_size)
        self._let_go(this.pages[kept:])
        del this.pages[kept:]
        this.length = length

    def length(self, request: str) -> int:
        return self._known(request).length

    def pages_needed(self, request: str, count: int) -> int:
        this = self._known(request)
        if count < 0:
            raise BadArgument(f"count = {count}")
        if count == 0:
            return 0
        more = -(-(this.length + count) // self.page_size) - len(this.pages)
        return more + 1 if self._tail_shared(this) else more

    def pages_held(self, request: str) -> int:
        pages = self._known(request).pages
        return len(pages) - pages.count(None)

    def free_pages(self) -> int:
        return len(self.free)

    def table(self, request: str) -> list[int | None]:
        return [None if page is None else page.number for page in self._known(request).pages]

    def owners(self, page: int) -> int:
        return self.pool[page].owners

    def copies(self) -> int:
        return self.copied

    def _known(self, request: str) -> Request:
        if request not in self.requests:
            raise UnknownRequest(request)
        return self.requests[request]

    def _refuse_if_used(self, request: str) -> None:
        if request in self.requests:
            raise RequestExists(request)

    def _tail_shared(self, this: Request) -> bool:
        tail = this.pages[-1] if this.length % self.page_size else None
        return tail is not None and tail.owners > 1

    def _take(self) -> Page:
        page = self.free.pop()
        page.owners = 1
        return page

    def _copy_tail(self, this: Request) -> None:
        shared = this.pages[-1]
        assert shared is not None
        private = self._take()
        private.rows[:] = shared.rows
        this.pages[-1] = private
        shared.owners -= 1
        self.copied += 1

    def _let_go(self, pages: list[Page | None]) -> None:
        for page in pages:
            if page is not None:
                page.owners -= 1
                if page.owners == 0:
                    self.free.append(page)
