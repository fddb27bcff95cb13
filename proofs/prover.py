# SPDX-License-Identifier: Apache-2.0
"""Turns a statement into a query, and a model of a failed one into a counterexample that Python itself confirms."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from proofs import solve
from proofs.evidence import REFUTED, TIMEOUT, Options
from proofs.lift import Lifter
from proofs.source import source_of
from proofs.statements import LEMMAS, Statement
from proofs.values import all_of

BOXES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64)  # largest absolute value looked for in a counterexample, in turn


@dataclass(frozen=True, slots=True)
class Proof:
    """How a statement is proved: values at which its any/all are instantiated, and instances of lemmas that it uses.

    Both are expressions in the parameters of the statement; a lemma's instance is its name and its arguments.
    """

    witnesses: tuple[str, ...] = ()
    lemmas: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A statement as z3 terms: its parameters, its hypotheses, what is known besides, and its conclusion."""

    parameters: Mapping[str, z3.ExprRef]
    given: Sequence[z3.BoolRef]
    facts: Sequence[z3.BoolRef]
    conclusion: z3.BoolRef


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of a statement: a word of `proofs.evidence`, why, a counterexample, and the SMT-LIB file."""

    word: str
    seconds: float
    reason: str = ""
    counterexample: Mapping[str, int] = field(default_factory=dict)
    file: str = ""


def query(statement: Statement, proof: Proof = Proof()) -> Query:
    """The statement in z3. Raises LiftError when its source, or that of anything it calls, has no translation."""
    source = source_of(statement.function)
    parameters = {
        name: z3.Bool(name) if kind == "bool" else z3.Int(name) for name, kind in statement.parameters.items()
    }
    lifter = Lifter()
    given: list[z3.BoolRef] = []
    for line in statement.given:
        hypothesis = lifter.expression(line, source, parameters)
        lifter.assume(hypothesis)
        given.append(hypothesis)
    lifter.witnesses = [lifter.expression(text, source, parameters) for text in proof.witnesses]
    lifter.obligations.clear()
    lifter.facts.clear()
    known = [
        _instance(lifter, LEMMAS[name], [lifter.expression(text, source, parameters) for text in arguments])
        for name, *arguments in proof.lemmas
    ]
    lifter.obligations.clear()
    # The hypotheses are lifted again, now that it is known which divisors are positive; what they need is owed too.
    given = []
    path = z3.BoolVal(True)
    for line in statement.given:
        given.append(lifter.expression(line, source, parameters, path))
        path = z3.And(path, given[-1])
    value = lifter.call(statement.function, list(parameters.values()))
    return Query(parameters, given, [*lifter.facts, *known], all_of([*lifter.obligations, value]))


def show(statement: Statement, proof: Proof, options: Options, name: str | None = None) -> Shown:
    """Try to prove a statement; the query is written under `name` (its id)."""
    begin = time.perf_counter()
    asked = query(statement, proof)
    hypotheses = [*asked.given, *asked.facts]
    verdict = solve.entails(name or statement.id, hypotheses, asked.conclusion, options, comment=statement.sentence)
    found: dict[str, int] = {}
    word, reason = verdict.word, verdict.reason
    if word == REFUTED:
        found = smallest(asked, options) or values(verdict.model, asked.parameters)
        reason = replay(statement, found)
        word = TIMEOUT if reason else REFUTED
    return Shown(word, time.perf_counter() - begin, reason, found, verdict.file)


def used_lemmas(proof: Proof) -> list[Statement]:
    """The lemmas that a proof uses, each once. A lemma is proved without lemmas, so nothing rests on itself."""
    return [LEMMAS[name] for name in dict.fromkeys(name for name, *_ in proof.lemmas)]


def smallest(asked: Query, options: Options) -> dict[str, int]:
    """The counterexample that is least in the first box that has one, parameter by parameter; {} when none is found.

    So the sentence told about a failure does not depend on the solver's mood.
    """
    refuting = [*asked.given, *asked.facts, z3.Not(asked.conclusion)]
    numbers = [term for term in asked.parameters.values() if z3.is_int(term)]
    for size in BOXES:
        box = [bound for term in numbers for bound in (-size <= term, term <= size)]
        answer, model, _ = solve.check([*refuting, *box], options)
        if answer != z3.sat:
            continue
        fixed: list[z3.BoolRef] = []
        for term in asked.parameters.values():
            for value in _candidates(term, size):
                answer, better, _ = solve.check([*refuting, *box, *fixed, term == value], options)
                if answer == z3.sat:
                    model = better
                    fixed.append(term == value)
                    break
        return values(model, asked.parameters)
    return {}


def values(model: z3.ModelRef | None, parameters: Mapping[str, z3.ExprRef]) -> dict[str, int]:
    """The parameters' values in a model, as Python ints and bools."""
    if model is None:
        return {}
    found: dict[str, int] = {}
    for name, term in parameters.items():
        value = model.eval(term, model_completion=True)
        found[name] = bool(z3.is_true(value)) if z3.is_bool(term) else int(value.as_long())
    return found


def replay(statement: Statement, counterexample: Mapping[str, int]) -> str:
    """Why the counterexample is none when Python runs the statement on it; "" when it is one."""
    try:
        if not holds(statement, counterexample):
            return f"z3's counterexample {dict(counterexample)} does not satisfy the hypotheses in Python"
        if statement.function(**counterexample):
            return f"z3's counterexample {dict(counterexample)} is none in Python: a witness or a lemma is missing"
    except (ArithmeticError, TypeError):
        return ""  # Python computes nothing there: that is a counterexample too
    return ""


def holds(statement: Statement, arguments: Mapping[str, int]) -> bool:
    """Whether the hypotheses hold, as Python evaluates them in the scope of the statement."""
    return all(evaluated(line, statement, arguments) for line in statement.given)


def evaluated(expression: str, statement: Statement, arguments: Mapping[str, int]) -> Any:
    """The value of an expression in the scope of a statement."""
    return eval(expression, {**source_of(statement.function).names, **arguments})


def _instance(lifter: Lifter, known: Statement, arguments: Sequence[Any]) -> z3.BoolRef:
    """A lemma at these arguments: its hypotheses imply it. It is proved apart, so it may be used as known."""
    names = dict(zip(known.parameters, arguments, strict=True))
    given = [lifter.expression(line, source_of(known.function), names) for line in known.given]
    return z3.Implies(all_of(given), lifter.call(known.function, arguments))


def _candidates(term: z3.ExprRef, size: int) -> Iterator[Any]:
    """The values to try for a parameter, nicest first: 0, 1, 2, … and then the negative ones."""
    if z3.is_bool(term):
        yield from (z3.BoolVal(False), z3.BoolVal(True))
    else:
        yield from range(size + 1)
        yield from range(-1, -size - 1, -1)
