# SPDX-License-Identifier: Apache-2.0
"""The chip's integer operations against their definitions in exact arithmetic."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from impl.chip import integers

INT8 = st.integers(-128, 127)
SCORES = st.lists(INT8, min_size=1, max_size=64)


def int8(values: list[int]) -> np.ndarray:
    """As the chip holds them."""
    return np.array(values, dtype=np.int8)


@given(st.integers(-(2**31), 2**31 - 1), st.integers(0, 65535), st.integers(1, 47))
@example(2**31 - 1, 65535, 47)
@example(-(2**31), 65535, 1)
@example(-1, 1, 1)
@example(1, 1, 1)
@example(-3, 1, 1)
@example(127, 2**15, 15)
@example(128, 2**15, 15)
def test_requant_rounds_half_up_and_clamps(total: int, multiplier: int, shift: int) -> None:
    exact = math.floor(Fraction(total * multiplier, 2**shift) + Fraction(1, 2))
    result = integers.requant(np.array([total]), multiplier, shift)
    assert result.dtype == np.int8
    assert result[0] == max(-128, min(127, exact))


@pytest.mark.parametrize("total", [2**31 - 1, -(2**31), 65538, -65538])
@pytest.mark.parametrize("shift", [33, 40, 47])
def test_products_of_int32_do_not_overflow(total: int, shift: int) -> None:
    """The sums of a matrix product fit into 32 bits; their products with a multiplier do not."""
    exact = math.floor(Fraction(total * 65535, 2**shift) + Fraction(1, 2))
    assert integers.requant(np.array([total], dtype=np.int32), 65535, shift).tolist() == [max(-128, min(127, exact))]


def test_floats_are_no_sums() -> None:
    with pytest.raises(TypeError):
        integers.requant(np.array([1.0]), 1, 1)


def test_the_exp_table() -> None:
    table = integers.EXP_TABLE.tolist()
    assert len(table) == 256
    assert table[0] == 255
    assert table == sorted(table, reverse=True)
    assert all(abs(entry - 255 * math.exp(-i / 8)) <= 0.5 for i, entry in enumerate(table))
    assert table[49] == 1
    assert table[50] == 0
    assert min(abs(255 * math.exp(-i / 8) % 1 - 0.5) for i in range(256)) > 1e-5


@given(SCORES)
@example([-128] * 64)
@example([127])
@example([127, -128])
def test_softmax(scores: list[int]) -> None:
    result = integers.softmax(int8(scores))
    assert result.dtype == np.int8
    weights = result.tolist()
    exact = [math.exp((score - max(scores)) / 8) for score in scores]
    assert abs(sum(weights) - 127) <= len(scores)
    assert all(0 <= weight <= 127 for weight in weights)
    # A weight is rounded by ½, its power by ½ of 255, and the sum of the powers by n/2 of at least 255.
    for weight, share in zip(weights, (power / sum(exact) for power in exact), strict=True):
        assert abs(weight - 127 * share) < 0.51 + 127 / 510 * (1 + len(scores) * share)
    pairs = sorted(zip(scores, weights, strict=True))
    assert [weight for _, weight in pairs] == sorted(weights)
    assert len(set(pairs)) == len(set(scores))


def test_half_a_weight_is_rounded_up() -> None:
    """The powers are 255, 225, 18 and 10, their sum 508, the reciprocal 2^14: so the weights are quarters."""
    assert integers.softmax(int8([0, -1, -21, -26])).tolist() == [64, 56, 5, 3]


@pytest.mark.parametrize("score", [-128, 0, 127])
def test_one_score_gets_the_full_weight(score: int) -> None:
    assert integers.softmax(int8([score])).tolist() == [127]


@pytest.mark.parametrize(
    ("total", "result"), [(255, 32639), (256, 32512), (16320, 509), (127 << 16, 1), (2**24 - 1, 0)]
)
def test_the_reciprocal_rounds_down(total: int, result: int) -> None:
    assert integers.reciprocal(total) == result


@given(st.lists(st.tuples(INT8, INT8), min_size=1, max_size=16))
def test_sums_saturate(pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    result = integers.saturating_add(int8(list(a)), int8(list(b)))
    assert result.dtype == np.int8
    assert result.tolist() == [max(-128, min(127, x + y)) for x, y in pairs]


@given(SCORES)
def test_argmax_is_the_first_largest(values: list[int]) -> None:
    assert integers.argmax(int8(values)) == values.index(max(values))
