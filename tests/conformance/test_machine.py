# SPDX-License-Identifier: Apache-2.0
"""The state machine on every built-in target, and that it sees what it is there to see."""

import pytest
from hypothesis import Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from kvproof.targets.find import BUILT_IN, find
from kvproof.targets.plain import PlainCache
from spec.conformance.check import check, search
from spec.conformance.events import EVENTS
from spec.conformance.machine import machine_for
from spec.conformance.operations import NEEDS
from spec.conformance.report import Report
from spec.conformance.target import CAPABILITIES, Factory
from spec.conformance.violation import Violation
from tests.conformance import mistakes, mistakes_in_corners


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_target_holds_under_the_profile(name: str) -> None:
    run_state_machine_as_test(machine_for(find(name).factory))


class TestPlainCache(machine_for(PlainCache).TestCase):  # type: ignore[misc]
    """As a user writes it down."""


def test_on_ours_everything_is_exercised_and_every_event_happens() -> None:
    found = find("kvproof")
    assert found.capabilities == set(CAPABILITIES)
    verdict = check(found.factory, examples=300)
    report = verdict.report
    assert verdict.held(), f"\n{verdict}"
    assert set(verdict.histories.values()) == {"held"}
    assert report.exercised() == list(CAPABILITIES)
    assert report.unseen() == []
    assert {event for event, count in report.events.items() if count} == set(EVENTS)
    assert all(report.done[kind] > 20 for kind in NEEDS)
    assert 0.1 < sum(report.refused.values()) / report.operations < 0.3


def test_an_event_that_never_happens_is_told() -> None:
    report = search(PlainCache, 1, 5).report
    assert "copy-on-write" in report.unseen()
    assert "batch with a request twice" not in report.unseen()


def test_the_same_seed_gives_the_same_run() -> None:
    one, same, other = (search(PlainCache, 10, 30, number).report for number in (3, 3, 4))
    assert one == same
    assert one != other


def test_a_violation_comes_with_its_history() -> None:
    with pytest.raises(Violation, match=r"in a pool of \d+ pages of \d+ rows:\n   1\. ") as caught:
        run_state_machine_as_test(
            seed(0)(machine_for(mistakes.PageTooEarly)), settings=settings(phases=[Phase.generate], database=None)
        )
    assert caught.value.history is not None
    assert caught.value.history[-1] == caught.value.operation


def test_a_target_that_is_not_steady_is_told_as_such() -> None:
    made = 0

    def factory(pages: int, page_size: int) -> PlainCache:
        nonlocal made
        made += 1
        return mistakes.PageTooEarly(pages, page_size) if made == 6 else PlainCache(pages, page_size)

    verdict = search(factory, 20)
    assert verdict.unsteady
    assert not verdict.held()
    assert "the same operations do not always come to the same" in str(verdict)


def test_a_pool_that_is_wrong_from_the_start_is_found() -> None:
    class NoPages(PlainCache):
        def __init__(self, pages: int, page_size: int) -> None:
            super().__init__(pages, page_size)
            self.free.clear()

    verdict = search(NoPages, 5)
    assert verdict.failure is not None
    assert verdict.failure.operations == ()


@pytest.mark.parametrize("factory", [mistakes_in_corners.RefusedAppendLeaks, PlainCache])
def test_ctrl_c_ends_it_with_what_was_done(factory: Factory) -> None:
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if ticks == 3:
            raise KeyboardInterrupt

    verdict = search(factory, 20, tick=tick)
    assert verdict.interrupted
    assert not verdict.held()
    assert str(verdict) == "interrupted"
    assert verdict.report.histories == 3


def test_reports_add_up() -> None:
    one, other = (search(PlainCache, 5, 20, number).report for number in (1, 2))
    total = Report(one.capabilities)
    total.add(one)
    total.add(other)
    assert total.operations == one.operations + other.operations
    assert total.done == one.done + other.done
    assert total.refused == one.refused + other.refused
    assert sum((total.done + total.refused).values()) == total.operations + total.done["new with sinks"]
    assert total.histories == one.histories + other.histories
    assert total.events == one.events + other.events
    assert total.looked == one.looked + other.looked
