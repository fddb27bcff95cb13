# SPDX-License-Identifier: Apache-2.0
"""The language that the transition system is written in. Every definition is written once, against `Universe`, and read
in several ways: with quantifiers over unbounded pages, requests and lengths, expanded over a small finite domain, or
computed in plain Python. What a term is depends on the reading: a z3 expression, or a Python int, bool or frozenset.

Kinds of things: request, page (a physical one), index (a logical page of a request), row, offset (of a row in its
page), number, value (what a row holds).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Term = Any
Body = Callable[..., Term]
Triggers = Callable[..., Sequence[Sequence[Term]]]


@dataclass(frozen=True, slots=True)
class Property:
    """Something that holds of all things of these kinds. `says` tells it of one instance: {0}, {1} … are the things.

    `triggers` are the terms at which a solver shall look at it (each entry: terms that must all be there).
    """

    name: str
    says: str
    kinds: tuple[str, ...]
    body: Body
    triggers: Triggers | None = None


class Universe(ABC):
    """One reading of the definitions."""

    @abstractmethod
    def conj(self, *parts: Term) -> Term:
        """All of them."""

    @abstractmethod
    def disj(self, *parts: Term) -> Term:
        """At least one of them."""

    @abstractmethod
    def neg(self, part: Term) -> Term:
        """Not."""

    @abstractmethod
    def ite(self, condition: Term, then: Term, other: Term) -> Term:
        """`then` if the condition holds, else `other`."""

    @abstractmethod
    def every(self, claim: Property) -> Term:
        """The property, of all things of its kinds."""

    @abstractmethod
    def member(self, things: Term, thing: Term) -> Term:
        """Whether `thing` is in a set."""

    @abstractmethod
    def joined(self, things: Term, thing: Term) -> Term:
        """The set with one more."""

    @abstractmethod
    def left(self, things: Term, thing: Term) -> Term:
        """The set without this one."""

    @abstractmethod
    def pages_where(self, condition: Callable[[Term], Term]) -> Term:
        """The set of pages that meet a condition."""

    @abstractmethod
    def union(self, one: Term, other: Term) -> Term:
        """The union of two sets of pages."""

    @abstractmethod
    def nobody(self) -> Term:
        """The empty set of requests."""

    @abstractmethod
    def some(self, things: Term) -> Term:
        """A member of a set that has one (anything of the kind if it has none)."""

    @abstractmethod
    def size(self, things: Term) -> Term:
        """How many members a set has."""

    @abstractmethod
    def page_of(self, row: Term) -> Term:
        """Logical page that holds a row ≥ 0."""

    @abstractmethod
    def offset_of(self, row: Term) -> Term:
        """Offset of a row ≥ 0 in its page."""

    @abstractmethod
    def pages_for(self, rows: Term) -> Term:
        """Pages that hold this many rows ≥ 0."""

    @abstractmethod
    def first_row(self, index: Term) -> Term:
        """First row of a logical page ≥ 0."""

    @property
    @abstractmethod
    def page_size(self) -> Term:
        """P, at least 1."""

    def implies(self, condition: Term, then: Term) -> Term:
        """`then`, where the condition holds."""
        return self.disj(self.neg(condition), then)

    def within(self, low: Term, middle: Term, high: Term) -> Term:
        """low ≤ middle < high."""
        return self.conj(low <= middle, middle < high)

    def larger(self, one: Term, other: Term) -> Term:
        """The larger number."""
        return self.ite(one >= other, one, other)

    def first(self, *cases: tuple[Term, int]) -> Term:
        """The number of the first case whose condition holds, else 0."""
        found: Term = 0
        for condition, number in reversed(cases):
            found = self.ite(condition, number, found)
        return found
