# SPDX-License-Identifier: Apache-2.0
"""The transition system is written by hand: here it runs in lockstep with the spec and with the implementation, and its
readings agree with each other. Same operation, same refusal, same state: that is what its proofs are worth."""

from collections.abc import Sequence
from itertools import product
from typing import Any, Protocol

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from impl.cache import PagedCache
from impl.errors import CacheError, UnknownRequest
from proofs.transitions import finite
from proofs.transitions.examples import ENTRIES, PAGE_SIZE, PAGES, PLAIN, REQUESTS, new_pool, run, states
from proofs.transitions.expanded import Finite
from proofs.transitions.invariants import consequences, invariants
from proofs.transitions.lifting import needed
from proofs.transitions.operation import NO_PAGES, REFUSALS, UNKNOWN, Operation
from proofs.transitions.operations import APPEND, FORK, NEW, OPERATIONS, RELEASE, ROWS, TRIM, TRUNCATE, read
from proofs.transitions.plain import Plain
from proofs.transitions.state import SIGNATURES, State
from spec import block_table as spec

Command = tuple[str, tuple[Any, ...]]
NAMES = ("a", "b", "c")
ONE_STEP: dict[str, Operation] = {"new": NEW, "fork": FORK, "trim": TRIM, "truncate": TRUNCATE, "release": RELEASE}
ENTRIES_DRAWN = 5

names = st.sampled_from(NAMES)
lengths = st.integers(-1, 9)
commands = st.one_of(
    st.tuples(st.just("new"), st.tuples(names, st.integers(-1, 4))),
    st.tuples(st.just("append"), st.tuples(names, st.integers(0, 4))),
    st.tuples(st.just("append"), st.tuples(names, st.integers(1, 3))),
    st.tuples(st.just("fork"), st.tuples(names, names)),
    st.tuples(st.just("trim"), st.tuples(names, lengths)),
    st.tuples(st.just("truncate"), st.tuples(names, lengths)),
    st.tuples(st.just("rows"), st.tuples(names, lengths, lengths)),
    st.tuples(st.just("release"), st.tuples(names)),
)
START: list[Command] = [("new", ("a", 0)), ("append", ("a", 3))]
histories = st.tuples(
    st.integers(1, 5),
    st.integers(1, 3),
    st.sampled_from([[], START, [*START, ("fork", ("a", "b"))], [("new", ("a", 1)), ("append", ("a", 5))]]),
    st.lists(commands, max_size=14),
)


class Side(Protocol):
    """What the model is compared with."""

    def do(self, kind: str, arguments: Sequence[Any], values: list[int]) -> str:
        """Run one command; the name of its refusal, or ""."""
        ...

    def live(self, name: str) -> bool: ...
    def table(self, name: str) -> list[int | None]: ...
    def sizes(self, name: str) -> tuple[int, int, int]:
        """Length, sinks and pages held."""
        ...

    def hole(self, name: str) -> tuple[int, int]: ...
    def read(self, name: str, row: int) -> int: ...
    def counts(self) -> list[int]: ...
    def free(self) -> set[int]: ...


class SpecSide:
    """The spec."""

    def __init__(self, pages: int, page_size: int) -> None:
        self.state = spec.State(pages, page_size)

    def do(self, kind: str, arguments: Sequence[Any], values: list[int]) -> str:
        given_values = (arguments[0], values) if kind == "append" else arguments
        self.state, result = getattr(spec, kind)(self.state, *given_values)
        return result.value if isinstance(result, spec.Refusal) else ""

    def live(self, name: str) -> bool:
        return name in self.state.requests

    def table(self, name: str) -> list[int | None]:
        return list(self.state.requests[name].pages)

    def sizes(self, name: str) -> tuple[int, int, int]:
        request = self.state.requests[name]
        return len(request.rows), request.sinks, spec.pages_held(request)

    def hole(self, name: str) -> tuple[int, int]:
        return spec.hole(self.state, self.state.requests[name])

    def read(self, name: str, row: int) -> int:
        _, result = spec.rows(self.state, name, row, row + 1)
        assert isinstance(result, tuple)
        assert isinstance(result[0], int)
        return result[0]

    def counts(self) -> list[int]:
        indices = range(max((len(request.pages) for request in self.state.requests.values()), default=0))
        return [sum(spec.owners(self.state, index, page) for index in indices) for page in range(self.state.page_count)]

    def free(self) -> set[int]:
        return set(spec.free_pages(self.state))


class ImplSide:
    """The implementation."""

    def __init__(self, pages: int, page_size: int) -> None:
        self.cache = PagedCache(pages, page_size)

    def do(self, kind: str, arguments: Sequence[Any], values: list[int]) -> str:
        given_values = (arguments[0], values) if kind == "append" else arguments
        try:
            getattr(self.cache, kind)(*given_values)
        except CacheError as refusal:
            return type(refusal).__name__
        return ""

    def live(self, name: str) -> bool:
        try:
            self.cache.handle(name)
        except UnknownRequest:
            return False
        return True

    def table(self, name: str) -> list[int | None]:
        return self.cache.table(name)

    def sizes(self, name: str) -> tuple[int, int, int]:
        handle = self.cache.handle(name)
        return self.cache.length(name), self.cache.page_table.sinks(handle), self.cache.pages_held(name)

    def hole(self, name: str) -> tuple[int, int]:
        return self.cache.page_table.hole(self.cache.handle(name))

    def read(self, name: str, row: int) -> int:
        return int(self.cache.rows(name, row, row + 1)[0])

    def counts(self) -> list[int]:
        return [int(count) for count in self.cache.page_table.refcounts()]

    def free(self) -> set[int]:
        return {int(page) for page in self.cache.page_table.free_stack()}


def model_append(u: Plain, s: State, name: str, values: list[int], table: list[int | None]) -> tuple[str, State]:
    """An append as the proofs have it: one test of capacity, then row by row, onto the pages the other side took."""
    if not s.live(name):
        return REFUSALS[UNKNOWN], s
    if needed(u, s, name, len(values)) > s.height():
        return REFUSALS[NO_PAGES], s
    for value in values:
        page = table[u.page_of(s.length(name))]
        assert APPEND.refusal(u, s, name, value, page) == 0
        assert APPEND.given(u, s, name, value, page)
        s = run(u, s, APPEND, name, value, page)
    return "", s


def same(u: Plain, s: State, other: Side) -> None:
    """The model is in the same state as the other side."""
    for name in u.requests:
        assert s.live(name) == other.live(name)
        if not s.live(name):
            continue
        table = other.table(name)
        assert [s.table(name, j) if s.has(name, j) else None for j in range(u.entries)] == table + [None] * (
            u.entries - len(table)
        )
        assert (s.length(name), s.sinks(name), s.held(name)) == other.sizes(name)
        assert (u.first_row(s.begin(name)), u.first_row(s.end(name))) == other.hole(name)
        for row in range(s.length(name)):
            if s.has(name, u.page_of(row)):
                assert read(u, s, name, row) == s.written(name, row) == other.read(name, row)
    assert [s.count(page) for page in u.domains["page"]] == other.counts()
    assert {page for page in u.domains["page"] if s.stacked(page) == 1} == s.free() == other.free()
    assert s.height() == len(other.free())


def lockstep(other: Side, pages: int, page_size: int, history: list[Command]) -> None:
    """Run a history on both and compare after every operation."""
    u = Plain(pages, NAMES, ENTRIES_DRAWN, page_size)
    s = new_pool(u)
    value = 100
    for kind, arguments in history:
        if kind == "append":
            name, count = arguments
            if s.live(name) and s.length(name) + count > u.entries * page_size:
                continue
            values = list(range(value, value + count))
            value += count
            refusal = other.do(kind, arguments, values)
            mine, s = model_append(u, s, name, values, other.table(name) if other.live(name) else [])
        else:
            operation = ONE_STEP.get(kind, ROWS)
            mine = REFUSALS[operation.refusal(u, s, *arguments)]
            refusal = other.do(kind, arguments, [])
            s = run(u, s, operation, *arguments)
        assert mine == refusal, (kind, arguments)
        same(u, s, other)
        broken = [claim.name for claim in (*invariants(u, s), *consequences(u, s)) if not u.every(claim)]
        assert not broken


@settings(max_examples=100)
@given(histories)
def test_the_model_and_the_spec_go_through_the_same_states(
    history: tuple[int, int, list[Command], list[Command]],
) -> None:
    pages, page_size, start, rest = history
    lockstep(SpecSide(pages, page_size), pages, page_size, start + rest)


@settings(max_examples=100)
@given(histories)
def test_the_model_and_the_implementation_go_through_the_same_states(
    history: tuple[int, int, list[Command], list[Command]],
) -> None:
    pages, page_size, start, rest = history
    lockstep(ImplSide(pages, page_size), pages, page_size, start + rest)


EVENTFUL: list[Command] = [
    *START,
    ("fork", ("a", "b")),
    ("append", ("b", 1)),  # a copy
    ("append", ("a", 2)),  # in place, then a new page
    ("append", ("b", 9)),  # refused: not enough pages
    ("trim", ("a", 4)),
    ("rows", ("a", 3, 5)),  # refused: released
    ("truncate", ("a", 3)),  # refused: into the hole
    ("truncate", ("a", 4)),
    ("fork", ("a", "a")),
    ("new", ("c", -1)),
    ("append", ("c", 0)),
    ("release", ("b",)),
    ("truncate", ("a", 0)),
    ("append", ("a", 6)),
]
CORNERS: list[Command] = [
    ("new", ("a", 1)),
    ("append", ("a", 5)),
    ("trim", ("a", 3)),  # the page of the sink stays, nothing goes
    ("trim", ("a", 4)),  # a hole behind the sink
    ("rows", ("a", 3, 3)),  # empty, in the hole: read
    ("rows", ("a", 1, 3)),  # refused: into the hole
    ("rows", ("a", 0, 2)),
    ("fork", ("a", "b")),
    ("append", ("c", 1)),  # refused: nobody of that name
    ("append", ("b", 1)),  # a copy, the last page
    ("fork", ("a", "c")),
    ("append", ("c", 1)),  # refused: the copy has no page
    ("append", ("c", 0)),
    ("append", ("b", 1)),  # refused: a new page, and none is free
    ("release", ("c",)),
    ("append", ("a", 1)),  # in place again
    ("truncate", ("b", 2)),  # before the hole: it goes
    ("trim", ("b", 2)),  # behind the sink nothing is whole
    ("append", ("b", 1)),
    ("new", ("b", -1)),  # two refusals apply: the name comes first
]


@pytest.mark.parametrize("history", [EVENTFUL, CORNERS], ids=["eventful", "corners"])
@pytest.mark.parametrize("side", [SpecSide, ImplSide])
def test_a_history_with_every_event(side: type[SpecSide] | type[ImplSide], history: list[Command]) -> None:
    pages = 4 if history is EVENTFUL else 3
    lockstep(side(pages, 2), pages, 2, history)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_the_reading_in_z3_computes_what_the_reading_in_python_does(operation: Operation) -> None:
    u = Finite(PAGES, len(REQUESTS), ENTRIES, PAGE_SIZE)
    choices = {"request": ("a", "c"), "page": (3, 4), "value": (7,), "number": (-1, 4)}
    for s in (states()[0], states()[-1]):
        known = finite.term(u, "state", s)
        for arguments in product(*(choices[kind] for _, kind in operation.arguments)):
            if operation is APPEND and arguments[0] == "c":
                continue  # what would be written for a request that does not live is nowhere looked at
            kinds = [kind for _, kind in operation.arguments]
            terms = [finite.term(u, kind, argument) for kind, argument in zip(kinds, arguments, strict=True)]
            refusal = z3.simplify(z3.IntVal(0) + operation.refusal(u, known, *terms))
            assert refusal.as_long() == operation.refusal(PLAIN, s, *arguments)
            after, expected = operation.after(u, known, *terms), operation.after(PLAIN, s, *arguments)
            for name in ("live", "length", "has", "count", "stacked", "held", "end", "height", "free"):
                assert tabulated(u, after, name) == PLAIN.table(name, getattr(expected, name)), (arguments, name)


def tabulated(u: Finite, s: State, name: str) -> dict[tuple[Any, ...], Any]:
    """One field of a state without unknowns, computed by z3."""
    kinds, result = SIGNATURES[name]
    solver = z3.Solver()
    assert solver.check() == z3.sat
    model = solver.model()
    return {
        tuple(finite.value(u, model, kind, thing) for kind, thing in zip(kinds, things, strict=True)): finite.value(
            u, model, result, getattr(s, name)(*things)
        )
        for things in product(*(u.domains[kind] for kind in kinds))
    }
