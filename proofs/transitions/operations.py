# SPDX-License-Identifier: Apache-2.0
"""The operations: the model of `impl/`, written by hand.

An append is modelled row by row: one row takes no page or one. `lifting.py` lifts that to n rows, all or none.
The page that an append takes is an argument: any page on the free stack will do, so nothing hangs on the order.
"""

from collections.abc import Callable
from dataclasses import replace

from proofs.transitions.operation import BAD, EXISTS, NO_PAGES, RELEASED, UNKNOWN, Operation
from proofs.transitions.state import State, at, holds, where
from proofs.transitions.universe import Term, Universe

# new


def new_refusal(u: Universe, s: State, request: Term, sinks: Term) -> Term:
    return u.first((s.live(request), EXISTS), (sinks < 0, BAD))


def new_effect(u: Universe, s: State, request: Term, sinks: Term) -> State:
    return replace(
        s,
        live=at(u, s.live, (request,), u.conj()),
        length=at(u, s.length, (request,), 0),
        sinks=at(u, s.sinks, (request,), sinks),
        begin=at(u, s.begin, (request,), 0),
        end=at(u, s.end, (request,), 0),
        held=at(u, s.held, (request,), 0),
        has=where(u, lambda r, j: r == request, lambda r, j: u.disj(), s.has),
    )


# append, one row


def tail(u: Universe, s: State, request: Term) -> Term:
    """The page that the next row would be written into, where there is one."""
    return s.table(request, u.page_of(s.length(request)))


def starts_page(u: Universe, s: State, request: Term) -> Term:
    """Whether the next row is the first one of its page."""
    return u.offset_of(s.length(request)) == 0


def copies(u: Universe, s: State, request: Term) -> Term:
    """Whether the next row would be written into a page that others hold too."""
    return u.conj(u.neg(starts_page(u, s, request)), s.count(tail(u, s, request)) > 1)


def takes(u: Universe, s: State, request: Term) -> Term:
    """Whether an append of one row takes a page."""
    return u.disj(starts_page(u, s, request), copies(u, s, request))


def append_refusal(u: Universe, s: State, request: Term, value: Term, page: Term) -> Term:
    full = u.conj(takes(u, s, request), s.height() < 1)
    return u.first((u.neg(s.live(request)), UNKNOWN), (full, NO_PAGES))


def append_given(u: Universe, s: State, request: Term, value: Term, page: Term) -> Term:
    """The page that is taken, when one is, comes from the free stack."""
    refused = append_refusal(u, s, request, value, page) != 0
    return u.disj(refused, u.neg(takes(u, s, request)), s.stacked(page) >= 1)


def append_effect(u: Universe, s: State, request: Term, value: Term, page: Term) -> State:
    row = s.length(request)
    index, offset = u.page_of(row), u.offset_of(row)
    old = tail(u, s, request)
    copied = copies(u, s, request)
    fresh = starts_page(u, s, request)
    taken = takes(u, s, request)
    target = u.ite(taken, page, old)

    def is_new(p: Term) -> Term:
        return u.conj(taken, p == page)

    def is_left(p: Term) -> Term:
        return u.conj(copied, p == old)

    return replace(
        s,
        length=at(u, s.length, (request,), row + 1),
        held=at(u, s.held, (request,), s.held(request) + u.ite(fresh, 1, 0)),
        has=at(u, s.has, (request, index), u.conj()),
        table=at(u, s.table, (request, index), target),
        count=where(u, is_new, lambda p: 1, where(u, is_left, lambda p: s.count(p) - 1, s.count)),
        own=where(
            u,
            is_new,
            lambda p: u.joined(s.own(p), request),
            where(u, is_left, lambda p: u.left(s.own(p), request), s.own),
        ),
        index=where(u, is_new, lambda p: index, s.index),
        stacked=where(u, is_new, lambda p: s.stacked(p) - 1, s.stacked),
        height=lambda: s.height() - u.ite(taken, 1, 0),
        free=lambda: u.ite(taken, u.left(s.free(), page), s.free()),
        content=where(
            u,
            lambda p, o: u.conj(p == target, o == offset),
            lambda p, o: value,
            where(u, lambda p, o: u.conj(copied, p == page), lambda p, o: s.content(old, o), s.content),
        ),
        written=at(u, s.written, (request, row), value),
    )


# fork


def fork_refusal(u: Universe, s: State, source: Term, request: Term) -> Term:
    return u.first((u.neg(s.live(source)), UNKNOWN), (s.live(request), EXISTS))


def fork_effect(u: Universe, s: State, source: Term, request: Term) -> State:
    def shared(p: Term) -> Term:
        return holds(u, s, source, p)

    def inherited(function: Callable[..., Term]) -> Callable[..., Term]:
        return where(u, lambda r, *_: r == request, lambda r, *rest: function(source, *rest), function)

    return replace(
        s,
        live=at(u, s.live, (request,), u.conj()),
        length=inherited(s.length),
        sinks=inherited(s.sinks),
        begin=inherited(s.begin),
        end=inherited(s.end),
        held=inherited(s.held),
        has=inherited(s.has),
        table=inherited(s.table),
        written=inherited(s.written),
        count=where(u, shared, lambda p: s.count(p) + 1, s.count),
        own=where(u, shared, lambda p: u.joined(s.own(p), request), s.own),
    )


# trim, truncate, release: all three let go of pages


def let_go(u: Universe, s: State, request: Term, gone: Callable[[Term], Term]) -> State:
    """`request` lets go of its pages at the indices in `gone`; those that nobody else holds go on the free stack."""

    def lost(p: Term) -> Term:
        return u.conj(holds(u, s, request, p), gone(s.index(p)))

    def freed(p: Term) -> Term:
        return u.conj(lost(p), s.count(p) == 1)

    pages = u.pages_where(freed)
    free = u.union(s.free(), pages)
    return replace(
        s,
        has=where(u, lambda r, j: u.conj(r == request, gone(j)), lambda r, j: u.disj(), s.has),
        count=where(u, lost, lambda p: s.count(p) - 1, s.count),
        own=where(u, lost, lambda p: u.left(s.own(p), request), s.own),
        stacked=where(u, freed, lambda p: s.stacked(p) + 1, s.stacked),
        height=lambda: s.height() + u.size(pages),
        free=lambda: free,
    )


def trim_refusal(u: Universe, s: State, request: Term, keep_from: Term) -> Term:
    outside = u.neg(u.conj(keep_from >= 0, keep_from <= s.length(request)))
    return u.first((u.neg(s.live(request)), UNKNOWN), (outside, BAD))


def trim_effect(u: Universe, s: State, request: Term, keep_from: Term) -> State:
    begin, end = u.pages_for(s.sinks(request)), u.page_of(keep_from)
    any_gone = begin < end
    first = u.larger(begin, s.end(request))
    released = u.ite(first < end, end - first, 0)
    after = let_go(u, s, request, lambda j: u.within(begin, j, end))
    return replace(
        after,
        held=at(u, s.held, (request,), s.held(request) - released),
        begin=at(u, s.begin, (request,), u.ite(any_gone, begin, s.begin(request))),
        end=at(u, s.end, (request,), u.ite(any_gone, u.larger(end, s.end(request)), s.end(request))),
    )


def truncate_refusal(u: Universe, s: State, request: Term, length: Term) -> Term:
    outside = u.neg(u.conj(length >= 0, length <= s.length(request)))
    inside = u.conj(u.first_row(s.begin(request)) < length, length < u.first_row(s.end(request)))
    return u.first((u.neg(s.live(request)), UNKNOWN), (outside, BAD), (inside, RELEASED))


def truncate_effect(u: Universe, s: State, request: Term, length: Term) -> State:
    pages = u.pages_for(length)
    hole_goes = length <= u.first_row(s.begin(request))
    hole = u.ite(hole_goes, s.end(request) - s.begin(request), 0)
    released = u.pages_for(s.length(request)) - pages - hole
    after = let_go(u, s, request, lambda j: j >= pages)
    return replace(
        after,
        length=at(u, s.length, (request,), length),
        held=at(u, s.held, (request,), s.held(request) - released),
        begin=at(u, s.begin, (request,), u.ite(hole_goes, 0, s.begin(request))),
        end=at(u, s.end, (request,), u.ite(hole_goes, 0, s.end(request))),
    )


def release_refusal(u: Universe, s: State, request: Term) -> Term:
    return u.first((u.neg(s.live(request)), UNKNOWN))


def release_effect(u: Universe, s: State, request: Term) -> State:
    after = let_go(u, s, request, lambda j: u.conj())
    return replace(after, live=at(u, s.live, (request,), u.disj()))


# rows


def rows_refusal(u: Universe, s: State, request: Term, low: Term, high: Term) -> Term:
    outside = u.neg(u.conj(low >= 0, low <= high, high <= s.length(request)))
    begin, end = s.begin(request), s.end(request)
    meets_hole = u.conj(begin < end, low < high, low < u.first_row(end), high > u.first_row(begin))
    return u.first((u.neg(s.live(request)), UNKNOWN), (outside, BAD), (meets_hole, RELEASED))


def read(u: Universe, s: State, request: Term, row: Term) -> Term:
    """What the cache gives for a row: through the table, out of the page."""
    return s.content(s.table(request, u.page_of(row)), u.offset_of(row))


def append_events(u: Universe, s: State, request: Term, value: Term, page: Term) -> tuple[tuple[str, Term], ...]:
    return (
        ("in place", u.neg(takes(u, s, request))),
        ("a new page", starts_page(u, s, request)),
        ("a copy", copies(u, s, request)),
    )


def trim_events(u: Universe, s: State, request: Term, keep_from: Term) -> tuple[tuple[str, Term], ...]:
    begin, end = u.pages_for(s.sinks(request)), u.page_of(keep_from)
    return (
        ("a first hole", u.conj(s.end(request) == 0, begin < end)),
        ("a larger hole", u.conj(s.end(request) > 0, s.end(request) < end)),
        ("no page released", u.neg(begin < end)),
    )


def truncate_events(u: Universe, s: State, request: Term, length: Term) -> tuple[tuple[str, Term], ...]:
    hole = s.end(request) > 0
    fewer = u.pages_for(length) < u.pages_for(s.length(request))
    return (
        ("the hole goes", u.conj(hole, length <= u.first_row(s.begin(request)))),
        ("the hole stays", u.conj(hole, length >= u.first_row(s.end(request)))),
        ("pages go", fewer),
    )


NEW = Operation("new", (("request", "request"), ("sinks", "number")), new_refusal, new_effect, (EXISTS, BAD))
APPEND = Operation(
    "append",
    (("request", "request"), ("value", "value"), ("page", "page")),
    append_refusal,
    append_effect,
    (UNKNOWN, NO_PAGES),
    append_given,
    append_events,
)
FORK = Operation(
    "fork",
    (("source", "request"), ("request", "request")),
    fork_refusal,
    fork_effect,
    (UNKNOWN, EXISTS),
)
TRIM = Operation(
    "trim",
    (("request", "request"), ("keep_from", "number")),
    trim_refusal,
    trim_effect,
    (UNKNOWN, BAD),
    events=trim_events,
)
TRUNCATE = Operation(
    "truncate",
    (("request", "request"), ("length", "number")),
    truncate_refusal,
    truncate_effect,
    (UNKNOWN, BAD, RELEASED),
    events=truncate_events,
)
RELEASE = Operation("release", (("request", "request"),), release_refusal, release_effect, (UNKNOWN,))
ROWS = Operation(
    "rows",
    (("request", "request"), ("low", "number"), ("high", "number")),
    rows_refusal,
    lambda u, s, *_: s,
    (UNKNOWN, BAD, RELEASED),
)
OPERATIONS = (NEW, APPEND, FORK, TRIM, TRUNCATE, RELEASE, ROWS)
