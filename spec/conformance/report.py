# SPDX-License-Identifier: Apache-2.0
"""What a run of the state machine or of the soak driver has seen: counts, and what is missing from them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from spec.block_table import Refusal
from spec.conformance.events import EVENTS
from spec.conformance.operations import Operation
from spec.conformance.target import CAPABILITIES
from spec.conformance.views import VIEWS


@dataclass(slots=True)
class Report:
    """Counts of one run on a target with these capabilities."""

    capabilities: frozenset[str]
    histories: int = 0
    operations: int = 0
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    looked: int = 0

    def count(self, operation: Operation, outcome: object, events: Iterable[str], live: bool) -> None:
        """One more operation; `live` says that everything visible of at least one request was compared after it."""
        self.operations += 1
        if isinstance(outcome, Refusal):
            self.refused[operation.kind] += 1
        else:
            self.done[operation.kind] += 1
            if operation.kind == "new" and len(operation.arguments) > 1:
                self.done["new with sinks"] += 1
        self.events.update(events)
        self.looked += live

    def add(self, other: "Report") -> None:
        """Take in the counts of another run on the same target."""
        self.histories += other.histories
        self.operations += other.operations
        self.done += other.done
        self.refused += other.refused
        self.events += other.events
        self.looked += other.looked

    def missing(self) -> list[str]:
        """The capabilities that the target does not declare: their rules are not run."""
        return [name for name in CAPABILITIES if name not in self.capabilities]

    def exercised(self) -> list[str]:
        """The declared capabilities that were really used, each of their methods with success."""
        return [name for name in CAPABILITIES if name in self.capabilities and self._exercised(name)]

    def never_exercised(self) -> list[str]:
        """The declared capabilities that were not: the run has not shown what it claims to show."""
        exercised = self.exercised()
        return [name for name in CAPABILITIES if name in self.capabilities and name not in exercised]

    def unseen(self) -> list[str]:
        """The events that can happen on this target and did not."""
        return [name for name, needs in EVENTS.items() if needs <= self.capabilities and not self.events[name]]

    def _exercised(self, capability: str) -> bool:
        if capability in VIEWS:
            return self.looked > 0
        if capability == "sinks":
            return self.done["new with sinks"] > 0
        if capability == "copies":
            return self.done["append"] > 0
        return all(self.done[method] > 0 for method in CAPABILITIES[capability].methods)
