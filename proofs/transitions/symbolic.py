# SPDX-License-Identifier: Apache-2.0
"""The readings in z3: what they share, the unbounded one with quantifiers, and exact arithmetic for the lemmas."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

import impl.window
from proofs.lift import Lifter
from proofs.transitions import axioms, division
from proofs.transitions.state import SIGNATURES, State
from proofs.transitions.universe import Property, Term, Universe
from proofs.values import all_of, any_of


def lifted(term: Term) -> Any:
    """A Python int or bool as a z3 term; z3 terms as they are."""
    if isinstance(term, bool):
        return z3.BoolVal(term)
    return z3.IntVal(term) if isinstance(term, int) else term


class Symbolic(Universe):
    """z3 terms. `facts` collects what is known of the names that the terms introduce."""

    def __init__(self, sorts: Mapping[str, z3.SortRef]) -> None:
        number = z3.IntSort()
        things = {"requests": z3.SetSort(sorts["request"]), "pages": z3.SetSort(sorts["page"])}
        numbers = dict.fromkeys(("index", "row", "offset", "number", "value"), number)
        self.sorts: dict[str, Any] = {**numbers, **things, **sorts, "bool": z3.BoolSort()}
        self.facts: list[z3.BoolRef] = []
        self._names = 0

    def conj(self, *parts: Term) -> Term:
        return all_of([lifted(part) for part in parts])

    def disj(self, *parts: Term) -> Term:
        return any_of([lifted(part) for part in parts])

    def neg(self, part: Term) -> Term:
        return z3.Not(part)

    def ite(self, condition: Term, then: Term, other: Term) -> Term:
        return z3.If(lifted(condition), lifted(then), lifted(other))

    def member(self, things: Term, thing: Term) -> Term:
        return z3.Select(things, thing)

    def joined(self, things: Term, thing: Term) -> Term:
        return z3.Store(things, thing, z3.BoolVal(True))

    def left(self, things: Term, thing: Term) -> Term:
        return z3.Store(things, thing, z3.BoolVal(False))

    def named(self, kind: str, name: str = "") -> Term:
        """A new constant, or a new sequence of values (a function of the number)."""
        self._names += 1
        name = f"{name or kind}_{self._names}"
        if kind == "sequence":
            return z3.Function(name, z3.IntSort(), z3.IntSort())
        return z3.Const(name, self.sorts[kind])

    def state(self, name: str) -> State:
        """Any state at all."""
        fields: dict[str, Callable[..., Term]] = {}
        for field, (arguments, result) in SIGNATURES.items():
            if arguments:
                sorts = [self.sorts[kind] for kind in (*arguments, result)]
                fields[field] = z3.Function(f"{name}_{field}", *sorts)
            else:
                constant = z3.Const(f"{name}_{field}", self.sorts[result])
                fields[field] = lambda constant=constant: constant
        return State(**fields)

    @abstractmethod
    def fits(self, s: State) -> list[z3.BoolRef]:
        """What this reading asks of a state so that it has room for it."""

    @abstractmethod
    def instance(self, claim: Property) -> Term:
        """The property as something to be shown."""


class Quantified(Symbolic):
    """Properties are quantified formulas; one that is to be shown is about new constants."""

    def every(self, claim: Property) -> Term:
        things = [self.named(kind) for kind in claim.kinds]
        body = lifted(claim.body(*things))
        if not things:
            return body
        if claim.triggers is None:
            return z3.ForAll(things, body)
        return z3.ForAll(things, body, patterns=_patterns(claim.triggers(*things)))

    def fits(self, s: State) -> list[z3.BoolRef]:
        return []

    def instance(self, claim: Property) -> Term:
        return lifted(claim.body(*(self.named(kind) for kind in claim.kinds)))


class Exact(Quantified):
    """Arithmetic alone, for every page size P ≥ 1: the functions of `impl/window.py`, lifted."""

    def __init__(self) -> None:
        super().__init__({"request": z3.IntSort(), "page": z3.IntSort()})
        self._size = z3.Int("P")
        self._lifter = Lifter([self._size >= 1])
        self.facts.append(self._size >= 1)

    @property
    def page_size(self) -> Term:
        return self._size

    def page_of(self, row: Term) -> Term:
        return self._lifter.call(impl.window.page_of, [lifted(row), self._size])

    def offset_of(self, row: Term) -> Term:
        return self._lifter.call(impl.window.offset_of, [lifted(row), self._size])

    def pages_for(self, rows: Term) -> Term:
        return self._lifter.call(impl.window.pages_for, [lifted(rows), self._size])

    def first_row(self, index: Term) -> Term:
        return self._lifter.call(impl.window.slot_of, [lifted(index), z3.IntVal(0), self._size])

    def size(self, things: Term) -> Term:
        raise NotImplementedError("sets have no size here")

    def pages_where(self, condition: Callable[[Term], Term]) -> Term:
        raise NotImplementedError("there are no sets here")

    def union(self, one: Term, other: Term) -> Term:
        raise NotImplementedError("there are no sets here")

    def nobody(self) -> Term:
        raise NotImplementedError("there are no sets here")

    def some(self, things: Term) -> Term:
        raise NotImplementedError("there are no sets here")


class Unbounded(Quantified):
    """Pages, requests, lengths and the page size without bound. Division and sizes are known only by what is proved or
    assumed of them: the lemmas of `division.py` and the axioms of `axioms.py`."""

    def __init__(self) -> None:
        super().__init__({"request": z3.DeclareSort("Request"), "page": z3.DeclareSort("Page")})
        number = z3.IntSort()
        self._arithmetic = {
            name: z3.Function(name, number, number) for name in ("page_of", "offset_of", "pages_for", "first_row")
        }
        self._sizes = {
            self.sorts[kind]: z3.Function(f"size_of_{kind}", self.sorts[kind], number) for kind in ("requests", "pages")
        }
        self._size = z3.Int("P")
        self.facts.append(self._size >= 1)
        self.facts.extend(self.every(lemma) for lemma in division.lemmas(self))
        for kind, thing in (("requests", "request"), ("pages", "page")):
            self.facts.extend(self._axiom(axiom, kind, thing) for axiom in axioms.axioms(self))

    def _axiom(self, axiom: axioms.Axiom, kind: str, thing: str) -> z3.BoolRef:
        names = [self.named(kind) for _ in range(axiom.sets)] + [self.named(thing) for _ in range(axiom.things)]
        return z3.ForAll(names, axiom.body(*names), patterns=_patterns(axiom.triggers(*names)))

    @property
    def page_size(self) -> Term:
        return self._size

    def page_of(self, row: Term) -> Term:
        return self._arithmetic["page_of"](row)

    def offset_of(self, row: Term) -> Term:
        return self._arithmetic["offset_of"](row)

    def pages_for(self, rows: Term) -> Term:
        return self._arithmetic["pages_for"](rows)

    def first_row(self, index: Term) -> Term:
        return self._arithmetic["first_row"](index)

    def size(self, things: Term) -> Term:
        return self._sizes[things.sort()](things)

    def pages_where(self, condition: Callable[[Term], Term]) -> Term:
        pages, page = self.named("pages"), self.named("page")
        body = self.member(pages, page) == lifted(condition(page))
        self.facts.append(z3.ForAll([page], body, patterns=[self.member(pages, page)]))
        return pages

    def union(self, one: Term, other: Term) -> Term:
        both = self.pages_where(lambda page: self.disj(self.member(one, page), self.member(other, page)))
        self.facts.append(axioms.disjoint_union(self, one, other, both, self.named("page", "shared")))
        return both

    def nobody(self) -> Term:
        nobody, request = self.named("requests", "nobody"), self.named("request")
        member = self.member(nobody, request)
        self.facts.append(z3.ForAll([request], z3.Not(member), patterns=[member]))
        self.facts.append(axioms.no_member(self, nobody))
        return nobody

    def some(self, things: Term) -> Term:
        kind = "request" if things.sort() == self.sorts["requests"] else "page"
        witness = self.named(kind, "some")
        self.facts.append(axioms.some_member(self, things, witness))
        return witness


def _patterns(triggers: Sequence[Sequence[Term]]) -> list[Any]:
    return [z3.MultiPattern(*terms) if len(terms) > 1 else terms[0] for terms in triggers]
