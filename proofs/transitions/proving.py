# SPDX-License-Identifier: Apache-2.0
"""How an obligation is discharged: proved unbounded, its hypotheses met by concrete states, checked on a finite domain;
and how a wrong variant is refuted there, with a counterexample that plain Python confirms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import z3

from proofs import solve
from proofs.evidence import PROVED, REFUTED, TIMEOUT, VACUOUS, Control, Options
from proofs.transitions import examples, finite
from proofs.transitions.obligations import Fact, Obligation, Question
from proofs.transitions.state import State
from proofs.transitions.symbolic import Finite, Structure, Symbolic, Unbounded, lifted
from proofs.transitions.universe import Property, Term, Universe
from proofs.values import all_of

NUMBERS = range(-1, 9)  # tried for the arguments of an operation on the example states
EFFORT = 250_000  # z3 resource units spent on trying to prove what is wrong: about ten times what a proof takes
ROWS = (1, 2, 4, 6, 12)  # a counterexample is looked for among states with so few rows in all


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of an obligation: a word of `proofs.evidence`, why, the SMT-LIB files, the number of unbounded queries."""

    word: str
    reason: str = ""
    files: tuple[str, ...] = ()
    queries: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """An obligation in z3: its inputs, what is given, and each thing to be shown."""

    inputs: dict[str, Term]
    question: Question
    given: list[z3.BoolRef]
    shown: list[tuple[Property, z3.BoolRef]]


def asked(u: Symbolic, obligation: Obligation) -> Asked:
    """The question about any inputs, in a reading."""
    inputs = {name: u.state(name) if kind == "state" else u.named(kind, name) for name, kind in obligation.inputs}
    question = obligation.ask(u, *inputs.values())
    shown = [(claim, u.instance(claim)) for claim in question.shown]
    given = [fact(u, part) for part in question.given] + [part for s in question.states for part in u.fits(s)]
    return Asked(inputs, question, [*u.facts, *given], shown)


def fact(u: Universe, part: Fact) -> Term:
    """Something given, as a term."""
    return u.every(part) if isinstance(part, Property) else lifted(part)


def proved(name: str, obligation: Obligation, options: Options, comment: str = "") -> Shown:
    """Prove the obligation unbounded, one query for each thing to be shown. Without models: an answer is quick."""
    found = asked(Unbounded(), obligation)
    files: list[str] = []
    for claim, goal in found.shown:
        query = [*found.given, z3.Not(goal)]
        part = claim.name.replace(" ", "_").replace("'", "")
        files.append(solve.write(f"{name}.{part}", query, options, f"{comment}\n{obligation.name}: {claim.name}"))
        answer, reason = unsatisfiable(query, options)
        if answer != z3.unsat:
            return Shown(TIMEOUT, f"{obligation.name}: {claim.name} not proved: {reason}", tuple(files))
    return Shown(PROVED, "", tuple(file for file in files if file), len(found.shown))


def unsatisfiable(
    query: Sequence[z3.BoolRef], options: Options, effort: int | None = None
) -> tuple[z3.CheckSatResult, str]:
    """z3's answer when it only looks for contradictions: with quantifiers `unknown` is as much as `sat`."""
    solver = z3.Solver()
    if effort is not None:
        solver.set("rlimit", effort)
    solver.set("timeout", max(1, round(options.timeout * 1000)))
    solver.set("random_seed", options.seed)
    solver.set("mbqi", False)
    solver.add(*query)
    answer = solver.check()
    return answer, solver.reason_unknown() if answer == z3.unknown else str(answer)


def satisfied(obligation: Obligation, options: Options) -> Shown:
    """Every case of the question happens in a concrete state, and there every hypothesis is true, for all numbers.

    The state is found in plain Python; z3 then confirms it in the same definitions with their quantifiers over numbers.
    """
    missing = _cases(obligation)
    for inputs, met in _concrete(obligation):
        new = [case for case in missing if case in met]
        if new:
            u = Structure(examples.PAGES, len(examples.REQUESTS), examples.ENTRIES, examples.PAGE_SIZE)
            terms = [finite.term(u, kind, known) for (_, kind), known in zip(obligation.inputs, inputs, strict=True)]
            question = obligation.ask(u, *terms)
            cases = dict(question.cases)
            parts = [fact(u, part) for part in question.given] + [cases[case] for case in new if case]
            answer, _, reason = solve.check([z3.Not(all_of([lifted(part) for part in parts]))], options)
            if answer != z3.unsat:
                return Shown(VACUOUS, f"{obligation.name}: z3 does not confirm {new} {reason}")
            missing = [case for case in missing if case not in new]
        if not missing:
            return Shown(PROVED)
    return Shown(VACUOUS, f"{obligation.name}: never happens: {missing}")


def _cases(obligation: Obligation) -> list[str]:
    u = examples.PLAIN
    inputs = next(_inputs(obligation))
    return [name for name, _ in obligation.ask(u, *inputs).cases] or [""]


def _concrete(obligation: Obligation) -> Iterator[tuple[tuple[Term, ...], set[str]]]:
    """Inputs for which everything given is true, with the cases that they meet."""
    u = examples.PLAIN
    for inputs in _inputs(obligation):
        question = obligation.ask(u, *inputs)
        met = {name for name, happens in question.cases if happens} or ({""} if not question.cases else set())
        plain_facts = [part for part in question.given if not isinstance(part, Property)]
        if met and all(plain_facts) and all(u.every(part) for part in question.given if isinstance(part, Property)):
            yield inputs, met


def _inputs(obligation: Obligation) -> Iterator[tuple[Term, ...]]:
    if obligation.examples is not None:
        yield from obligation.examples()
        return
    u = examples.PLAIN
    choices = {"request": u.requests, "page": u.domains["page"], "value": (99,), "bool": (False, True)}
    rest = [choices.get(kind, NUMBERS) for _, kind in obligation.inputs[1:]]
    yield from ((s, *arguments) for s in examples.states() for arguments in product(*rest))


def bounded(obligation: Obligation, u: Finite, options: Options) -> Shown:
    """The obligation on a finite domain, all at once: what is given is possible there, and what is to be shown follows."""
    found = asked(u, obligation)
    answer, _, reason = solve.check(found.given, options)
    if answer != z3.sat:
        return Shown(VACUOUS, f"{obligation.name}, finite: what is given is {answer} {reason}")
    answer, model, reason = solve.check([*found.given, _broken(found)], options)
    if answer == z3.unsat:
        return Shown(PROVED)
    if answer == z3.sat and model is not None:
        return Shown(REFUTED, f"{obligation.name}, finite: {told(u, obligation, found, model)}")
    return Shown(TIMEOUT, f"{obligation.name}, finite: {reason}")


def refuted(wrong: str, obligation: Obligation, u: Finite, options: Options) -> Control:
    """Refute a wrong variant on a finite domain, with few rows if it can be; it must not be provable unbounded either."""
    unbounded = asked(Unbounded(), obligation)
    if unsatisfiable([*unbounded.given, _broken(unbounded)], options, EFFORT)[0] == z3.unsat:
        return Control(wrong, "")
    found = asked(u, obligation)
    rows = z3.Sum([found.inputs["before"].length(request) for request in u.requests])
    for most in ROWS:
        answer, model, _ = solve.check([*found.given, _broken(found), rows <= most], replace(options, smt=None))
        if answer == z3.sat and model is not None:
            return Control(wrong, told(u, obligation, found, model))
    return Control(wrong, "")


def _broken(found: Asked) -> z3.BoolRef:
    return z3.Not(all_of([goal for _, goal in found.shown]))


def told(u: Finite, obligation: Obligation, found: Asked, model: z3.ModelRef) -> str:
    """The counterexample as a sentence, or "" when plain Python does not agree that it is one."""
    plain = finite.plain(u)
    kinds = dict(obligation.inputs)
    inputs = {name: finite.value(u, model, kinds[name], term) for name, term in found.inputs.items()}
    question = obligation.ask(plain, *inputs.values())
    if not all(plain.every(part) if isinstance(part, Property) else part for part in question.given):
        return ""
    broken = [(claim, things) for claim in question.shown if (things := plain.exception(claim)) is not None]
    if not broken:
        return ""
    claim, things = broken[0]
    states = [plain.described(known) for known in inputs.values() if isinstance(known, State)]
    words = {name: _word(kinds[name], known) for name, known in inputs.items()}
    says = claim.says.format(*(_word(kind, thing) for kind, thing in zip(claim.kinds, things, strict=True)))
    return f"P={plain.page_size}, {' then '.join(states)}: {obligation.told.format(**words)} breaks “{says}”"


def _word(kind: str, known: Term) -> str:
    return f"p{known}" if kind == "page" else str(known)


