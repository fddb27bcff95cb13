# SPDX-License-Identifier: Apache-2.0
"""Discovery: the machine finds every seeded mistake within its budget, and the shrinker makes it this short."""

import pytest

from spec.conformance.check import check, search
from spec.conformance.target import Factory
from tests.conformance import mistakes, mistakes_in_batches, mistakes_in_corners, mistakes_in_ours

BUDGET = 400

IN_PLAIN = (
    # The twelve page-table mistakes, in their order.
    (mistakes.FreedPageNotReturned, 3, "free-pages"),
    (mistakes.FreedWhileShared, 4, "free-pages"),
    (mistakes.ForkNotCounted, 3, "owners"),
    (mistakes.NoCopy, 4, "admission"),
    (mistakes.EmptyCopy, 4, "content"),
    (mistakes.CopyKeepsReference, 4, "owners"),
    (mistakes.WrongOffset, 2, "content"),
    (mistakes.LookUpIgnoresDropped, 3, "refusal"),
    (mistakes.TrimTooMuch, 3, "capacity"),
    (mistakes.TrimTooLittle, 3, "capacity"),
    (mistakes.ReleaseForgetsPages, 3, "owners"),
    (mistakes.ExhaustionNotReported, 2, "admission"),
    # What rows and owner counts alone do not show.
    (mistakes.LengthTooLong, 2, "content"),
    (mistakes.FloatPage, 2, "types"),
    (mistakes.BoolLength, 2, "types"),
    (mistakes.NeedlessCopy, 3, "economy"),
    (mistakes.CopyForNothing, 4, "economy"),
    (mistakes.PageTooEarly, 2, "capacity"),
    (mistakes.LastPageKeptBack, 2, "admission"),
    (mistakes.CopyNotForeseen, 4, "admission"),
    (mistakes.ForkCopies, 3, "sharing"),
    (mistakes.TwoInOne, 2, "sharing"),
    (mistakes.CheckFails, 2, "self-check"),
    # Refusals.
    (mistakes_in_corners.RefusedAppendLeaks, 2, "unchanged-after-refusal"),
    (mistakes_in_corners.RefusedAppendWrites, 3, "unchanged-after-refusal"),
    (mistakes_in_corners.RefusedTrimTrims, 3, "unchanged-after-refusal"),
    (mistakes_in_corners.DoubleRelease, 1, "refusal"),
    (mistakes_in_corners.TrimBeyondLength, 2, "refusal"),
    (mistakes_in_corners.WrongError, 1, "refusal"),
    (mistakes_in_corners.WrongPrecedence, 2, "refusal"),
    (mistakes_in_corners.NegativeRows, 3, "refusal"),
    (mistakes_in_corners.ForkRaises, 4, "refusal"),
    # Truncate, holes and sinks.
    (mistakes_in_corners.TruncateKeepsPages, 3, "capacity"),
    (mistakes_in_corners.TruncateWritesShared, 5, "admission"),
    (mistakes_in_corners.TruncateIntoHole, 4, "refusal"),
    (mistakes_in_corners.StaleRows, 4, "refusal"),
    (mistakes_in_corners.SinksNotInherited, 4, "capacity"),
    (mistakes_in_corners.SinksRoundedDown, 3, "capacity"),
    # Batches.
    (mistakes_in_batches.BatchHalfApplied, 2, "unchanged-after-refusal"),
    (mistakes_in_batches.BatchCopiesTwice, 4, "admission"),
    (mistakes_in_batches.BatchForgetsRepeats, 2, "content"),
)

IN_OURS = (
    (mistakes_in_ours.ReleaseForgetsPages, 3, "owners"),
    (mistakes_in_ours.TrimTooLittle, 3, "capacity"),
    (mistakes_in_ours.FloatPage, 2, "types"),
    (mistakes_in_ours.BatchHalfApplied, 2, "unchanged-after-refusal"),
    (mistakes_in_ours.RefusedForkReleases, 3, "unchanged-after-refusal"),
    (mistakes_in_ours.RowsWrittenLate, 2, "content"),
)


@pytest.mark.parametrize(
    ("mistake", "most", "law"), IN_PLAIN + IN_OURS, ids=lambda value: getattr(value, "__qualname__", None)
)
def test_the_mistake_is_found_and_made_short(mistake: Factory, most: int, law: str) -> None:
    verdict = search(mistake, examples=BUDGET)
    assert verdict.failure is not None, f"not found in {BUDGET} histories"
    assert not verdict.held()
    assert len(verdict.failure.operations) <= most, f"\n{verdict}"
    assert verdict.failure.violation.law == law, f"\n{verdict}"


def test_the_base_of_the_wrong_batches_is_right() -> None:
    verdict = check(mistakes_in_batches.BatchCache, examples=40)
    assert verdict.failure is None, f"\n{verdict}"
