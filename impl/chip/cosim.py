# SPDX-License-Identifier: Apache-2.0
"""Co-simulation: programs and what the model says of them, replayed on the Verilog by Icarus and by Verilator.

A record is an image of the external memory with the memory, the error flag and the five counters that the program has
to leave. The testbench (`rtl/tb/replay.v`) compares every word and prints one line. Builds are kept under
`build/cosim`, in a folder named after the content of all that went into them, so that an unchanged chip is built once.
"""

import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from impl.chip.config import Config
from impl.chip.machine import Result, Words, run
from impl.chip.simulators import SIMULATORS, Simulator, captured, temporary


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """An image and what the model makes of it."""

    image: Words
    result: Result

    def text(self) -> str:
        """The record as the testbench reads it: hexadecimal numbers, one piece a line."""
        before = np.zeros_like(self.result.memory)
        before[: len(self.image)] = self.image
        changed = np.flatnonzero(before != self.result.memory).tolist()
        after = self.result.memory.tolist()
        lines = [
            _hex([len(self.image), *self.image.tolist()]),
            _hex([self.result.error is not None, *self.result.counters.values()]),
            _hex([len(changed), *(number for at in changed for number in (at, after[at]))]),
        ]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulator said: the line, and the totals when it passed. `record` is the first that failed, from 0."""

    simulator: str
    line: str
    passed: bool
    programs: int = 0
    cycles: int = 0
    waits: int = 0
    record: int | None = None


def record(image: Words, config: Config) -> Record:
    """The record of an image: runs the model."""
    return Record(image, run(image, config))


def replay(simulator: str, config: Config, records: Sequence[Record], waits: int = 0) -> Outcome:
    """Replay records on the Verilog; `waits` of 256 cycles, at random, are wait states of the external memory.

    Raises SimulatorMissing, and SimulatorError when the simulator fails otherwise than by a mismatch.
    """
    with temporary("records") as folder:
        return _simulated(simulator, config, records, [f"+waits={waits}"], folder)


def waveform(config: Config, one: Record, file: Path, waits: int = 0) -> Outcome:
    """Replay one record in Icarus and write every signal of the chip to a VCD file. Raises as `replay`, and OSError."""
    with temporary("records") as folder:
        outcome = _simulated("icarus", config, [one], [f"+waits={waits}", "+vcd=wave.vcd"], folder)
        shutil.move(folder / "wave.vcd", file)
    return outcome


def _simulated(
    simulator: str, config: Config, records: Sequence[Record], arguments: Sequence[str], folder: Path
) -> Outcome:
    chosen = SIMULATORS[simulator]
    program = chosen.build(config)
    write(folder / "records.txt", records)
    ran = captured([*chosen.command(program), "+records=records.txt", *arguments], folder)
    outcome = parse(chosen.name, ran.stdout)
    if outcome is None or (ran.returncode == 0) != outcome.passed:
        said = (ran.stdout + ran.stderr).strip() or "no output"
        raise SimulatorError(f"{simulator} ended with {ran.returncode}: {said}")
    return outcome


class SimulatorError(RuntimeError):
    """A simulator ended without a verdict, or with one that its exit status contradicts."""


def write(file: Path, records: Iterable[Record]) -> None:
    """Write a file of records."""
    texts = [one.text() for one in records]
    file.write_text("\n".join([_hex([len(texts)]), *texts, ""]))


def parse(simulator: str, output: str) -> Outcome | None:
    """The verdict in a simulator's output; None when there is not exactly one."""
    lines = re.findall(r"^(?:PASS|FAIL).*$", output, re.MULTILINE)
    if len(lines) != 1:
        return None
    line = lines[0].strip()
    passed = re.fullmatch(r"PASS programs=(\d+) cycles=(\d+) waits=(\d+)", line)
    if passed:
        return Outcome(simulator, line, True, *map(int, passed.groups()))
    where = re.match(r"FAIL record=(\d+) ", line)
    return Outcome(simulator, line, False, record=int(where[1]) if where else None)


def _hex(numbers: Iterable[int]) -> str:
    return " ".join(f"{int(number):x}" for number in numbers)


__all__ = ["Outcome", "Record", "Simulator", "SimulatorError", "parse", "record", "replay", "waveform", "write"]
