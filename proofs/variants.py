# SPDX-License-Identifier: Apache-2.0
"""Wrong variants of the code, of the definitions or of a statement: each must be refuted by the very same proof.

A variant is one change to one place of the source. The counterexample is run through Python and told as a sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import ModuleType

import impl.window
import spec.window
from proofs.evidence import REFUTED, Control, Options
from proofs.prover import Proof, evaluated, show
from proofs.source import variant_function, variant_module, with_names
from proofs.statements import Statement

PLACES: dict[str, ModuleType] = {"code": impl.window, "spec": spec.window}


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong variant: what is wrong, where (the code, the spec, the statement or its hypotheses), which text becomes
    which, and the sentence about the counterexample: an f-string over the parameters and over what the variant sees."""

    wrong: str
    where: str
    old: str
    new: str
    sentence: str


def code(wrong: str, old: str, new: str, sentence: str) -> Wrong:
    """A wrong variant of `impl/window.py`."""
    return Wrong(wrong, "code", old, new, sentence)


def stated(wrong: str, old: str, new: str, sentence: str) -> Wrong:
    """A wrong variant of the statement."""
    return Wrong(wrong, "statement", old, new, sentence)


def assumed(wrong: str, old: str, new: str, sentence: str) -> Wrong:
    """A wrong variant of the hypotheses."""
    return Wrong(wrong, "given", old, new, sentence)


def variant(statement: Statement, wrong: Wrong) -> Statement:
    """The statement with the change made. ValueError unless the text to change is there exactly once."""
    if wrong.where == "statement":
        return replace(statement, function=variant_function(statement.function, wrong.old, wrong.new))
    if wrong.where == "given":
        if sum(line.count(wrong.old) for line in statement.given) != 1:
            raise ValueError(f"{wrong.old!r} does not occur once in the hypotheses of {statement.id}")
        return replace(statement, given=tuple(line.replace(wrong.old, wrong.new) for line in statement.given))
    changed = variant_module(PLACES[wrong.where], wrong.old, wrong.new)
    names = {name: value for name, value in vars(changed).items() if not name.startswith("__")}
    return replace(statement, function=with_names(statement.function, names))


def refuted(statement: Statement, proof: Proof, wrong: Wrong, options: Options) -> Control:
    """Try to refute the variant; nothing is found when it was not refuted, or when its text is no longer there."""
    try:
        broken = variant(statement, wrong)
    except ValueError as error:
        return Control(f"{wrong.wrong} ({error})", "")
    shown = show(broken, proof, replace(options, smt=None))
    if shown.word != REFUTED or not shown.counterexample:
        return Control(wrong.wrong, "")
    return Control(wrong.wrong, sentence(broken, wrong, shown.counterexample))


def sentence(broken: Statement, wrong: Wrong, counterexample: Mapping[str, int]) -> str:
    """The counterexample in the words of the domain."""
    return str(evaluated(f"f{wrong.sentence!r}", broken, counterexample))
