# SPDX-License-Identifier: Apache-2.0
"""Every integer operation of the chip, defined once. The Verilog reproduces these bit for bit.

| operation | takes | gives | rounding |
| --- | --- | --- | --- |
| requant | int32, multiplier 0 … 65535, shift 1 … 47 | int8 | half up, then clamped to −128 … 127 |
| exp table | index 0 … 255 | 0 … 255 | half to even (no entry is a half) |
| reciprocal | sum 255 … 2²⁴ − 1 | 0 … 32639 | down |
| softmax | 1 or more int8 scores | 0 … 127 each | half up, then at most 127 |
| saturating add | two int8 | int8 | none, clamped |
| argmax | 1 or more int8 | the first index of the largest | none |

All functions take and give numpy arrays (or scalars) and never overflow int64.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Int8 = NDArray[np.int8]
Int64 = NDArray[np.int64]

MAX_MULTIPLIER = 2**16 - 1
MAX_SHIFT = 47

SCORE_STEPS = 8
"""Softmax scores count eighths: a difference of 8 is a factor e."""

FULL_WEIGHT = 127
"""The weights of a softmax add up to about this: they count 127ths."""

RECIPROCAL_BITS = 16
DIVISION_BITS = 24

EXP_TABLE: NDArray[np.int64] = np.array([round(255 * math.exp(-i / SCORE_STEPS)) for i in range(256)], dtype=np.int64)
"""exp(−i/8) in 255ths. It starts with 255, never grows, and is 0 from index 50 on."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Requantisation by multiplier / 2^shift."""

    multiplier: int
    shift: int


def requant(total: Int64 | NDArray[np.int32], multiplier: int, shift: int) -> Int8:
    """clamp((total·multiplier + 2^(shift−1)) >> shift, −128, 127), with an arithmetic shift.

    |total| ≤ 2³¹ makes the product fit into 48 bits, the rounded one into 49. A total of 0 gives 0.
    """
    # In 64 bits whatever integers are given; floats are refused, by a TypeError.
    rounded: Int64 = (np.multiply(total, multiplier, dtype=np.int64) + (1 << (shift - 1))) >> shift
    return _clamp(rounded)


def reciprocal(total: int) -> int:
    """floor(127·2¹⁶ / total). The sum of a softmax is at least 255, the weight of its largest score."""
    return (FULL_WEIGHT << RECIPROCAL_BITS) // total


def softmax(scores: Int8) -> Int8:
    """Weights in 127ths, one per score: min(127, (e·R + 2¹⁵) >> 16) with e from the table and R the reciprocal of Σe.

    |Σ weights − 127| ≤ n. One score gets 127. Equal scores get equal weights, a larger score no smaller one.
    """
    wide = scores.astype(np.int64)
    powers = EXP_TABLE[wide.max() - wide]
    factor = reciprocal(int(powers.sum()))
    rounded = (powers * factor + (1 << (RECIPROCAL_BITS - 1))) >> RECIPROCAL_BITS
    weights: Int8 = np.minimum(rounded, FULL_WEIGHT).astype(np.int8)
    return weights


def saturating_add(a: Int8, b: Int8) -> Int8:
    """a + b, clamped to −128 … 127."""
    return _clamp(np.add(a, b, dtype=np.int64))


def argmax(values: Int8) -> int:
    """The first index of the largest value."""
    return int(np.argmax(values))


def _clamp(wide: Int64) -> Int8:
    narrow: Int8 = np.clip(wide, -128, 127).astype(np.int8)
    return narrow
