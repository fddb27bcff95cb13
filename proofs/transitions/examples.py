# SPDX-License-Identifier: Apache-2.0
"""Concrete states that satisfy every invariant, made by running the model in plain Python: what shows that the
hypotheses of the proofs can hold. Between them: pages shared by two requests, a hole behind sinks and one at the front,
a partial tail page that is shared, a full pool, and a name that is free."""

from collections.abc import Callable, Iterator
from functools import cache

from proofs.transitions.operation import Operation
from proofs.transitions.operations import APPEND, FORK, NEW, TRIM, takes
from proofs.transitions.plain import Plain
from proofs.transitions.standing import empty
from proofs.transitions.state import State, names
from proofs.transitions.universe import Term

PAGES, REQUESTS, ENTRIES, PAGE_SIZE = 5, ("a", "b", "c"), 4, 2
PLAIN = Plain(PAGES, REQUESTS, ENTRIES, PAGE_SIZE)


def run(u: Plain, s: State, operation: Operation, *arguments: Term) -> State:
    """The state after the operation, as tables."""
    return u.tabulated(operation.after(u, s, *arguments))


def append(u: Plain, s: State, request: str, *values: Term) -> State:
    """The state after appending these rows one by one, each with the lowest free page."""
    for value in values:
        free = [page for page in u.domains["page"] if s.stacked(page) >= 1]
        page = free[0] if takes(u, s, request) and free else None
        s = run(u, s, APPEND, request, value, page)
    return s


def new_pool(u: Plain) -> State:
    """The state of a new pool."""
    return u.tabulated(empty(u, u.state({name: {} for name in names()})))


@cache
def states() -> tuple[State, ...]:
    """The example states."""
    u = PLAIN
    start = new_pool(u)
    shared = run(u, append(u, run(u, start, NEW, "a", 0), "a", 10, 11, 12, 13, 14), FORK, "a", "b")
    hole = run(u, shared, TRIM, "a", 3)
    full = append(u, shared, "b", 25, 26, 27)
    behind_sinks = run(u, append(u, run(u, start, NEW, "a", 1), "a", 10, 11, 12, 13, 14, 15), TRIM, "a", 5)
    forked = run(u, behind_sinks, FORK, "a", "b")
    return hole, full, behind_sinks, forked


def runs() -> Iterator[tuple[State, State, State, str, tuple[int, ...], int | None]]:
    """Appends of several rows that succeed: the state before, after the first row, at the end, who, the rows, and the
    page that the first row takes."""
    u = PLAIN
    for s in states():
        for request in u.requests:
            values = (90, 91, 92)
            needs = takes(u, s, request)
            page = min((page for page in u.domains["page"] if s.stacked(page) >= 1), default=None) if needs else None
            first = append(u, s, request, *values[:1])
            end = append(u, first, request, *values[1:])
            if s.live(request) and end.length(request) == s.length(request) + len(values):
                yield s, first, end, request, values, page


def accumulating() -> Iterator[tuple[Term, ...]]:
    """Inputs for the step from one row and the rest to all rows."""
    for s, _, end, request, values, page in runs():
        yield s, end, request, _sequence(values), page, len(values) - 1


def reading() -> Iterator[tuple[Term, ...]]:
    """Inputs for reading back what an append of several rows wrote."""
    for s, _, end, request, values, _ in runs():
        yield s, end, request, _sequence(values), len(values)


def _sequence(values: tuple[int, ...]) -> Callable[[int], int]:
    return lambda number: values[number] if 0 <= number < len(values) else 0
