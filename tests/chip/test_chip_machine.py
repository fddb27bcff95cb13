# SPDX-License-Identifier: Apache-2.0
"""The model: every instruction on small data, what an error leaves behind, and the sum of the counters."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.chip import cost
from impl.chip.config import DEFAULT, SMALL, Config
from impl.chip.integers import requant, softmax
from impl.chip.isa import ROWMEM, Instruction, Op, encode
from impl.chip.machine import Machine, Result, run
from impl.chip.random_programs import illegal_instruction, random_instruction, random_program, seeded

R = ROWMEM
TINY = Config(lanes=4, sram_rows=32, rowmem_rows=16, external_words=512, max_context=12)
SEEDS = st.integers(0, 2**32 - 1)


def image(code: list[Instruction], data: list[int], at: int) -> np.ndarray:
    """Code from word 0 on and data bytes from word `at` on."""
    words = [word for instruction in code for word in encode(instruction)]
    assert len(words) <= at
    octets = np.array(data + [0] * (-len(data) % 4), dtype=np.int8)
    return np.concatenate([np.array(words + [0] * (at - len(words)), dtype=np.uint32), octets.view("<u4")])


def go(code: list[Instruction], data: list[int], config: Config = TINY) -> Result:
    """Run code on data that starts at word 100."""
    return run(image([*code, Instruction(Op.HALT)], data, 100), config)


def stored(result: Result, at: int, count: int) -> list[int]:
    """Some int8 of the external memory."""
    octets: list[int] = result.memory[at:].astype("<u4").view(np.int8)[:count].tolist()
    return octets


LOAD = Instruction(Op.LOAD, d=0, a=100, length=4)  # rows s0 … s3
LOAD_R = Instruction(Op.LOAD, d=R, a=104, length=4)  # rows r0 … r3
DATA = [1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, 127, 127, -128, -128]
MORE = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 2, 2, 2]


def test_words_are_little_endian_and_bursts_end_inside_a_row() -> None:
    config = replace(TINY, lanes=8)
    code = [
        Instruction(Op.LOAD, d=0, a=100, length=3),
        Instruction(Op.LOAD, d=1, a=104, length=1),
        Instruction(Op.STORE, d=200, a=0, length=4),
    ]
    result = go(code, [*DATA, *MORE], config)
    assert stored(result, 200, 16) == [*DATA[:8], *MORE[:4], 0, 0, 0, 0]
    assert result.memory[100] == 0x04030201
    assert result.counters.values() == (4 + 3 + 4 + 1 + 4 + 5 + 4, 9, 0, 0, 0)


def test_matmul_takes_rows() -> None:
    code = [
        LOAD,
        LOAD_R,
        Instruction(Op.MATMUL, d=R | 9, a=0, b=R, length=4, multiplier=2**15, shift=16),
        Instruction(Op.STORE, d=200, a=R | 9, length=1),
        Instruction(Op.MATMUL, d=9, a=2, b=R, length=3, multiplier=2**15, shift=15),
        Instruction(Op.STORE, d=201, a=9, length=1),
    ]
    result = go(code, [*DATA, *MORE])
    # (1, 2, 3, 4) · rows of MORE = (9, 10, 11, 8), halved and rounded up; (−1, −2, −3) · the first three rows.
    assert stored(result, 200, 8) == [5, 5, 6, 4, -1, -2, -3, 0]
    assert result.counters.values() == (7 * 4 + 8 + 4 + 2 * 14, 12, 28, 0, 0)


def test_matmul_t_takes_columns_and_clears_the_rest_of_its_row() -> None:
    code = [
        LOAD,
        LOAD_R,
        Instruction(Op.MATMUL_T, d=3, a=0, b=R | 1, length=3, multiplier=2**15, shift=15),
        Instruction(Op.STORE, d=200, a=3, length=1),
    ]
    assert stored(go(code, [*DATA, *MORE]), 200, 4) == [2, 3, 20, 0]


def test_matmul_over_more_than_one_tile() -> None:
    rng = np.random.default_rng(5)
    a = rng.integers(-128, 128, 10)
    b = rng.integers(-128, 128, (10, 4))
    code = [
        Instruction(Op.LOAD, d=0, a=100, length=3),
        Instruction(Op.LOAD, d=R, a=103, length=10),
        Instruction(Op.MATMUL, d=20, a=0, b=R, length=10, multiplier=40000, shift=24),
        Instruction(Op.MATMUL_T, d=21, a=20, b=R, length=10, multiplier=40000, shift=22),
        Instruction(Op.STORE, d=200, a=20, length=4),
    ]
    result = go(code, [*a.tolist(), 99, 99, *b.reshape(-1).tolist()])
    row = requant(a @ b, 40000, 24)
    assert stored(result, 200, 16) == [*row.tolist(), *requant(b @ row.astype(int), 40000, 22).tolist(), 0, 0]
    assert result.counters.mm == 2 * (3 * 5 + 9)


def test_softmax_in_place_ignores_and_clears_what_follows() -> None:
    code = [LOAD, Instruction(Op.SOFTMAX, d=0, a=0, length=6), Instruction(Op.STORE, d=200, a=0, length=3)]
    result = go(code, DATA)
    assert stored(result, 200, 12) == [*softmax(np.array(DATA[:6], dtype=np.int8)).tolist(), 0, 0, *DATA[8:12]]
    assert result.counters.sm == 12 + 2 + 29


def test_vector_instructions() -> None:
    code = [
        LOAD,
        LOAD_R,
        Instruction(Op.ADD, d=8, a=2, b=R | 2, length=2),
        Instruction(Op.COPY, d=R | 8, a=0, length=2),
        Instruction(Op.ARGMAX, d=10, a=0, length=16),
        Instruction(Op.STORE, d=200, a=8, length=3),
        Instruction(Op.STORE, d=203, a=R | 8, length=2),
    ]
    result = go(code, [*DATA, *MORE])
    assert stored(result, 200, 20) == [-1, -2, -2, -4, 127, 127, -126, -126, 12, 0, 0, 0, *DATA[:8]]
    assert result.counters.vec == 6 + 4 + 6


def test_copy_works_row_by_row() -> None:
    code = [LOAD, Instruction(Op.COPY, d=1, a=0, length=3), Instruction(Op.STORE, d=200, a=0, length=4)]
    assert stored(go(code, DATA), 200, 16) == DATA[:4] * 4


def test_an_image_that_is_too_large() -> None:
    with pytest.raises(ValueError, match="513 words does not fit into 512"):
        Machine(np.zeros(513, dtype=np.uint32), TINY)


def test_an_empty_memory_is_no_program() -> None:
    result = run(np.zeros(0, dtype=np.uint32), DEFAULT)
    assert result.error == "instruction 0: opcode 0x00 does not exist"
    assert result.counters.values() == (4, 0, 0, 0, 0)


@pytest.mark.parametrize(("words", "instructions"), [(12, 4), (13, 4), (14, 4), (15, 5)])
def test_running_out_of_the_memory(words: int, instructions: int) -> None:
    config = replace(TINY, external_words=words)
    copies = [word for _ in range(instructions) for word in encode(Instruction(Op.COPY, d=1, a=0, length=1))]
    result = run(np.array(copies, dtype=np.uint32), config)
    assert result.error == f"instruction {instructions} lies outside the external memory"
    assert result.fetched == instructions
    assert result.counters.values() == (6 * instructions + 1, 0, 0, 0, 2 * instructions)


@given(SEEDS)
def test_an_illegal_instruction_stops_the_chip_and_writes_nothing(seed: int) -> None:
    draw = seeded(seed)
    good, bad = random_instruction(draw, TINY), illegal_instruction(draw, TINY)
    data = list(range(-60, 60))
    alone, both = go([good], data), run(image([good, bad], data, 100), TINY)
    assert both.error
    assert both.error.startswith("instruction 1: ")
    assert (both.memory[6:] == alone.memory[6:]).all()
    assert both.counters == alone.counters


@given(SEEDS, st.booleans(), st.sampled_from([DEFAULT, SMALL]))
def test_the_counters_add_up(seed: int, illegal: bool, config: Config) -> None:
    result = run(random_program(seeded(seed), config, illegal), config)
    total, *units = result.counters.values()
    fetch = result.fetched * cost.FETCH
    assert total - sum(units) in (fetch, fetch + cost.FETCH_OUTSIDE)


@given(SEEDS)
def test_random_instructions_are_legal(seed: int) -> None:
    result = go([random_instruction(seeded(seed), TINY)], [])
    assert result.error is None or result.memory[:6].any()


@given(SEEDS, st.booleans())
def test_the_same_image_gives_the_same_result(seed: int, illegal: bool) -> None:
    first, second = (run(random_program(seeded(seed), SMALL, illegal), SMALL) for _ in range(2))
    assert (first.memory == second.memory).all()
    assert (first.counters, first.error) == (second.counters, second.error)
