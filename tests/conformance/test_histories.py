# SPDX-License-Identifier: Apache-2.0
"""The named histories: what was written down by hand is what the spec says, and what every target does."""

import pytest

from kvproof.targets.find import BUILT_IN, find
from kvproof.targets.plain import PlainCache
from spec.conformance.histories import HISTORIES, History, run_history
from spec.conformance.lockstep import start
from tests.conformance import mistakes, mistakes_in_corners

NAMED = pytest.mark.parametrize("history", HISTORIES, ids=lambda history: history.name)


@NAMED
def test_the_spec_gives_what_is_written_down(history: History) -> None:
    lockstep = start(PlainCache, history.pages, history.page_size)
    for operation, expected in history.steps:
        assert lockstep.run(operation) == expected, operation
        lockstep.check_all(operation)


@NAMED
@pytest.mark.parametrize("name", BUILT_IN)
def test_every_target_holds_every_history(name: str, history: History) -> None:
    found = find(name)
    assert history.needs() <= found.capabilities
    assert run_history(found.factory, history, found.capabilities) is None


def test_each_has_a_name_of_its_own() -> None:
    assert len({history.name for history in HISTORIES}) == len(HISTORIES)


def test_questions_are_left_out_where_a_target_cannot_answer() -> None:
    history = next(one for one in HISTORIES if one.name == "window not one row early")
    assert history.needs() == {"trim"}
    kinds = [operation.kind for operation in history.operations(frozenset({"trim"}))]
    assert kinds == ["new", "append", "append", "trim", "rows"]
    assert "pages_held" in [operation.kind for operation in history.operations(frozenset({"trim", "pages_held"}))]


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("copy-on-write without a free page", mistakes.NoCopy),
        ("double release", mistakes_in_corners.DoubleRelease),
        ("fork past the window", mistakes.CopyKeepsReference),
        ("three pages with two free", mistakes.ExhaustionNotReported),
        ("truncate after a trim", mistakes_in_corners.TruncateIntoHole),
        ("a pool of one page", mistakes.PageTooEarly),
        ("window 1, 20 steps", mistakes.TrimTooLittle),
        ("a full shared tail", mistakes.ForkNotCounted),
        ("truncate into a shared page", mistakes_in_corners.TruncateWritesShared),
        ("sinks stay", mistakes_in_corners.SinksRoundedDown),
    ],
)
def test_a_history_fails_on_its_mistake(name: str, mistake: type[PlainCache]) -> None:
    history = next(one for one in HISTORIES if one.name == name)
    pages = history.pages + (mistake is mistakes.PageTooEarly)
    wider = History(history.name, history.about, pages, history.page_size, history.steps)
    assert run_history(mistake, wider, mistake.capabilities) is not None
