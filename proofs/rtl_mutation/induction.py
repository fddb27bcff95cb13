# SPDX-License-Identifier: Apache-2.0
"""Of which mutants the unbounded proof of a harness does not go through any more.

A task of mode prove with depth k shows that nothing fails in the first k states, and that nothing fails in a state
after k of any states in which nothing fails. Of a mutant for which the second is not so, `make prove` says "not
proved": the harness is red, and that is a kill. But the states need not be reachable: it does not say that the mutant
ever does anything else than the original. A failing trace (`formal`) says so, and is looked for as well.

All mutants are asked for at once, as in `formal`. The original comes first: its proof has to go through here, in the
time that a task has for it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from proofs.rtl_mutation.formal import Kept, choose, chosen, fails, failure, step
from proofs.rtl_mutation.smt import Model, OutOfTime, Solver

ORIGINAL = 0
PROOF = 300.0
"""Seconds of the solver's time for each of the two steps of the original's proof, as a task has."""


class NotProved(RuntimeError):
    """The proof of the original does not go through in this model: it says nothing about mutants."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A mutant, and the labels that fail in the last state of the k + 1 states that break its induction."""

    mutant: int
    labels: tuple[str, ...]


def search(model: Model, mutants: Collection[int], depth: int, seconds: float, found: Callable[[Lost], None]) -> Kept:
    """Find mutants without induction of this depth; returns those that keep it, none when `seconds` were too short.

    `found` hears of each at once. Raises NotProved, also when the original's proof takes too long, and SolverFailed.
    """
    try:
        _first_states(model, depth)
        return _lost(model, {*mutants}, depth, seconds, found)
    except OutOfTime:
        raise NotProved(f"the proof of the original takes more than {PROOF:g} s: nothing is known of mutants") from None


def _first_states(model: Model, depth: int) -> None:
    """The first step of the original's proof: nothing fails in the first states."""
    with Solver(model, PROOF) as solver:
        choose(solver, [ORIGINAL])
        for _ in range(depth):
            state = step(solver, initial=True)
            if solver.satisfiable(fails(model, state)):
                raise NotProved(f"the original fails within {depth} states: {_told(solver, state)}")


def _lost(model: Model, left: set[int], depth: int, seconds: float, found: Callable[[Lost], None]) -> Kept:
    """The second step of the original's proof, then that of the mutants; returns those that are proved."""
    with Solver(model, PROOF) as solver:
        choose(solver, {ORIGINAL, *left})
        for _ in range(depth):
            solver.add(f"(|{model.top}_a| {step(solver, initial=False)})")
        last = step(solver, initial=False)
        if solver.satisfiable(chosen(model, ORIGINAL), fails(model, last)):
            raise NotProved(f"the original is not proved by induction of depth {depth}: {_told(solver, last)}")
        solver.add(chosen(model, ORIGINAL, "distinct"))
        solver.seconds = solver.spent() + seconds
        try:
            while left and solver.satisfiable(fails(model, last)):
                mutant, labels = failure(solver, last)
                solver.forget()
                solver.add(chosen(model, mutant, "distinct"))
                left.remove(mutant)
                found(Lost(mutant, labels))
        except OutOfTime:
            return Kept()
    return Kept(frozenset(left), depth)


def _told(solver: Solver, state: str) -> str:
    _, labels = failure(solver, state)
    return f"{', '.join(labels)} (the mutation run solves another model than the proof, or the proof is red)"
