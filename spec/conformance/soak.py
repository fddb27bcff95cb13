# SPDX-License-Identifier: Apache-2.0
"""The same operations, checks and refusals as in the state machine, at full speed from a plain seeded generator.

A run is a seed; it consists of rounds, and round n is a function of (seed, n) alone: it can be run again by itself, on
any machine, whoever ran it first.
"""

from dataclasses import dataclass

from spec.conformance.drawing import Draw, RandomChooser, draw_scope
from spec.conformance.events import Watch
from spec.conformance.failure import Failure, attempt
from spec.conformance.lockstep import start
from spec.conformance.operations import Operation
from spec.conformance.report import Report
from spec.conformance.shrink import shrink
from spec.conformance.target import Factory
from spec.conformance.violation import Violation

OPERATIONS = 256
"""Operations in a round."""

EVERY = 16
"""Everything visible is compared after every 16th operation, at the end of a round, and after each refusal."""

WATCHED = 16
"""The events are looked for in every 16th round, which costs time; what was exercised is counted in all."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A round that broke a law: enough to run it again."""

    round: int
    pages: int
    page_size: int
    operations: tuple[Operation, ...]
    violation: str


def run_round(factory: Factory, seed: int, number: int, report: Report) -> Broken | None:
    """Run one round; its counts go into `report`. None when every law held."""
    chooser = RandomChooser(f"{seed}/{number}")
    scope = draw_scope(chooser)
    history: list[Operation] = []
    watch = Watch(scope.pages) if number % WATCHED == 0 else None
    report.histories += 1
    try:
        lockstep = start(factory, scope.pages, scope.page_size, report.capabilities)
        draw = Draw(scope, lockstep.capabilities, chooser).operation
        run = lockstep.run
        for count in range(1, OPERATIONS + 1):
            before = lockstep.state
            operation = draw(before)
            history.append(operation)
            outcome = run(operation)
            compared = count % EVERY == 0
            if compared:
                lockstep.check_all(operation)
            events = watch.events(before, operation, outcome, lockstep.state) if watch is not None else ()
            report.count(operation, outcome, events, live=compared and bool(lockstep.state.requests))
    except Violation as violation:
        return Broken(number, scope.pages, scope.page_size, tuple(history), str(violation))
    return None


def minimal(factory: Factory, broken: Broken) -> Failure | None:
    """The shortest history that breaks a law, found from a broken round; None when it does not break one again."""
    for every in (1, EVERY):
        failure = attempt(factory, broken.pages, broken.page_size, broken.operations, every)
        if failure is not None:
            return shrink(factory, failure)
    return None
