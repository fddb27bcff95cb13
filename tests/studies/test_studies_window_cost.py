# SPDX-License-Identifier: Apache-2.0
"""What a window costs, in small: the figures recomputed from the definition in the spec."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from impl.lm.model import random_model
from impl.lm.reference import float_generate, float_step
from impl.studies import window_cost
from spec.window import rows_read

STEPS = 6


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two models, two starting tokens, six steps, windows of 2 and 3."""
    monkeypatch.setattr(window_cost, "MODELS", 2)
    monkeypatch.setattr(window_cost, "VOCABULARY", 2)
    monkeypatch.setattr(window_cost, "STEPS", STEPS)
    monkeypatch.setattr(window_cost, "WINDOWS", (2, 3))


def logits(seed: int, tokens: list[int], window: int, sinks: int) -> list[list[float]]:
    """Of the steps along the tokens, each over the rows that the spec says it reads."""
    model = random_model(seed)
    keys, values = (
        np.array([model.embedding[token] @ matrix for token in tokens]) for matrix in (model.key, model.value)
    )
    seen = [sorted(rows_read(number, window, sinks)) for number in range(1, len(tokens) + 1)]
    return [
        float_step(model, token, keys[rows], values[rows]).logits.tolist()
        for token, rows in zip(tokens, seen, strict=True)
    ]


def by_definition(seed: int, window: int, sinks: int) -> dict[str, Any]:
    """A line of the study."""
    errors, agreed = [], 0
    for model in (seed, seed + 1):
        for start in (0, 1):
            tokens, _ = float_generate(random_model(model), start, STEPS)
            everything = logits(model, tokens, STEPS, 0)
            for some, whole in zip(logits(model, tokens, window, sinks), everything, strict=True):
                square = sum((mine - his) ** 2 for mine, his in zip(some, whole, strict=True))
                errors.append(sqrt(square) / sqrt(sum(each**2 for each in whole)))
                agreed += some.index(max(some)) == whole.index(max(whole))
    return {
        "window": window,
        "sinks": sinks,
        "agreed": agreed,
        "steps": 2 * 2 * STEPS,
        "error": pytest.approx(sum(errors) / len(errors), rel=1e-9),
    }


def test_part_three_by_definition() -> None:
    """In the steps after the second, a window of 2 sees less: some of them choose another token."""
    figures = window_cost.window_cost(3)
    assert figures == {
        "models": 2, "starts": 2, "steps": STEPS, "seed": 3,
        "lines": [by_definition(3, 2, 0), by_definition(3, 3, 0)],
    }  # fmt: skip
    assert 0 < figures["lines"][0]["agreed"] < 2 * 2 * STEPS


def test_a_line_for_each_number_of_sinks_below_the_window() -> None:
    lines = window_cost.sinks(3)["lines"]
    assert lines == [by_definition(3, *case) for case in ((2, 0), (2, 1), (3, 0), (3, 1), (3, 2))]


def test_the_models_start_at_seed_0_unless_told_otherwise() -> None:
    assert window_cost.window_cost() == window_cost.window_cost(0)
    assert window_cost.sinks() == window_cost.sinks(0)


def test_steps_that_are_missing_are_no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = window_cost.forced
    monkeypatch.setattr(window_cost, "forced", lambda *given: whole(*given)[:-1])
    with pytest.raises(ValueError, match="longer"):
        window_cost.window_cost(3)
