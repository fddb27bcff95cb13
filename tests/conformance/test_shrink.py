# SPDX-License-Identifier: Apache-2.0
"""The shrinker, and how a failing history is told and run again."""

import pytest

from kvproof.targets.find import find
from kvproof.targets.plain import PlainCache
from spec.conformance.failure import attempt, reproduction, story
from spec.conformance.operations import append, append_batch, fork, new, release, rows, trim, trim_batch, truncate
from spec.conformance.shrink import shrink
from spec.conformance.violation import Violation
from tests.conformance import mistakes, mistakes_in_batches, mistakes_in_corners

LONG = (
    new("d", 2),
    append("d", 3),
    new("b"),
    append("b", 7),
    rows("b", 2, 5),
    fork("d", "c"),
    trim("b", 5),
    truncate("d", 2),
    append("c", 6),
    release("b"),
    append("d", 3),
    rows("c", 0, 5),
    release("c"),
)


def test_a_long_history_becomes_a_minimal_one() -> None:
    failure = attempt(mistakes.EmptyCopy, 9, 5, LONG)
    assert failure is not None
    assert failure.operations == LONG[:9]
    least = shrink(mistakes.EmptyCopy, failure)
    assert (least.pages, least.page_size) == (2, 2)
    assert least.operations == (new("a"), append("a", 1), fork("a", "b"), append("b", 1))


def test_batches_become_single_operations() -> None:
    history = (new("a"), new("b"), append_batch(("b", "a", "b"), (2, 3, 1)), trim_batch(("a", "b"), (3, 2)))
    failure = attempt(mistakes_in_batches.BatchForgetsRepeats, 6, 2, history)
    assert failure is not None
    assert shrink(mistakes_in_batches.BatchForgetsRepeats, failure).operations == (
        new("a"),
        append_batch(("a", "a"), (1, 0)),
    )

    class Trims(mistakes_in_batches.BatchCache):
        """Trims one row too early, so also one beyond the length."""

        def trim(self, request: str, keep_from: int) -> None:
            super().trim(request, max(0, keep_from - 1))

    trims = (new("a"), new("b"), append("a", 3), append("b", 2), trim_batch(("b", "a"), (2, 2)))
    failure = attempt(Trims, 6, 2, trims)
    assert failure is not None
    assert shrink(Trims, failure).operations == (new("a"), trim("a", 1))


def test_operations_that_became_meaningless_are_just_refused() -> None:
    without_new = [operation for operation in LONG if operation.kind not in ("new", "fork")]
    assert attempt(PlainCache, 9, 5, without_new) is None
    assert attempt(PlainCache, 1, 1, LONG) is None


def test_shrinking_is_repeatable_and_bounded() -> None:
    failure = attempt(mistakes.EmptyCopy, 9, 5, LONG)
    assert failure is not None
    once, again = shrink(mistakes.EmptyCopy, failure), shrink(mistakes.EmptyCopy, failure)
    assert once.operations == again.operations
    assert shrink(mistakes.EmptyCopy, failure, budget=0).operations == failure.operations


class WrongFromTheStart(PlainCache):
    """The pool has a page too few."""

    def __init__(self, pages: int, page_size: int) -> None:
        super().__init__(pages, page_size)
        self.free.pop()


def test_a_pool_that_is_wrong_from_the_start_needs_no_operation() -> None:
    failure = attempt(WrongFromTheStart, 3, 2, LONG)
    assert failure is not None
    least = shrink(WrongFromTheStart, failure)
    assert least.operations == ()
    assert (least.pages, least.page_size) == (1, 1)
    assert "1 page of 1 row" in story(least)


def test_the_story_is_a_numbered_list_with_expected_and_got() -> None:
    history = (new("a"), append("a", 2), append("a", 9), rows("a", 0, 1), fork("a", "b"), append("b", 1))
    failure = attempt(mistakes.EmptyCopy, 2, 4, history)
    assert failure is not None
    assert story(failure).splitlines() == [
        "a pool of 2 pages of 4 rows",
        "   1. new('a')",
        "   2. append('a', 2)   rows 100 … 101",
        "   3. append('a', 9)   rows 102 … 110, refused: OutOfPages",
        "   4. rows('a', 0, 1)  [100]",
        "   5. fork('a', 'b')",
        "   6. append('b', 1)   row 111",
        "breaks the law of content: every row that is kept reads back as it was written, and the length counts them",
        "      asked     rows('b', 0, 3)",
        "      expected  [100, 101, 111]",
        "      got       [None, None, 111]",
    ]


@pytest.mark.parametrize(
    "mistake", [mistakes.EmptyCopy, mistakes_in_corners.DoubleRelease, mistakes_in_batches.BatchForgetsRepeats]
)
def test_the_reproduction_really_runs(mistake: type[PlainCache]) -> None:
    batch = [append_batch(("d", "d"), (1, 1))] if "batch" in mistake.capabilities else []
    failure = attempt(mistake, 9, 5, (*LONG, release("c"), *batch))
    assert failure is not None
    least = shrink(mistake, failure)
    found = find(f"{mistake.__module__}:{mistake.__name__}")
    code = reproduction(least, found.imports, found.expression)
    with pytest.raises(Violation) as caught:
        exec(code, {})
    assert str(caught.value) == str(least.violation)


def test_a_failure_that_needs_rare_checks_is_kept_so() -> None:
    class ShyOfLooks(PlainCache):
        """Loses a page when it was not looked at for three appends."""

        unseen = 0

        def append(self, request: str, rows: object) -> None:
            super().append(request, rows)  # type: ignore[arg-type]
            self.unseen += 1
            if self.unseen == 3 and self.free:
                self.free.pop()

        def free_pages(self) -> int:
            self.unseen = 0
            return super().free_pages()

    history = [new("a"), *[append("a", 1)] * 7]
    assert attempt(ShyOfLooks, 8, 1, history) is None
    failure = attempt(ShyOfLooks, 8, 1, history, every=8)
    assert failure is not None
    least = shrink(ShyOfLooks, failure)
    assert least.every == 8
    assert len(least.operations) == 4
    assert "every=8" in reproduction(least, "", "ShyOfLooks")
