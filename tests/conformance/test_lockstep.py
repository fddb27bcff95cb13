# SPDX-License-Identifier: Apache-2.0
"""Lockstep itself: each law is seen to fail, and what is right in another form is accepted."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from kvproof.targets.plain import OutOfPages, PlainCache
from spec.block_table import Refusal
from spec.conformance.lockstep import Lockstep, replay, start
from spec.conformance.operations import (
    Operation,
    append,
    append_batch,
    fork,
    new,
    pages_held,
    pages_needed,
    release,
    rows,
    table,
    trim,
    truncate,
)
from spec.conformance.target import Factory, TargetError
from spec.conformance.violation import LAWS, Violation
from tests.conformance import mistakes, mistakes_in_corners

BROKEN: dict[str, tuple[Factory, int, int, list[Operation]]] = {
    "content": (mistakes.EmptyCopy, 2, 2, [new("a"), append("a", 1), fork("a", "b"), append("b", 1)]),
    "refusal": (mistakes_in_corners.DoubleRelease, 1, 1, [new("a"), release("a"), release("a")]),
    "unchanged-after-refusal": (mistakes_in_corners.RefusedAppendLeaks, 2, 2, [new("a"), append("a", 5)]),
    "capacity": (mistakes.TrimTooLittle, 2, 2, [new("a"), append("a", 2), trim("a", 2)]),
    "admission": (mistakes.LastPageKeptBack, 2, 2, [new("a"), append("a", 4)]),
    "economy": (mistakes.NeedlessCopy, 2, 2, [new("a"), append("a", 1), append("a", 1)]),
    "sharing": (mistakes.ForkCopies, 2, 2, [new("a"), append("a", 1), fork("a", "b")]),
    "owners": (mistakes.ForkNotCounted, 2, 2, [new("a"), append("a", 1), fork("a", "b")]),
    "free-pages": (mistakes.FreedPageNotReturned, 2, 2, [new("a"), append("a", 1), truncate("a", 0)]),
    "types": (mistakes.FloatPage, 2, 2, [new("a"), append("a", 1)]),
    "self-check": (mistakes.CheckFails, 3, 2, [new("a"), append("a", 6)]),
}


@pytest.mark.parametrize("law", LAWS)
def test_a_broken_law_is_seen_and_named(law: str) -> None:
    factory, pages, page_size, operations = BROKEN[law]
    replay(PlainCache, pages, page_size, [one for one in operations if one != operations[-1]])
    with pytest.raises(Violation) as caught:
        replay(factory, pages, page_size, operations)
    violation = caught.value
    assert violation.law == law
    assert violation.operation == operations[-1]
    assert LAWS[law] in str(violation)
    assert violation.expected != violation.got


def test_the_spec_decides_what_is_refused() -> None:
    lockstep = start(PlainCache, 2, 4)
    outcomes = [
        lockstep.run(operation)
        for operation in (
            new("a"),
            append("a", 6),
            append("a", 3),
            rows("a", 0, 2),
            fork("a", "b"),
            pages_needed("b", 1),
            pages_held("b"),
            table("b"),
            append("b", 1),
            trim("a", 4),
            rows("a", 3, 5),
            release("c"),
        )
    ]
    full = Refusal.OUT_OF_PAGES
    expected = [
        None,
        None,
        full,
        (100, 101),
        None,
        1,
        2,
        (0, 1),
        full,
        None,
        Refusal.ROWS_RELEASED,
        Refusal.UNKNOWN_REQUEST,
    ]
    assert outcomes == expected


class OtherForms(PlainCache):
    """Right, with numpy numbers and arrays, and refusals that are named by a base class only."""

    def rows(self, request: str, low: int, high: int) -> Any:
        found = super().rows(request, low, high)
        return np.array(found, dtype=np.int64) if high % 2 else tuple(found)

    def length(self, request: str) -> Any:
        return np.int32(super().length(request))

    def table(self, request: str) -> Any:
        return tuple(None if page is None else np.int64(page) for page in super().table(request))

    def append(self, request: str, rows: Sequence[int]) -> None:
        class TooFull(OutOfPages):
            """Known by its base."""

        try:
            super().append(request, rows)
        except OutOfPages:
            raise TooFull from None


def test_other_forms_of_the_same_answers_are_accepted() -> None:
    operations = [new("a"), append("a", 5), rows("a", 0, 5), fork("a", "b"), append("b", 9), trim("a", 4), table("a")]
    replay(OtherForms, 3, 2, operations)


class Answers(PlainCache):
    """Gives one wrong answer."""

    wrong: Any = None
    asked = ""

    def rows(self, request: str, low: int, high: int) -> Any:
        return self.wrong if self.asked == "rows" else super().rows(request, low, high)

    def length(self, request: str) -> Any:
        return self.wrong if self.asked == "length" else super().length(request)

    def table(self, request: str) -> Any:
        return self.wrong if self.asked == "table" else super().table(request)

    def free_pages(self) -> Any:
        return self.wrong if self.asked == "free_pages" else super().free_pages()

    def owners(self, page: int) -> Any:
        return self.wrong if self.asked == "owners" else super().owners(page)

    def copies(self) -> Any:
        return super().copies()


@pytest.mark.parametrize(
    ("asked", "wrong", "law"),
    [
        ("rows", 7, "types"),
        ("rows", [100, 101, 102], "content"),
        ("rows", [101, 100], "content"),
        ("rows", np.zeros((2, 1)), "types"),
        ("length", 2.0, "types"),
        ("length", "2", "types"),
        ("length", None, "types"),
        ("length", 3, "content"),
        ("table", [0], "capacity"),
        ("table", [0, None], "capacity"),
        ("table", [0, 0], "sharing"),
        ("table", [0, 4], "types"),
        ("table", [0, -1], "types"),
        ("table", [True, 0], "types"),
        ("table", 7, "refusal"),
        ("free_pages", 1, "free-pages"),
        ("free_pages", 2.0, "types"),
        ("owners", 1, "owners"),
        ("owners", 1.0, "types"),
    ],
)
def test_a_wrong_answer_is_seen(asked: str, wrong: Any, law: str) -> None:
    target = Answers(4, 1)
    lockstep = Lockstep(target, 4, 1)
    lockstep.run(new("a"))
    lockstep.run(append("a", 2))
    lockstep.check_all()
    target.asked, target.wrong = asked, wrong
    with pytest.raises(Violation) as caught:
        lockstep.check_all()
    assert caught.value.law == law


def test_what_a_refused_operation_changed_is_told_as_such_only_when_all_was_well_before() -> None:
    lockstep = start(mistakes.FreedPageNotReturned, 2, 1)
    for operation in (new("a"), append("a", 1), release("a")):
        lockstep.run(operation)
    with pytest.raises(Violation) as caught:
        lockstep.run(release("a"))
    assert caught.value.law == "free-pages"


class MovesPages(PlainCache):
    """A refused release moves every page of the pool."""

    def release(self, request: str) -> None:
        if request not in self.requests:
            for page in self.pool:
                page.number = (page.number + 1) % len(self.pool)
        super().release(request)

    def owners(self, page: int) -> int:
        return next(one.owners for one in self.pool if one.number == page)


def test_pages_that_move_for_nothing_are_seen() -> None:
    with pytest.raises(Violation) as caught:
        replay(MovesPages, 2, 1, [new("a"), append("a", 1), release("b")])
    assert caught.value.law == "unchanged-after-refusal"


def test_owners_are_compared_in_number_when_there_is_no_table() -> None:
    class NoTable(mistakes.ForkNotCounted):
        capabilities = frozenset({"fork", "owners"})

    with pytest.raises(Violation) as caught:
        replay(NoTable, 2, 2, [new("a"), append("a", 1), fork("a", "b")])
    assert caught.value.law == "owners"


def test_going_on_from_another_state() -> None:
    first = start(PlainCache, 2, 2)
    for operation in (new("a"), append("a", 3)):
        first.run(operation)
    second = Lockstep(first.target, 2, 2)
    second.resume(first.state, first.next_row)
    second.check_all()
    assert second.run(append("a", 1)) is None
    assert second.run(rows("a", 0, 4)) == (100, 101, 102, 103)


def test_a_factory_that_raises_for_some_pool_is_a_violation() -> None:
    def factory(pages: int, page_size: int) -> PlainCache:
        if page_size == 1:
            raise ValueError("pages must have two rows")
        return PlainCache(pages, page_size)

    start(factory, 1, 2)
    with pytest.raises(Violation, match="pages must have two rows"):
        start(factory, 1, 1)


@pytest.mark.parametrize("operation", [append_batch(["a"], [1]), new("a", 1)])
def test_an_operation_that_the_target_is_not_capable_of_is_no_violation(operation: Operation) -> None:
    class Little(PlainCache):
        capabilities = frozenset({"fork"})

    with pytest.raises(TargetError, match="needs the capability"):
        start(Little, 1, 1).run(operation)
