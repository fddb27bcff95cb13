# SPDX-License-Identifier: Apache-2.0
"""What is to be shown of the request that an operation is about: which pages and rows it has afterwards, to the row."""

from collections.abc import Callable

from proofs.transitions.invariants import invariants
from proofs.transitions.obligations import Obligation, Question, about
from proofs.transitions.operation import Operation
from proofs.transitions.operations import read
from proofs.transitions.state import State
from proofs.transitions.universe import Property, Term, Universe


def effect(operation: Operation, shown: Callable[..., tuple[Property, ...]]) -> Obligation:
    """What an operation does when it is not refused: `shown` of the states before and after and the arguments."""

    def ask(u: Universe, s: State, *arguments: Term) -> Question:
        after = operation.after(u, s, *arguments)
        done = operation.refusal(u, s, *arguments) == 0
        given = (*invariants(u, s), operation.given(u, s, *arguments), done)
        return Question(given, shown(u, s, after, *arguments), (s, after))

    return about(operation, "effect", ask)


def kept(u: Universe, s: State, after: State, request: Term) -> Property:
    """Rows that the request still has read as before."""

    def body(i: Term) -> Term:
        still = u.conj(u.within(0, i, after.length(request)), after.has(request, u.page_of(i)))
        return u.implies(
            still,
            u.conj(
                i < s.length(request),
                s.has(request, u.page_of(i)),
                read(u, after, request, i) == read(u, s, request, i),
            ),
        )

    return Property("kept rows read the same", "row {0}, which is still there, reads as before", ("row",), body)


def new(u: Universe, s: State, after: State, request: Term, sinks: Term) -> tuple[Property, ...]:
    """A new request is empty."""
    return (
        Property(
            "is empty",
            "a new request has no rows, its sinks, and no pages",
            (),
            lambda: u.conj(
                after.live(request),
                after.length(request) == 0,
                after.sinks(request) == sinks,
                after.held(request) == 0,
            ),
        ),
        Property("has no page", "a new request has no page at {0}", ("index",), lambda j: u.neg(after.has(request, j))),
    )


def append(u: Universe, s: State, after: State, request: Term, value: Term, page: Term) -> tuple[Property, ...]:
    """The row is at the end, and all other rows are as they were."""
    row = s.length(request)

    def body(i: Term) -> Term:
        retained = u.conj(u.within(0, i, row), s.has(request, u.page_of(i)))
        same = u.conj(after.has(request, u.page_of(i)), read(u, after, request, i) == read(u, s, request, i))
        return u.implies(retained, same)

    return (
        Property(
            "the row is at the end",
            "the row written is the last one and reads back",
            (),
            lambda: u.conj(
                after.length(request) == row + 1,
                after.has(request, u.page_of(row)),
                read(u, after, request, row) == value,
            ),
        ),
        Property("earlier rows stay", "row {0}, written before, reads as before", ("row",), body),
        Property(
            "the tail is private",
            "the page written into has one owner",
            (),
            lambda: after.count(after.table(request, u.page_of(row))) == 1,
        ),
    )


def fork(u: Universe, s: State, after: State, source: Term, request: Term) -> tuple[Property, ...]:
    """The new request shares every page and has every row."""

    def rows(i: Term) -> Term:
        retained = u.conj(u.within(0, i, s.length(source)), s.has(source, u.page_of(i)))
        same = u.conj(after.has(request, u.page_of(i)), read(u, after, request, i) == read(u, s, source, i))
        return u.implies(retained, same)

    def table(j: Term) -> Term:
        equal = u.conj(
            after.has(request, j) == s.has(source, j),
            u.implies(s.has(source, j), after.table(request, j) == s.table(source, j)),
        )
        return u.conj(equal, u.implies(s.has(source, j), after.count(s.table(source, j)) >= 2))

    return (
        Property(
            "inherits",
            "the new request has the length, sinks, hole and page count of its source",
            (),
            lambda: u.conj(
                after.live(request),
                *(
                    getattr(after, name)(request) == getattr(s, name)(source)
                    for name in ("length", "sinks", "begin", "end", "held")
                ),
            ),
        ),
        Property("has every row", "row {0} of the source reads the same from the new request", ("row",), rows),
        Property("shares every page", "the page at {0} of the source is shared and counted so", ("index",), table),
    )


def trim(u: Universe, s: State, after: State, request: Term, keep_from: Term) -> tuple[Property, ...]:
    """Exactly the pages whose rows are all at or after the sinks and before keep_from go."""

    def released(j: Term) -> Term:
        whole = u.conj(u.first_row(j) >= s.sinks(request), u.first_row(j + 1) <= keep_from)
        return u.implies(j >= 0, after.has(request, j) == u.conj(s.has(request, j), u.neg(whole)))

    def wanted(i: Term) -> Term:
        needed = u.conj(
            u.within(0, i, s.length(request)),
            s.has(request, u.page_of(i)),
            u.disj(i < s.sinks(request), i >= keep_from),
        )
        return u.implies(needed, after.has(request, u.page_of(i)))

    return (
        kept(u, s, after, request),
        Property(
            "releases exactly",
            "the page at {0} is released exactly if all its rows are after the sinks and before keep_from",
            ("index",),
            released,
        ),
        Property("keeps what is needed", "row {0}, a sink or not before keep_from, is still there", ("row",), wanted),
        Property(
            "keeps its length",
            "a trim does not change the length",
            (),
            lambda: after.length(request) == s.length(request),
        ),
    )


def trimmed_again(operation: Operation) -> Obligation:
    """A second trim at the same row, or at an earlier one, changes nothing."""

    def shown(u: Universe, s: State, after: State, request: Term, keep_from: Term) -> tuple[Property, ...]:
        earlier = keep_from - u.ite(keep_from > 0, 1, 0)
        again = operation.after(u, after, request, keep_from)
        before = operation.after(u, after, request, earlier)
        return (
            Property(
                "idempotent",
                "a second trim at the same row leaves the entry {0} as it is",
                ("index",),
                lambda j: again.has(request, j) == after.has(request, j),
            ),
            Property(
                "never gives back",
                "a trim at the row before leaves the entry {0} as it is",
                ("index",),
                lambda j: before.has(request, j) == after.has(request, j),
            ),
            Property(
                "hole stays",
                "a second trim leaves the hole and the count of pages as they are",
                (),
                lambda: u.conj(
                    again.end(request) == after.end(request),
                    again.held(request) == after.held(request),
                    before.end(request) == after.end(request),
                    before.held(request) == after.held(request),
                ),
            ),
        )

    return effect(operation, shown)


def truncate(u: Universe, s: State, after: State, request: Term, length: Term) -> tuple[Property, ...]:
    """Exactly the pages that no row before `length` is in go; every retained row before it stays."""

    def rows(i: Term) -> Term:
        before = u.conj(u.within(0, i, length), s.has(request, u.page_of(i)))
        return u.implies(before, after.has(request, u.page_of(i)))

    def released(j: Term) -> Term:
        kept_page = u.conj(s.has(request, j), u.first_row(j) < length)
        return u.implies(j >= 0, after.has(request, j) == kept_page)

    return (
        kept(u, s, after, request),
        Property("the length is as asked", "the length is as asked", (), lambda: after.length(request) == length),
        Property("rows before stay", "row {0}, before the new length, is still there", ("row",), rows),
        Property("releases exactly", "the page at {0} is kept exactly if it still has a row", ("index",), released),
        Property(
            "the hole goes",
            "the hole is gone when no row after it is left, else it stays",
            (),
            lambda: u.conj(
                u.implies(length <= u.first_row(s.begin(request)), after.end(request) == 0),
                u.implies(length > u.first_row(s.begin(request)), after.end(request) == s.end(request)),
            ),
        ),
    )


def release(u: Universe, s: State, after: State, request: Term) -> tuple[Property, ...]:
    """Every page loses this owner; a page that nobody else has is free again."""

    def page(j: Term) -> Term:
        held = s.table(request, j)
        freed = (after.stacked(held) == 1) == (s.count(held) == 1)
        lost = u.conj(after.count(held) == s.count(held) - 1, u.neg(u.member(after.own(held), request)), freed)
        return u.implies(s.has(request, j), lost)

    return (
        Property("is gone", "the request lives no more", (), lambda: u.neg(after.live(request))),
        Property(
            "every page loses an owner", "the page at {0} loses an owner and is free after its last", ("index",), page
        ),
    )
