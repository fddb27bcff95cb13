# SPDX-License-Identifier: Apache-2.0
"""The lemma under the divider's proof: it is proved, its wrong variants are not, and the harness follows it."""

from dataclasses import replace
from pathlib import Path

import pytest

from proofs import division
from proofs.evidence import PROVED, REFUTED, VACUOUS, Claim, Options, judged, silent

HARNESS = Path(__file__).parents[2] / "formal" / "divu_harness.sv"


@pytest.mark.parametrize("claim", division.CLAIMS, ids=lambda claim: claim.id)
def test_each_claim_is_proved_and_each_wrong_variant_refuted(claim: Claim, tmp_path: Path) -> None:
    options = Options(smt=tmp_path)
    found = judged(claim, division.prove(claim, options, silent), options)
    assert (found.strength, found.short, found.files) == (PROVED, "", (f"{claim.id}.smt2",))
    assert found.controls
    assert all(control.found for control in found.controls)


def test_a_wrong_variant_in_place_of_a_claim_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    for claim in division.CLAIMS:
        right, *wrong = division.QUERIES[claim.id]
        for query in wrong:
            monkeypatch.setitem(division.QUERIES, claim.id, (query, right))
            found = division.prove(claim, Options(), silent)
            assert found.strength == REFUTED
            assert [control.found for control in found.controls] == [""], "what is right is not refuted"


def test_a_claim_that_is_not_settled_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    right, *wrong = division.QUERIES["D1"]
    clash = replace(right, hypotheses=(*right.hypotheses, division.BITS == 1))
    monkeypatch.setitem(division.QUERIES, "D1", (clash, *wrong))
    assert division.prove(division.CLAIMS[0], Options(), silent).strength == VACUOUS


def test_the_harness_follows_the_recurrence_of_the_lemma() -> None:
    text = HARNESS.read_text(encoding="utf-8")
    for line in division.FOLLOWED:
        assert text.count(line) == 1, line
    for register in ("bits", "product"):
        assert text.count(f"{register} <= ") == 2, f"{register} is set in two places, at a start and after a bit"


def test_integers_that_follow_the_recurrence_divide() -> None:
    for width in (1, 4, 8):
        for dividend, divisor in ((0, 1), (1, 1), (2**width - 1, 1), (2**width - 1, 2), (2**width // 3, 2**width - 1)):
            bits = product = 0
            for place in reversed(range(width)):
                bit = dividend // 2**place - 2 * product >= divisor
                bits, product = 2 * bits + bit, 2 * product + (divisor if bit else 0)
            assert (bits, dividend - product) == divmod(dividend, divisor)
