# SPDX-License-Identifier: Apache-2.0
"""The two makers of models, to the last weight."""

import numpy as np

from impl.lm.model import random_model, structured, successor


def test_the_structured_model_weight_by_weight() -> None:
    model = structured()
    for matrix in (model.embedding, model.query, model.key, model.value):
        assert np.array_equal(matrix, np.eye(16))
    assert np.array_equal(model.output, np.eye(16) / 4)
    assert model.unembedding.tolist() == [
        [float(token == (5 * row + 3) % 16) for token in range(16)] for row in range(16)
    ]


def test_the_successors_are_a_cycle_through_all_tokens() -> None:
    seen = [0]
    while len(seen) < 16:
        seen.append(successor(seen[-1]))
    assert sorted(seen) == list(range(16))
    assert successor(seen[-1]) == 0
    assert successor(1) == 8


def test_a_random_model_has_the_gains_that_it_says() -> None:
    """The same draws, matrix by matrix, scaled by 1, 1/4 and, for the branch, 1/4 / √2."""
    draw = np.random.default_rng(7)
    model = random_model(7)
    matrices = (model.embedding, model.query, model.key, model.value, model.output, model.unembedding)
    for matrix, gain in zip(matrices, (1, 1 / 4, 1 / 4, 1 / 4, 1 / 4 / np.sqrt(2), 1 / 4), strict=True):
        assert np.array_equal(matrix, draw.standard_normal((16, 16)) * gain)
