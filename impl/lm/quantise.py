# SPDX-License-Identifier: Apache-2.0
"""Symmetric int8 quantisation: one scale per tensor, calibrated on greedy decoding from every starting token.

A real value is about its integer times the unit of its tensor. The units of q, k and v depend on the weights only, and
that of x on the model and its window: none depends on the context, so a cached row means the same to every program.
x and the hidden row share a unit, since the chip adds them as they are.
"""

from dataclasses import dataclass

import numpy as np

from impl.chip.integers import FULL_WEIGHT, MAX_MULTIPLIER, MAX_SHIFT, SCORE_STEPS, Int8, Scale
from impl.lm.model import VOCABULARY, WIDTH, Floats, Model
from impl.lm.reference import Step, float_generate


@dataclass(frozen=True, slots=True, eq=False)
class Quantised:
    """An int8 model: (16, 16) matrices, one `Scale` per matrix product, and the unit of the logits."""

    embedding: Int8
    query: Int8
    key: Int8
    value: Int8
    output: Int8
    unembedding: Int8
    to_query: Scale
    to_key: Scale
    to_value: Scale
    to_scores: Scale
    to_mixed: Scale
    to_output: Scale
    to_logits: Scale
    logit_unit: float


def unit_of(largest: float) -> float:
    """The scale at which `largest` becomes 127; 1 for a tensor of zeros."""
    return largest / 127 if largest > 0 else 1.0


def to_int8(values: Floats, unit: float) -> Int8:
    """The nearest multiples of `unit`, clamped to int8."""
    return np.clip(np.rint(values / unit), -128, 127).astype(np.int8)


def scale_for(factor: float) -> Scale:
    """The requantisation nearest to `factor` > 0, with as many bits in the multiplier as there is room for.

    Raises ValueError for factors of 2^15 and more; below 2^-31 the multiplier loses bits and may become 0.
    """
    fraction, exponent = np.frexp(factor)
    shift = min(16 - int(exponent), MAX_SHIFT)
    multiplier = round(float(np.ldexp(fraction, shift + int(exponent))))
    if multiplier > MAX_MULTIPLIER:
        multiplier, shift = (multiplier + 1) // 2, shift - 1
    if shift < 1:
        raise ValueError(f"a factor of {factor:g} is too large to requantise with: it has to be below 32768")
    return Scale(multiplier, shift)


def calibrate(model: Model, window: int | None, steps: int) -> list[Step]:
    """The steps of greedy decoding with this window from each of the 16 starting tokens."""
    return [step for start in range(VOCABULARY) for step in float_generate(model, start, steps, window)[1]]


def quantise(model: Model, window: int | None = None, steps: int = 32) -> Quantised:
    """The int8 model for decoding with this window, calibrated over `steps` steps from each starting token."""
    seen = calibrate(model, window, steps)

    def largest(name: str) -> float:
        return max(float(np.abs(getattr(step, name)).max()) for step in seen)

    x = unit_of(max(largest("x"), largest("hidden")))
    query, key, value = (unit_of(largest(name)) for name in ("query", "key", "value"))
    mixed, logits = unit_of(largest("mixed")), unit_of(largest("logits"))
    matrices = (model.query, model.key, model.value, model.output, model.unembedding)
    units = [unit_of(float(np.abs(matrix).max())) for matrix in matrices]
    wq, wk, wv, wo, u = map(to_int8, matrices, units)
    return Quantised(
        embedding=to_int8(model.embedding, x),
        query=wq,
        key=wk,
        value=wv,
        output=wo,
        unembedding=u,
        to_query=scale_for(x * units[0] / query),
        to_key=scale_for(x * units[1] / key),
        to_value=scale_for(x * units[2] / value),
        to_scores=scale_for(query * key * SCORE_STEPS / np.sqrt(WIDTH)),
        to_mixed=scale_for(value / FULL_WEIGHT / mixed),
        to_output=scale_for(mixed * units[3] / x),
        to_logits=scale_for(x * units[4] / logits),
        logit_unit=logits,
    )
