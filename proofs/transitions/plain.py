# SPDX-License-Identifier: Apache-2.0
"""The reading in plain Python: the same definitions, computed on one concrete state. Costs what enumerating costs.

Requests are names, pages are ints, sets are frozensets. It confirms every counterexample that z3 gives, and it is
how the model is held against `spec/block_table.py` and `impl/` by the tests.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import impl.window
from proofs.transitions.state import SIGNATURES, Of, State, names
from proofs.transitions.universe import Property, Term, Universe

Name = str
DEFAULTS: dict[str, Term] = {
    "bool": False,
    "number": 0,
    "index": 0,
    "value": 0,
    "page": 0,
    "requests": frozenset(),
    "pages": frozenset(),
}


class Plain(Universe):
    """`pages` pages of `page_size` rows, these requests, tables of up to `entries` pages."""

    def __init__(self, pages: int, requests: Sequence[Name], entries: int, page_size: int) -> None:
        self.requests = tuple(requests)
        self.entries = entries
        self._size = page_size
        self.domains: dict[str, Sequence[Term]] = {
            "request": self.requests,
            "page": range(pages),
            "index": range(entries),
            "row": range(entries * page_size),
            "offset": range(page_size),
        }

    def conj(self, *parts: Term) -> Term:
        return all(parts)

    def disj(self, *parts: Term) -> Term:
        return any(parts)

    def neg(self, part: Term) -> Term:
        return not part

    def ite(self, condition: Term, then: Term, other: Term) -> Term:
        return then if condition else other

    def every(self, claim: Property) -> Term:
        return self.exception(claim) is None

    def exception(self, claim: Property) -> tuple[Term, ...] | None:
        """The first things of which the property does not hold, if there are any."""
        for things in product(*(self.domains[kind] for kind in claim.kinds)):
            if not claim.body(*things):
                return things
        return None

    def member(self, things: Term, thing: Term) -> Term:
        return thing in things

    def joined(self, things: Term, thing: Term) -> Term:
        return things | {thing}

    def left(self, things: Term, thing: Term) -> Term:
        return things - {thing}

    def pages_where(self, condition: Callable[[Term], Term]) -> Term:
        return frozenset(page for page in self.domains["page"] if condition(page))

    def union(self, one: Term, other: Term) -> Term:
        return one | other

    def nobody(self) -> Term:
        return frozenset()

    def some(self, things: Term) -> Term:
        return min(things, default=None)

    def size(self, things: Term) -> Term:
        return len(things)

    @property
    def page_size(self) -> Term:
        return self._size

    def page_of(self, row: Term) -> Term:
        return impl.window.page_of(row, self._size)

    def offset_of(self, row: Term) -> Term:
        return impl.window.offset_of(row, self._size)

    def pages_for(self, rows: Term) -> Term:
        return impl.window.pages_for(rows, self._size)

    def first_row(self, index: Term) -> Term:
        return impl.window.slot_of(index, 0, self._size)

    def tabulated(self, s: State) -> State:
        """The state with every function written out as a table; what is beyond the tables is a default."""
        return self.state({name: self.table(name, getattr(s, name)) for name in names()})

    def table(self, name: str, function: Of) -> dict[tuple[Term, ...], Term]:
        """One field of a state as a table."""
        kinds, _ = SIGNATURES[name]
        return {things: function(*things) for things in product(*(self.domains[kind] for kind in kinds))}

    def state(self, tables: Mapping[str, Mapping[tuple[Term, ...], Term]]) -> State:
        """The state with these tables."""
        return State(**{name: _function(tables[name], DEFAULTS[SIGNATURES[name][1]]) for name in names()})

    def described(self, s: State) -> str:
        """The state in words."""
        parts = [self._request(s, request) for request in self.requests if s.live(request)]
        shared = [f"p{page} × {s.count(page)}" for page in self.domains["page"] if s.count(page) > 1]
        stack = [f"p{page}" for page in self.domains["page"] for _ in range(max(0, s.stacked(page)))]
        if shared:
            parts.append(f"shared {', '.join(shared)}")
        parts.append(
            f"free {', '.join(stack) or 'none'}" + (f" (counted {s.height()})" if s.height() != len(stack) else "")
        )
        return "; ".join(parts)

    def _request(self, s: State, request: Name) -> str:
        pages = [
            f"p{s.table(request, index)}" if s.has(request, index) else "–"
            for index in range(self.entries)
            if index < self.pages_for(s.length(request)) or s.has(request, index)
        ]
        sinks = f", {s.sinks(request)} sinks" if s.sinks(request) else ""
        return f"{request}: {s.length(request)} rows{sinks} in [{' '.join(pages)}]"


def _function(table: Mapping[tuple[Term, ...], Term], default: Term) -> Of:
    return lambda *things: table.get(things, default)
