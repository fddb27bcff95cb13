# SPDX-License-Identifier: Apache-2.0
"""What is to be shown of states, whatever the operations: a new pool satisfies the invariants, what follows from them,
and that the pages held are counted."""

from collections.abc import Callable
from dataclasses import replace

from proofs.transitions.invariants import consequences, invariants
from proofs.transitions.obligations import Obligation, Question
from proofs.transitions.state import State
from proofs.transitions.universe import Property, Term, Universe


def follows(without: str = "") -> Obligation:
    """The invariants (but the one of this name) imply the same facts in the words in which people ask for them."""

    def ask(u: Universe, s: State) -> Question:
        given = tuple(known for known in invariants(u, s) if known.name != without)
        return Question(given, consequences(u, s), (s,))

    return Obligation("follows", (("before", "state"),), ask, "such a state")


def starts(pool: Callable[[Universe, State], State] | None = None) -> Obligation:
    """A pool in which nobody lives satisfies every invariant."""

    def ask(u: Universe, sometime: State) -> Question:
        s = (pool or empty)(u, sometime)
        return Question((), invariants(u, s), (s,))

    return Obligation("starts", (("before", "state"),), ask, "a new pool")


def empty(u: Universe, s: State) -> State:
    """The state of a new pool; what the tables, pages and ghosts of `s` hold does not matter and is kept."""
    nobody, everything = u.nobody(), u.pages_where(lambda _: u.conj())
    return replace(
        s,
        live=lambda _: u.disj(),
        count=lambda _: 0,
        stacked=lambda _: 1,
        height=lambda: u.size(everything),
        own=lambda _: nobody,
        free=lambda: everything,
    )


def counted(hole: Callable[[Universe, Term], Term] = lambda u, pages: pages) -> Obligation:
    """The pages that a request holds, counted one by one along its table, are as many as its page count says.

    Base, step and end of an induction over the table: `before(k)` is the number of pages held at indices below k.
    `hole` is what is taken off for so many pages in the hole.
    """

    def ask(u: Universe, s: State, request: Term, index: Term) -> Question:
        begin, end, pages = s.begin(request), s.end(request), u.pages_for(s.length(request))

        def before(k: Term) -> Term:
            last = u.ite(k < end, k, end)
            return k - hole(u, u.ite(last > begin, last - begin, 0))

        held = u.ite(s.has(request, index), 1, 0)
        shown = (
            Property("begins", "no page is held before the first index", (), lambda: before(0) == 0),
            Property(
                "counts on",
                "one more is held up to the next index exactly if one is held there",
                (),
                lambda: before(index + 1) == before(index) + held,
            ),
            Property("ends", "at the end all are counted", (), lambda: before(pages) == s.held(request)),
        )
        given = (*invariants(u, s), s.live(request), u.within(0, index, pages))
        in_hole = u.within(begin, index, end)
        return Question(given, shown, (s,), (("in the hole", in_hole), ("after it", u.conj(end > 0, index >= end))))

    return Obligation(
        "counted",
        (("before", "state"), ("request", "request"), ("index", "index")),
        ask,
        "counting the pages of {request}",
    )
