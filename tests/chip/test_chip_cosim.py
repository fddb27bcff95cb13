# SPDX-License-Identifier: Apache-2.0
"""The Verilog against the model: memory, error flag and five counters, in two simulators, with and without wait states.

A simulator that is not installed makes these tests fail with the command that installs it.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impl.chip.config import DEFAULT, SMALL, Config
from impl.chip.cosim import Outcome, Record, record, replay
from impl.chip.decode import decode_inputs, decode_program
from impl.chip.isa import Instruction, Op, encode
from impl.chip.random_programs import illegal_instruction, random_program, seeded
from impl.lm.model import structured, successor
from impl.lm.quantise import quantise

WINDOWS = [None, 8, 4]
SIMULATORS = ["icarus", "verilator"]


@cache
def decode_records(window: int | None) -> list[Record]:
    """The records of 32 steps of the structured model."""
    model = quantise(structured(), window)
    keys: list[np.ndarray] = []
    values: list[np.ndarray] = []
    records = []
    token = 0
    for _ in range(32):
        first = 0 if window is None else max(0, len(keys) + 1 - window)
        program = decode_program(model, len(keys) - first + 1, DEFAULT)
        inputs = decode_inputs(model, token, np.array(keys[first:]), np.array(values[first:]))
        one = record(program.image(inputs), DEFAULT)
        keys.append(program.output(one.result.memory, "k"))
        values.append(program.output(one.result.memory, "v"))
        assert program.output(one.result.memory, "token").tolist() == [successor(token), 0, 0, 0]
        token = successor(token)
        records.append(one)
    return records


def agreed(simulator: str, config: Config, records: Sequence[Record], waits: int = 0) -> Outcome:
    """Replay records, all of which have to pass."""
    outcome = replay(simulator, config, records, waits)
    cycles = sum(one.result.counters.total for one in records)
    assert outcome.line == f"PASS programs={len(records)} cycles={cycles + outcome.waits} waits={outcome.waits}"
    return outcome


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("simulator", SIMULATORS)
def test_32_decode_steps(simulator: str, window: int | None) -> None:
    assert agreed(simulator, DEFAULT, decode_records(window)).waits == 0


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_decode_steps_with_wait_states(simulator: str) -> None:
    few = agreed(simulator, DEFAULT, decode_records(8)[4:12], 40)
    many = agreed(simulator, DEFAULT, decode_records(8)[4:12], 200)
    assert 0 < few.waits < many.waits


def test_both_simulators_see_the_same_waits() -> None:
    icarus, verilator = (agreed(simulator, DEFAULT, decode_records(4)[:4], 128) for simulator in SIMULATORS)
    assert icarus.line == verilator.line


def test_two_thousand_random_programs() -> None:
    records = [record(random_program(seeded(seed), DEFAULT), DEFAULT) for seed in range(2000)]
    assert sum(one.result.error is None for one in records) > 1900
    agreed("verilator", DEFAULT, records)
    agreed("verilator", DEFAULT, records[:300], 90)


def test_random_programs_on_a_small_chip() -> None:
    records = [record(random_program(seeded(seed), SMALL), SMALL) for seed in range(100)]
    agreed("icarus", SMALL, records)
    agreed("icarus", SMALL, records[:40], 90)


@pytest.mark.parametrize(("simulator", "config"), [("icarus", SMALL), ("verilator", DEFAULT)])
def test_illegal_instructions(simulator: str, config: Config) -> None:
    """Alone, so that nothing else stops the chip, and in the middle of random programs."""
    images = [
        np.array(encode(illegal_instruction(seeded(seed), config)) + encode(Instruction(Op.HALT)), dtype=np.uint32)
        for seed in range(400)
    ]
    images += [random_program(seeded(seed), config, illegal=True) for seed in range(40)]
    records = [record(image, config) for image in images]
    assert all(one.result.error for one in records[:400])
    agreed(simulator, config, records)


@pytest.mark.parametrize("words", [510, 511, 512])
def test_running_out_of_the_memory(words: int) -> None:
    """510 is a multiple of 3: the last word is used up exactly."""
    config = Config(8, 32, 16, words, 20)
    copies = encode(Instruction(Op.COPY, d=1, a=0, length=1)) * (words // 3)
    records = [
        record(np.array(copies, dtype=np.uint32), config),
        record(np.array(copies[:300], dtype=np.uint32), config),
    ]
    assert "outside" in str(records[0].result.error)
    agreed("icarus", config, records)


@given(st.data())
@settings(max_examples=25)
def test_drawn_programs(data: st.DataObject) -> None:
    """Programs drawn by Hypothesis, so that one that fails is made small."""

    def draw(low: int, high: int) -> int:
        return data.draw(st.integers(low, high))

    agreed("verilator", DEFAULT, [record(random_program(draw, DEFAULT, draw(0, 3) == 0), DEFAULT)])
