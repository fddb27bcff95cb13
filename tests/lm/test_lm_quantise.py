# SPDX-License-Identifier: Apache-2.0
"""Scales, calibration and the int8 model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.chip.integers import Scale
from impl.lm.model import Model, random_model, structured
from impl.lm.quantise import calibrate, quantise, scale_for, to_int8, unit_of
from impl.lm.reference import Step


@given(st.floats(2.0**-30, 2.0**14.9))
def test_a_scale_is_close_to_its_factor(factor: float) -> None:
    scale = scale_for(factor)
    assert 1 <= scale.shift <= 47
    assert 2**15 <= scale.multiplier < 2**16
    assert abs(scale.multiplier / 2**scale.shift - factor) <= factor * 2**-16


def test_scales_at_the_edges() -> None:
    assert scale_for(0.5) == Scale(2**15, 16)
    assert scale_for(1 - 2**-20) == Scale(2**15, 15)
    assert scale_for(2**15 - 1) == Scale(65534, 1)
    assert scale_for(65535 / 2**16) == Scale(65535, 16)
    assert scale_for(2.0**-40) == Scale(2**7, 47)
    with pytest.raises(ValueError, match="32768"):
        scale_for(2.0**15)


def test_calibration_sees_every_starting_token_with_the_window() -> None:
    steps = calibrate(random_model(1), 3, 5)
    assert len(steps) == 16 * 5
    assert max(len(step.weights) for step in steps) == 3


def test_it_is_calibrated_on_what_it_is_used_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the window of the model, 32 steps from each token unless it is told otherwise."""
    calls: list[tuple[int | None, int]] = []

    def recorded(model: Model, window: int | None, steps: int) -> list[Step]:
        calls.append((window, steps))
        return calibrate(model, window, 2)

    monkeypatch.setattr("impl.lm.quantise.calibrate", recorded)
    quantise(structured())
    quantise(structured(), 5)
    quantise(structured(), 3, 7)
    assert calls == [(None, 32), (5, 32), (3, 7)]


def test_rows_of_the_cache_mean_the_same_for_every_window() -> None:
    model = random_model(2)
    full, windowed = quantise(model), quantise(model, 4)
    assert full.to_query.shift > 0
    assert (full.key == windowed.key).all()
    assert (full.value == windowed.value).all()


@pytest.mark.parametrize("seed", range(3))
def test_the_largest_entry_of_every_matrix_becomes_127(seed: int) -> None:
    int8 = quantise(random_model(seed), 4)
    for matrix in (int8.query, int8.key, int8.value, int8.output, int8.unembedding):
        assert matrix.dtype == np.int8
        assert np.abs(matrix.astype(int)).max() == 127


def test_zeros_have_a_scale_too() -> None:
    assert unit_of(0.0) == 1.0
    assert (to_int8(np.array([0.0, 200.0, -200.0]), 1.0) == [0, 127, -128]).all()


def test_the_structured_model_keeps_its_winner() -> None:
    int8 = quantise(structured(), 8)
    assert (int8.unembedding.argmax(axis=1) == [(5 * t + 3) % 16 for t in range(16)]).all()


@pytest.mark.parametrize("window", [None, 3])
def test_each_product_is_scaled_from_the_units_of_its_operands_to_that_of_its_result(window: int | None) -> None:
    model = random_model(4)
    int8 = quantise(model, window, 6)
    steps = calibrate(model, window, 6)

    def unit(*names: str) -> float:
        return max(float(np.abs(getattr(step, name)).max()) for step in steps for name in names) / 127

    def weight(matrix: np.ndarray) -> float:
        return float(np.abs(matrix).max()) / 127

    x = unit("x", "hidden")
    expected = [
        (int8.to_query, x * weight(model.query) / unit("query")),
        (int8.to_key, x * weight(model.key) / unit("key")),
        (int8.to_value, x * weight(model.value) / unit("value")),
        (int8.to_scores, unit("query") * unit("key") / 4 * 8),
        (int8.to_mixed, unit("value") / 127 / unit("mixed")),
        (int8.to_output, unit("mixed") * weight(model.output) / x),
        (int8.to_logits, x * weight(model.unembedding) / unit("logits")),
    ]
    for scale, factor in expected:
        assert abs(scale.multiplier / 2**scale.shift / factor - 1) < 2**-15
    assert int8.logit_unit == pytest.approx(unit("logits"), rel=1e-12)
