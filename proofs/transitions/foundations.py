# SPDX-License-Identifier: Apache-2.0
"""What the proofs over states rest on, shown apart: the facts about division for every page size, by z3's arithmetic,
and the axioms about the size of sets, held against counting for every set of up to four things."""

from collections.abc import Callable
from dataclasses import dataclass

import z3

from proofs import solve
from proofs.evidence import BOUNDED, PROVED, REFUTED, TIMEOUT, VACUOUS, Control, Options
from proofs.transitions import axioms, division, finite
from proofs.transitions.expanded import Finite
from proofs.transitions.proving import Shown, by_itself
from proofs.transitions.symbolic import Exact, lifted
from proofs.transitions.universe import Property, Term, Universe

MEMBERS = 4
COUNTED = f"{BOUNDED} to sets of {MEMBERS} things"
BOXES = (2, 3, 4, 8)  # a counterexample is looked for among numbers so small


@dataclass(frozen=True, slots=True)
class WrongFact:
    """A wrong fact about division: what is wrong with it, and the fact."""

    wrong: str
    fact: Callable[[Universe], Property]


def _fact(wrong: str, name: str, body: Callable[..., Term]) -> WrongFact:
    """The fact of that name with another body, a function of the reading and the numbers."""

    def fact(u: Universe) -> Property:
        right = next(lemma for lemma in division.lemmas(u) if lemma.name == name)
        return Property(right.name, right.says, right.kinds, lambda *things: body(u, *things))

    return WrongFact(wrong, fact)


WRONG_FACTS = (
    _fact(
        "an offset can be the page size",
        "place",
        lambda u, i: u.implies(i >= 0, u.within(1, u.offset_of(i), u.page_size + 1)),
    ),
    _fact(
        "the offset alone names the row",
        "one row at one place",
        lambda u, i, k: u.implies(u.conj(i >= 0, k >= 0, u.offset_of(i) == u.offset_of(k)), i == k),
    ),
    _fact(
        "a full page needs one more",
        "full and partial pages",
        lambda u, n: u.implies(n >= 0, u.pages_for(n) == u.page_of(n) + 1),
    ),
    _fact("no row takes a page", "no page for no row", lambda u: u.pages_for(0) == 1),
    _fact(
        "the row after the last is in one of the pages",
        "a row is in one of the pages",
        lambda u, i, n: u.implies(u.conj(i >= 0, i <= n), u.page_of(i) < u.pages_for(n)),
    ),
    _fact(
        "two rows more take no further page",
        "the last page has a row",
        lambda u, i, n: u.implies(u.conj(i >= 0, n >= 0, n <= i + 2), u.pages_for(n) <= u.page_of(i) + 1),
    ),
    _fact(
        "a later row is in a later page",
        "order of pages",
        lambda u, i, k: u.implies(u.conj(i >= 0, i < k), u.page_of(i) < u.page_of(k)),
    ),
    _fact(
        "more rows take more pages",
        "order of counts",
        lambda u, n, m: u.implies(u.conj(n >= 0, n < m), u.pages_for(n) < u.pages_for(m)),
    ),
    _fact(
        "the first row of a page is at offset 1",
        "first row of a page",
        lambda u, j: u.implies(j >= 0, u.offset_of(u.first_row(j) + 1) == 1),
    ),
    _fact(
        "a page begins before a row only if it is not the page of it",
        "pages before a row",
        lambda u, j, n: u.implies(u.conj(j >= 0, n >= 0), (u.first_row(j) <= n) == (j < u.page_of(n))),
    ),
    _fact(
        "a page begins after a count only if it is not the next page",
        "pages after a row",
        lambda u, j, n: u.implies(u.conj(j >= 0, n >= 0), (u.first_row(j) >= n) == (j > u.pages_for(n))),
    ),
)


def divides(name: str, options: Options, comment: str) -> Shown:
    """Prove every fact about division for every page size ≥ 1, of the lifted functions of `impl/window.py`."""
    files: list[str] = []
    for number, lemma in enumerate(division.lemmas(Exact())):
        u = Exact()
        goal = u.instance(division.lemmas(u)[number])
        query = [*u.facts, z3.Not(goal)]
        part = lemma.name.replace(" ", "_")
        files.append(solve.write(f"{name}.{part}", query, options, f"{comment}\n{lemma.name}"))
        possible, _, _ = by_itself(u.facts, options)
        answer, _, reason = by_itself(query, options)
        if possible != z3.sat or answer != z3.unsat:
            word = VACUOUS if possible == z3.unsat else REFUTED if answer == z3.sat else TIMEOUT
            return Shown(word, f"{lemma.name}: {answer} {reason}", tuple(files))
    return Shown(PROVED, "", tuple(file for file in files if file), len(files))


def wrong_facts(options: Options) -> tuple[Control, ...]:
    """Refute every wrong fact about division, with the smallest numbers that do."""
    return tuple(_refuted_fact(wrong, options) for wrong in WRONG_FACTS)


def _refuted_fact(wrong: WrongFact, options: Options) -> Control:
    u = Exact()
    claim = wrong.fact(u)
    numbers = [u.named(kind) for kind in claim.kinds]
    goal = lifted(claim.body(*numbers))
    for most in BOXES:
        box = [z3.And(number >= 0, number <= most) for number in [*numbers, u.page_size]]
        answer, model, _ = by_itself([*u.facts, *box, z3.Not(goal)], options)
        if answer == z3.sat and model is not None:
            found = [model.eval(number, model_completion=True) for number in (u.page_size, *numbers)]
            told = f": not true of {', '.join(str(number) for number in found[1:])}" if numbers else ": not true"
            return Control(wrong.wrong, f"P={found[0]}{told}")
    return Control(wrong.wrong, "")


def counts(options: Options) -> Shown:
    """Every axiom about sizes is true of every set of up to four requests, and of up to four pages, when counted."""
    u = Finite(MEMBERS, MEMBERS)
    for name, truth in _counted(u):
        answer, _, reason = by_itself([*u.facts, z3.Not(lifted(truth))], options)
        if answer != z3.unsat:
            word = REFUTED if answer == z3.sat else TIMEOUT
            return Shown(word, f"axiom “{name}” is {answer} {reason}")
    return Shown(COUNTED)


def _counted(u: Finite) -> list[tuple[str, Term]]:
    """The axioms about any sets and things of a finite domain, and the three that name a set's member or a union."""
    found: list[tuple[str, Term]] = []
    for sets, thing in (("requests", "request"), ("pages", "page")):
        for axiom in axioms.axioms(u):
            names = [u.named(sets) for _ in range(axiom.sets)] + [u.named(thing) for _ in range(axiom.things)]
            found.append((axiom.name, axiom.body(*names)))
        known = u.named(sets)
        found.append(("some", axioms.some_member(u, known, u.some(known))))
    one, other = u.named("pages"), u.named("pages")
    shared = u.some(u.pages_where(lambda page: u.conj(u.member(one, page), u.member(other, page))))
    found.append(("union", axioms.disjoint_union(u, one, other, u.union(one, other), shared)))
    found.append(("empty", axioms.no_member(u, u.nobody())))
    return found


WRONG_AXIOMS: tuple[tuple[str, Callable[[Finite, Term, Term, Term], Term]], ...] = (
    ("every thing that joins makes a set larger", lambda u, s, x, y: u.size(u.joined(s, x)) == u.size(s) + 1),
    ("every thing that leaves makes a set smaller", lambda u, s, x, y: u.size(u.left(s, x)) == u.size(s) - 1),
    ("a set with two members named has two", lambda u, s, x, y: _two(u, s, x, y, 2)),
    ("a set with two different members has three", lambda u, s, x, y: u.disj(x == y, _two(u, s, x, y, 3))),
    ("every set has a member", lambda u, s, x, y: u.size(s) >= 1),
)


def _two(u: Finite, s: Term, x: Term, y: Term, least: int) -> Term:
    return u.implies(u.conj(u.member(s, x), u.member(s, y)), u.size(s) >= least)


def wrong_axioms(options: Options) -> tuple[Control, ...]:
    """Refute every wrong axiom by a set that can be counted."""
    controls = []
    for wrong, body in WRONG_AXIOMS:
        u = Finite(MEMBERS, MEMBERS)
        s, x, y = u.named("requests"), u.named("request"), u.named("request")
        answer, model, _ = by_itself([*u.facts, z3.Not(lifted(body(u, s, x, y)))], options)
        found = ""
        if answer == z3.sat and model is not None:
            members = sorted(finite.value(u, model, "requests", s))
            things = " and ".join(finite.value(u, model, "request", thing) for thing in (x, y))
            found = f"not true of the set {{{', '.join(members)}}} with {things}"
        controls.append(Control(wrong, found))
    return tuple(controls)
