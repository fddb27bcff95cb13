# SPDX-License-Identifier: Apache-2.0
"""What a window costs, and what attention sinks give back: part 3 of example B, and the study of sinks.

Random models in float64, forced along the greedy tokens of the model that sees everything. A window of W tokens with S
sinks shows the first S rows and the last W − S tokens. Agreement counts the steps with the same argmax, the error is
the mean relative L2 error of the logits.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from impl import window as formulas
from impl.lm.model import VOCABULARY, WIDTH, Model, random_model
from impl.lm.reference import Step, float_generate, float_step

MODELS = 3
STEPS = 24
WINDOWS = (2, 4, 8, 16, 24)
SINKS = (0, 1, 2, 4)


def window_cost(seed: int = 0) -> dict[str, Any]:
    """Part 3 of example B: a line for each window, without sinks. The models have the seeds from `seed` on."""
    return _study(seed, [(window, 0) for window in WINDOWS])


def sinks(seed: int = 0) -> dict[str, Any]:
    """A line for each window and each number of sinks below it."""
    return _study(seed, [(window, count) for window in WINDOWS for count in SINKS if count < window])


def forced(model: Model, tokens: Sequence[int], window: int, sinks: int) -> list[Step]:
    """The steps along given tokens, each over the sinks and the tail that the window shows. O(steps·W)."""
    keys, values = (np.zeros((len(tokens), WIDTH)) for _ in range(2))
    steps = []
    for number, token in enumerate(tokens, 1):
        rows = visible(number, window, sinks)
        step = float_step(model, token, keys[rows], values[rows])
        keys[number - 1], values[number - 1] = step.key, step.value
        steps.append(step)
    return steps


def visible(step: int, window: int, sinks: int) -> list[int]:
    """The cached rows that a step sees."""
    return [*range(min(sinks, step - 1)), *range(formulas.first_tail_row(step, window, sinks), step - 1)]


def _study(seed: int, cases: Sequence[tuple[int, int]]) -> dict[str, Any]:
    models = [random_model(seed + index) for index in range(MODELS)]
    runs = [(model, *float_generate(model, start, STEPS)) for model in models for start in range(VOCABULARY)]
    lines = []
    for window, count in cases:
        agreed, errors = 0, []
        for model, tokens, full in runs:
            for step, reference in zip(forced(model, tokens, window, count), full, strict=True):
                agreed += int(np.argmax(step.logits)) == int(np.argmax(reference.logits))
                distance = np.linalg.norm(step.logits - reference.logits)
                errors.append(float(distance / np.linalg.norm(reference.logits)))
        lines.append(
            {"window": window, "sinks": count, "agreed": agreed, "steps": len(errors), "error": float(np.mean(errors))}
        )
    return {"models": MODELS, "starts": VOCABULARY, "steps": STEPS, "seed": seed, "lines": lines}
