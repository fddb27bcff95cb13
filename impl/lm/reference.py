# SPDX-License-Identifier: Apache-2.0
"""The float reference: decode steps in float64, with every row kept and the window cut out of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from impl.lm.model import WIDTH, Floats, Model
from impl.window import first_row, window_or_all


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one step computes: vectors of 16 float64 each, except that `weights` has one per visible token."""

    x: Floats
    query: Floats
    key: Floats
    value: Floats
    weights: Floats
    mixed: Floats
    hidden: Floats
    logits: Floats


def float_step(model: Model, token: int, keys: Floats, values: Floats) -> Step:
    """One step over the cached `keys` and `values`, (n, 16) each, and the new token. O(n)."""
    x = model.embedding[token]
    query, key, value = x @ model.query, x @ model.key, x @ model.value
    scores = np.vstack([keys, key]) @ query / np.sqrt(WIDTH)
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum()
    mixed = weights @ np.vstack([values, value])
    hidden = x + mixed @ model.output
    return Step(x, query, key, value, weights, mixed, hidden, hidden @ model.unembedding)


def float_forced(model: Model, tokens: Sequence[int], window: int | None = None) -> list[Step]:
    """The steps along given tokens; step L = 1, 2, … takes `tokens[L-1]` and sees at most `window` tokens. O(L·W)."""
    _, steps = _decode(model, len(tokens), window, lambda done: tokens[len(done)])
    return steps


def float_generate(model: Model, start: int, steps: int, window: int | None = None) -> tuple[list[int], list[Step]]:
    """Greedy decoding: the tokens that the steps take, `start` first, and the steps. O(steps·W)."""
    return _decode(model, steps, window, lambda done: int(np.argmax(done[-1].logits)) if done else start)


def _decode(
    model: Model, count: int, window: int | None, choose: Callable[[list[Step]], int]
) -> tuple[list[int], list[Step]]:
    """`count` steps; `choose` says which token the next one takes, given the steps done."""
    tokens: list[int] = []
    steps: list[Step] = []
    keys = np.zeros((count, WIDTH))
    values = np.zeros((count, WIDTH))
    for number in range(1, count + 1):
        token = choose(steps)
        visible = slice(first_row(number, window_or_all(window, number)), number - 1)
        step = float_step(model, token, keys[visible], values[visible])
        keys[number - 1], values[number - 1] = step.key, step.value
        tokens.append(token)
        steps.append(step)
    return tokens, steps
