# SPDX-License-Identifier: Apache-2.0
"""The protocol: four methods are enough, and what is declared is held against what is there."""

from collections.abc import Sequence

import pytest

from kvproof.targets.plain import PlainCache
from spec.conformance.check import assert_conforms, check
from spec.conformance.lockstep import replay
from spec.conformance.operations import append, new, rows, trim
from spec.conformance.target import CAPABILITIES, TargetError, capabilities_of
from spec.conformance.violation import Violation


class UnknownRequest(Exception):
    """No such request."""


class RequestExists(Exception):
    """The name is in use."""


class BadArgument(Exception):
    """A range outside the rows."""


class OutOfPages(Exception):
    """Too few pages."""


class Minimal:
    """An adapter of four methods, of which the pages are only counted."""

    def __init__(self, pages: int, page_size: int) -> None:
        self._pages = pages
        self._page_size = page_size
        self._rows: dict[str, list[int]] = {}

    def new(self, request: str) -> None:
        if request in self._rows:
            raise RequestExists
        self._rows[request] = []

    def append(self, request: str, rows: Sequence[int]) -> None:
        before = self._of(request)
        after = before + list(rows)
        held = sum(self._pages_for(len(one)) for one in self._rows.values())
        if held - self._pages_for(len(before)) + self._pages_for(len(after)) > self._pages:
            raise OutOfPages
        self._rows[request] = after

    def rows(self, request: str, low: int, high: int) -> list[int]:
        kept = self._of(request)
        if not 0 <= low <= high <= len(kept):
            raise BadArgument
        return kept[low:high]

    def release(self, request: str) -> None:
        self._of(request)
        del self._rows[request]

    def _of(self, request: str) -> list[int]:
        if request not in self._rows:
            raise UnknownRequest
        return self._rows[request]

    def _pages_for(self, rows: int) -> int:
        return -(-rows // self._page_size)


class SaysItTrims(Minimal):
    """Declares what it does not do."""

    capabilities = frozenset({"trim"})

    def trim(self, request: str, keep_from: int) -> None:
        if not 0 <= keep_from <= len(self._of(request)):
            raise BadArgument


def test_four_methods_are_enough() -> None:
    verdict = check(Minimal, examples=60)
    assert verdict.held(), f"\n{verdict}"
    assert verdict.report.missing() == list(CAPABILITIES)
    assert verdict.report.unseen() == []
    outcomes = verdict.histories
    assert outcomes["a pool of one page"] == "held"
    assert outcomes["fork past the window"] == "not run: needs fork, trim"
    assert all(outcome == "held" or outcome.startswith("not run: needs ") for outcome in outcomes.values())


def test_a_capability_that_is_a_lie_is_found() -> None:
    replay(SaysItTrims, 2, 1, [new("a"), append("a", 1), trim("a", 1)])
    with pytest.raises(Violation, match="RowsReleased"):
        replay(SaysItTrims, 2, 1, [new("a"), append("a", 1), trim("a", 1), rows("a", 0, 1)])
    with pytest.raises(AssertionError, match="breaks the law of admission"):
        assert_conforms(SaysItTrims)


def test_a_capability_that_was_never_exercised_fails_the_run() -> None:
    verdict = check(PlainCache, examples=1, steps=1)
    assert verdict.failure is None
    assert "fork" in verdict.report.never_exercised()
    assert not verdict.held()
    assert "never exercised: fork" in str(verdict)


class NoMethods:
    """No target at all."""


class SaysItForks(Minimal):
    """Has no such method."""

    capabilities = frozenset({"fork"})


class SaysItFlies(Minimal):
    """There is no such capability."""

    capabilities = ("fly", "length")


class SaysOneWord(Minimal):
    """Its capabilities are no set of names."""

    capabilities = "length"


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (NoMethods, "it has no new()"),
        (SaysItForks, 'declares "fork" but has no fork()'),
        (SaysItFlies, "unknown capabilities: fly"),
        (SaysOneWord, "must be a set of names, not 'length'"),
    ],
)
def test_what_is_no_target_is_told(kind: type, told: str) -> None:
    target = kind() if kind is NoMethods else kind(1, 1)
    with pytest.raises(TargetError) as caught:
        capabilities_of(target)
    assert told in str(caught.value)


def test_capabilities_may_be_any_collection() -> None:
    class Listed(PlainCache):
        capabilities = ["fork", "trim"]  # type: ignore[assignment]  # noqa: RUF012

    assert capabilities_of(Listed(1, 1)) == {"fork", "trim"}
