# SPDX-License-Identifier: Apache-2.0
"""How long everything takes, in cycles, as closed formulas. The model has its cycles from here and from nowhere else.

A unit is busy from the cycle after it accepts its command to the cycle of its done, both included. The cycle in which
the command is given is the last of the four that every instruction takes to fetch and decode. Instructions are issued
in order, the next one is fetched from the cycle after done on: so total = dma + mm + sm + vec + fetch, for every
program. All formulas hold for a memory without wait states; each wait adds one cycle to `total`, and to `dma` when it
falls into a burst.

N is the number of lanes, rows(n) = ceil(n / N).

| instruction | unit | cycles | why |
| --- | --- | --- | --- |
| every one | fetch | 4 | three words, one cycle to decode |
| LOAD | dma | n | one word a cycle |
| STORE | dma | n + 1 | one cycle to read the first row; the next ones are read while the last word of a row leaves |
| MATMUL, MATMUL_T | mm | rows(n)·(N + 1) + N + 5 | per tile a row of a and N rows of b; N sums one by one; 5 stages |
| SOFTMAX | sm | 2·n + rows(n) + 29 | rows for the maximum, elements twice, 25 for the division, 4 stages |
| ADD | vec | 3·n | read, read, write |
| COPY | vec | 2·n | read, write |
| ARGMAX | vec | rows(n) + 2 | a row a cycle, compare, write |
"""

from impl.chip.config import Config
from impl.chip.integers import DIVISION_BITS
from impl.chip.isa import WORDS, Instruction, Op

DECODE = 1
FETCH = WORDS + DECODE
"""Cycles to fetch and decode one instruction, legal or not."""

FETCH_OUTSIDE = 1
"""Cycles to find that the next instruction does not lie in the external memory."""


def load(words: int) -> int:
    """Busy cycles of a LOAD."""
    return words


def store(words: int) -> int:
    """Busy cycles of a STORE."""
    return words + 1


def matmul(length: int, config: Config) -> int:
    """Busy cycles of a MATMUL or a MATMUL_T."""
    return config.rows_for(length) * (config.lanes + 1) + config.lanes + 5


def softmax(length: int, config: Config) -> int:
    """Busy cycles of a SOFTMAX."""
    return 2 * length + config.rows_for(length) + DIVISION_BITS + 5


def add(rows: int) -> int:
    """Busy cycles of an ADD."""
    return 3 * rows


def copy(rows: int) -> int:
    """Busy cycles of a COPY."""
    return 2 * rows


def argmax(length: int, config: Config) -> int:
    """Busy cycles of an ARGMAX."""
    return config.rows_for(length) + 2


UNITS: dict[Op, str] = {
    Op.LOAD: "dma",
    Op.STORE: "dma",
    Op.MATMUL: "mm",
    Op.MATMUL_T: "mm",
    Op.SOFTMAX: "sm",
    Op.ADD: "vec",
    Op.COPY: "vec",
    Op.ARGMAX: "vec",
}
"""The unit that each instruction keeps busy. HALT keeps none."""


def busy(instruction: Instruction, config: Config) -> int:
    """Cycles for which a legal instruction keeps its unit busy."""
    n = instruction.length
    match Op(instruction.op):
        case Op.LOAD:
            return load(n)
        case Op.STORE:
            return store(n)
        case Op.MATMUL | Op.MATMUL_T:
            return matmul(n, config)
        case Op.SOFTMAX:
            return softmax(n, config)
        case Op.ADD:
            return add(n)
        case Op.COPY:
            return copy(n)
        case Op.ARGMAX:
            return argmax(n, config)
        case Op.HALT:
            return 0
