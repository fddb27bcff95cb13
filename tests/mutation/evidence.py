# SPDX-License-Identifier: Apache-2.0
"""What an entry of `tests/equivalent_mutants.toml` says, done: both versions of the function, and the proof by z3."""

import inspect
import re
import textwrap
from collections.abc import Callable
from importlib import import_module
from typing import Any

import z3

from kvproof.mutation.equivalents import Entry
from proofs.evidence import Options
from proofs.lift import Lifter
from proofs.mistakes import Mistake
from proofs.solve import entails
from proofs.source import source_of, variant_function
from proofs.values import all_of, contracts


def original(entry: Entry) -> Callable[..., Any]:
    """The function as it is."""
    found: Any = import_module(entry.file.removesuffix(".py").replace("/", "."))
    for name in entry.function.split("."):
        found = getattr(found, name)
    function: Callable[..., Any] = found
    return function


def change(entry: Entry) -> tuple[str, str]:
    """The text in the source of the function that is changed, exactly as it stands there, and what it becomes.

    AssertionError unless it is there once.
    """
    lines = entry.diff.splitlines()
    old, new = ([line[1:] for line in lines if line[0] == sign] for sign in "-+")
    source = textwrap.dedent(inspect.getsource(original(entry)))
    found = re.findall(r"\n[ ]*".join(map(re.escape, old)), source)
    assert len(found) == 1, f"{entry}: {len(found)} times in the source"
    return found[0], "\n".join(new)


def as_mistake(entry: Entry) -> Mistake:
    """The change, to be applied to the running code."""
    module = entry.file.removesuffix(".py").replace("/", ".")
    return Mistake(str(entry), f"{module}:{entry.function}", *change(entry))


def proved(entry: Entry) -> str:
    """PROVED when z3 finds both versions equal for all integers that the contract allows, else what it says instead."""
    function = original(entry)
    changed = variant_function(function, *change(entry))
    source = source_of(function)
    parameters: dict[str, z3.ExprRef] = {
        name: z3.Bool(name) if parameter.annotation is bool else z3.Int(name)
        for name, parameter in inspect.signature(function).parameters.items()
    }
    lifter = Lifter()
    given = [lifter.expression(line, source, parameters) for line in contracts(source.node, "pre")]
    lifter.assume(*given)
    given = [lifter.expression(line, source, parameters) for line in contracts(source.node, "pre")]
    lifter.obligations.clear()
    both = [lifter.call(each, list(parameters.values())) for each in (function, changed)]
    equal = all_of([*lifter.obligations, both[0] == both[1]])
    return entails("equivalent", [*given, *lifter.facts], equal, Options()).word
