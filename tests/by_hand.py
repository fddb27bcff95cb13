# SPDX-License-Identifier: Apache-2.0
"""Worked examples whose figures were computed by hand, or were recorded and looked at: what differs from them now."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from impl.cache import PagedCache
from impl.host import ROW, Host, Programs
from impl.lm.model import random_model, structured
from impl.lm.quantise import Quantised, quantise
from impl.lm.reference import float_forced
from kvproof.verify.checks import examples

RECORDED = json.loads((Path(__file__).parent / "data" / "decode_pages.json").read_text())

WEIGHTS = [[1.0], [0.43782349911420193, 0.5621765008857981], [0.43782349911420193, 0.5621765008857981]]
"""Of the structured model along 0, 1, 2 with a window of 2: the new token scores 1/4, the one before 0."""

LOGITS = {13: 1 + 0.5621765008857981 / 4, 8: 0.43782349911420193 / 4}
"""After 2, which 13 follows; 8 follows 1. A quarter of what attention adds up goes to the hidden row."""

TOKENS = [3, 1, 4, 1, 5]
INTEGERS = [42, -20, 16, 4, 2, 51, 62, 61, 63, 23, -8, 20, 14, -84, -44, 13]
"""Logits of the last of these steps of a random model with a window of 3, in plain Python integers."""


def worked_examples() -> str:
    """Examples A and B against the recorded figures: the first difference, or nothing."""
    return examples(0, lambda n=1, text="": None).failure.partition("\n")[0]


def float_steps() -> str:
    """Three steps of the float reference with a window of 2."""
    steps = float_forced(structured(), [0, 1, 2], 2)
    for number, (step, weights) in enumerate(zip(steps, WEIGHTS, strict=True), 1):
        if step.weights.shape != (len(weights),) or np.abs(step.weights - weights).max() > 1e-12:
            return f"step {number} of the float reference has the weights {step.weights.tolist()}, by hand {weights}"
    logits = np.zeros(16)
    logits[list(LOGITS)] = list(LOGITS.values())
    off = float(np.abs(steps[-1].logits - logits).max())
    return "" if off < 1e-12 else f"the logits of step 3 of the float reference are off by {off:.2g}"


def int8_model() -> Quantised:
    """The model of `INTEGERS`."""
    return quantise(random_model(1), 3, 8)


def chip_steps() -> str:
    """Five steps of the host over pages of 2 rows."""
    host = Host(Programs(int8_model()), PagedCache(4, 2, ROW, np.int8), 3)
    host.rows.new("r")
    logits = list(host.forced("r", TOKENS)[-1].logits)
    return "" if logits == INTEGERS else f"the logits of step 5 on the chip are {logits}, by hand {INTEGERS}"


def pages() -> str:
    """Pages before each step of the structured model, with several windows."""
    for recorded in RECORDED:
        found = pages_now(recorded)
        if found != recorded:
            key = next(key for key in recorded if found[key] != recorded[key])
            return f"with a window of {recorded['window']}, {key}: recorded {recorded[key]}, now {found[key]}"
    return ""


def pages_now(recorded: dict[str, Any]) -> dict[str, Any]:
    """The figures of a recorded run, computed now."""
    window, page, count = recorded["window"], recorded["page"], recorded["steps"]
    host = Host(Programs(quantise(structured(), window)), PagedCache(8, page, ROW, np.int8), window)
    host.rows.new("r")
    steps = host.greedy("r", 0, count)
    return {
        "window": window,
        "page": page,
        "steps": len(steps),
        "pages_in_use_before_step": [step.pages for step in steps],
        "pages_at_end": steps[-1].pages_left,
        "peak": max(step.pages_left for step in steps),
        "programs": len(host.programs),
    }


Example = Callable[[], str]

EXAMPLES: tuple[Example, ...] = (worked_examples, float_steps, chip_steps, pages)
