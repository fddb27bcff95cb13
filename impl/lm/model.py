# SPDX-License-Identifier: Apache-2.0
"""The weights of the tiny language model, and the two makers.

16 tokens, width 16, one layer, one head: x = E[token]; q, k, v = x·Wq, x·Wk, x·Wv; p = softmax(q·Kᵀ/4);
h = x + (p·V)·Wo; logits = h·U. All arrays are float64 of shape (16, 16).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

VOCABULARY = 16
WIDTH = 16

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Weights, float64 (16, 16) each: `embedding` has one row per token, `unembedding` one column per token."""

    embedding: Floats
    query: Floats
    key: Floats
    value: Floats
    output: Floats
    unembedding: Floats


def successor(token: int) -> int:
    """The token that follows `token` in the structured model: (5t + 3) mod 16, a cycle through all 16 tokens."""
    return (5 * token + 3) % VOCABULARY


def structured() -> Model:
    """The model that follows `successor` whatever the window.

    Attention is alive but harmless: it adds at most a quarter of each visible token to the hidden row, and the new
    token counts there with at least its own full weight.
    """
    one = np.eye(WIDTH)
    following = np.zeros((WIDTH, VOCABULARY))
    for token in range(VOCABULARY):
        following[token, successor(token)] = 1.0
    return Model(one, one, one, one, one / 4, following)


def random_model(seed: int) -> Model:
    """A model in which attention matters: normal weights that keep the size of a row.

    The branch that is added to the residual is scaled down by √2, as language models are usually initialised.
    """
    draw = np.random.default_rng(seed)

    def matrix(gain: float) -> Floats:
        return draw.standard_normal((WIDTH, WIDTH)) * gain

    gain = 1 / np.sqrt(WIDTH)
    return Model(matrix(1.0), matrix(gain), matrix(gain), matrix(gain), matrix(gain / np.sqrt(2)), matrix(gain))
