# SPDX-License-Identifier: Apache-2.0
"""What the chip computes in plain Python integers, from its definition and not from its code: the parts of it that
round, and one decode step."""

import math

from impl.chip.decode import MATRICES
from impl.chip.integers import Scale
from impl.lm.quantise import Quantised


def plain_requant(total: int, scale: Scale) -> int:
    """Half up, clamped."""
    return max(-128, min(127, (total * scale.multiplier + (1 << scale.shift >> 1)) >> scale.shift))


def plain_softmax(scores: list[int]) -> list[int]:
    """Weights in 127ths."""
    powers = [round(255 * math.exp((score - max(scores)) / 8)) for score in scores]
    factor = 127 * 2**16 // sum(powers)
    return [min(127, (power * factor + 2**15) >> 16) for power in powers]


def plain_step(model: Quantised, token: int, keys: list[list[int]], values: list[list[int]]) -> tuple[list[int], int]:
    """A step in plain integers: it appends to `keys` and `values` and gives logits and next token."""
    matrices = {name: getattr(model, name).tolist() for name in MATRICES}

    def times(row: list[int], matrix: list[list[int]], scale: Scale) -> list[int]:
        return [plain_requant(sum(map(int.__mul__, row, column)), scale) for column in zip(*matrix, strict=True)]

    x = model.embedding[token].tolist()
    query = times(x, matrices["query"], model.to_query)
    keys.append(times(x, matrices["key"], model.to_key))
    values.append(times(x, matrices["value"], model.to_value))
    weights = plain_softmax(times(query, list(map(list, zip(*keys, strict=True))), model.to_scores))
    mixed = times(weights, values, model.to_mixed)
    branch = times(mixed, matrices["output"], model.to_output)
    hidden = [max(-128, min(127, a + b)) for a, b in zip(x, branch, strict=True)]
    logits = times(hidden, matrices["unembedding"], model.to_logits)
    return logits, logits.index(max(logits))
