# SPDX-License-Identifier: Apache-2.0
"""How close the int8 logits of the chip are to the float reference with the same window, at every step.

Random models, forced along the greedy tokens of the float model that sees everything. The error of a step is the
relative L2 error of its logits.
"""

from typing import Any

import numpy as np

from impl.host import Host, PlainRows, Programs
from impl.lm.model import VOCABULARY, random_model
from impl.lm.quantise import quantise
from impl.lm.reference import float_forced, float_generate

MODELS = 3
STEPS = 32
WINDOWS = (None, 4)


def accuracy(seed: int = 0) -> dict[str, Any]:
    """A line for each window. The models have the seeds from `seed` on. About a millisecond a step."""
    return {
        "models": MODELS,
        "starts": VOCABULARY,
        "steps": STEPS,
        "seed": seed,
        "lines": [line(window, seed) for window in WINDOWS],
    }


def line(window: int | None, seed: int) -> dict[str, Any]:
    """Mean, 95th percentile and maximum of the error, and how often both choose the same token."""
    errors, agreed = [], 0
    for index in range(MODELS):
        model = random_model(seed + index)
        int8 = quantise(model, window, STEPS)
        host = Host(Programs(int8), PlainRows(), window)
        for start in range(VOCABULARY):
            tokens, _ = float_generate(model, start, STEPS)
            host.rows.new(start)
            for step, real in zip(host.forced(start, tokens), float_forced(model, tokens, window), strict=True):
                distance = np.linalg.norm(np.array(step.logits) * int8.logit_unit - real.logits)
                errors.append(float(distance / np.linalg.norm(real.logits)))
                agreed += step.following == int(np.argmax(real.logits))
    return {
        "window": window,
        "mean": float(np.mean(errors)),
        "p95": float(np.percentile(errors, 95)),
        "most": max(errors),
        "agreed": agreed,
        "steps": len(errors),
    }
