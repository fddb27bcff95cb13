# SPDX-License-Identifier: Apache-2.0
"""From one row to n: an append of n rows is n appends of one row, all or none. Base and step of an induction over n.

`accepted(s, n)` (none of n one-row appends from state s is refused) and the state that they end in are defined by
recursion: the first row, then the rest from the state after it. What holds of the rest is the hypothesis of the step.
"""

from collections.abc import Callable

from proofs.transitions import examples
from proofs.transitions.invariants import invariants
from proofs.transitions.obligations import Fact, Obligation, Question, same
from proofs.transitions.operation import Operation
from proofs.transitions.operations import APPEND, read, starts_page, tail, takes
from proofs.transitions.state import State, chosen
from proofs.transitions.universe import Property, Term, Universe

Needed = Callable[[Universe, State, Term, Term], Term]


def needed(u: Universe, s: State, request: Term, rows: Term) -> Term:
    """Pages that an append of n rows takes: `pages_to_append` of `impl/window.py`."""
    length = s.length(request)
    copy = u.conj(u.neg(starts_page(u, s, request)), s.count(tail(u, s, request)) > 1)
    return u.ite(rows == 0, 0, u.pages_for(length + rows) - u.pages_for(length) + u.ite(copy, 1, 0))


def summary(
    u: Universe, s: State, end: State, request: Term, rows: Term, values: Callable[[Term], Term], pages: Needed
) -> tuple[Property, ...]:
    """What an append of n rows has done when it ends: every row there, nothing else changed, so many pages taken."""
    length = s.length(request)
    fields = ("live", "sinks", "begin", "end")
    return (
        Property(
            "all rows are there",
            "the request is longer by the rows appended",
            (),
            lambda: u.conj(
                end.length(request) == length + rows,
                *(getattr(end, name)(request) == getattr(s, name)(request) for name in fields),
            ),
        ),
        Property(
            "rows in order",
            "row {0} is the one that was given, in order",
            ("row",),
            lambda i: u.implies(u.within(length, i, length + rows), end.written(request, i) == values(i - length)),
            lambda i: [[end.written(request, i)]],
        ),
        Property(
            "other rows stay",
            "row {1} of request {0} is as it was",
            ("request", "row"),
            lambda q, i: u.implies(u.neg(u.conj(q == request, i >= length)), end.written(q, i) == s.written(q, i)),
            lambda q, i: [[end.written(q, i)]],
        ),
        Property(
            "others are the same",
            "request {0} is as it was",
            ("request",),
            lambda q: u.implies(
                u.neg(q == request),
                u.conj(*(getattr(end, name)(q) == getattr(s, name)(q) for name in (*fields, "length", "held"))),
            ),
            lambda q: [[getattr(end, name)(q)] for name in (*fields, "length", "held")],
        ),
        Property(
            "others' tables are the same",
            "the entry {1} in the table of request {0} is as it was",
            ("request", "index"),
            lambda q, j: u.implies(
                u.neg(q == request), u.conj(end.has(q, j) == s.has(q, j), end.table(q, j) == s.table(q, j))
            ),
            lambda q, j: [[end.has(q, j)], [end.table(q, j)]],
        ),
        Property(
            "pages taken",
            "the number of free pages falls by the pages needed",
            (),
            lambda: end.height() == s.height() - pages(u, s, request, rows),
        ),
    )


def begins(operation: Operation = APPEND, pages: Needed = needed) -> Obligation:
    """Base: no row needs no page, is never refused and changes nothing; one row needs what its append takes."""

    def ask(u: Universe, s: State, request: Term, value: Term, page: Term) -> Question:
        refusal = operation.refusal(u, s, request, value, page)
        shown = (
            Property("none for no row", "an append of no row needs no page", (), lambda: pages(u, s, request, 0) == 0),
            Property(
                "one row",
                "an append of one row needs a page exactly if it takes one",
                (),
                lambda: pages(u, s, request, 1) == u.ite(takes(u, s, request), 1, 0),
            ),
            Property(
                "one row is accepted",
                "an append of one row is accepted exactly if the pages it needs are free",
                (),
                lambda: (refusal == 0) == (pages(u, s, request, 1) <= s.height()),
            ),
        )
        return Question((*invariants(u, s), s.live(request)), shown, (s,))

    inputs = (("before", "state"), *operation.arguments)
    return Obligation("append, base", inputs, ask, "append({request}, no row or one)")


def continues(operation: Operation = APPEND, pages: Needed = needed) -> Obligation:
    """Step: if the rest is accepted exactly when the pages it needs are free after the first row, so is the whole."""

    def ask(u: Universe, s: State, request: Term, value: Term, page: Term, rest: Term, rest_accepted: Term) -> Question:
        after = operation.after(u, s, request, value, page)
        accepted = operation.refusal(u, s, request, value, page) == 0
        given: tuple[Fact, ...] = (
            *invariants(u, s),
            s.live(request),
            operation.given(u, s, request, value, page),
            rest >= 1,
            u.implies(accepted, rest_accepted == (pages(u, after, request, rest) <= after.height())),
        )
        shown = (
            Property(
                "accepted exactly when it fits",
                "all rows are accepted one by one exactly if the pages they need together are free",
                (),
                lambda: u.conj(accepted, rest_accepted) == (pages(u, s, request, rest + 1) <= s.height()),
            ),
            Property(
                "additive",
                "the pages needed are those for the first row and those for the rest",
                (),
                lambda: u.implies(
                    accepted,
                    pages(u, s, request, rest + 1) == pages(u, s, request, 1) + pages(u, after, request, rest),
                ),
            ),
        )
        return Question(given, shown, (s, after))

    inputs = (("before", "state"), *operation.arguments, ("rest", "number"), ("rest_accepted", "bool"))
    return Obligation("append, step, pages", inputs, ask, "append({request}, one row and {rest} more)")


def accumulates(operation: Operation = APPEND, pages: Needed = needed) -> Obligation:
    """Step: if the rest has done what an append of so many rows does, the whole has too. `end` is where it ended."""

    def ask(
        u: Universe, s: State, end: State, request: Term, values: Callable[[Term], Term], page: Term, rest: Term
    ) -> Question:
        after = operation.after(u, s, request, values(0), page)
        given: tuple[Fact, ...] = (
            *invariants(u, s),
            operation.given(u, s, request, values(0), page),
            operation.refusal(u, s, request, values(0), page) == 0,
            rest >= 1,
            *summary(u, after, end, request, rest, lambda k: values(k + 1), pages),
        )
        shown = summary(u, s, end, request, rest + 1, values, pages)
        return Question(given, shown, (s, after, end))

    inputs = (
        ("before", "state"),
        ("end", "state"),
        ("request", "request"),
        ("values", "sequence"),
        ("page", "page"),
        ("rest", "number"),
    )
    return Obligation(
        "append, step, rows", inputs, ask, "append({request}, one row and {rest} more)", examples.accumulating
    )


def first_row_done(operation: Operation = APPEND, pages: Needed = needed) -> Obligation:
    """Base: one row has done what an append of one row does."""

    def ask(u: Universe, s: State, request: Term, value: Term, page: Term) -> Question:
        after = operation.after(u, s, request, value, page)
        given = (
            *invariants(u, s),
            operation.given(u, s, request, value, page),
            operation.refusal(u, s, request, value, page) == 0,
        )
        return Question(given, summary(u, s, after, request, 1, lambda k: value, pages), (s, after))

    inputs = (("before", "state"), *operation.arguments)
    return Obligation("append, base, rows", inputs, ask, "append({request}, [{value}])")


def read_at_the_end(pages: Needed = needed, reading: Callable[..., Term] = read) -> Obligation:
    """When n rows were appended and the invariants hold, each of them reads back, and every other row as before."""

    def ask(u: Universe, s: State, end: State, request: Term, values: Callable[[Term], Term], rows: Term) -> Question:
        length = s.length(request)

        def own(i: Term) -> Term:
            new_row = u.within(length, i, length + rows)
            there = end.has(request, u.page_of(i))
            return u.implies(new_row, u.conj(there, reading(u, end, request, i) == values(i - length)))

        def others(q: Term, i: Term) -> Term:
            retained = u.conj(s.live(q), u.within(0, i, s.length(q)), s.has(q, u.page_of(i)))
            same_row = u.conj(end.has(q, u.page_of(i)), reading(u, end, q, i) == reading(u, s, q, i))
            return u.implies(retained, same_row)

        given = (
            *invariants(u, s),
            s.live(request),
            rows >= 1,
            *invariants(u, end),
            *summary(u, s, end, request, rows, values, pages),
        )
        shown = (
            Property("rows appended read back", "row {0}, just appended, reads back as given", ("row",), own),
            Property(
                "other rows read the same",
                "row {1} of request {0}, written before, reads as before",
                ("request", "row"),
                others,
            ),
        )
        return Question(given, shown, (s, end))

    inputs = (
        ("before", "state"),
        ("end", "state"),
        ("request", "request"),
        ("values", "sequence"),
        ("rows", "number"),
    )
    return Obligation("append, n rows read back", inputs, ask, "append({request}, {rows} rows)", examples.reading)


def one_by_one(u: Universe, s: State, request: Term, values: tuple[Term, Term], pages: tuple[Term, Term]) -> State:
    """Two rows, one after the other. Without asking for both first that is wrong: what fits is kept."""
    first = APPEND.after(u, s, request, values[0], pages[0])
    return APPEND.after(u, first, request, values[1], pages[1])


def all_or_none(u: Universe, s: State, request: Term, values: tuple[Term, Term], pages: tuple[Term, Term]) -> State:
    """An append of two rows: capacity is asked for both before anything is done."""
    return chosen(u, needed(u, s, request, 2) > s.height(), s, one_by_one(u, s, request, values, pages))


def two_rows(two: Callable[..., State] = all_or_none) -> Obligation:
    """Two rows in the open, as an example of the induction: refused without a change, or both written."""

    def ask(u: Universe, s: State, request: Term, one: Term, two_: Term, page: Term, next_page: Term) -> Question:
        end = two(u, s, request, (one, two_), (page, next_page))
        refused = needed(u, s, request, 2) > s.height()
        first = APPEND.after(u, s, request, one, page)
        given: tuple[Fact, ...] = (
            *invariants(u, s),
            s.live(request),
            APPEND.given(u, s, request, one, page),
            APPEND.given(u, first, request, two_, next_page),
        )
        shown = (
            *(Property(part.name, part.says, part.kinds, _where(u, refused, part.body)) for part in same(u, s, end)),
            Property(
                "both rows are there",
                "an append that is not refused has written both rows",
                (),
                lambda: u.implies(u.neg(refused), end.length(request) == s.length(request) + 2),
            ),
        )
        return Question(given, shown, (s, first, end))

    inputs = (
        ("before", "state"),
        ("request", "request"),
        ("one", "value"),
        ("two", "value"),
        ("page", "page"),
        ("next_page", "page"),
    )
    return Obligation("append, two rows", inputs, ask, "append({request}, [{one}, {two}])")


def _where(u: Universe, condition: Term, body: Callable[..., Term]) -> Callable[..., Term]:
    return lambda *things: u.implies(condition, body(*things))
