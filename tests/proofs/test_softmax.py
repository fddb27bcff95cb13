# SPDX-License-Identifier: Apache-2.0
"""The arithmetic under the proof of the softmax: it is proved, its wrong variants are not, the functions follow it."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import z3

from impl.chip.integers import EXP_TABLE, reciprocal
from impl.chip.integers import softmax as weights_of
from proofs import softmax
from proofs.evidence import PROVED, REFUTED, VACUOUS, Claim, Options, judged, silent


@pytest.mark.parametrize("claim", softmax.CLAIMS, ids=lambda claim: claim.id)
def test_each_claim_is_proved_and_each_wrong_variant_refuted(claim: Claim, tmp_path: Path) -> None:
    options = Options(smt=tmp_path)
    found = judged(claim, softmax.prove(claim, options, silent), options)
    assert (found.strength, found.short, found.files) == (PROVED, "", (f"{claim.id}.smt2",))
    assert found.controls
    assert all(control.found for control in found.controls)


@pytest.mark.parametrize("claim", softmax.CLAIMS, ids=lambda claim: claim.id)
def test_a_wrong_variant_in_place_of_a_claim_is_refuted(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    right, *wrong = softmax.QUERIES[claim.id]
    monkeypatch.setitem(softmax.QUERIES, claim.id, (wrong[0], right))
    found = softmax.prove(claim, Options(), silent)
    assert found.strength == REFUTED
    assert [control.found for control in found.controls] == [""], "what is right is not refuted"


def test_a_claim_that_is_not_settled_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    right, *wrong = softmax.QUERIES["Q5"]
    clash = replace(right, hypotheses=(*right.hypotheses, softmax.SCORES == 1))
    monkeypatch.setitem(softmax.QUERIES, "Q5", (clash, *wrong))
    claim = next(claim for claim in softmax.CLAIMS if claim.id == "Q5")
    assert softmax.prove(claim, Options(), silent).strength == VACUOUS


@pytest.mark.parametrize("count", [1, 2, 3, 7, 64])
def test_the_functions_make_the_weights_that_are_proved_of(count: int) -> None:
    scores = np.random.default_rng(count).integers(-128, 128, count).astype(np.int8)
    scores[count // 2 :] = scores.max()
    powers = [int(EXP_TABLE[int(scores.max()) - int(score)]) for score in scores]
    factor = reciprocal(sum(powers))
    assert factor == softmax.FULL // sum(powers)
    assert max(powers) == softmax.TOP
    assert [proved(power, factor) for power in powers] == [int(weight) for weight in weights_of(scores)]


def test_the_sum_of_the_weights_is_near_127_when_all_are_rounded_the_same_way() -> None:
    for count in range(1, 300):
        assert abs(int(weights_of(np.zeros(count, np.int8)).sum(dtype=int)) - 127) <= count


def proved(power: int, factor: int) -> int:
    """The weight that the claims speak of."""
    values = [(softmax.POWER, z3.IntVal(power)), (softmax.RECIPROCAL, z3.IntVal(factor))]
    found = z3.simplify(z3.substitute(softmax.rounded(softmax.POWER), *values))
    return int(cast(z3.IntNumRef, found).as_long())
