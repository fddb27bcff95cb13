# SPDX-License-Identifier: Apache-2.0
"""What the lifter computes with besides z3 ints and bools, and its one error."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

TRUE = z3.BoolVal(True)


class LiftError(Exception):
    """The source uses something that has no translation; says file, line and reason."""


@dataclass(frozen=True)
class Maybe:
    """An `int | None`."""

    is_none: z3.BoolRef
    value: z3.ArithRef


@dataclass(frozen=True)
class Span:
    """A range of integers low ≤ i < high."""

    low: z3.ArithRef
    high: z3.ArithRef


@dataclass(frozen=True)
class Members:
    """A set, as the condition for being a member."""

    contains: Callable[[Any, z3.BoolRef], z3.BoolRef]


def constant(value: object) -> Any:
    """A Python constant as a z3 term (or a Maybe)."""
    if isinstance(value, bool):
        return z3.BoolVal(value)
    if isinstance(value, int):
        return z3.IntVal(value)
    if value is None:
        return Maybe(TRUE, z3.IntVal(0))
    return value


def contracts(node: ast.FunctionDef, keyword: str) -> list[str]:
    """The expressions after `keyword:` in the docstring."""
    lines = (line.strip() for line in (ast.get_docstring(node) or "").splitlines())
    return [line.removeprefix(f"{keyword}:").strip() for line in lines if line.startswith(f"{keyword}:")]


def all_of(conditions: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """Their conjunction; never an `and` of one or none, which SMT-LIB does not have."""
    return TRUE if not conditions else conditions[0] if len(conditions) == 1 else z3.And(*conditions)


def any_of(conditions: Sequence[z3.BoolRef]) -> z3.BoolRef:
    """Their disjunction, likewise."""
    return z3.BoolVal(False) if not conditions else conditions[0] if len(conditions) == 1 else z3.Or(*conditions)
