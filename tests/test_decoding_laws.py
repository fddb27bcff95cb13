# SPDX-License-Identifier: Apache-2.0
"""The laws of decoding hold, each case drawn by Hypothesis, and what they say when they do not."""

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs import decoding
from proofs.decoding import LAWS, PROPERTIES, Broken, Watched, hunt
from proofs.mistakes import IN_WINDOW_AND_HOST, applied
from spec.conformance.machine import HypothesisChooser


@pytest.mark.parametrize("name", PROPERTIES)
@settings(max_examples=30)
@given(data=st.data())
def test_every_property_holds(name: str, data: st.DataObject) -> None:
    chooser = HypothesisChooser(cast(st.DrawFn, data.draw))
    assert list(PROPERTIES[name](chooser))


def test_nothing_is_caught_where_nothing_is_wrong() -> None:
    assert hunt(0, rounds=10) is None


def test_the_same_seed_catches_the_same() -> None:
    with applied(IN_WINDOW_AND_HOST["never-released"]):
        once, again = hunt(5), hunt(5)
    assert once is not None
    assert again is not None
    assert (str(once.broken), once.operations) == (str(again.broken), again.operations)
    assert once.seconds > 0


def test_steps_are_counted_up_to_the_one_that_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rounds of two steps are well, the fourth breaks a law in its first one."""
    rounds: list[int] = []

    def breaks_in_the_fourth(_: object) -> object:
        rounds.append(1)
        if len(rounds) == 4:
            raise Broken("pages", "no reason")
        yield
        yield

    monkeypatch.setattr(decoding, "PROPERTIES", {"one": breaks_in_the_fourth})
    caught = hunt(0)
    assert caught is not None
    assert caught.operations == 7
    assert hunt(0, rounds=2) is None


def test_a_broken_law_says_which_and_what() -> None:
    broken = Broken("gather", "rows asked for in step 3: expected {1}, got {0, 1}")
    assert broken.law == "gather"
    assert str(broken) == (
        f"gather: rows asked for in step 3: expected {{1}}, got {{0, 1}} (the law: {LAWS['gather']})"
    )


@pytest.mark.parametrize(
    ("name", "law", "told"),
    [
        ("context-token-more", "context", "step 4, a window of 3, pages of 2 rows: expected 3, got 4"),
        ("gather-row-late", "gather", "step 2, a window of 3: expected {0}, got set()"),
        ("values-for-keys", "inputs", "step 2, a window of 3, pages of 2 rows: the rows loaded as kc and vc are not"),
        ("never-released", "pages", "step 4, a window of 3, pages of 2 rows: expected {1}, got {0, 1}"),
        ("trim-token-late", "pages", "step 4, a window of 3, pages of 2 rows: expected {1}, got {0, 1}"),
    ],
)
def test_each_mistake_of_the_host_by_hand(name: str, law: str, told: str) -> None:
    """A window of 3 over pages of 2 rows: after step 4 the rows from 2 on are read later, and they are in page 1."""
    with applied(IN_WINDOW_AND_HOST[name]), pytest.raises(Broken) as broken:
        decode_six()
    assert broken.value.law == law
    assert told in str(broken.value)


def decode_six() -> Watched:
    """Six steps of one request."""
    watched = Watched(0, 2, 3)
    watched.cache.new("a")
    for token in range(6):
        watched.step("a", token)
    return watched


def test_six_steps_by_hand() -> None:
    watched = decode_six()
    assert watched.cache.table("a") == [None, None, 0]
    assert len(watched.programs) == 3
