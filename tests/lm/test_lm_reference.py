# SPDX-License-Identifier: Apache-2.0
"""The float reference against a recomputation from the token ids, and what a window does to it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.lm.model import VOCABULARY, Model, random_model, structured, successor
from impl.lm.reference import float_forced, float_generate
from spec import attention

TOKENS = st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=12)
SEEDS = st.integers(0, 2**32 - 1)


def weights(model: Model) -> attention.Weights:
    """The same numbers as plain tuples."""
    matrices = (model.embedding, model.query, model.key, model.value, model.output, model.unembedding)
    return attention.Weights(*(tuple(map(tuple, matrix.tolist())) for matrix in matrices))


def furthest(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference."""
    return float(np.abs(a - b).max())


@given(SEEDS, TOKENS, st.integers(0, 3))
def test_a_window_no_shorter_than_the_run_is_full_attention(seed: int, tokens: list[int], more: int) -> None:
    model = random_model(seed)
    full = float_forced(model, tokens)
    for window in (len(tokens), len(tokens) + more):
        windowed = float_forced(model, tokens, window)
        assert max(furthest(a.logits, b.logits) for a, b in zip(full, windowed, strict=True)) < 1e-12


@given(SEEDS, TOKENS, st.sampled_from([1, 2, 3, 5]) | st.integers(1, 14))
def test_windowed_steps_equal_the_recomputation_from_the_tokens(seed: int, tokens: list[int], window: int) -> None:
    model = random_model(seed)
    for number, step in enumerate(float_forced(model, tokens, window), 1):
        expected = attention.attend(weights(model), attention.visible_tokens(tokens, number, window))
        assert furthest(step.logits, np.array(expected)) < 1e-9
        assert len(step.weights) == min(number, window)


@pytest.mark.parametrize("seed", range(3))
def test_a_small_window_differs(seed: int) -> None:
    model = random_model(seed)
    tokens, full = float_generate(model, 0, 16)
    windowed = float_forced(model, tokens, 3)
    differences = [furthest(a.logits, b.logits) for a, b in zip(full, windowed, strict=True)]
    assert max(differences[:3]) == 0
    assert min(differences[3:]) > 0
    assert max(differences) > 1e-3


@pytest.mark.parametrize("window", [None, 8, 4, 1])
def test_the_structured_model_follows_its_function(window: int | None) -> None:
    for start in range(VOCABULARY):
        tokens, steps = float_generate(structured(), start, 33, window)
        assert tokens[1:] == [successor(token) for token in tokens[:-1]]
        margins = [np.sort(step.logits)[-1] - np.sort(step.logits)[-2] for step in steps]
        assert min(margins) > 0.5


def test_the_structured_model_visits_every_token() -> None:
    assert sorted(float_generate(structured(), 0, 16)[0]) == list(range(VOCABULARY))


@given(SEEDS, st.integers(0, VOCABULARY - 1))
def test_greedy_decoding_takes_the_first_largest_logit(seed: int, start: int) -> None:
    tokens, steps = float_generate(random_model(seed), start, 6, 3)
    assert tokens[0] == start
    assert tokens[1:] == [attention.first_largest(step.logits.tolist()) for step in steps[:-1]]


@given(SEEDS, st.integers(0, VOCABULARY - 1), st.none() | st.integers(1, 6))
def test_forcing_the_generated_tokens_repeats_the_run(seed: int, start: int, window: int | None) -> None:
    tokens, steps = float_generate(random_model(seed), start, 6, window)
    again = float_forced(random_model(seed), tokens, window)
    assert all((a.logits == b.logits).all() for a, b in zip(steps, again, strict=True))


def test_large_scores_do_not_overflow() -> None:
    """Of thousands: only their differences count."""
    model = random_model(3)
    large = replace(model, query=model.query * 1000, key=model.key * 10)
    steps = float_generate(large, 1, 6, None)[1]
    for step in steps:
        assert np.isfinite(step.logits).all()
        assert abs(step.weights.sum() - 1) < 1e-12
