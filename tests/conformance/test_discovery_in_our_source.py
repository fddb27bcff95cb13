# SPDX-License-Identifier: Apache-2.0
"""Discovery in the shipped source: each one-line mistake in the page table is found by the machine and made short."""

import pytest

from kvproof.targets.find import find
from proofs.mistakes import IN_PAGE_TABLE, applied
from spec.conformance.check import check, search
from tests.conformance.test_discovery import BUDGET

# How many operations are enough, and the laws that histories of that length break: which one is found first is chance.
EXPECTED = {
    "not-returned": (3, "free-pages"),
    "freed-while-shared": (4, "owners, free-pages"),
    "fork-not-counted": (3, "owners"),
    "no-copy": (4, "admission, economy, content"),
    "empty-copy": (4, "content"),
    "copy-keeps-reference": (4, "owners"),
    "offset-of-larger-page": (4, "content"),
    "dropped-ignored": (3, "capacity, content"),
    "trim-too-far": (3, "capacity"),
    "trim-too-little": (3, "capacity"),
    "release-forgets": (3, "owners"),
    "exhaustion-unreported": (2, "refusal"),
}


def test_every_mistake_is_expected() -> None:
    assert EXPECTED.keys() == IN_PAGE_TABLE.keys()


@pytest.mark.parametrize("name", IN_PAGE_TABLE)
def test_random_histories_find_it_and_make_it_short(name: str) -> None:
    most, laws = EXPECTED[name]
    with applied(IN_PAGE_TABLE[name]):
        verdict = search(find("kvproof").factory, examples=BUDGET)
    assert verdict.failure is not None
    assert len(verdict.failure.operations) <= most, f"\n{verdict}"
    assert verdict.failure.violation.law in laws.split(", "), f"\n{verdict}"


@pytest.mark.parametrize("name", IN_PAGE_TABLE)
def test_the_check_command_finds_it_too(name: str) -> None:
    with applied(IN_PAGE_TABLE[name]):
        assert not check(find("kvproof").factory, examples=BUDGET).held()
