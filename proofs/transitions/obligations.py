# SPDX-License-Identifier: Apache-2.0
"""What is to be shown of one operation at a time. Each obligation is a function of the operations it is about, so that
a wrong operation can be put in the place of the right one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from proofs.transitions.invariants import invariants
from proofs.transitions.operation import BAD, NO_PAGES, REFUSALS, RELEASED, UNKNOWN, Operation
from proofs.transitions.operations import copies, read, starts_page, tail, takes
from proofs.transitions.state import SIGNATURES, State, names
from proofs.transitions.universe import Property, Term, Universe

Fact = Property | Term


@dataclass(frozen=True, slots=True)
class Question:
    """What is given and what is to be shown, in one reading; the states that there must be room for; the cases met."""

    given: tuple[Fact, ...]
    shown: tuple[Property, ...]
    states: tuple[State, ...] = ()
    cases: tuple[tuple[str, Term], ...] = ()  # each must be possible: what would make the question an empty one


@dataclass(frozen=True, slots=True)
class Obligation:
    """A question about any inputs of these kinds; `told` says in words what is done with them.

    `examples` gives concrete inputs that satisfy what is given; without it they are looked for on the example states.
    `apart`: each thing to be shown is a query of its own, so that a second solver copes.
    """

    name: str
    inputs: tuple[tuple[str, str], ...]
    ask: Callable[..., Question]
    told: str
    examples: Callable[[], Iterator[tuple[Term, ...]]] | None = None
    apart: bool = False


def preserves(operation: Operation) -> Obligation:
    """Every invariant holds after the operation if all of them held before it."""

    def ask(u: Universe, s: State, *arguments: Term) -> Question:
        after = operation.after(u, s, *arguments)
        given = (*invariants(u, s), operation.given(u, s, *arguments))
        return Question(given, invariants(u, after), (s, after), operation.cases(u, s, *arguments))

    return replace(about(operation, "preserves", ask), apart=True)


def refuses(operation: Operation) -> Obligation:
    """A refused operation leaves every field of the state as it was."""

    def ask(u: Universe, s: State, *arguments: Term) -> Question:
        after = operation.after(u, s, *arguments)
        refusal = operation.refusal(u, s, *arguments)
        given = (*invariants(u, s), operation.given(u, s, *arguments), refusal != 0)
        cases = tuple((REFUSALS[number], refusal == number) for number in operation.refusals)
        return Question(given, same(u, s, after), (s, after), cases)

    return about(operation, "refused", ask)


def same(u: Universe, s: State, t: State) -> tuple[Property, ...]:
    """Two states are the same, field by field."""
    return tuple(_same(name, getattr(s, name), getattr(t, name)) for name in names())


def _same(name: str, one: Callable[..., Term], other: Callable[..., Term]) -> Property:
    kinds, _ = SIGNATURES[name]
    places = ", ".join(f"{{{number}}}" for number in range(len(kinds)))
    return Property(
        f"same {name}",
        f"{name}({places}) is what it was",
        kinds,
        lambda *things: one(*things) == other(*things),
    )


def isolates(operation: Operation, writer: int) -> Obligation:
    """Nobody but the request that the operation is about (argument number `writer`) sees a change."""

    def ask(u: Universe, s: State, *arguments: Term) -> Question:
        after = operation.after(u, s, *arguments)

        def unchanged(q: Term, i: Term) -> Term:
            retained = u.conj(u.within(0, i, s.length(q)), s.has(q, u.page_of(i)))
            return u.implies(
                u.conj(u.neg(q == arguments[writer]), s.live(q), retained),
                u.conj(
                    after.live(q),
                    i < after.length(q),
                    after.has(q, u.page_of(i)),
                    read(u, after, q, i) == read(u, s, q, i),
                ),
            )

        def as_before(q: Term) -> Term:
            fields = ("live", "length", "sinks", "begin", "end", "held")
            equal = (getattr(after, name)(q) == getattr(s, name)(q) for name in fields)
            return u.implies(u.neg(q == arguments[writer]), u.conj(*equal))

        def table(q: Term, j: Term) -> Term:
            equal = u.conj(after.has(q, j) == s.has(q, j), after.table(q, j) == s.table(q, j))
            return u.implies(u.neg(q == arguments[writer]), equal)

        shown = (
            Property(
                "others read the same",
                "row {1} of request {0}, which did nothing, reads as before",
                ("request", "row"),
                unchanged,
            ),
            Property("others are the same", "request {0}, which did nothing, is as it was", ("request",), as_before),
            Property(
                "others' tables are the same",
                "the entry {1} in the table of request {0}, which did nothing, is as it was",
                ("request", "index"),
                table,
            ),
        )
        given = (*invariants(u, s), operation.given(u, s, *arguments))
        return Question(given, shown, (s, after), operation.cases(u, s, *arguments))

    return about(operation, "isolates", ask)


def admits(operation: Operation) -> Obligation:
    """An append of one row is refused for want of pages exactly if it needs one and no page is free."""

    def ask(u: Universe, s: State, request: Term, value: Term, page: Term) -> Question:
        refusal = operation.refusal(u, s, request, value, page)
        needs = takes(u, s, request)
        free = u.some(s.free())
        shown = (
            Property(
                "refused only without need",
                "an append that is refused for want of pages needs one, and page {0} is not free",
                ("page",),
                lambda p: u.implies(refusal == NO_PAGES, u.conj(needs, s.stacked(p) == 0, s.count(p) >= 1)),
            ),
            Property(
                "refused when it must be",
                "an append that needs a page is refused, as none is free",
                (),
                lambda: u.implies(u.conj(s.live(request), needs, s.height() < 1), refusal == NO_PAGES),
            ),
            Property(
                "a page is there",
                "an append that needs a page and is not refused finds one",
                (),
                lambda: u.implies(u.conj(refusal == 0, needs), s.stacked(free) >= 1),
            ),
        )
        cases = (("refused", refusal == NO_PAGES), ("a page is needed and there", u.conj(refusal == 0, needs)))
        return Question(tuple(invariants(u, s)), shown, (s,), cases)

    return about(operation, "admits", ask)


def never_for_pages(operation: Operation) -> Obligation:
    """An operation that takes no page is never refused for want of one, and takes none."""

    def ask(u: Universe, s: State, *arguments: Term) -> Question:
        after = operation.after(u, s, *arguments)
        shown = (
            Property(
                "never out of pages",
                "the operation is not refused for want of pages",
                (),
                lambda: u.neg(operation.refusal(u, s, *arguments) == NO_PAGES),
            ),
            Property("takes none", "page {0} is not taken", ("page",), lambda p: after.stacked(p) >= s.stacked(p)),
            Property(
                "writes nothing",
                "offset {1} of page {0} is as it was",
                ("page", "offset"),
                lambda p, o: after.content(p, o) == s.content(p, o),
            ),
        )
        given = (*invariants(u, s), operation.given(u, s, *arguments))
        return Question(given, shown, (s, after), operation.cases(u, s, *arguments))

    return about(operation, "takes no page", ask)


def economises(operation: Operation) -> Obligation:
    """An append of one row takes at most one page, copies only what others hold too, and touches no other page."""

    def ask(u: Universe, s: State, request: Term, value: Term, page: Term) -> Question:
        after = operation.after(u, s, request, value, page)
        old = tail(u, s, request)
        done = operation.refusal(u, s, request, value, page) == 0
        needs, copied = u.conj(done, takes(u, s, request)), u.conj(done, copies(u, s, request))
        other = u.some(u.left(s.own(old), request))

        def untouched(p: Term) -> Term:
            equal = u.conj(after.count(p) == s.count(p), after.stacked(p) == s.stacked(p))
            return u.disj(u.conj(needs, p == page), u.conj(copied, p == old), equal)

        shown = (
            Property(
                "takes what it needs",
                "the number of free pages falls by the pages needed",
                (),
                lambda: after.height() == s.height() - u.ite(needs, 1, 0),
            ),
            Property("touches no other page", "page {0}, which has no part in it, is as it was", ("page",), untouched),
            Property(
                "copies only what is shared",
                "a page that is copied has another owner",
                (),
                lambda: u.implies(copied, u.conj(u.member(s.own(old), other), u.neg(other == request))),
            ),
            Property(
                "leaves the shared page",
                "a page that is copied loses one owner and keeps the others",
                (),
                lambda: u.implies(
                    copied, u.conj(after.count(old) == s.count(old) - 1, after.count(old) >= 1, after.stacked(old) == 0)
                ),
            ),
            Property(
                "holds more only for a new page",
                "the request holds one page more exactly if the row starts a page",
                (),
                lambda: after.held(request) == s.held(request) + u.ite(u.conj(done, starts_page(u, s, request)), 1, 0),
            ),
        )
        given = (*invariants(u, s), operation.given(u, s, request, value, page))
        return Question(given, shown, (s, after), operation.cases(u, s, request, value, page))

    return about(operation, "economises", ask)


def reads_back(operation: Operation, reading: Callable[..., Term] = read) -> Obligation:
    """Reading a range gives what was last written, and is refused exactly if one of the rows was released."""

    def ask(u: Universe, s: State, request: Term, low: Term, high: Term) -> Question:
        refusal = operation.refusal(u, s, request, low, high)
        gone = u.larger(low, u.first_row(s.begin(request)))
        valid = u.conj(s.live(request), low >= 0, low <= high, high <= s.length(request))

        def value(i: Term) -> Term:
            return u.implies(
                u.conj(refusal == 0, u.within(low, i, high)),
                u.conj(s.has(request, u.page_of(i)), reading(u, s, request, i) == s.written(request, i)),
            )

        shown = (
            Property("reads what was written", "row {0} reads back what was last written there", ("row",), value),
            Property(
                "refused only for released rows",
                "a range that is refused has a released row",
                (),
                lambda: u.implies(
                    refusal == RELEASED, u.conj(u.within(low, gone, high), u.neg(s.has(request, u.page_of(gone))))
                ),
            ),
            Property(
                "a valid range is read or released",
                "a range within the length of a live request is refused for released rows only",
                (),
                lambda: u.implies(valid, u.disj(refusal == 0, refusal == RELEASED)),
            ),
            Property(
                "other ranges are refused",
                "a range out of bounds is a bad argument, a request that does not live is unknown",
                (),
                lambda: u.implies(u.neg(valid), refusal == u.ite(s.live(request), BAD, UNKNOWN)),
            ),
        )
        cases = (("a range is read", u.conj(refusal == 0, low < high)), ("a range is gone", refusal == RELEASED))
        return Question(tuple(invariants(u, s)), shown, (s,), cases)

    return about(operation, "reads back", ask)


def about(operation: Operation, what: str, ask: Callable[..., Question]) -> Obligation:
    """An obligation about one operation from any state."""
    inputs = (("before", "state"), *operation.arguments)
    places = ", ".join(f"{{{name}}}" for name, _ in operation.arguments)
    return Obligation(f"{operation.name}, {what}", inputs, ask, f"{operation.name}({places})")
