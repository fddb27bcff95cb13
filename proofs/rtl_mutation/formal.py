# SPDX-License-Identifier: Apache-2.0
"""Which mutants the harness of a unit refutes: a failing trace of its assertions, step by step, all mutants at once.

The select input is one free constant. A step asks for any mutant that is left and any assertion that fails in it; what
is found is taken out, until no mutant that is left can fail in this step. So the shortest trace is found for each, and
a mutant that is left after the last step has none of that length. A trace begins in the initial state: the mutant does
what the harness says that the unit never does. What a lost proof says is less: `induction`.

Deep traces are out of reach of that. `leap` asks for one mutant and all steps at once, with inputs of the harness that
stand still after one cycle of reset: what it finds is a failing trace too, what it does not find may be there.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from proofs.rtl_mutation.mutants import CLOCK, SELECT
from proofs.rtl_mutation.smt import Model, OutOfTime, Solver

EQUIVALENT = 10.0
RESET = "rst"


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


@dataclass(frozen=True, slots=True)
class Kept:
    """Mutants of which induction of this depth holds: without a failure in the first `depth` states they have none."""

    mutants: frozenset[int] = frozenset()
    depth: int = 0


def search(
    model: Model,
    mutants: Collection[int],
    equivalent: Collection[int],
    kept: Kept,
    depth: int,
    seconds: float,
    found: Callable[[Failure], None],
) -> Search:
    """Find failing traces of up to `depth` states. `found` hears of each at once. Raises SolverFailed.

    Mutants that keep their proof are searched as far as it needs. When only mutants are left that are proved
    equivalent, the search goes on for `EQUIVALENT` seconds at most: it may find that the proof is wrong.
    """
    left, done = set(mutants), Search([], 0)
    with Solver(model, seconds) as solver:
        choose(solver, left)
        hurried = False
        try:
            for cycle in range(depth):
                if cycle == kept.depth:
                    for mutant in left & kept.mutants:
                        solver.add(chosen(model, mutant, "distinct"))
                    left -= kept.mutants
                if not left:
                    break
                if not hurried and left <= {*equivalent}:
                    hurried = True
                    solver.seconds = min(solver.seconds, solver.spent() + EQUIVALENT)
                state = step(solver, initial=True)
                while left and solver.satisfiable(fails(model, state)):
                    mutant, labels = failure(solver, state)
                    solver.forget()
                    solver.add(chosen(model, mutant, "distinct"))
                    left.remove(mutant)
                    done.failures.append(Failure(mutant, cycle, labels))
                    found(done.failures[-1])
                solver.add(f"(|{model.top}_a| {state})")
                done.cycles = cycle + 1
        except OutOfTime:
            pass
    return done


def leap(model: Model, mutant: int, depth: int, seconds: float) -> tuple[Failure | None, float]:
    """A failing trace of up to `depth` states on which inputs stand still, and the seconds that it took.

    Its end is the first state in which something fails, but there may be shorter ones. Raises SolverFailed.
    """
    with Solver(model, seconds) as solver:
        choose(solver, [mutant])
        states = [step(solver, initial=True) for _ in range(depth)]
        for cycle, state in enumerate(states):
            for term in standing(model, state, cycle):
                solver.add(term)
        failing = [fails(model, state) for state in states]
        try:
            if not solver.satisfiable(f"(or {' '.join(failing)})"):
                return None, solver.spent()
            cycle = solver.values(failing).index(1)
            return Failure(mutant, cycle, failure(solver, states[cycle])[1]), solver.spent()
        except OutOfTime:
            return None, solver.spent()


def standing(model: Model, state: str, cycle: int) -> Iterator[str]:
    """That the inputs are in this cycle what they were in the first one, and that only this one is a reset."""
    for name in model.modules[model.top].inputs:
        now, first = (f"(|{model.top}_n {name}| {at})" for at in (state, "s0"))
        if name == RESET:
            yield now if cycle == 0 else f"(not {now})"
        elif name not in (CLOCK, SELECT) and cycle:
            yield f"(= {now} {first})"


def choose(solver: Solver, mutants: Collection[int]) -> None:
    """Declare which mutant acts: one of these; 0 is the original."""
    wide = solver.model.modules[solver.model.top].inputs[SELECT]
    solver.say(f"(declare-fun chosen () (_ BitVec {wide}))")
    solver.add(f"(or false {' '.join(chosen(solver.model, number) for number in sorted(mutants))})")


def chosen(model: Model, mutant: int, compared: str = "=") -> str:
    """That a mutant acts, or with `distinct` that it does not."""
    return f"({compared} chosen (_ bv{mutant} {model.modules[model.top].inputs[SELECT]}))"


def step(solver: Solver, initial: bool) -> str:
    """One more state, in which the chosen mutant acts."""
    state = solver.step(initial)
    solver.add(f"(= chosen (|{solver.model.top}_n {SELECT}| {state}))")
    return state


def fails(model: Model, state: str) -> str:
    """That some assertion fails in a state."""
    return f"(not (|{model.top}_a| {state}))"


def failure(solver: Solver, state: str) -> tuple[int, tuple[str, ...]]:
    """The mutant and the labels that fail in the model that the solver found."""
    model = solver.model
    terms, labels = ["chosen"], [""]
    for path, kind in [("", model.top), *model.instances(model.top)]:
        for number, label in model.modules[kind].asserts.items():
            terms.append(f"(|{kind}_a {number}| {model.state(path, state)})")
            labels.append(label.split(" ")[0].strip('"').split(".")[-1])
    mutant, *holds = solver.values(terms)
    return mutant, tuple(label for label, value in zip(labels[1:], holds, strict=True) if not value)
