# SPDX-License-Identifier: Apache-2.0
"""The readings in z3 over a finite domain: properties written out, sizes counted."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any

import z3

from proofs.transitions.state import State
from proofs.transitions.symbolic import Symbolic, lifted
from proofs.transitions.universe import Property, Term


class Finite(Symbolic):
    """A few pages and requests, tables of a few entries, one page size: properties are written out, sizes counted."""

    def __init__(self, pages: int = 3, requests: int = 2, entries: int = 3, page_size: int = 2) -> None:
        request_sort, self.requests = _enumeration("Request", tuple("abcdefgh"[:requests]))
        page_sort, self.pages = _enumeration("Page", tuple(f"p{number}" for number in range(pages)))
        super().__init__({"request": request_sort, "page": page_sort})
        self.entries = entries
        self._size = page_size
        self.domains: dict[str, Sequence[Any]] = {
            "request": self.requests,
            "page": self.pages,
            "index": [z3.IntVal(index) for index in range(entries)],
            "row": [z3.IntVal(row) for row in range(entries * page_size)],
            "offset": [z3.IntVal(offset) for offset in range(page_size)],
        }

    def every(self, claim: Property) -> Term:
        return self.conj(*(claim.body(*things) for things in product(*(self.domains[kind] for kind in claim.kinds))))

    def fits(self, s: State) -> list[z3.BoolRef]:
        """Every length fits into a table, and every page has an index in it."""
        rows = self.entries * self._size
        lengths = [self.conj(s.length(request) >= 0, s.length(request) <= rows) for request in self.requests]
        return lengths + [self.within(0, s.index(page), self.entries) for page in self.pages]

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
        return self.requests if things.sort() == self.sorts["requests"] else self.pages

    def pages_where(self, condition: Callable[[Term], Term]) -> Term:
        pages = z3.EmptySet(self.sorts["page"])
        for page in self.pages:
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


@cache
def _enumeration(name: str, members: tuple[str, ...]) -> tuple[Any, list[Any]]:
    sort, constants = z3.EnumSort(f"{name}{len(members)}", list(members))
    return sort, list(constants)
