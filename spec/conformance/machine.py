# SPDX-License-Identifier: Apache-2.0
"""The Hypothesis state machine, written once for every target.

    TestMyCache = machine_for(MyCache).TestCase     # in a test file, run by pytest with the profile that is loaded

There is one rule: any operation that the target is capable of, drawn from the state by `drawing.py`. (A rule for each
kind would let Hypothesis weigh them alike, and copy-on-write becomes ten times rarer.) After every operation
everything visible is compared with the spec.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar

from hypothesis import event
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from spec.conformance.drawing import Draw, Scope, T, draw_scope
from spec.conformance.events import Watch
from spec.conformance.lockstep import Lockstep, start
from spec.conformance.operations import Operation
from spec.conformance.report import Report
from spec.conformance.target import Factory, Target, probed
from spec.conformance.violation import Violation


class HypothesisChooser:
    """Choices that Hypothesis makes, and shrinks."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """An integer low ≤ i ≤ high."""
        return self._draw(_integers(low, high))

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`."""
        return options[self._draw(_integers(0, len(options) - 1))]


_integers = cache(st.integers)


@st.composite
def scopes(draw: st.DrawFn) -> Scope:
    """Pools, page sizes and windows."""
    return draw_scope(HypothesisChooser(draw))


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    """An operation in the state that the running machine is in."""
    machine = draw(st.runner())
    assert isinstance(machine, CacheMachine)
    draws = Draw(machine.scope, machine.lockstep.capabilities, HypothesisChooser(draw))
    return draws.operation(machine.lockstep.state)


class CacheMachine(RuleBasedStateMachine):
    """What all machines have in common; `machine_for` adds the target."""

    factory: "ClassVar[staticmethod[[int, int], Target]]"
    report: ClassVar[Report]
    tick: "ClassVar[staticmethod[[], None]]"
    broken: "ClassVar[staticmethod[[Violation], None]]"

    scope: Scope
    lockstep: Lockstep

    @initialize(scope=scopes())
    def begin(self, scope: Scope) -> None:
        """A new target in a pool of this scope."""
        self.scope = scope
        self.history: list[Operation] = []
        self.watch = Watch(scope.pages)
        self.report.histories += 1
        self.tick()
        try:
            self.lockstep = start(self.factory, scope.pages, scope.page_size, self.report.capabilities)
        except Violation as violation:
            self._located(violation)
            raise

    @rule(operation=operations())
    def run(self, operation: Operation) -> None:
        """Run one operation in lockstep, compare everything, count what happened."""
        self.history.append(operation)
        before = self.lockstep.state
        try:
            outcome = self.lockstep.run(operation)
            self.lockstep.check_all(operation)
        except Violation as violation:
            self._located(violation)
            raise
        after = self.lockstep.state
        events = self.watch.events(before, operation, outcome, after)
        self.report.count(operation, outcome, events, live=bool(after.requests))
        for name in events:
            event(name)

    def _located(self, violation: Violation) -> None:
        violation.pages = self.scope.pages
        violation.page_size = self.scope.page_size
        violation.history = tuple(self.history)
        self.broken(violation)


def machine_for(
    factory: Factory,
    report: Report | None = None,
    tick: Callable[[], None] = lambda: None,
    broken: Callable[[Violation], None] = lambda violation: None,
) -> type[CacheMachine]:
    """The state machine of one target. `report` takes the counts, `tick` is called at the beginning of every history
    and `broken` with every violation before it is raised.

    Raises TargetError when the factory raises, makes no target, or one that declares what it does not have.
    """
    if report is None:
        report = Report(probed(factory))
    members = {
        "factory": staticmethod(factory),
        "report": report,
        "tick": staticmethod(tick),
        "broken": staticmethod(broken),
    }
    return type("CacheMachine", (CacheMachine,), members)
