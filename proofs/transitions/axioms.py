# SPDX-License-Identifier: Apache-2.0
"""The axioms that are trusted: how many members a finite set has. They hold of every finite set.

`size` is otherwise unknown to the solver. That the axioms agree with counting is checked for sets of up to four things.
"""

from collections.abc import Callable
from dataclasses import dataclass

from proofs.transitions.universe import Term, Universe


@dataclass(frozen=True, slots=True)
class Axiom:
    """A fact about sets (`sets` of them) and things (`things` of them)."""

    name: str
    says: str
    sets: int
    things: int
    body: Callable[..., Term]
    triggers: Callable[..., list[list[Term]]]


def axioms(u: Universe) -> tuple[Axiom, ...]:
    """The axioms about `size`, for sets of requests and for sets of pages alike."""
    return (
        Axiom(
            "not negative",
            "no set has fewer than no members",
            1,
            0,
            lambda s: u.size(s) >= 0,
            lambda s: [[u.size(s)]],
        ),
        Axiom(
            "one",
            "a set with a member has at least one",
            1,
            1,
            lambda s, x: u.implies(u.member(s, x), u.size(s) >= 1),
            lambda s, x: [[u.size(s), u.member(s, x)]],
        ),
        Axiom(
            "two",
            "a set with two different members has at least two",
            1,
            2,
            lambda s, x, y: u.implies(u.conj(u.member(s, x), u.member(s, y), u.neg(x == y)), u.size(s) >= 2),
            lambda s, x, y: [[u.size(s), u.member(s, x), u.member(s, y)]],
        ),
        Axiom(
            "joined",
            "a set has one member more with a thing that was not in it, and as many with one that was",
            1,
            1,
            lambda s, x: u.size(u.joined(s, x)) == u.size(s) + u.ite(u.member(s, x), 0, 1),
            lambda s, x: [[u.joined(s, x)]],
        ),
        Axiom(
            "left",
            "a set has one member fewer without a thing that was in it, and as many without one that was not",
            1,
            1,
            lambda s, x: u.size(u.left(s, x)) == u.size(s) - u.ite(u.member(s, x), 1, 0),
            lambda s, x: [[u.left(s, x)]],
        ),
    )


def no_member(u: Universe, empty: Term) -> Term:
    """Axiom "empty": the empty set has no members."""
    return u.size(empty) == 0


def some_member(u: Universe, things: Term, witness: Term) -> Term:
    """Axiom "some": a set that does not have 0 members has a member (`witness`, a name for one)."""
    return u.disj(u.size(things) == 0, u.member(things, witness))


def disjoint_union(u: Universe, one: Term, other: Term, both: Term, witness: Term) -> Term:
    """Axiom "union": the union of two sets has as many members as both together, unless they share one (`witness`)."""
    shared = u.conj(u.member(one, witness), u.member(other, witness))
    return u.disj(shared, u.size(both) == u.size(one) + u.size(other))
