# SPDX-License-Identifier: Apache-2.0
"""One decode step of attention, dense, from the token ids of exactly the visible rows.

There is no cache here: every key and every value is made afresh from its token. A vector is a tuple of floats, a matrix
is a tuple of rows, and a row vector multiplies a matrix from the left.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from spec.window import rows_read

Vector = Sequence[float]
Matrix = Sequence[Vector]


@dataclass(frozen=True, slots=True)
class Weights:
    """A language model of one layer and one head. All matrices are square but the first and the last."""

    embedding: Matrix  # one row per token
    query: Matrix
    key: Matrix
    value: Matrix
    output: Matrix
    unembedding: Matrix  # one column per token


def dot(a: Vector, b: Vector) -> float:
    """The sum of the products, in order."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def times(row: Vector, matrix: Matrix) -> list[float]:
    """A row vector times a matrix."""
    return [dot(row, column) for column in zip(*matrix, strict=True)]


def softmax(scores: Vector) -> list[float]:
    """Positive weights that add up to 1."""
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    return [power / sum(powers) for power in powers]


def attend(weights: Weights, visible: Sequence[int]) -> list[float]:
    """The logits of one step. `visible` are the tokens that the step attends to, oldest first, the new one last."""
    embedded = [weights.embedding[token] for token in visible]
    new = embedded[-1]
    query = times(new, weights.query)
    scores = [dot(query, times(x, weights.key)) / math.sqrt(len(query)) for x in embedded]
    mixed = times(softmax(scores), [times(x, weights.value) for x in embedded])
    hidden = [x + y for x, y in zip(new, times(mixed, weights.output), strict=True)]
    return times(hidden, weights.unembedding)


def visible_tokens(tokens: Sequence[int], step: int, window: int, sinks: int = 0) -> list[int]:
    """The tokens that step `step` attends to: those of the rows it reads, and its own."""
    return [tokens[row] for row in sorted(rows_read(step, window, sinks))] + [tokens[step - 1]]


def first_largest(logits: Vector) -> int:
    """The first index of the largest value: the next token."""
    return next(i for i, x in enumerate(logits) if all(x >= y for y in logits))
