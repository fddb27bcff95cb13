# SPDX-License-Identifier: Apache-2.0
"""The study of admission: its policies, and all its figures on four pages of two rows, turn by turn."""

from typing import Any

import pytest

from impl.studies import admission
from impl.studies.admission import Policy, policies, serve


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pages of two rows; two requests of three rows, where six are the most."""
    monkeypatch.setattr(admission, "POOL_ROWS", 8)
    monkeypatch.setattr(admission, "PAGE", 2)
    monkeypatch.setattr(admission, "LONGEST", 6)
    monkeypatch.setattr(admission, "request_lengths", lambda: [3, 3])


def test_the_policies_from_the_boldest_to_the_most_careful() -> None:
    """The mean of 3, 4 and 4 rows is rounded up."""
    assert policies([3, 4, 4]) == [
        Policy("a page is free", 1, False),
        Policy("the mean length is free", 4, False),
        Policy("the mean length is free and unpromised", 4, True),
        Policy("twice the mean is free and unpromised", 8, True),
        Policy("the longest is free and unpromised", 6, True),
    ]


def figures(policy: str, expected: int, held: list[int], used: list[int]) -> dict[str, Any]:
    """A line in which nobody fails: requests and pages at the end of each turn."""
    return {
        "policy": policy, "expected_rows": expected, "held_mean": sum(held) / len(held), "held_most": max(held),
        "completed": 2, "out_of_pages": 0, "turns": len(held), "pages_used": pytest.approx(sum(used) / len(used) / 4),
    }  # fmt: skip


def test_every_figure_turn_by_turn() -> None:
    """At once: A has 1, 2, 3 rows in turns 1 … 3 and B in turns 2 … 4; whoever has 3 is gone at the end of the turn.

    With three pages expected there is no room beside A: it holds one page, is promised two more, and one is free.
    """
    overlapping, apart = ([1, 2, 1, 0], [1, 2, 1, 0]), ([1, 1, 0, 1, 1, 0], [1, 1, 0, 1, 1, 0])
    assert admission.admission() == {
        "pool_rows": 8, "page": 2, "requests": 2,
        "lines": [
            figures("a page is free", 1, *overlapping),
            figures("the mean length is free", 3, *overlapping),
            figures("the mean length is free and unpromised", 3, *overlapping),
            figures("twice the mean is free and unpromised", 6, *apart),
            figures("the longest is free and unpromised", 6, *apart),
        ],
    }  # fmt: skip


def test_who_finds_no_page_leaves_and_the_others_go_on() -> None:
    """A, B and C of 8 rows enter in turns 1, 2 and 3, in which A takes its second page: full.

    Turn 4: B finds no page for its third row and gives its only one back; A and C still have room. Turn 5: A takes that
    page, C finds none. A is complete in turn 8.
    """
    line = serve([8, 8, 8], Policy("bold", 1, False))
    assert (line["completed"], line["out_of_pages"], line["turns"]) == (1, 2, 8)
    assert line["held_mean"] == (1 + 2 + 3 + 2 + 1 + 1 + 1 + 0) / 8


def test_a_policy_that_expects_more_than_the_pool_is_refused() -> None:
    """It would wait for ever."""
    with pytest.raises(ValueError, match=r"^the policy 'careful' waits for 9 rows, the pool has 8$"):
        serve([3, 3], Policy("careful", 9, True))
    assert serve([3], Policy("all of it", 8, True))["completed"] == 1
