# SPDX-License-Identifier: Apache-2.0
"""Goes between z3's finite readings and plain Python: a model as a concrete state, a concrete state as z3 terms."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import z3

from proofs.transitions.expanded import Finite
from proofs.transitions.plain import DEFAULTS, Plain
from proofs.transitions.state import SIGNATURES, Of, State, names
from proofs.transitions.universe import Term

SEQUENCE = 8  # how much of a sequence of values is read out of a model


def plain(u: Finite) -> Plain:
    """The plain reading of the same size."""
    return Plain(len(u.domains["page"]), u.names, u.entries, u.page_size)


def value(u: Finite, model: z3.ModelRef, kind: str, term: Any) -> Term:
    """What z3's model says an input is: a request's name, a page's number, an int, a bool, a set, a state."""
    if isinstance(term, State):
        return plain(u).state({name: _table(u, model, name, getattr(term, name)) for name in names()})
    if kind == "sequence":
        listed = [model.eval(term(number), model_completion=True).as_long() for number in range(SEQUENCE)]
        return lambda number: listed[number]
    if kind in ("requests", "pages"):
        thing = kind.removesuffix("s")
        domain = u.domains[thing]
        return frozenset(
            value(u, model, thing, each) for each in domain if z3.is_true(model.eval(term[each], model_completion=True))
        )
    found = model.eval(term, model_completion=True)
    if kind == "request":
        return u.names[found.as_long()]
    return z3.is_true(found) if kind == "bool" else found.as_long()


def _table(u: Finite, model: z3.ModelRef, name: str, function: Of) -> dict[tuple[Term, ...], Term]:
    kinds, result = SIGNATURES[name]
    table = {}
    for things in product(*(u.domains[kind] for kind in kinds)):
        key = tuple(value(u, model, kind, thing) for kind, thing in zip(kinds, things, strict=True))
        table[key] = value(u, model, result, function(*things))
    return table


def term(u: Finite, kind: str, known: Term) -> Any:
    """A concrete input as a z3 term; a state becomes functions that are written out as cases."""
    if isinstance(known, State):
        source = plain(u)
        fields = {name: _cases(u, name, source.table(name, getattr(known, name))) for name in names()}
        return State(**fields)
    if kind == "sequence":
        return _written_out(u, "number", "value", {(number,): known(number) for number in range(SEQUENCE)})
    if kind in ("requests", "pages"):
        thing = kind.removesuffix("s")
        members = z3.EmptySet(u.sorts[thing])
        for each in sorted(known):
            members = z3.SetAdd(members, term(u, thing, each))
        return members
    if kind == "request":
        return u.domains["request"][u.names.index(known)]
    if kind == "page":
        return u.domains["page"][known or 0]
    return z3.BoolVal(known) if kind == "bool" else z3.IntVal(known)


def _cases(u: Finite, name: str, table: dict[tuple[Term, ...], Term]) -> Of:
    kinds, result = SIGNATURES[name]
    return _written_out(u, *kinds, result, table)


def _written_out(u: Finite, *signature: Any) -> Of:
    *kinds, result, table = signature
    if not kinds:
        constant = term(u, result, table[()])
        return lambda: constant
    default = DEFAULTS[result]
    other = term(u, result, default)
    cases = [
        (tuple(term(u, kind, thing) for kind, thing in zip(kinds, key, strict=True)), term(u, result, found))
        for key, found in table.items()
        if found != default
    ]

    def function(*things: Any) -> Any:
        found = other
        for key, then in reversed(cases):
            found = z3.If(_all(things, key), then, found)
        return found

    return function


def _all(things: Sequence[Any], key: Sequence[Any]) -> z3.BoolRef:
    equal = [thing == part for thing, part in zip(things, key, strict=True)]
    return equal[0] if len(equal) == 1 else z3.And(*equal)
