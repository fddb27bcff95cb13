# SPDX-License-Identifier: Apache-2.0
"""Random programs through the model and a simulator, in batches, until one differs.

Program i of a seed is always the same one; every fifth contains an illegal instruction.
"""

from collections.abc import Callable
from dataclasses import dataclass

from impl.chip.config import Config
from impl.chip.cosim import Record, record, replay
from impl.chip.isa import WORDS, Op, decode, disassemble
from impl.chip.machine import Words
from impl.chip.random_programs import random_program, seeded

BATCH = 250


@dataclass(slots=True)
class Fuzzed:
    """What was run: programs, instructions and errors (of the model), cycles and waits (of the simulator).

    When a program differs, `failed` is its number, `line` what the simulator said, `listing` the program.
    """

    programs: int = 0
    instructions: int = 0
    errors: int = 0
    cycles: int = 0
    waits: int = 0
    failed: int | None = None
    line: str = ""
    listing: str = ""


def program(seed: int, number: int, config: Config) -> Words:
    """Program `number` of a seed."""
    return random_program(seeded(f"{seed}/{number}"), config, illegal=number % 5 == 4)


def fuzz(simulator: str, config: Config, count: int, seed: int, waits: int, advance: Callable[[int], None]) -> Fuzzed:
    """Run `count` programs; `advance(n)` hears of every n that passed. Raises what `replay` raises."""
    done = Fuzzed()
    while done.programs < count and done.failed is None:
        numbers = range(done.programs, min(count, done.programs + BATCH))
        records = [record(program(seed, number, config), config) for number in numbers]
        outcome = replay(simulator, config, records, waits)
        done.programs += len(records)
        done.instructions += sum(one.result.fetched for one in records)
        done.errors += sum(one.result.error is not None for one in records)
        done.cycles += outcome.cycles
        done.waits += outcome.waits
        if not outcome.passed:
            at = outcome.record or 0
            done.failed, done.line, done.listing = numbers[at], outcome.line, listing(records[at])
        advance(len(records))
    return done


def listing(one: Record) -> str:
    """The instructions that ran, in assembly, and why they stopped. Overwritten ones are shown as they were first."""
    lines = []
    for number in range(one.result.fetched):
        words = one.image[number * WORDS : number * WORDS + WORDS].tolist()
        lines.append(disassemble(decode([*words, 0, 0, 0][:WORDS])))
        if lines[-1] == Op.HALT.name:
            break
    return "\n".join([*lines, *([f"({one.result.error})"] if one.result.error else [])])
