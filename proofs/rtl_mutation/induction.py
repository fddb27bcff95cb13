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

from collections.abc import Callable, Collection
from dataclasses import dataclass

from proofs.rtl_mutation.formal import Kept, choose, chosen, fails, failure, step
from proofs.rtl_mutation.smt import Model, OutOfTime, Solver

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
            for _ in range(depth):
                state = solver.step(initial=True)
                if solver.satisfiable(fails(model, state)):
                    raise NotProved(f"the original fails within {depth} states {ANOTHER}")
        with Solver(model, PROOF) as solver:
            for _ in range(depth):
                solver.add(f"(|{model.top}_a| {solver.step(initial=False)})")
            if solver.satisfiable(fails(model, solver.step(initial=False))):
                raise NotProved(f"the original is not proved by induction of depth {depth} {ANOTHER}")
    except OutOfTime:
        raise NotProved(f"the proof of the original takes more than {PROOF:g} s: nothing is known of mutants") from None


def search(model: Model, mutants: Collection[int], depth: int, seconds: float, found: Callable[[Lost], None]) -> Kept:
    """Find mutants without induction of this depth; returns those that keep it, none when `seconds` were too short.

    The original comes first here too, among the mutants: when its proof takes longer than `seconds`, no mutant is said
    to lose its own. `found` hears of each at once. Raises NotProved and SolverFailed.
    """
    try:
        _first_states(model, depth, seconds)
        return _lost(model, {*mutants}, depth, seconds, found)
    except OutOfTime:
        return Kept()


def _first_states(model: Model, depth: int, seconds: float) -> None:
    """The first step of the original's proof: nothing fails in the first states."""
    with Solver(model, seconds) as solver:
        choose(solver, [ORIGINAL])
        for _ in range(depth):
            state = step(solver, initial=True)
            if solver.satisfiable(fails(model, state)):
                raise NotProved(f"the original fails within {depth} states: {_told(solver, state)}")


def _lost(model: Model, left: set[int], depth: int, seconds: float, found: Callable[[Lost], None]) -> Kept:
    """The second step of the original's proof, then that of the mutants; returns those that are proved."""
    with Solver(model, seconds) as solver:
        choose(solver, {ORIGINAL, *left})
        for _ in range(depth):
            solver.add(f"(|{model.top}_a| {step(solver, initial=False)})")
        last = step(solver, initial=False)
        if solver.satisfiable(chosen(model, ORIGINAL), fails(model, last)):
            raise NotProved(f"the original is not proved by induction of depth {depth}: {_told(solver, last)}")
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
    _, labels = failure(solver, state)
    return f"{', '.join(labels)} {ANOTHER}"
