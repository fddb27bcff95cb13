# SPDX-License-Identifier: Apache-2.0
"""How an obligation is discharged: proved unbounded, its hypotheses met by concrete states, checked on a finite domain;
and how a wrong variant is refuted there, with a counterexample that plain Python confirms."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType

import z3

from proofs import solve
from proofs.evidence import PROVED, REFUTED, TIMEOUT, VACUOUS, Control, Options
from proofs.transitions import examples, finite
from proofs.transitions.expanded import Finite, Structure
from proofs.transitions.obligations import Fact, Obligation, Question
from proofs.transitions.state import State
from proofs.transitions.symbolic import Symbolic, Unbounded, lifted
from proofs.transitions.universe import Property, Term, Universe
from proofs.values import all_of

NUMBERS = range(-1, 9)  # tried for the arguments of an operation on the example states
INSTANCES = 20_000  # of quantified formulas that a proof may look at: several times what any takes
WRONG = 5_000  # the same for what is wrong, and most likely is never proved
ROWS = (1, 2, 4, 6, 12)  # a counterexample is looked for among states with so few rows in all


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of an obligation: a word of `proofs.evidence`, why, SMT-LIB files, how many unbounded queries."""

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
    if isinstance(part, Property):
        return u.every(part)
    return lifted(part) if isinstance(u, Symbolic) else part


def proved(name: str, obligation: Obligation, options: Options, comment: str = "") -> Shown:
    """Prove the obligation unbounded, in one query or in one for each part. `reason` names the parts not proved."""
    found = asked(Unbounded(), obligation)
    queries = {name: _broken(found)}
    if obligation.apart:
        queries = {f"{name}.{claim.name.replace(' ', '_')}": z3.Not(goal) for claim, goal in found.shown}
    files: list[str] = []
    for part, negated in queries.items():
        query = [*found.given, negated]
        files.append(solve.write(part, query, options, f"{comment}\n{obligation.name}"))
        answer, reason = unsatisfiable(query, options)
        if answer != z3.unsat:
            return Shown(
                TIMEOUT, f"{obligation.name}: not proved ({reason}): {_unproved(found, options)}", tuple(files)
            )
    return Shown(PROVED, files=tuple(file for file in files if file), queries=len(queries))


def _unproved(found: Asked, options: Options) -> str:
    """The names of what is to be shown and is not proved by itself."""
    parts = [
        claim.name
        for claim, goal in found.shown
        if unsatisfiable([*found.given, z3.Not(goal)], options, WRONG)[0] != z3.unsat
    ]
    return ", ".join(parts) or "all of it together"


def unsatisfiable(
    query: Sequence[z3.BoolRef], options: Options, instances: int = INSTANCES
) -> tuple[z3.CheckSatResult, str]:
    """z3's answer when it only looks for contradictions, in so many instances of the quantified formulas. With
    quantifiers `unknown` is then as much as `sat`."""
    answer, _, reason = by_itself(query, options, {"mbqi": False, "qi.max_instances": instances})
    return answer, reason or str(answer)


def by_itself(
    query: Sequence[z3.BoolRef], options: Options, limits: Mapping[str, bool | int] = MappingProxyType({})
) -> tuple[z3.CheckSatResult, z3.ModelRef | None, str]:
    """z3's answer in a context of its own: neither it nor its model depends on what was asked before.

    Limits count instances, not resources: z3 5.4 now and then crashes when it runs out of those (`rlimit`).
    """
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    timeout = max(1, round(options.timeout * 1000))
    for name, limit in (("timeout", timeout), ("random_seed", options.seed), *limits.items()):
        solver.set(name, limit)
    solver.add(*(part.translate(context) for part in query))
    answer = solver.check()
    if answer == z3.sat:
        return answer, solver.model().translate(z3.main_ctx()), ""
    return answer, None, solver.reason_unknown() if answer == z3.unknown else ""


def satisfied(obligation: Obligation, options: Options) -> Shown:
    """Every case of the question happens in a concrete state, and there every hypothesis is true, for all numbers.

    The state is found in plain Python; z3 then confirms it in the same definitions with their quantifiers over numbers.
    """
    plain = examples.PLAIN
    missing: list[str] | None = None
    for inputs in _inputs(obligation):
        question = obligation.ask(plain, *inputs)
        cases = question.cases or (("", True),)
        missing = [name for name, _ in cases] if missing is None else missing
        new = [name for name, happens in cases if happens and name in missing]
        if not new or not all(fact(plain, part) for part in question.given):
            continue
        if reason := _denied(obligation, inputs, new, options):
            return Shown(VACUOUS, f"{obligation.name}: z3 does not confirm {', '.join(new)}: {reason}")
        missing = [name for name in missing if name not in new]
        if not missing:
            return Shown(PROVED)
    return Shown(VACUOUS, f"{obligation.name}: never happens: {', '.join(missing or ['anything'])}")


def _denied(obligation: Obligation, inputs: Sequence[Term], cases: Sequence[str], options: Options) -> str:
    """Why z3 does not say that everything given, and these cases, are true of these inputs; "" when it does."""
    u = Structure(examples.PAGES, len(examples.REQUESTS), examples.ENTRIES, examples.PAGE_SIZE)
    terms = [finite.term(u, kind, known) for (_, kind), known in zip(obligation.inputs, inputs, strict=True)]
    question = obligation.ask(u, *terms)
    parts = [fact(u, part) for part in question.given] + [part for name, part in question.cases if name in cases]
    answer, _, reason = solve.check([z3.Not(all_of([lifted(part) for part in parts]))], options)
    return "" if answer == z3.unsat else f"{answer} {reason}"


def _inputs(obligation: Obligation) -> Iterator[tuple[Term, ...]]:
    if obligation.examples is not None:
        yield from obligation.examples()
        return
    u = examples.PLAIN
    choices = {"request": u.requests, "page": u.domains["page"], "value": (99,), "bool": (False, True)}
    rest = [choices.get(kind, NUMBERS) for _, kind in obligation.inputs[1:]]
    yield from ((s, *arguments) for s in examples.states() for arguments in product(*rest))


def bounded(obligation: Obligation, u: Finite, options: Options) -> Shown:
    """The obligation on a finite domain, all at once: what is given can be, and what is to be shown follows from it."""
    found = asked(u, obligation)
    answer, _, reason = solve.check(found.given, options)
    if answer != z3.sat:
        return Shown(VACUOUS, f"{obligation.name}, finite: what is given is {answer} {reason}")
    answer, model, reason = by_itself([*found.given, _broken(found)], options)
    if answer == z3.unsat:
        return Shown(PROVED)
    if answer == z3.sat and model is not None:
        return Shown(REFUTED, f"{obligation.name}, finite: {told(u, obligation, found, model)}")
    return Shown(TIMEOUT, f"{obligation.name}, finite: {reason}")


def refuted(wrong: str, obligation: Obligation, u: Finite, options: Options) -> Control:
    """Refute a wrong variant on a finite domain, with few rows if it can be; nor may it be provable unbounded."""
    unbounded = asked(Unbounded(), obligation)
    if unsatisfiable([*unbounded.given, _broken(unbounded)], options, WRONG)[0] == z3.unsat:
        return Control(wrong, "")
    found = asked(u, obligation)
    before = found.inputs["before"]
    requests = u.domains["request"]
    rows = z3.Sum([before.length(request) for request in requests])
    for most in ROWS:
        small = [rows <= most, *(u.within(0, before.sinks(request), most + 1) for request in requests)]
        answer, model, _ = by_itself([*found.given, _broken(found), *small], options)
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
    if not all(fact(plain, part) for part in question.given):
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
