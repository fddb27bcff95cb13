# SPDX-License-Identifier: Apache-2.0
"""Which mutants the harness of a unit finds: a failing trace of its assertions, step by step, all mutants at once.

The select input is one free constant. A step asks for any mutant that is left and any assertion that fails in it; what
is found is taken out, until no mutant that is left can fail in this step. So the shortest trace is found for each, and
a mutant that is left after the last step has none of that length. Only a failing trace counts: nothing else is a kill.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from proofs.rtl_mutation.mutants import SELECT
from proofs.rtl_mutation.smt import Model, OutOfTime, Solver

EQUIVALENT = 10.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A mutant, the cycle of the failing trace's last state (from 0), and the labels that fail there."""

    mutant: int
    cycle: int
    labels: tuple[str, ...]


@dataclass(slots=True)
class Search:
    """What was found, and how many cycles were searched completely for the mutants that are left."""

    failures: list[Failure]
    cycles: int


def search(
    model: Model,
    mutants: Collection[int],
    equivalent: Collection[int],
    depth: int,
    seconds: float,
    found: Callable[[Failure], None],
) -> Search:
    """Find failing traces of up to `depth` states. `found` hears of each at once. Raises SolverFailed.

    When only mutants are left that are proved equivalent, the search goes on for `EQUIVALENT` seconds at most: it may
    find that the proof is wrong.
    """
    left, done = set(mutants), Search([], 0)
    with Solver(model, seconds) as solver:
        wide = model.modules[model.top].inputs[SELECT]
        solver.say(f"(declare-fun chosen () (_ BitVec {wide}))")
        for number in range(1 << wide):
            if number not in left:
                solver.add(f"(distinct chosen (_ bv{number} {wide}))")
        hurried = False
        try:
            for cycle in range(depth):
                if not left:
                    break
                if not hurried and left <= {*equivalent}:
                    hurried = True
                    solver.seconds = min(solver.seconds, solver.spent() + EQUIVALENT)
                state = solver.step(initial=True)
                solver.add(f"(= chosen (|{model.top}_n {SELECT}| {state}))")
                while left and solver.satisfiable(f"(not (|{model.top}_a| {state}))"):
                    failure = _failure(solver, model, cycle, state)
                    solver.forget()
                    solver.add(f"(distinct chosen (_ bv{failure.mutant} {wide}))")
                    left.remove(failure.mutant)
                    done.failures.append(failure)
                    found(failure)
                solver.add(f"(|{model.top}_a| {state})")
                done.cycles = cycle + 1
        except OutOfTime:
            pass
    return done


def _failure(solver: Solver, model: Model, cycle: int, state: str) -> Failure:
    """What fails in the model that the solver found."""
    terms, labels = ["chosen"], [""]
    for path, kind in [("", model.top), *model.instances(model.top)]:
        for number, label in model.modules[kind].asserts.items():
            terms.append(f"(|{kind}_a {number}| {model.state(path, state)})")
            labels.append(label.split(" ")[0].strip('"').split(".")[-1])
    mutant, *holds = solver.values(terms)
    failed = tuple(label for label, value in zip(labels[1:], holds, strict=True) if not value)
    return Failure(mutant, cycle, failed)
