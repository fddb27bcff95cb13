# SPDX-License-Identifier: Apache-2.0
"""A paged key/value cache as an immutable value, and each operation as a function from state to state.

Nothing is stored that can be derived. A page has an identity and no more: its owners are counted from the tables, and
the free pages are the ones that no table names. A row lives in its request, not in a page, so that no request can
see what another one writes.

Every operation returns `(state, result)`. The result is a `Refusal` when the operation is not possible, and then the
state is the one that was given. When several refusals apply, the first in the order of `Refusal` is given.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

Page = int
Row = object
RequestId = Hashable


class Refusal(Enum):
    """Why an operation is not possible, in order of precedence."""

    UNKNOWN_REQUEST = "UnknownRequest"
    REQUEST_EXISTS = "RequestExists"
    BAD_ARGUMENT = "BadArgument"
    ROWS_RELEASED = "RowsReleased"
    OUT_OF_PAGES = "OutOfPages"


@dataclass(frozen=True, slots=True)
class Request:
    """One request: every row ever kept, in order, and the page of each logical page index (None once released)."""

    sinks: int = 0
    rows: tuple[Row, ...] = ()
    pages: tuple[Page | None, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A pool of `page_count` pages of `page_size` rows, and the requests that live in it."""

    page_count: int
    page_size: int
    requests: Mapping[RequestId, Request] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Appended:
    """What an append did: the pages it took, and how many of them are private copies of a shared page (0 or 1)."""

    taken: int
    copied: int


# What the state means: everything below is derived.


def free_pages(state: State) -> list[Page]:
    """The pages that no request names, lowest first."""
    named = {page for request in state.requests.values() for page in request.pages}
    return [page for page in range(state.page_count) if page not in named]


def owners(state: State, index: int, page: Page) -> int:
    """How many requests have `page` as their logical page `index`."""
    return sum(index < len(request.pages) and request.pages[index] == page for request in state.requests.values())


def pages_held(request: Request) -> int:
    """How many pages the request holds."""
    return sum(page is not None for page in request.pages)


def hole(state: State, request: Request) -> tuple[int, int]:
    """The released rows [h0, h1); both are 0 when there are none."""
    released = [index for index, page in enumerate(request.pages) if page is None]
    if not released:
        return 0, 0
    return released[0] * state.page_size, (released[-1] + 1) * state.page_size


def tail_is_shared(state: State, request: Request) -> bool:
    """Whether the next row would be written into a page that another request also holds."""
    tail = len(request.rows) // state.page_size
    if tail >= len(request.pages):
        return False
    page = request.pages[tail]
    return page is not None and owners(state, tail, page) > 1


# The operations.


def new(state: State, name: RequestId, sinks: int = 0) -> tuple[State, Refusal | None]:
    """Start a request whose first `sinks` rows are never trimmed."""
    if name in state.requests:
        return state, Refusal.REQUEST_EXISTS
    if sinks < 0:
        return state, Refusal.BAD_ARGUMENT
    return _put(state, name, Request(sinks=sinks)), None


def append(state: State, name: RequestId, rows: Sequence[Row]) -> tuple[State, Refusal | Appended]:
    """Write all of `rows` at the end, or none. A shared tail page is first replaced by a private one."""
    request = state.requests.get(name)
    if request is None:
        return state, Refusal.UNKNOWN_REQUEST
    if not rows:
        return state, Appended(0, 0)
    written = request.rows + tuple(rows)
    kept = request.pages
    copied = 0
    if tail_is_shared(state, request):
        kept = kept[:-1]
        copied = 1
    taken = 0
    while (len(kept) + taken) * state.page_size < len(written):
        taken += 1
    if taken == 0:
        return _put(state, name, replace(request, rows=written)), Appended(0, 0)
    free = free_pages(state)
    if taken > len(free):
        return state, Refusal.OUT_OF_PAGES
    return _put(state, name, replace(request, rows=written, pages=kept + tuple(free[:taken]))), Appended(taken, copied)


def pages_needed(state: State, name: RequestId, count: int) -> tuple[State, Refusal | int]:
    """How many pages an append of `count` rows would take: tried in a pool with room for it."""
    request = state.requests.get(name)
    if request is None:
        return state, Refusal.UNKNOWN_REQUEST
    if count < 0:
        return state, Refusal.BAD_ARGUMENT
    roomy = replace(state, page_count=state.page_count + count + 1)
    _, result = append(roomy, name, (None,) * count)
    return state, result.taken if isinstance(result, Appended) else result


def fork(state: State, source: RequestId, name: RequestId) -> tuple[State, Refusal | None]:
    """Start a request that has the rows of `source` and shares every page of it."""
    if source not in state.requests:
        return state, Refusal.UNKNOWN_REQUEST
    if name in state.requests:
        return state, Refusal.REQUEST_EXISTS
    return _put(state, name, state.requests[source]), None


def trim(state: State, name: RequestId, keep_from: int) -> tuple[State, Refusal | None]:
    """Release every page whose rows are all at or after the sinks and before `keep_from`."""
    request = state.requests.get(name)
    if request is None:
        return state, Refusal.UNKNOWN_REQUEST
    if not 0 <= keep_from <= len(request.rows):
        return state, Refusal.BAD_ARGUMENT

    def released(index: int) -> bool:
        first, end = index * state.page_size, (index + 1) * state.page_size
        return first >= request.sinks and end <= keep_from

    pages = tuple(None if released(index) else page for index, page in enumerate(request.pages))
    return _put(state, name, replace(request, pages=pages)), None


def truncate(state: State, name: RequestId, length: int) -> tuple[State, Refusal | None]:
    """Forget the rows from `length` on. Refused when the last row kept would be a released one inside the hole."""
    request = state.requests.get(name)
    if request is None:
        return state, Refusal.UNKNOWN_REQUEST
    if not 0 <= length <= len(request.rows):
        return state, Refusal.BAD_ARGUMENT
    first, end = hole(state, request)
    if first < length < end:
        return state, Refusal.ROWS_RELEASED
    pages = tuple(page for index, page in enumerate(request.pages) if index * state.page_size < length)
    return _put(state, name, replace(request, rows=request.rows[:length], pages=pages)), None


def rows(state: State, name: RequestId, low: int, high: int) -> tuple[State, Refusal | tuple[Row, ...]]:
    """The rows low ≤ i < high, in order."""
    request = state.requests.get(name)
    if request is None:
        return state, Refusal.UNKNOWN_REQUEST
    if not 0 <= low <= high <= len(request.rows):
        return state, Refusal.BAD_ARGUMENT
    if any(request.pages[row // state.page_size] is None for row in range(low, high)):
        return state, Refusal.ROWS_RELEASED
    return state, request.rows[low:high]


def release(state: State, name: RequestId) -> tuple[State, Refusal | None]:
    """End a request; its name may be used again."""
    if name not in state.requests:
        return state, Refusal.UNKNOWN_REQUEST
    return replace(state, requests={n: r for n, r in state.requests.items() if n != name}), None


def in_order(
    state: State, operations: Sequence[Callable[[State], tuple[State, object]]]
) -> tuple[State, list[object] | Refusal]:
    """A batch: the operations one by one in the given order, or nothing at all and the first refusal by precedence."""
    after = state
    results = []
    for operation in operations:
        after, result = operation(after)
        results.append(result)
    refusals = [result for result in results if isinstance(result, Refusal)]
    if refusals:
        return state, min(refusals, key=list(Refusal).index)
    return after, results


def _put(state: State, name: RequestId, request: Request) -> State:
    return replace(state, requests={**state.requests, name: request})
