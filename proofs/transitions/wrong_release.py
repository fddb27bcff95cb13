# SPDX-License-Identifier: Apache-2.0
"""Wrong operations that let go of pages or read: the right one with one thing done wrong."""

from collections.abc import Callable
from dataclasses import replace

from proofs.transitions.operation import BAD, UNKNOWN, Operation
from proofs.transitions.operations import RELEASE, ROWS, TRIM, TRUNCATE, tail
from proofs.transitions.state import State, at, holds, where
from proofs.transitions.universe import Term, Universe
from proofs.transitions.wrong import but, hasty

# trim


def _trims_to(end: Callable[[Universe, Term], Term]) -> Operation:
    """A trim that takes another page for the end of what may go."""

    def effect(u: Universe, s: State, request: Term, keep_from: Term) -> State:
        return TRIM.effect(u, s, request, u.first_row(end(u, keep_from)))

    return replace(TRIM, effect=effect)


def _frees_shared(u: Universe, s: State, after: State, request: Term, *_: Term) -> State:
    def lost(p: Term) -> Term:
        return u.conj(u.member(s.own(p), request), u.neg(u.member(after.own(p), request)))

    return replace(after, stacked=where(u, lost, lambda p: s.stacked(p) + 1, s.stacked))


TRIM_NEEDED_PAGE = _trims_to(lambda u, keep_from: u.pages_for(keep_from))
TRIM_KEEPS_A_PAGE = _trims_to(lambda u, keep_from: u.ite(u.page_of(keep_from) > 0, u.page_of(keep_from) - 1, 0))
TRIM_FREES_SHARED = but(TRIM, _frees_shared)
TRIM_LOSES_PAGES = but(TRIM, lambda u, s, after, *_: replace(after, stacked=s.stacked))
TRIM_KEEPS_COUNT = but(TRIM, lambda u, s, after, *_: replace(after, held=s.held))
TRIM_TRIMS_SINKS = replace(
    TRIM,
    effect=lambda u, s, request, keep_from: TRIM.effect(
        u, replace(s, sinks=lambda r: 0 * s.sinks(r)), request, keep_from
    ),
)
TRIM_RESTARTS_HOLE = but(
    TRIM,
    lambda u, s, after, request, keep_from: replace(after, end=at(u, s.end, (request,), u.page_of(keep_from))),
)
TRIM_GIVES_BACK = but(
    TRIM,
    lambda u, s, after, request, keep_from: replace(
        after,
        has=where(
            u,
            lambda r, j: u.conj(r == request, j < u.pages_for(s.length(r)), j >= u.page_of(keep_from)),
            lambda r, j: u.conj(),
            after.has,
        ),
    ),
)
TRIM_SHRINKS = but(
    TRIM, lambda u, s, after, request, keep_from: replace(after, length=at(u, s.length, (request,), keep_from))
)
TRIM_TRIMS_SHARERS = but(
    TRIM,
    lambda u, s, after, request, keep_from: replace(
        after, has=lambda r, j: u.conj(after.has(r, j), u.disj(r == request, j >= u.page_of(keep_from)))
    ),
)
TRIM_TAKES_A_PAGE = but(
    TRIM, lambda u, s, after, request, keep_from: replace(after, stacked=lambda p: u.ite(s.count(p) == 1, 1, 0))
)
TRIM_HASTY = hasty(TRIM, lambda u, s, request, keep_from: replace(s, end=at(u, s.end, (request,), keep_from)))

# truncate

TRUNCATE_LEAVES_PAGES = but(TRUNCATE, lambda u, s, after, *_: replace(after, has=s.has))
TRUNCATE_KEEPS_HOLE = but(TRUNCATE, lambda u, s, after, *_: replace(after, begin=s.begin, end=s.end))
TRUNCATE_INTO_HOLE = replace(
    TRUNCATE,
    refusal=lambda u, s, request, length: u.first(
        (u.neg(s.live(request)), UNKNOWN), (u.neg(u.conj(length >= 0, length <= s.length(request))), BAD)
    ),
)
TRUNCATE_PARTIAL_PAGE = replace(
    TRUNCATE,
    effect=lambda u, s, request, length: replace(
        TRUNCATE.effect(u, s, request, u.first_row(u.page_of(length))), length=at(u, s.length, (request,), length)
    ),
)
TRUNCATE_FREES_SHARED = but(TRUNCATE, _frees_shared)
TRUNCATE_OTHERS = but(
    TRUNCATE,
    lambda u, s, after, request, length: replace(
        after, length=lambda r: u.ite(s.length(r) == s.length(request), length, s.length(r))
    ),
)
TRUNCATE_WIPES = but(TRUNCATE, lambda u, s, after, *_: replace(after, content=lambda p, o: 0 * s.content(p, o)))
TRUNCATE_HASTY = hasty(TRUNCATE, lambda u, s, request, length: replace(s, length=at(u, s.length, (request,), length)))

# release

RELEASE_FORGETS_PAGES = but(
    RELEASE,
    lambda u, s, after, request: replace(s, live=after.live),
)
RELEASE_FREES_SHARED = but(RELEASE, _frees_shared)
RELEASE_LOSES_PAGES = but(RELEASE, lambda u, s, after, *_: replace(after, stacked=s.stacked, height=s.height))
RELEASE_ENDS_SHARERS = but(
    RELEASE,
    lambda u, s, after, request: replace(
        after, live=lambda r: u.conj(after.live(r), u.neg(s.length(r) == s.length(request)))
    ),
)
RELEASE_WIPES = but(RELEASE, lambda u, s, after, *_: replace(after, content=lambda p, o: 0 * s.content(p, o)))
RELEASE_HASTY = hasty(
    RELEASE, lambda u, s, request: replace(s, count=where(u, lambda p: holds(u, s, request, p), lambda p: 0, s.count))
)

# rows

ROWS_FROM_HOLE = replace(
    ROWS,
    refusal=lambda u, s, request, low, high: u.first(
        (u.neg(s.live(request)), UNKNOWN),
        (u.neg(u.conj(low >= 0, low <= high, high <= s.length(request))), BAD),
    ),
)
ROWS_BEFORE_HOLE_REFUSED = replace(
    ROWS,
    refusal=lambda u, s, request, low, high: u.first(
        (ROWS.refusal(u, s, request, low, high) != 0, ROWS.refusal(u, s, request, low, high)),
        (u.conj(s.end(request) > 0, low < u.first_row(s.end(request))), ROWS.refusals[2]),
    ),
)
ROWS_WRITES = but(
    ROWS, lambda u, s, after, request, low, high: replace(s, content=at(u, s.content, (tail(u, s, request), 0), low))
)
ROWS_HASTY = hasty(ROWS, lambda u, s, request, low, high: replace(s, length=at(u, s.length, (request,), high)))
