# SPDX-License-Identifier: Apache-2.0
"""Which operations are tried: drawn from a state, through anything that can choose.

Hypothesis and a seeded random generator draw through the same functions. The first choice everywhere is the plain one,
and small numbers are simple, so that what Hypothesis shrinks gets plainer. Refused operations are drawn on purpose,
about one in ten.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from spec import block_table as spec
from spec.block_table import Request, State
from spec.conformance import operations as make
from spec.conformance.corners import corners
from spec.conformance.operations import NEEDS, Operation

T = TypeVar("T")


class Chooser(Protocol):
    """Where the choices come from."""

    def integer(self, low: int, high: int) -> int:
        """An integer low ≤ i ≤ high."""

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`, of which there is at least one."""


class RandomChooser:
    """Choices of a seeded generator, as fast as they come."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random

    def integer(self, low: int, high: int) -> int:
        """An integer low ≤ i ≤ high, for differences far below 2**53."""
        return low + int(self._random() * (high - low + 1))

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`."""
        return options[int(self._random() * len(options))]


@dataclass(frozen=True, slots=True)
class Scope:
    """What one run happens in: the pool, the window that its trims are after, and the names of its requests."""

    pages: int
    page_size: int
    window: int
    names: tuple[str, ...] = ("a", "b", "c", "d")


def draw_scope(chooser: Chooser) -> Scope:
    """A pool of 1 … 12 pages (one in eight of up to 40) of 1 … 8 rows, and a window of up to about two pages."""
    page_size = chooser.choice((4, 2, 1, 3, 4, 5, 8))
    pages = chooser.integer(1, 12)
    if chooser.integer(0, 7) == 5:
        pages = chooser.integer(13, 40)
    return Scope(pages, page_size, chooser.integer(1, 2 * page_size + 1))


WEIGHTS = {
    "append": 20,
    "rows": 10,
    "trim": 9,
    "truncate": 7,
    "fork": 12,
    "new": 4,
    "release": 4,
    "append_batch": 5,
    "trim_batch": 4,
    "pages_needed": 2,
    "length": 1,
    "pages_held": 1,
    "table": 1,
}
"""How often each kind of operation is drawn when the kind is drawn too."""


class Draw:
    """Draws operations in one scope that a target of these capabilities can run."""

    def __init__(self, scope: Scope, capabilities: frozenset[str], chooser: Chooser) -> None:
        self.scope = scope
        self._sinks = "sinks" in capabilities
        self._integer = chooser.integer
        self._choice = chooser.choice
        self._kinds: list[str] = []
        self._draws: dict[str, Callable[[State], Operation]] = {}
        self._givers = ["release", *(kind for kind in ("trim", "truncate") if kind in capabilities)]
        for kind, needs in NEEDS.items():
            if needs is None or needs in capabilities:
                self._kinds += [kind] * WEIGHTS[kind]
                self._draws[kind] = getattr(self, kind)

    def operation(self, state: State) -> Operation:
        """An operation of any kind."""
        live = len(state.requests)
        if live == 0 and not self._one_in(24):
            return self.new(state)
        if self._one_in(5):
            offered = [operation for operation in corners(state) if operation.kind in self._draws]
            if offered:
                return self._choice(offered)
        kind = self._choice(self._kinds)
        if kind == "append" and not self._one_in(3) and not spec.free_pages(state):
            kind = self._choice(self._givers)
        if live >= len(self.scope.names) and kind in ("new", "fork") and not self._one_in(4):
            kind = self._choice(("release", "append", "release"))
        return self._draws[kind](state)

    def new(self, state: State) -> Operation:
        """Mostly under the first name that is free; sinks around page boundaries."""
        name = self._new_name(state)
        if not self._sinks or self._integer(0, 1) == 0:
            return make.new(name)
        size = self.scope.page_size
        return make.new(name, self._choice((1, size, size - 1, size + 1, self._integer(0, 2 * size), -1)))

    def append(self, state: State) -> Operation:
        """Around the end of the page, around what is free, and nothing at all."""
        name = self._request(state)
        return make.append(name, self._count(state, name))

    def append_batch(self, state: State) -> Operation:
        """One row for each, or any counts, also with a request that is there twice."""
        names = self._requests(state)
        ones = self._integer(0, 2) == 0
        return make.append_batch(names, [1 if ones else self._count(state, name) for name in names])

    def fork(self, state: State) -> Operation:
        """Mostly of a request that has pages, onto a free name."""
        if state.requests and self._one_in(12):
            live, unused = self._live(state), self._unused(state)
            return make.fork(*self._choice(((live, live), (unused, live), (live, self._live(state)), (unused, unused))))
        holding = [str(name) for name, request in state.requests.items() if request.pages]
        source = self._choice(holding) if holding and self._integer(0, 3) else self._request(state)
        return make.fork(source, self._new_name(state))

    def trim(self, state: State) -> Operation:
        """After the window, anywhere, and outside."""
        name = self._request(state)
        return make.trim(name, self._keep_from(state, name))

    def trim_batch(self, state: State) -> Operation:
        """As `trim`, for several requests."""
        names = self._requests(state)
        return make.trim_batch(names, [self._keep_from(state, name) for name in names])

    def truncate(self, state: State) -> Operation:
        """Anywhere, a little shorter, and outside."""
        name = self._request(state)
        request = state.requests.get(name, Request())
        rows = len(request.rows)
        if self._one_in(12):
            return make.truncate(name, self._choice((rows + 1, -1)))
        if self._integer(0, 1):
            return make.truncate(name, max(0, rows - self._integer(1, self.scope.page_size)))
        return make.truncate(name, self._integer(0, rows))

    def rows(self, state: State) -> Operation:
        """All of it, the window, anything, and outside."""
        name = self._request(state)
        request = state.requests.get(name, Request())
        rows = len(request.rows)
        if self._one_in(8):
            return make.rows(name, *self._choice(((0, rows + 1), (rows, rows - 1), (-1, rows), (rows + 1, rows + 1))))
        style = self._integer(0, 7)
        if style <= 1:
            return make.rows(name, 0, rows)
        if style <= 4:
            return make.rows(name, max(spec.hole(state, request)[1], rows + 1 - self.scope.window, 0), rows)
        low = self._integer(0, rows)
        return make.rows(name, low, self._integer(low, rows))

    def release(self, state: State) -> Operation:
        """Any request."""
        return make.release(self._request(state))

    def length(self, state: State) -> Operation:
        """Any request."""
        return make.length(self._asked(state))

    def pages_held(self, state: State) -> Operation:
        """Any request."""
        return make.pages_held(self._asked(state))

    def table(self, state: State) -> Operation:
        """Any request."""
        return make.table(self._asked(state))

    def pages_needed(self, state: State) -> Operation:
        """For counts as they are appended, sometimes for a negative one."""
        name = self._asked(state)
        count = -1 if self._one_in(8) else self._count(state, name)
        return make.pages_needed(name, count)

    def _one_in(self, n: int) -> bool:
        # Compared with a number in the middle: Hypothesis likes the ends, and shrinks away from it.
        return self._integer(0, n - 1) == n // 2 + 1

    def _request(self, state: State) -> str:
        """A request that is there, rarely one that is not."""
        if not state.requests or self._one_in(24):
            return self._unused(state)
        return self._live(state)

    def _live(self, state: State) -> str:
        """A request that is there."""
        return str(self._choice(list(state.requests)))

    def _asked(self, state: State) -> str:
        """As `_request`, but more often one that is not there: such questions are rare."""
        return self._unused(state) if self._one_in(4) else self._request(state)

    def _requests(self, state: State) -> list[str]:
        """Every request once, or up to four, in any order and repeated."""
        if state.requests and self._integer(0, 2) == 0:
            return [str(name) for name in state.requests]
        return [self._request(state) for _ in range(self._integer(1, 4))]

    def _new_name(self, state: State) -> str:
        """A name that is free, rarely one that is not."""
        if state.requests and (len(state.requests) >= len(self.scope.names) or self._one_in(24)):
            return self._live(state)
        return self._unused(state)

    def _unused(self, state: State) -> str:
        """The first name that is free: those of released requests come again soon."""
        return next((name for name in self.scope.names if name not in state.requests), "nobody")

    def _count(self, state: State, name: str) -> int:
        size = self.scope.page_size
        style = self._integer(0, 9)
        if style <= 2:
            return 1
        if style <= 4:
            return self._integer(0, size + 1)
        request = state.requests.get(name)
        room = -len(request.rows) % size if request is not None else 0
        if style <= 6:
            return room + self._integer(0, 1)
        if style == 7:
            return self._integer(1, 2 * size + 1)
        if style == 8:
            return len(spec.free_pages(state)) * size + room + self._integer(0, 1)
        return room + size

    def _keep_from(self, state: State, name: str) -> int:
        request = state.requests.get(name, Request())
        rows = len(request.rows)
        if self._one_in(12):
            return self._choice((rows + 1, -1))
        style = self._integer(0, 8)
        if style <= 4:
            tail = max(1, self.scope.window - request.sinks)
            return max(0, rows + 1 - tail)
        if style <= 7:
            return self._integer(0, rows)
        return rows
