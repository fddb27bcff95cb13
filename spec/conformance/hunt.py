# SPDX-License-Identifier: Apache-2.0
"""How soon the state machine finds out that a target is wrong: the operations and the seconds until it knows."""

import time
from contextlib import suppress
from dataclasses import dataclass

from hypothesis import seed
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from spec.conformance.check import generation
from spec.conformance.machine import machine_for
from spec.conformance.report import Report
from spec.conformance.target import Factory, probed
from spec.conformance.violation import Violation


@dataclass(frozen=True, slots=True)
class Caught:
    """The first violation, the operations up to it and with it in all histories, and the seconds that it took."""

    violation: Violation
    operations: int
    seconds: float


def hunt(factory: Factory, examples: int = 400, steps: int = 50, seed_number: int = 0) -> Caught | None:
    """Run random histories as `check` does until the first violation; None when there was none in all of them.

    The same arguments give the same violation after the same number of operations. Raises TargetError.
    """
    report = Report(probed(factory))
    caught: list[Caught] = []
    began = time.perf_counter()

    def note(violation: Violation) -> None:
        if not caught:  # it is run again, to see whether it is steady
            caught.append(Caught(violation, report.operations + 1, time.perf_counter() - began))

    machine = seed(seed_number)(machine_for(factory, report, broken=note))
    with suppress(Violation, Flaky):
        run_state_machine_as_test(machine, settings=generation(examples, steps))
    return caught[0] if caught else None
