# SPDX-License-Identifier: Apache-2.0
"""One call that holds a target against the spec: the named histories, then the state machine, then what was covered."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from spec.conformance.failure import Failure, attempt, story
from spec.conformance.histories import HISTORIES, run_history
from spec.conformance.machine import machine_for
from spec.conformance.report import Report
from spec.conformance.shrink import shrink
from spec.conformance.target import Factory, probed
from spec.conformance.violation import Violation


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. `histories` says of every named history "held", "failed", or why it was not run."""

    report: Report
    histories: dict[str, str] = field(default_factory=dict)
    failure: Failure | None = None
    failed_history: str = ""
    unsteady: str = ""
    interrupted: bool = False

    def held(self) -> bool:
        """Whether it ran to its end, nothing was found, and everything that the target declares was exercised."""
        bad = self.failure is not None or self.unsteady or self.interrupted
        return not bad and not self.report.never_exercised()

    def __str__(self) -> str:
        if self.failure is not None:
            return story(self.failure)
        if self.unsteady:
            return f"the same operations do not always come to the same: {self.unsteady}"
        if self.interrupted:
            return "interrupted"
        idle = self.report.never_exercised()
        return f"declared and never exercised: {', '.join(idle)}" if idle else "every law holds"


def check(
    factory: Factory, examples: int = 200, steps: int = 50, seed_number: int = 0, tick: Callable[[], None] = _nothing
) -> Verdict:
    """Hold a target against the spec: named histories, then `examples` random ones of at most `steps` operations.

    The same arguments give the same verdict. `tick` is called at the beginning of every random history. Ctrl-C ends it
    with what was done so far. Raises TargetError when the factory raises, makes no target, or one that declares what it
    does not have.
    """
    capabilities = probed(factory)
    histories: dict[str, str] = {}
    for history in HISTORIES:
        missing = sorted(history.needs() - capabilities)
        if missing:
            histories[history.name] = f"not run: needs {', '.join(missing)}"
            continue
        failure = run_history(factory, history, capabilities)
        histories[history.name] = "held" if failure is None else "failed"
        if failure is not None:
            return Verdict(Report(capabilities), histories, shrink(factory, failure), failed_history=history.name)
    found = search(factory, examples, steps, seed_number, tick)
    if found.report.capabilities != capabilities:
        changed = f"declared {sorted(capabilities)}, then {sorted(found.report.capabilities)}"
        return replace(found, histories=histories, unsteady=changed)
    return replace(found, histories=histories)


def search(
    factory: Factory, examples: int = 200, steps: int = 50, seed_number: int = 0, tick: Callable[[], None] = _nothing
) -> Verdict:
    """The random histories of `check`: Hypothesis finds a failing one, `shrink` makes it minimal."""
    report = Report(probed(factory))
    machine = seed(seed_number)(machine_for(factory, report, tick))
    try:
        run_state_machine_as_test(machine, settings=generation(examples, steps))
    except Violation as violation:
        try:
            found = attempt(factory, violation.pages, violation.page_size, violation.history or ())
        except KeyboardInterrupt:
            return Verdict(report, unsteady=f"interrupted before it could be run again: {violation}")
        if found is None:
            return Verdict(report, unsteady=f"{violation}")
        return Verdict(report, failure=shrink(factory, found))
    except Flaky as flaky:
        return Verdict(report, unsteady=f"{flaky}")
    except KeyboardInterrupt:
        return Verdict(report, interrupted=True)
    return Verdict(report)


def assert_conforms(factory: Factory, examples: int = 200, steps: int = 50, seed_number: int = 0) -> None:
    """`check` for a test: AssertionError with the shortest failing history when the verdict is not good."""
    verdict = check(factory, examples, steps, seed_number)
    assert verdict.held(), f"\n{verdict}"


def generation(examples: int, steps: int) -> settings:
    """Of Hypothesis, to find a failing history: nothing that depends on time or on earlier runs.

    The shrinking is ours, which is faster here and goes further.
    """
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        phases=[Phase.generate],
        print_blob=False,
    )
