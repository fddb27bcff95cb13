# SPDX-License-Identifier: Apache-2.0
"""The readings in z3 over a finite domain: properties written out, sizes counted."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import z3

from proofs.transitions.state import State
from proofs.transitions.symbolic import Symbolic, lifted
from proofs.transitions.universe import Property, Term

REQUEST_BITS, PAGE_BITS = 3, 4


class Finite(Symbolic):
    """A few pages and requests, tables of a few entries, one page size: properties are written out, sizes counted."""

    def __init__(self, pages: int = 3, requests: int = 2, entries: int = 3, page_size: int = 2) -> None:
        # Bit-vectors of two widths: sorts that need not be declared anew in every context of z3.
        request, page = z3.BitVecSort(REQUEST_BITS), z3.BitVecSort(PAGE_BITS)
        super().__init__({"request": request, "page": page})
        self.names = tuple("abcdefgh"[:requests])
        self.entries = entries
        self._size = page_size
        self.domains: dict[str, Sequence[Any]] = {
            "request": [z3.BitVecVal(number, request) for number in range(requests)],
            "page": [z3.BitVecVal(number, page) for number in range(pages)],
            "index": [z3.IntVal(index) for index in range(entries)],
            "row": [z3.IntVal(row) for row in range(entries * page_size)],
            "offset": [z3.IntVal(offset) for offset in range(page_size)],
        }

    def named(self, kind: str, name: str = "") -> Term:
        constant = super().named(kind, name)
        if kind in ("request", "page"):
            self.facts.append(self._exists(kind, constant))
        return constant

    def _exists(self, kind: str, thing: Term) -> z3.BoolRef:
        return z3.ULT(thing, len(self.domains[kind]))

    def every(self, claim: Property) -> Term:
        return self.conj(*(claim.body(*things) for things in product(*(self.domains[kind] for kind in claim.kinds))))

    def fits(self, s: State) -> list[z3.BoolRef]:
        """Every length fits into a table, tables name pages that exist, and every page has an index in a table."""
        rows = self.entries * self._size
        requests, indices = self.domains["request"], self.domains["index"]
        lengths = [self.conj(s.length(request) >= 0, s.length(request) <= rows) for request in requests]
        tables = [self._exists("page", s.table(request, index)) for request, index in product(requests, indices)]
        return lengths + tables + [self.within(0, s.index(page), self.entries) for page in self.domains["page"]]

    def instance(self, claim: Property) -> Term:
        return self.every(claim)

    @property
    def page_size(self) -> Term:
        return self._size

    def page_of(self, row: Term) -> Term:
        return lifted(row) / self._size

    def offset_of(self, row: Term) -> Term:
        return lifted(row) % self._size

    def pages_for(self, rows: Term) -> Term:
        return (lifted(rows) + (self._size - 1)) / self._size

    def first_row(self, index: Term) -> Term:
        return index * self._size

    def size(self, things: Term) -> Term:
        return z3.Sum([z3.If(self.member(things, thing), 1, 0) for thing in self._domain(things)])

    def nobody(self) -> Term:
        return z3.EmptySet(self.sorts["request"])

    def some(self, things: Term) -> Term:
        *rest, found = self._domain(things)
        for thing in reversed(rest):
            found = z3.If(self.member(things, thing), thing, found)
        return found

    def _domain(self, things: Term) -> Sequence[Any]:
        return self.domains["request" if things.sort() == self.sorts["requests"] else "page"]

    def pages_where(self, condition: Callable[[Term], Term]) -> Term:
        pages = z3.EmptySet(self.sorts["page"])
        for page in self.domains["page"]:
            pages = z3.Store(pages, page, lifted(condition(page)))
        return pages

    def union(self, one: Term, other: Term) -> Term:
        return self.pages_where(lambda page: self.disj(self.member(one, page), self.member(other, page)))


class Structure(Finite):
    """As `Finite`, but numbers are not cut off: properties of indices and rows keep their quantifiers.

    In it a concrete state makes every formula one without unknown functions, so that z3 can decide it.
    """

    def every(self, claim: Property) -> Term:
        listed = [self.domains[kind] if kind in ("request", "page") else [self.named(kind)] for kind in claim.kinds]
        numbers = [
            choice[0] for kind, choice in zip(claim.kinds, listed, strict=True) if kind not in ("request", "page")
        ]
        body = self.conj(*(claim.body(*things) for things in product(*listed)))
        return z3.ForAll(numbers, body) if numbers else body

    def fits(self, s: State) -> list[z3.BoolRef]:
        return []
