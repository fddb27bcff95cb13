# SPDX-License-Identifier: Apache-2.0
"""The study of accuracy in small: its figures recomputed from the definition, over rows in pages."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from impl.cache import PagedCache
from impl.host import ROW, Host, Programs
from impl.lm.model import random_model
from impl.lm.quantise import quantise
from impl.lm.reference import float_forced, float_generate
from impl.studies import accuracy

STEPS = 5


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models, two starting tokens, five steps."""
    monkeypatch.setattr(accuracy, "MODELS", 2)
    monkeypatch.setattr(accuracy, "VOCABULARY", 2)
    monkeypatch.setattr(accuracy, "STEPS", STEPS)


def by_definition(window: int | None, seed: int) -> tuple[list[float], int]:
    """The relative L2 errors of all steps from the smallest on, and how many steps choose the same token."""
    errors, agreed = [], 0
    for model in (random_model(seed), random_model(seed + 1)):
        int8 = quantise(model, window, STEPS)
        for start in (0, 1):
            tokens, _ = float_generate(model, start, STEPS)
            rows = PagedCache(8, 4, ROW, np.int8)
            rows.new(start)
            chip = Host(Programs(int8), rows, window).forced(start, tokens)
            for step, real in zip(chip, float_forced(model, tokens, window), strict=True):
                floats = real.logits.tolist()
                square = sum((mine * int8.logit_unit - his) ** 2 for mine, his in zip(step.logits, floats, strict=True))
                errors.append(sqrt(square) / sqrt(sum(each**2 for each in floats)))
                agreed += step.following == floats.index(max(floats))
    return sorted(errors), agreed


@pytest.mark.parametrize("window", [None, 2])
def test_a_line_by_definition(window: int | None) -> None:
    """Models 10 and 11, whose scales depend on the window and on the steps that they are calibrated with.

    20 errors, so that 95 % of them are the 19 smallest and a twentieth of the way from the 19th to the last.
    """
    errors, agreed = by_definition(window, 10)
    assert len(errors) == 20
    assert accuracy.line(window, 10) == {
        "window": window,
        "mean": pytest.approx(sum(errors) / 20, rel=1e-9),
        "p95": pytest.approx(errors[18] + (errors[19] - errors[18]) / 20, rel=1e-9),
        "most": pytest.approx(errors[19], rel=1e-9),
        "agreed": agreed,
        "steps": 20,
    }


def test_a_line_for_each_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accuracy, "line", lambda window, seed: {"window": window, "from": seed})
    assert accuracy.accuracy(7) == {
        "models": 2, "starts": 2, "steps": STEPS, "seed": 7,
        "lines": [{"window": None, "from": 7}, {"window": 4, "from": 7}],
    }  # fmt: skip
    assert accuracy.accuracy() == accuracy.accuracy(0)


def test_steps_that_are_missing_are_no_accuracy(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(*given: Any) -> list[Any]:
        return float_forced(*given)[:-1]

    monkeypatch.setattr(accuracy, "float_forced", short)
    with pytest.raises(ValueError, match="shorter"):
        accuracy.line(2, 5)


def test_the_same_token_is_counted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the float model chooses another token in the first two steps of each of the four runs."""

    def other(*given: Any) -> list[Any]:
        steps = float_forced(*given)
        for step in steps[:2]:
            step.logits[:] = -step.logits
        return steps

    agreed = accuracy.line(None, 5)["agreed"]
    assert agreed == 20
    monkeypatch.setattr(accuracy, "float_forced", other)
    assert accuracy.line(None, 5)["agreed"] == agreed - 4 * 2
    assert np.isclose(accuracy.line(None, 5)["most"], 2, atol=0.1)
