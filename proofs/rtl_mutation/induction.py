# SPDX-License-Identifier: Apache-2.0
"""Of which mutants the unbounded proof of a harness does not go through any more.

A task of mode prove with depth k shows that nothing fails in the first k states, and that nothing fails in a state
after k of any states in which nothing fails. Of a mutant for which the second is not so, `make prove` says "not
proved": the harness is red, and that is a kill. But the states need not be reachable: it does not say that the mutant
ever does anything else than the original. A failing trace (`formal`) says so, and is looked for as well.

All mutants are asked for at once, as in `formal`. The original comes first: its proof has to go through in the model
that has no mutants, in the time that a task has for it. Among the mutants it is asked for again, but there a solver may
not see any more that two products are the same; when that takes too long, only traces are looked for.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from proofs.rtl_mutation.formal import Kept, choose, chosen, fails, failure, step
from proofs.rtl_mutation.smt import Model, OutOfTime, Solver

Step = Callable[[Solver, bool], str]
Told = Callable[[Solver, str], str]
"""How one more state is taken, and what is said of a state in which the original fails."""

ORIGINAL = 0
PROOF = 300.0
"""Seconds of the solver's time for each of the two steps of the original's proof, as a task has."""

ANOTHER = "(the mutation run solves another model than the proof, or the proof is red)"


class NotProved(RuntimeError):
    """The proof of the original does not go through in this model: it says nothing about mutants."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A mutant, and the labels that fail in the last state of the k + 1 states that break its induction."""

    mutant: int
    labels: tuple[str, ...]


def proved(model: Model, depth: int) -> None:
    """Prove the original in a model without mutants.

    Raises NotProved, also when that takes too long, and SolverFailed.
    """
    try:
        with Solver(model, PROOF) as solver:
            _first_states(solver, depth, Solver.step, _untold)
        with Solver(model, PROOF) as solver:
            _next_state(solver, depth, Solver.step, [], _untold)
    except OutOfTime:
        raise NotProved(f"the proof of the original takes more than {PROOF:g} s: nothing is known of mutants") from None


def search(model: Model, mutants: Collection[int], depth: int, seconds: float, found: Callable[[Lost], None]) -> Kept:
    """Find mutants without induction of this depth; returns those that keep it, none when `seconds` were too short.

    The original comes first here too, among the mutants: when its proof takes longer than `seconds`, no mutant is said
    to lose its own. `found` hears of each at once. Raises NotProved and SolverFailed.
    """
    try:
        with Solver(model, seconds) as solver:
            choose(solver, [ORIGINAL])
            _first_states(solver, depth, step, _told)
        return _lost(model, {*mutants}, depth, seconds, found)
    except OutOfTime:
        return Kept()


def _first_states(solver: Solver, depth: int, take: Step, told: Told) -> None:
    """The first step of the original's proof: nothing fails in the first states."""
    for _ in range(depth):
        state = take(solver, True)
        if solver.satisfiable(fails(solver.model, state)):
            raise NotProved(f"the original fails within {depth} states{told(solver, state)} {ANOTHER}")


def _next_state(solver: Solver, depth: int, take: Step, original: Sequence[str], told: Told) -> str:
    """The second step of the original's proof, `original` saying that it acts; returns the state after any `depth`."""
    for _ in range(depth):
        solver.add(f"(|{solver.model.top}_a| {take(solver, False)})")
    last = take(solver, False)
    if solver.satisfiable(*original, fails(solver.model, last)):
        raise NotProved(f"the original is not proved by induction of depth {depth}{told(solver, last)} {ANOTHER}")
    return last


def _lost(model: Model, left: set[int], depth: int, seconds: float, found: Callable[[Lost], None]) -> Kept:
    """The second step of the original's proof, then that of the mutants; returns those that are proved."""
    with Solver(model, seconds) as solver:
        choose(solver, {ORIGINAL, *left})
        last = _next_state(solver, depth, step, [chosen(model, ORIGINAL)], _told)
        solver.add(chosen(model, ORIGINAL, "distinct"))
        solver.seconds = solver.spent() + seconds
        while left and solver.satisfiable(fails(model, last)):
            mutant, labels = failure(solver, last)
            solver.forget()
            solver.add(chosen(model, mutant, "distinct"))
            left.remove(mutant)
            found(Lost(mutant, labels))
    return Kept(frozenset(left), depth)


def _told(solver: Solver, state: str) -> str:
    """What fails, among the mutants."""
    _, labels = failure(solver, state)
    return f": {', '.join(labels)}"


def _untold(solver: Solver, state: str) -> str:
    """Nothing: `failure` asks for the mutant too, and here is none."""
    return ""
