# SPDX-License-Identifier: Apache-2.0
"""Fuzzing with a stand-in for the replay, which agrees with the model until a test says otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from impl.chip import fuzz
from impl.chip.config import DEFAULT, SMALL, Config
from impl.chip.cosim import Outcome, Record, record
from impl.chip.fuzz import Fuzzed
from impl.chip.isa import Instruction, Op, encode
from impl.chip.random_programs import random_program, seeded

COPY = Instruction(Op.COPY, d=1, a=0, length=1)
LOAD = Instruction(Op.LOAD, d=0, a=12, length=3)
STORE, STORE_ALL = (Instruction(Op.STORE, d=6, a=0, length=length) for length in (1, 3))
HALT = Instruction(Op.HALT)


def program(*code: Instruction, words: Sequence[int] = ()) -> Record:
    """The record of some code and what follows it."""
    return record(np.array([*(word for one in code for word in encode(one)), *words], dtype=np.uint32), SMALL)


@dataclass
class Replays:
    """Stands in for `replay`: notes what is replayed; the first batch with the number `wrong` in it fails there."""

    wrong: int | None = None
    told: bool = True
    calls: list[tuple[str, Config, list[list[int]], int]] = field(default_factory=list)
    programs: int = 0

    def __call__(self, simulator: str, config: Config, records: Sequence[Record], waits: int) -> Outcome:
        assert records, "an empty batch"
        assert len(self.calls) < 20, "no end"
        self.calls.append((simulator, config, [one.image.tolist() for one in records], waits))
        first, self.programs = self.programs, self.programs + len(records)
        if self.wrong is not None and self.wrong < self.programs:
            return Outcome(simulator, "FAIL as told", False, record=self.wrong - first if self.told else None)
        return Outcome(simulator, "PASS", True, len(records), 1000 * len(records), 10 * len(records))


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> Replays:
    """Instead of a simulator, for batches of four."""
    replays = Replays()
    monkeypatch.setattr(fuzz, "replay", replays)
    monkeypatch.setattr(fuzz, "BATCH", 4)
    return replays


def test_every_fifth_program_of_a_seed_is_illegal() -> None:
    for number in range(10):
        expected = random_program(seeded(f"7/{number}"), SMALL, illegal=number in (4, 9))
        assert fuzz.program(7, number, SMALL).tolist() == expected.tolist()


def test_nothing_is_run_yet() -> None:
    assert Fuzzed() == Fuzzed(0, 0, 0, 0, 0, None, "", "")


def test_programs_that_agree(replays: Replays) -> None:
    heard: list[int] = []
    done = fuzz.fuzz("a simulator", SMALL, 10, 7, 60, heard.append)
    models = [record(fuzz.program(7, number, SMALL), SMALL) for number in range(10)]
    images = [one.image.tolist() for one in models]
    batches = [images[:4], images[4:8], images[8:]]
    assert replays.calls == [("a simulator", SMALL, batch, 60) for batch in batches]
    assert heard == [4, 4, 2]
    instructions = sum(one.result.fetched for one in models)
    errors = [number for number, one in enumerate(models) if one.result.error]
    assert {4, 9} <= set(errors) < set(range(10))
    assert done == Fuzzed(10, instructions, len(errors), 10_000, 100)


def test_the_size_of_the_chip_is_that_of_the_model_as_well(replays: Replays) -> None:
    fuzz.fuzz("", DEFAULT, 1, 0, 0, lambda passed: None)
    ((_, config, (image,), _),) = replays.calls
    assert config == DEFAULT
    assert image == fuzz.program(0, 0, DEFAULT).tolist()


def test_a_whole_batch_is_not_followed_by_an_empty_one(replays: Replays) -> None:
    assert fuzz.fuzz("", SMALL, 4, 0, 0, lambda passed: None).programs == 4
    assert len(replays.calls) == 1


@pytest.mark.parametrize(("told", "number"), [(True, 6), (False, 4)])
def test_a_program_that_differs_ends_it(replays: Replays, told: bool, number: int) -> None:
    """Its batch is counted. A simulator that does not tell which one differs leaves the first of the batch."""
    replays.wrong, replays.told = 6, told
    heard: list[int] = []
    done = fuzz.fuzz("x", SMALL, 40, 3, 0, heard.append)
    assert (done.failed, done.line, done.programs) == (number, "FAIL as told", 8)
    assert done.listing == fuzz.listing(record(fuzz.program(3, number, SMALL), SMALL))
    assert (len(replays.calls), heard) == (2, [4, 4])
    assert (done.cycles, done.waits) == (4000, 40)


@pytest.mark.parametrize(
    ("one", "lines"),
    [
        (program(COPY, HALT, COPY), ["COPY d=s1 a=s0 length=1", "HALT"]),
        # Memory beyond the image is 0, and so is the rest of an instruction of which the image has one or two words.
        (
            program(COPY),
            [
                "COPY d=s1 a=s0 length=1",
                ".word 00000000 00000000 00000000",
                "(instruction 1: opcode 0x00 does not exist)",
            ],
        ),
        (program(words=[0xFF]), [".word 000000ff 00000000 00000000", "(instruction 0: opcode 0x00 does not exist)"]),
        (program(words=[0xFF, 7]), [".word 000000ff 00000007 00000000", "(instruction 0: opcode 0x00 does not exist)"]),
        # The store writes a 0 over the HALT, which is shown as it was, and the chip goes no further.
        (
            program(STORE, COPY, HALT, COPY),
            [
                "STORE d=6 a=s0 length=1",
                "COPY d=s1 a=s0 length=1",
                "HALT",
                "(instruction 2: opcode 0x00 does not exist)",
            ],
        ),
        # Here a copy takes its place: the chip goes on, but what the program was has been shown.
        (
            program(LOAD, STORE_ALL, HALT, HALT, COPY),
            ["LOAD d=s0 a=12 length=3", "STORE d=6 a=s0 length=3", "HALT"],
        ),
    ],
)
def test_a_listing(one: Record, lines: list[str]) -> None:
    assert fuzz.listing(one).splitlines() == lines
