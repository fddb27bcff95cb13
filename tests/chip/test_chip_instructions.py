# SPDX-License-Identifier: Apache-2.0
"""Each instruction on memories full of data: what it writes, that it writes nothing else, and how long it takes."""

import numpy as np
import pytest

from impl.chip import cost
from impl.chip.config import SMALL, Config
from impl.chip.isa import WORDS, Instruction, Op, encode
from impl.chip.machine import Machine
from impl.chip.random_programs import WORKERS, random_instruction, seeded
from tests.chip.plain_machine import Memories

TINY = Config(lanes=4, sram_rows=80, rowmem_rows=8, external_words=256, max_context=12)
"""A row of it holds one word, and sram holds more int8 than a byte can count."""

CODE = 2 * WORDS


def full(config: Config, source: np.random.Generator) -> Machine:
    """A chip whose memories hold data of any kind: from the smallest numbers to the largest, with many equal ones."""
    machine = Machine(np.zeros(0, dtype=np.uint32), config)
    for memory in (machine.sram, machine.rowmem, machine.external.view(np.int8)):
        largest = source.choice([2, 20, 128])
        memory[:] = source.integers(-largest, largest, memory.shape)
    return machine


@pytest.mark.parametrize("config", [TINY, SMALL], ids=["tiny", "small"])
def test_an_instruction_writes_what_it_should_and_nothing_else(config: Config) -> None:
    source = np.random.default_rng(7)
    seen = set()
    for seed in range(150):
        instruction = random_instruction(seeded(seed), config)
        if instruction.op == Op.STORE and instruction.d < CODE:
            continue
        seen.add(instruction.op)
        machine = full(config, source)
        machine.external[:CODE] = [*encode(instruction), *encode(Instruction(Op.HALT))]
        expected = Memories(machine.sram.tolist(), machine.rowmem.tolist(), machine.external.tolist())
        expected.execute(instruction)
        result = machine.run()
        assert result.error is None
        assert result.fetched == 2
        assert result.memory.dtype == np.uint32
        assert result.memory.tolist() == expected.external, instruction
        assert machine.sram.tolist() == expected.sram, instruction
        assert machine.rowmem.tolist() == expected.rowmem, instruction
    assert seen == set(WORKERS)


@pytest.mark.parametrize(
    ("op", "length", "cycles"),
    [
        (Op.LOAD, 5, 5),
        (Op.STORE, 5, 6),
        (Op.MATMUL, 8, 9 + 13),
        (Op.MATMUL, 9, 2 * 9 + 13),
        (Op.MATMUL_T, 17, 3 * 9 + 13),
        (Op.SOFTMAX, 8, 16 + 1 + 29),
        (Op.SOFTMAX, 9, 18 + 2 + 29),
        (Op.ADD, 5, 15),
        (Op.COPY, 5, 10),
        (Op.ARGMAX, 8, 1 + 2),
        (Op.ARGMAX, 9, 2 + 2),
        (Op.HALT, 0, 0),
    ],
)
def test_how_long_an_instruction_takes(op: Op, length: int, cycles: int) -> None:
    """On 8 lanes, from the table in `impl/chip/cost.py`."""
    assert cost.busy(Instruction(op, length=length), SMALL) == cycles


@pytest.mark.parametrize(
    ("lanes", "elements", "rows", "rows_of_words"),
    [(4, 0, 0, 0), (4, 1, 1, 1), (4, 4, 1, 4), (4, 5, 2, 5), (16, 16, 1, 4), (16, 17, 2, 5), (16, 20, 2, 5)],
)
def test_rows_hold_elements_and_words(lanes: int, elements: int, rows: int, rows_of_words: int) -> None:
    """Both round up; a row of 16 lanes holds 4 words."""
    config = Config(lanes=lanes)
    assert config.row_words == lanes // 4
    assert config.rows_for(elements) == rows
    assert config.rows_of_words(elements) == rows_of_words
