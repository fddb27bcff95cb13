# SPDX-License-Identifier: Apache-2.0
"""The tables of the instruction set that the proofs of ga2 use, `formal/ga2_decode_isa.sv`, against those in Python.

The proofs show that the decoder of the chip agrees with the former for all instructions; here random instructions, most
of them at an edge of what is legal, show that the former agrees with `impl.chip.isa` and `impl.chip.legal`.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from impl.chip.config import DEFAULT, SMALL, Config
from impl.chip.isa import FIELDS, ROWMEM, Instruction, Op, decode, encode
from impl.chip.legal import fault
from impl.chip.random_programs import random_instruction, seeded
from impl.chip.simulators import parameters
from impl.chip.unit_bench import Bench, Cycle, run
from proofs.report import ROOT

TABLES = (ROOT / "formal" / "ga2_decode_isa.sv").read_text()
WIDTHS = {"opcode": 8, "shift": 8, "d": 16, "a": 16, "b": 16, "length": 16, "multiplier": 16, "legal": 1}

MISTAKES = [
    ("shift <= 47", "shift <= 48"),
    ("shift >= 1", "shift >= 0"),
    ("<= CONTEXT", "< CONTEXT"),
    ("further < EXTERNAL", "further <= EXTERNAL"),
    ("further < SRAM", "further <= SRAM"),
    ("further < ROWMEM", "further <= ROWMEM"),
    ("{16'd0, a} + more_packed < {16'd0, d}", "{16'd0, a} + more_packed <= {16'd0, d}"),
    ("length != 0", "1'b1"),
    ("more / (LANES / 32'd4)", "length / (LANES / 32'd4)"),
    ("8'h08: legal = some && unscaled && b == 0", "8'h08: legal = some && unscaled"),
    ("8'h09: legal = some && unscaled", "8'h09: legal = some && shift == 0"),
    ("default: legal = 1'b0", "default: legal = opcode == 8'h0a"),
    ("{a, b} = word1", "{b, a} = word1"),
]


@pytest.mark.parametrize("config", [DEFAULT, SMALL], ids=["default", "small"])
def test_the_tables_of_the_proofs_are_those_in_python(config: Config) -> None:
    instructions = list(at_the_edges(config))
    assert len(instructions) > 10_000
    for op in Op:
        verdicts = [fault(i, config) is None for i in instructions if i.op == op]
        assert verdicts.count(True) >= (1 if op is Op.HALT else 100)
        assert verdicts.count(False) >= 80
    assert difference(instructions, config) is None


@pytest.mark.parametrize(("right", "wrong"), MISTAKES)
def test_a_mistake_in_the_tables_is_noticed(right: str, wrong: str) -> None:
    assert TABLES.count(right) == 1
    found = difference(list(at_the_edges(SMALL)), SMALL, TABLES.replace(right, wrong))
    assert found is not None
    assert found.startswith("cycle ")


def difference(instructions: list[Instruction], config: Config, tables: str = TABLES) -> str | None:
    """The first instruction of which the Verilog says something else than the Python, or None."""
    cycles = [shown(encode(instruction), config) for instruction in instructions]
    words = {"word0": 32, "word1": 32, "word2": 32}
    bench = Bench("ga2_decode_isa", parameters(config), words, WIDTHS, cycles, clocked=False)
    return run(bench, {"ga2_decode.v": tables})


def shown(words: list[int], config: Config) -> Cycle:
    """Three words, and what the Python makes of them."""
    i = decode(words)
    fields = {"opcode": i.op, **{name: getattr(i, name) for name in FIELDS}}
    return Cycle(
        dict(zip(("word0", "word1", "word2"), words, strict=True)), {**fields, "legal": int(fault(i, config) is None)}
    )


def at_the_edges(config: Config) -> Iterator[Instruction]:
    """What to compare: legal instructions, each also at its edges, and others.

    One field of a legal instruction is at 0, at its largest, and on both sides of a step to what is illegal; every
    opcode there is and is not; HALT with any one bit; sources and destinations that just meet; and 96 random bits.
    """
    draw = random.Random(11)
    for seed in range(200):
        legal = random_instruction(seeded(seed), config)
        yield legal
        for name in FIELDS:
            most = 0xFF if name == "shift" else 0xFFFF
            values = {0, 1, most, *edges(legal, name, most, config)}
            if name in "dab":
                values |= {ROWMEM - 1, ROWMEM, *near(legal, config)}
            yield from (replace(legal, **{name: value}) for value in sorted(values) if 0 <= value <= most)
        yield replace(legal, op=draw.randrange(256))
    for bit in range(88):
        yield decode(cut(Op.HALT << 88 | 1 << bit))
    for op in range(256):
        yield Instruction(op)
        yield Instruction(op, length=1, shift=op % 2)
    yield from (decode([draw.getrandbits(32) for _ in range(3)]) for _ in range(500))


def cut(bits: int) -> list[int]:
    """The three words of which the first has the highest bits."""
    return [bits >> at & 0xFFFFFFFF for at in (64, 32, 0)]


def edges(legal: Instruction, name: str, most: int, config: Config) -> set[int]:
    """The last legal and the first illegal value of a field, upwards and downwards from a legal instruction."""
    found = set()
    for outside in (-1, most + 1):
        inside = getattr(legal, name)
        while abs(outside - inside) > 1:
            middle = (inside + outside) // 2
            if fault(replace(legal, **{name: middle}), config):
                outside = middle
            else:
                inside = middle
        found |= {inside, outside}
    return found


def near(legal: Instruction, config: Config) -> set[int]:
    """Addresses from which a range just touches or just misses that of another operand."""
    rows = config.rows_for(legal.length)
    return {address + step for address in (legal.d, legal.a) for step in (-rows, 1 - rows, 0, rows - 1, rows)}
