# SPDX-License-Identifier: Apache-2.0
"""Random programs: legal ones of any mix with any operands, and ones that end at an illegal instruction.

Everything is drawn through one function, so that Hypothesis and a seeded generator feed the same definition.
"""

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from impl.chip.config import Config
from impl.chip.integers import MAX_MULTIPLIER, MAX_SHIFT
from impl.chip.isa import ROWMEM, WORDS, Instruction, Op, encode
from impl.chip.legal import fault
from impl.chip.machine import Words

Draw = Callable[[int, int], int]
"""draw(low, high) gives an integer in low … high, both included."""

LONGEST = 40
"""Most instructions in a program, the stores at its end and HALT included."""

WORKERS = (Op.LOAD, Op.STORE, Op.MATMUL, Op.MATMUL_T, Op.SOFTMAX, Op.ADD, Op.COPY, Op.ARGMAX)


def random_program(draw: Draw, config: Config, illegal: bool = False) -> Words:
    """The image of a program that loads data, works on it and stores both on-chip memories where there is room.

    With `illegal` one instruction is replaced by an illegal one, or the end is missing, so that data is run as code.
    Code that a program overwrites may be illegal too.
    """
    begin = [_load(config, ROWMEM * memory, draw) for memory in (0, 1)]
    work = [random_instruction(draw, config) for _ in range(draw(0, LONGEST - 5))]
    code = [*begin, *work, *_dump(config), Instruction(Op.HALT)]
    if illegal:
        at = draw(0, len(code) - 1)
        code[at:] = [illegal_instruction(draw, config), *code[at + 1 :]] if draw(0, 3) else []
    words = [word for instruction in code for word in encode(instruction)]
    return np.array(words + _data(draw, _data_words(config)), dtype=np.uint32)


def random_instruction(draw: Draw, config: Config) -> Instruction:
    """A legal instruction that is not HALT."""
    op = WORKERS[draw(0, len(WORKERS) - 1)]
    match op:
        case Op.LOAD | Op.STORE:
            return _transfer(draw, config, op)
        case Op.MATMUL:
            b, room = _rows(draw, config)
            length = draw(1, min(room, config.lanes * config.sram_rows))
            a = draw(0, config.sram_rows - config.rows_for(length))
            return Instruction(op, _row(draw, config, 1), a, b, length, *_scale(draw))
        case Op.MATMUL_T:
            length = draw(1, min(config.rowmem_rows, config.lanes * config.sram_rows))
            b = ROWMEM | draw(0, config.rowmem_rows - length)
            d = draw(0, config.sram_rows - config.rows_for(length))
            return Instruction(op, d, draw(0, config.sram_rows - 1), b, length, *_scale(draw))
        case Op.SOFTMAX:
            length = draw(1, config.max_context)
            last = config.sram_rows - config.rows_for(length)
            apart = Instruction(op, draw(0, last), draw(0, last), length=length)
            return replace(apart, d=apart.a) if fault(apart, config) else apart
        case Op.ADD | Op.COPY:
            length = draw(1, draw(1, min(config.sram_rows, config.rowmem_rows)))
            d, a, b = (_row(draw, config, length) for _ in range(3))
            return Instruction(op, d, a, b if op is Op.ADD else 0, length)
        case _:
            a, room = _rows(draw, config)
            return Instruction(op, _row(draw, config, 1), a, length=draw(1, room * config.lanes))


def illegal_instruction(draw: Draw, config: Config) -> Instruction:
    """An illegal instruction: a legal one with one or two fields changed."""
    fields = ("op", "d", "a", "b", "length", "multiplier", "shift")
    while True:
        spoilt = random_instruction(draw, config)
        for _ in range(draw(1, 2)):
            name = fields[draw(0, len(fields) - 1)]
            limit = 0xFF if name in ("op", "shift") else 0xFFFF
            near = (getattr(spoilt, name) + draw(-2, 2)) % (limit + 1)
            spoilt = replace(spoilt, **{name: (near, draw(0, limit), 0, ROWMEM & limit)[draw(0, 3)]})
        if fault(spoilt, config):
            return spoilt


def seeded(seed: int | str) -> Draw:
    """The drawing function of a seeded generator."""
    return random.Random(seed).randint


def _transfer(draw: Draw, config: Config, op: Op) -> Instruction:
    address, room = _rows(draw, config)
    length = draw(1, min(room * config.row_words, draw(1, 4 * config.row_words)))
    begin = LONGEST * WORDS if op is Op.STORE and draw(0, 9) else 0
    near = min(begin + _data_words(config), config.external_words)
    external = draw(begin, (near if draw(0, 3) else config.external_words) - length)
    d, a = (address, external) if op is Op.LOAD else (external, address)
    return Instruction(op, d, a, length=length)


def _rows(draw: Draw, config: Config) -> tuple[int, int]:
    """Any row address, and how many rows there are from it to the end of its memory."""
    address = _row(draw, config, 1)
    return address, (config.rowmem_rows if address & ROWMEM else config.sram_rows) - (address & ~ROWMEM)


def _row(draw: Draw, config: Config, count: int) -> int:
    """Any address of `count` rows."""
    if draw(0, 1):
        return ROWMEM | draw(0, config.rowmem_rows - count)
    return draw(0, config.sram_rows - count)


def _scale(draw: Draw) -> tuple[int, int]:
    """Any multiplier and shift, more often ones that leave something between the clamps."""
    if draw(0, 3):
        return draw(MAX_MULTIPLIER // 2, MAX_MULTIPLIER), draw(20, 28)
    return draw(0, MAX_MULTIPLIER), draw(1, MAX_SHIFT)


def _load(config: Config, memory: int, draw: Draw) -> Instruction:
    words = draw(1, min(_data_words(config), config.row_words * min(config.sram_rows, config.rowmem_rows)))
    return Instruction(Op.LOAD, d=memory, a=LONGEST * WORDS // 2, length=words)


def _dump(config: Config) -> list[Instruction]:
    """Store both on-chip memories at the end of the external one, as far as it goes."""
    sram, rowmem = config.sram_rows * config.row_words, config.rowmem_rows * config.row_words
    end = config.external_words
    return [
        Instruction(Op.STORE, d=end - sram, length=sram),
        Instruction(Op.STORE, d=end - sram - rowmem, a=ROWMEM, length=rowmem),
    ]


def _data_words(config: Config) -> int:
    return config.external_words // 8


def _data(draw: Draw, words: int) -> list[int]:
    """Words of int8 of one of three characters: anything, small, extreme."""
    source = np.random.default_rng(draw(0, 2**32 - 1))
    choices = (range(-128, 128), range(-10, 10), (-128, 127, 0))[draw(0, 2)]
    data: list[int] = source.choice(np.array(choices, dtype=np.int8), 4 * words).view("<u4").tolist()
    return data
