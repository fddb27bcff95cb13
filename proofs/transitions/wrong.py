# SPDX-License-Identifier: Apache-2.0
"""Wrong operations that start or write: the right one with one thing done wrong. Each must be refuted by the obligation
that it is given to."""

from collections.abc import Callable
from dataclasses import replace

from proofs.transitions.operation import BAD, UNKNOWN, Operation
from proofs.transitions.operations import APPEND, FORK, NEW, append_refusal, copies, starts_page, tail, takes
from proofs.transitions.state import State, at, holds, where
from proofs.transitions.universe import Term, Universe

Effect = Callable[..., State]


def but(operation: Operation, change: Callable[..., State]) -> Operation:
    """The operation with `change` made to the state after it: change(u, before, after, arguments …)."""

    def effect(u: Universe, s: State, *arguments: Term) -> State:
        return change(u, s, operation.effect(u, s, *arguments), *arguments)

    return replace(operation, effect=effect)


def hasty(operation: Operation, change: Callable[..., State]) -> Operation:
    """The operation that does something before it looks whether it is refused: change(u, before, arguments …)."""

    def effect(u: Universe, s: State, *arguments: Term) -> State:
        started = change(u, s, *arguments)
        refused = operation.refusal(u, s, *arguments) != 0
        done = operation.effect(u, s, *arguments)
        return State(**{name: _either(u, refused, started, done, name) for name in State.__slots__})

    return _Hasty(
        operation.name,
        operation.arguments,
        operation.refusal,
        effect,
        operation.refusals,
        operation.given,
        operation.events,
    )


class _Hasty(Operation):
    __slots__ = ()

    def after(self, u: Universe, s: State, *arguments: Term) -> State:
        return self.effect(u, s, *arguments)


def _either(u: Universe, condition: Term, then: State, other: State, name: str) -> Callable[..., Term]:
    return where(u, lambda *_: condition, getattr(then, name), getattr(other, name))


# new

NEW_OLD_LENGTH = but(NEW, lambda u, s, after, request, sinks: replace(after, length=s.length))
NEW_NEGATIVE_SINKS = replace(NEW, refusal=lambda u, s, request, sinks: u.first((s.live(request), 1)))
NEW_TWICE = replace(NEW, refusal=lambda u, s, request, sinks: u.first((sinks < 0, BAD)))
NEW_EMPTIES_OTHERS = but(NEW, lambda u, s, after, *_: replace(after, has=lambda r, j: u.disj()))
NEW_TAKES_A_PAGE = but(NEW, lambda u, s, after, *_: replace(after, stacked=lambda p: 0))
NEW_HASTY = hasty(NEW, lambda u, s, request, sinks: replace(s, sinks=at(u, s.sinks, (request,), sinks)))

# append


def _no_copy(u: Universe, s: State, after: State, request: Term, value: Term, page: Term) -> State:
    row, old = s.length(request), tail(u, s, request)
    written = replace(
        s,
        length=after.length,
        content=at(u, s.content, (old, u.offset_of(row)), value),
        written=after.written,
    )
    copied = copies(u, s, request)
    return State(**{name: _either(u, copied, written, after, name) for name in State.__slots__})


def _needless_copy(u: Universe, s: State, request: Term, value: Term, page: Term) -> State:
    busy = replace(s, count=lambda p: s.count(p) + 1)
    after = APPEND.effect(u, busy, request, value, page)
    return replace(after, count=lambda p: u.ite(p == page, after.count(p), after.count(p) - 1), stacked=after.stacked)


def _empty_copy(u: Universe, s: State, after: State, request: Term, value: Term, page: Term) -> State:
    target = u.ite(takes(u, s, request), page, tail(u, s, request))
    return replace(after, content=at(u, s.content, (target, u.offset_of(s.length(request))), value))


def _keeps_reference(u: Universe, s: State, after: State, request: Term, value: Term, page: Term) -> State:
    return replace(after, count=where(u, lambda p: p == tail(u, s, request), s.count, after.count))


def _offset_off(u: Universe, s: State, after: State, request: Term, value: Term, page: Term) -> State:
    row = s.length(request)
    target = u.ite(takes(u, s, request), page, tail(u, s, request))
    wrong = u.offset_of(row + u.page_of(row))
    return replace(after, content=at(u, s.content, (target, wrong), value))


def _owner_everywhere(u: Universe, s: State, after: State, request: Term, value: Term, page: Term) -> State:
    in_place = u.neg(takes(u, s, request))
    return replace(
        after,
        count=where(u, lambda p: u.conj(in_place, p == tail(u, s, request)), lambda p: s.count(p) + 1, after.count),
    )


def _moves_sharers(u: Universe, s: State, after: State, request: Term, value: Term, page: Term) -> State:
    def table(r: Term, j: Term) -> Term:
        theirs = u.conj(s.has(r, j), s.table(r, j) == tail(u, s, request), copies(u, s, request))
        return u.ite(theirs, page, after.table(r, j))

    return replace(after, table=table)


def _row_late(u: Universe, s: State, after: State, request: Term, value: Term, page: Term) -> State:
    return replace(after, written=at(u, s.written, (request, s.length(request) + 1), value))


APPEND_NO_COPY = but(APPEND, _no_copy)
APPEND_EMPTY_COPY = but(APPEND, _empty_copy)
APPEND_KEEPS_REFERENCE = but(APPEND, _keeps_reference)
APPEND_OFFSET = but(APPEND, _offset_off)
APPEND_PAGE_STAYS_FREE = but(APPEND, lambda u, s, after, *_: replace(after, stacked=s.stacked))
APPEND_FREE_UNCOUNTED = but(APPEND, lambda u, s, after, *_: replace(after, height=s.height))
APPEND_HELD_UNCOUNTED = but(APPEND, lambda u, s, after, *_: replace(after, held=s.held))
APPEND_COUNTS_IN_PLACE = but(APPEND, _owner_everywhere)
APPEND_MOVES_SHARERS = but(APPEND, _moves_sharers)
APPEND_ROW_LATE = but(APPEND, _row_late)
APPEND_NEEDLESS_COPY = replace(APPEND, effect=_needless_copy)
APPEND_NEVER_FULL = replace(
    APPEND, refusal=lambda u, s, request, value, page: u.first((u.neg(s.live(request)), UNKNOWN))
)
APPEND_LAST_PAGE_KEPT = replace(
    APPEND,
    refusal=lambda u, s, request, value, page: u.first(
        (u.neg(s.live(request)), UNKNOWN), (u.conj(takes(u, s, request), s.height() < 2), APPEND.refusals[1])
    ),
)
APPEND_PAGE_ALWAYS = replace(
    APPEND,
    refusal=lambda u, s, request, value, page: u.first(
        (u.neg(s.live(request)), UNKNOWN), (s.height() < 1, APPEND.refusals[1])
    ),
)
APPEND_COPY_UNASKED = replace(
    APPEND,
    refusal=lambda u, s, request, value, page: u.first(
        (u.neg(s.live(request)), UNKNOWN),
        (u.conj(starts_page(u, s, request), s.height() < 1), APPEND.refusals[1]),
    ),
)
APPEND_HASTY = hasty(
    APPEND,
    lambda u, s, request, value, page: replace(
        s,
        length=at(
            u,
            s.length,
            (request,),
            s.length(request) + u.ite(append_refusal(u, s, request, value, page) == APPEND.refusals[1], 1, 0),
        ),
    ),
)

# fork

FORK_UNCOUNTED = but(FORK, lambda u, s, after, *_: replace(after, count=s.count))
FORK_NO_HOLE = but(FORK, lambda u, s, after, *_: replace(after, begin=s.begin, end=s.end))
FORK_ONTO_SOMEONE = replace(FORK, refusal=lambda u, s, source, request: u.first((u.neg(s.live(source)), UNKNOWN)))
FORK_TAKES_OVER = but(
    FORK,
    lambda u, s, after, source, request: replace(
        after, has=where(u, lambda r, j: r == source, lambda r, j: u.disj(), after.has)
    ),
)
FORK_COUNTS_A_PAGE = but(FORK, lambda u, s, after, *_: replace(after, height=lambda: s.height() - 1))
FORK_TAKES_A_PAGE = but(
    FORK, lambda u, s, after, source, request: replace(after, stacked=lambda p: u.ite(s.live(source), 0, 1))
)
FORK_FORGETS_SINKS = but(FORK, lambda u, s, after, source, request: replace(after, sinks=at(u, s.sinks, (request,), 0)))
FORK_HASTY = hasty(
    FORK,
    lambda u, s, source, request: replace(
        s, count=where(u, lambda p: holds(u, s, source, p), lambda p: s.count(p) + 1, s.count)
    ),
)
