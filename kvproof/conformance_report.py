# SPDX-License-Identifier: Apache-2.0
"""How `kvproof check` and `kvproof soak` tell what they covered and what they found."""

from typing import Any

from kvproof.targets.find import Found
from kvproof.ui import say, table
from spec.block_table import Refusal
from spec.conformance.events import EVENTS
from spec.conformance.failure import Failure, reproduction, story
from spec.conformance.operations import NEEDS
from spec.conformance.report import Report
from spec.conformance.target import CAPABILITIES, MANDATORY


def show_coverage(report: Report, histories: dict[str, str]) -> None:
    """The capabilities, the operations, the events that occurred, and the named histories."""
    say(f"exercised: {', '.join([*MANDATORY, *report.exercised()])}")
    if report.missing():
        say(f"not declared, so not run: {', '.join(report.missing())}")
    kinds = [kind for kind, needs in NEEDS.items() if needs is None or needs in report.capabilities]
    table(("operation", "done", "refused"), [(kind, report.done[kind], _refusals(report, kind)) for kind in kinds])
    show_events(report, "seen")
    table(("named history", "outcome"), list(histories.items()))


def show_events(report: Report, heading: str) -> None:
    """The events that can happen on this target, apart from refusals, and how often they did."""
    possible = [name for name, needs in EVENTS.items() if needs <= report.capabilities and " refused: " not in name]
    table(("event", heading), [(name, report.events[name]) for name in possible])


def show_failure(failure: Failure, found: Found) -> None:
    """The shortest history, the law it breaks, and how to run it again."""
    say(story(failure))
    say("\nto run it again:\n", style="bold")
    say(reproduction(failure, found.imports, found.expression))


def coverage_data(report: Report) -> dict[str, Any]:
    """What was covered, as plain data."""
    return {
        "histories": report.histories,
        "operations": report.operations,
        "refused": sum(report.refused.values()),
        "capabilities": {name: _state(report, name) for name in CAPABILITIES},
        "events": {name: report.events[name] for name, needs in EVENTS.items() if needs <= report.capabilities},
    }


def failure_data(failure: Failure, found: Found) -> dict[str, Any]:
    """A failing history, as plain data."""
    violation = failure.violation
    return {
        "law": violation.law,
        "pages": failure.pages,
        "page_size": failure.page_size,
        "operations": [str(operation) for operation in failure.operations],
        "asked": violation.asked,
        "expected": violation.expected,
        "got": violation.got,
        "python": reproduction(failure, found.imports, found.expression),
    }


def _state(report: Report, capability: str) -> str:
    if capability not in report.capabilities:
        return "missing"
    return "exercised" if capability in report.exercised() else "declared"


def _refusals(report: Report, kind: str) -> str:
    counts = {refusal.value: report.events[f"{kind} refused: {refusal.value}"] for refusal in Refusal}
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
