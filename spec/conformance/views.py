# SPDX-License-Identifier: Apache-2.0
"""Everything visible of a target, held against a state of the spec.

What is found broken is told as (law, the call that shows it, expected, got).
"""

from collections.abc import Callable
from itertools import islice
from operator import index
from typing import Any

from spec import block_table as spec
from spec.block_table import Page, Request, RequestId, State
from spec.conformance.violation import told

Broken = tuple[str, str, str, str]

VIEWS = ("length", "pages_held", "free_pages", "table", "owners", "self_check")
"""The capabilities that `Views.compare` exercises."""


class Views:
    """The visible side of one target: the methods that only look, those that it has."""

    def __init__(self, target: Any, capabilities: frozenset[str]) -> None:
        def offered(capability: str, method: str) -> Callable[..., Any] | None:
            return getattr(target, method) if capability in capabilities else None

        self._rows: Callable[[RequestId, int, int], object] = target.rows
        self._length = offered("length", "length")
        self._held = offered("pages_held", "pages_held")
        self._free = offered("free_pages", "free_pages")
        self._table = offered("table", "table")
        self._owners = offered("owners", "owners")
        self._check = offered("self_check", "check")
        self._seen: dict[Page, Page] = {}

    def forget(self) -> None:
        """Forget which page of the target stood for which page of the spec."""
        self._seen = {}

    def compare(self, state: State, steady: bool = False, own_check: bool = True) -> Broken | None:
        """Hold all of it against `state`; None when it agrees.

        `steady` says that no page that is still held may have moved since the last comparison; `own_check` whether the
        target's own check, which may be slow, is called too. Laws: content, capacity,
        sharing, economy, owners, free-pages, types, self-check. Costs O(requests · pages + rows).
        """
        asked = ""
        theirs_of: dict[Page, Page] = {}
        owners: dict[Page, int] = {}
        broken: Broken | None = None
        try:
            for name, request in state.requests.items():
                if self._length is not None:
                    asked = f"length({name!r})"
                    got = self._length(name)
                    if type(got) is not int or got != len(request.rows):
                        broken = broken or compare_count("content", asked, got, len(request.rows))
                if self._held is not None:
                    asked = f"pages_held({name!r})"
                    got = self._held(name)
                    held = len(request.pages) - request.pages.count(None)
                    if type(got) is not int or got != held:
                        broken = broken or compare_count("capacity", asked, got, held)
                if self._table is not None:
                    asked = f"table({name!r})"
                    broken = broken or _compare_table(asked, self._table(name), request, state, theirs_of, owners)
                asked = f"rows of {name!r}"
                broken = broken or self._compare_content(name, request, state)
                if broken is not None:
                    return broken
            if self._table is not None:
                broken = _compare_identity(theirs_of, self._seen if steady else {})
                self._seen = theirs_of
            if self._owners is not None and broken is None:
                asked = "owners of every page"
                broken = self._compare_owners(state, owners)
            if self._free is not None and broken is None:
                asked = "free_pages()"
                broken = compare_count("free-pages", asked, self._free(), len(spec.free_pages(state)))
            if own_check and self._check is not None and broken is None:
                asked = "check()"
                self._check()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            law = "self-check" if asked == "check()" else "refusal"
            return law, asked, "an answer", told(error)
        return broken

    def _compare_content(self, name: RequestId, request: Request, state: State) -> Broken | None:
        """Read back every row that is kept. Empty ranges are left to the operations that are drawn."""
        written = request.rows
        first, end = spec.hole(state, request) if None in request.pages else (0, 0)
        for low, high in ((0, first), (end, len(written))):
            if low < high:
                got = self._rows(name, low, high)
                expected = written[low:high]
                if type(got) is not list or got != list(expected) or set(map(type, got)) != {int}:
                    broken = compare_rows(f"rows({name!r}, {low}, {high})", got, expected)
                    if broken is not None:
                        return broken
        return None

    def _compare_owners(self, state: State, owners: dict[Page, int]) -> Broken | None:
        """Every page when the tables say which is which, else only that the number of owners fits in number."""
        assert self._owners is not None
        if self._table is None:
            counted: dict[Page, int] = {}
            for request in state.requests.values():
                for page in request.pages:
                    if page is not None:
                        counted[page] = counted.get(page, 0) + 1
            expected = sorted(counted.values()) + [0] * (state.page_count - len(counted))
            got = []
            for page in range(state.page_count):
                answer = self._owners(page)
                number = as_int(answer)
                if number is None:
                    return "types", f"owners({page})", "an int", f"{shown(answer)}, a {type(answer).__name__}"
                got.append(number)
            if sorted(got) != sorted(expected):
                return "owners", "owners of all pages, sorted", f"{sorted(expected)}", f"{sorted(got)}"
            return None
        count = self._owners
        for page in range(state.page_count):
            got_count = count(page)
            if type(got_count) is not int or got_count != owners.get(page, 0):
                broken = compare_count("owners", f"owners({page})", got_count, owners.get(page, 0))
                if broken is not None:
                    return broken
        return None


def shown(value: object) -> str:
    """The `repr` of anything that a target gave, also when it has none."""
    try:
        return repr(value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"a {type(value).__name__} whose repr raises"


def as_int(value: object) -> int | None:
    """The value as an int if it is one (anything with `__index__` but a bool), else None."""
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def compare_count(law: str, asked: str, got: object, expected: int) -> Broken | None:
    """A number that must be an int and equal."""
    number = as_int(got)
    if number is None:
        return "types", asked, f"{expected}, an int", f"{shown(got)}, a {type(got).__name__}"
    return None if number == expected else (law, asked, f"{expected}", f"{number}")


def compare_rows(asked: str, got: Any, expected: tuple[object, ...]) -> Broken | None:
    """Rows that must be these, in order; lists, tuples and arrays are all fine."""
    try:
        found = list(islice(got.tolist() if hasattr(got, "tolist") else got, len(expected) + 1))
    except TypeError:
        return "types", asked, f"{list(expected)}", f"{shown(got)}, a {type(got).__name__}"
    numbers = [as_int(row) for row in found]
    if numbers == list(expected):
        return None
    # None is what a slot that was never written often reads as: wrong rows, not a wrong type.
    strange = next(
        (row for row, number in zip(found, numbers, strict=True) if number is None and row is not None), None
    )
    if strange is not None:
        return "types", asked, f"{list(expected)}, ints", f"{shown(strange)}, a {type(strange).__name__}"
    return "content", asked, f"{list(expected)}", f"{numbers}"


def compare_shape(asked: str, got: Any, pages: tuple[Page | None, ...]) -> Broken | None:
    """A table that must have a page where the spec has one and None where it has none."""
    expected = ["None" if page is None else "page" for page in pages]
    try:
        listed = list(islice(got, len(pages) + 1))
    except TypeError:
        return "types", asked, "a sequence of pages", f"{shown(got)}, a {type(got).__name__}"
    if ["None" if page is None else "page" for page in listed] == expected:
        return None
    return "capacity", asked, f"[{', '.join(expected)}]", shown(listed)


def _compare_table(
    asked: str, got: Any, request: Request, state: State, theirs_of: dict[Page, Page], owners: dict[Page, int]
) -> Broken | None:
    """Hold one table against the spec's; `theirs_of` and `owners` (by the target's pages) grow with every table."""
    if type(got) is not list and type(got) is not tuple:
        got = list(islice(got, len(request.pages) + 1))
    if len(got) != len(request.pages):
        return compare_shape(asked, got, request.pages)
    for theirs, ours in zip(got, request.pages, strict=True):
        if ours is None or theirs is None:
            if theirs is not ours:
                return compare_shape(asked, got, request.pages)
            continue
        page = theirs if type(theirs) is int else as_int(theirs)
        if page is None:
            return "types", asked, "pages as ints, None where released", f"{shown(theirs)}, a {type(theirs).__name__}"
        if not 0 <= page < state.page_count:
            return "types", asked, f"pages from 0 to {state.page_count - 1}", f"{page}"
        known = theirs_of.setdefault(ours, page)
        if known != page:
            return "sharing", asked, f"page {known}, which it shares, in the place of {page}", shown(list(got))
        # A page of the target that stands for two pages of the spec shows as one with an owner counted already.
        owners[page] = owners.get(page, 0) + 1
    return None


def _compare_identity(theirs_of: dict[Page, Page], before: dict[Page, Page]) -> Broken | None:
    """One page of the target for each page of the spec, and none moved since `before`."""
    if len(set(theirs_of.values())) < len(theirs_of):
        pages = sorted(theirs_of.values())
        twice = next(page for page in pages if pages.count(page) > 1)
        return "sharing", "table of every request", f"page {twice} in one place only", "it is used for two places"
    for ours, page in theirs_of.items():
        if before.get(ours, page) != page:
            return "economy", "table of every request", f"page {before[ours]} stays in its place", f"now page {page}"
    return None
