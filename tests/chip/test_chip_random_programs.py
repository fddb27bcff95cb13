# SPDX-License-Identifier: Apache-2.0
"""Random programs: which ones there are, and that a seed always gives the same."""

import hashlib
import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from impl.chip.config import DEFAULT, SMALL, Config
from impl.chip.isa import FIELDS, ROWMEM, WORDS, Instruction, Op, decode, encode
from impl.chip.legal import fault
from impl.chip.machine import Words, run
from impl.chip.random_programs import WORKERS, Draw, illegal_instruction, random_instruction, random_program, seeded

R = ROWMEM
FLAT = Config(lanes=4, sram_rows=2, rowmem_rows=16, external_words=512, max_context=8)
"""A chip where the row that a product takes from sram is shorter than its matrix is high."""


def code_of(image: Words, config: Config) -> list[Instruction]:
    """The instructions before the data."""
    words = image.tolist()[: len(image) - config.external_words // 8]
    return [decode(words[at : at + WORDS]) for at in range(0, len(words), WORDS)]


def digest(code: list[Instruction]) -> str:
    """The first digits of the hash of some code."""
    return hashlib.sha256("\n".join(map(str, code)).encode()).hexdigest()[:16]


def test_an_illegal_instruction_is_found_soon() -> None:
    """It takes some attempts, and would take for ever if nothing was changed."""
    for seed in range(50):
        source, draws = seeded(seed), iter(range(500))

        def draw(low: int, high: int, source: Draw = source, draws: Iterator[int] = draws) -> int:
            assert next(draws, None) is not None, "500 draws, and still none that is illegal"
            return source(low, high)

        assert fault(illegal_instruction(draw, SMALL), SMALL)


@pytest.mark.parametrize(
    ("config", "illegal", "expected"),
    [(DEFAULT, False, "27dc9cad57a26b68"), (SMALL, False, "351cf99653c4fc2e"), (SMALL, True, "42417ddd48b3d11c")],
)
def test_a_seed_gives_the_same_code_in_every_version(config: Config, illegal: bool, expected: str) -> None:
    """A report names a seed and a number: whoever reads it has to get the same program."""
    images = [random_program(seeded(f"1/{number}"), config, illegal) for number in range(8)]
    assert digest([each for image in images for each in code_of(image, config)]) == expected


def test_a_seed_gives_the_same_illegal_instructions_in_every_version() -> None:
    assert digest([illegal_instruction(seeded(seed), SMALL) for seed in range(60)]) == "b1859040a312bcec"


def corners(seed: int) -> Draw:
    """Draws the lowest and the highest more often than all the others."""
    source = random.Random(seed)

    def draw(low: int, high: int) -> int:
        assert low <= high
        return source.choice((low, high, source.randint(low, high)))

    return draw


def highest(low: int, high: int) -> int:
    """Draws the highest."""
    return high


def bounds(instructions: list[Instruction]) -> dict[str, tuple[int, ...]]:
    """The least and the largest of each field that is not always 0; of addresses, those of either memory."""
    found = {}
    for name in FIELDS:
        values = {getattr(instruction, name) for instruction in instructions}
        parts = [{value for value in values if value & R == bit} for bit in (0, R)] if name in "dab" else [values]
        if values != {0}:
            found[name] = tuple(end for part in parts if part for end in (min(part), max(part)))
    return found


# On the small chip: 8 lanes, 32 rows of sram, 16 of rowmem, 512 words outside, 20 scores.
ANY_ROW = (0, 31, R, R | 15)
SCALE = {"multiplier": (0, 65535), "shift": (1, 47)}
BOUNDS: dict[Op, dict[str, tuple[int, ...]]] = {
    Op.LOAD: {"d": ANY_ROW, "a": (0, 511), "length": (1, 8)},
    Op.STORE: {"d": (0, 511), "a": ANY_ROW, "length": (1, 8)},
    Op.MATMUL: {"d": ANY_ROW, "a": (0, 31), "b": ANY_ROW, "length": (1, 32), **SCALE},
    Op.MATMUL_T: {"d": (0, 31), "a": (0, 31), "b": (R, R | 15), "length": (1, 16), **SCALE},
    Op.SOFTMAX: {"d": (0, 31), "a": (0, 31), "length": (1, 20)},
    Op.ADD: {"d": ANY_ROW, "a": ANY_ROW, "b": ANY_ROW, "length": (1, 16)},
    Op.COPY: {"d": ANY_ROW, "a": ANY_ROW, "length": (1, 16)},
    Op.ARGMAX: {"d": ANY_ROW, "a": ANY_ROW, "length": (1, 256)},
}


def test_every_operand_reaches_its_bounds() -> None:
    draw = corners(0)
    drawn = [random_instruction(draw, SMALL) for _ in range(8000)]
    assert [reason for instruction in drawn if (reason := fault(instruction, SMALL))] == []
    for op in WORKERS:
        assert bounds([instruction for instruction in drawn if instruction.op == op]) == BOUNDS[op], op.name


def test_products_are_no_longer_than_sram() -> None:
    draw = corners(1)
    drawn = [random_instruction(draw, FLAT) for _ in range(1000)]
    assert [reason for instruction in drawn if (reason := fault(instruction, FLAT))] == []
    for op, longest in ((Op.MATMUL, 8), (Op.MATMUL_T, 8), (Op.ADD, 2), (Op.COPY, 2)):
        assert max(instruction.length for instruction in drawn if instruction.op == op) == longest


def test_what_a_program_consists_of() -> None:
    for seed in range(30):
        image = random_program(seeded(seed), SMALL)
        code = code_of(image, SMALL)
        assert image.dtype == np.uint32
        assert 5 <= len(code) <= 40
        assert all(fault(instruction, SMALL) is None for instruction in code)
        assert [(each.op, each.d, each.a) for each in code[:2]] == [(Op.LOAD, 0, 60), (Op.LOAD, R, 60)]
        assert code[-3:] == [
            Instruction(Op.STORE, d=512 - 64, a=0, length=64),
            Instruction(Op.STORE, d=512 - 64 - 32, a=R, length=32),
            Instruction(Op.HALT),
        ]
        assert all(instruction.op in WORKERS for instruction in code[2:-3])


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (SMALL, 32),  # as many as rowmem holds
        (FLAT, 2),  # as many as sram holds
        (replace(SMALL, sram_rows=64, rowmem_rows=64), 64),  # as many as there are data
    ],
)
def test_the_longest_program(config: Config, words: int) -> None:
    image = random_program(highest, config)
    code = code_of(image, config)
    assert len(code) == 40
    assert [each.length for each in code[:2]] == [words, words]


def test_the_shortest_program() -> None:
    code = code_of(random_program(lambda low, high: low, SMALL), SMALL)
    assert [(each.op, each.length) for each in code] == [
        (Op.LOAD, 1),
        (Op.LOAD, 1),
        (Op.STORE, 64),
        (Op.STORE, 32),
        (Op.HALT, 0),
    ]


@pytest.mark.parametrize(
    ("kind", "values"), [(0, list(range(-128, 128))), (1, list(range(-10, 10))), (2, [-128, 0, 127])]
)
def test_data_have_one_of_three_characters(kind: int, values: list[int]) -> None:
    asked = []

    def draw(low: int, high: int) -> int:
        asked.append((low, high))
        return kind if (low, high) == (0, 2) else low

    data = random_program(draw, DEFAULT)[-1024:].astype("<u4").view(np.int8)
    assert sorted(set(data.tolist())) == values
    assert asked[-2:] == [(0, 2**32 - 1), (0, 2)]


def wrong_at(image: Words, config: Config) -> list[int]:
    """Which instructions of an image are illegal."""
    return [number for number, each in enumerate(code_of(image, config)) if fault(each, config)]


def test_one_instruction_is_illegal_or_the_end_is_missing() -> None:
    cut, places = 0, set()
    for seed in range(120):
        image = random_program(seeded(seed), SMALL, illegal=True)
        wrong = wrong_at(image, SMALL)
        code = code_of(image, SMALL)
        if wrong:
            assert len(wrong) == 1
            places.add(len(code) - wrong[0])
        else:
            cut += 1
            assert Instruction(Op.HALT) not in code
    assert 15 <= cut <= 45
    assert {1, 2, 3} <= places


def test_an_illegal_program_ends_with_an_error() -> None:
    """The illegal instruction may be overwritten before it is reached, which is rare."""
    ended = [run(random_program(seeded(seed), DEFAULT, illegal=True), DEFAULT).error for seed in range(20)]
    assert sum(error is not None for error in ended) >= 18


def test_illegal_instructions_are_legal_ones_with_one_or_two_fields_changed() -> None:
    """Those that the first attempt made; a changed instruction may be legal too, and then there is another attempt."""
    names = ("op", *FIELDS)
    alone: dict[str, set[str]] = {name: set() for name in names}
    both = 0
    for seed in range(1500):
        right, wrong = random_instruction(seeded(seed), SMALL), illegal_instruction(seeded(seed), SMALL)
        assert fault(wrong, SMALL)
        assert decode(encode(wrong)) == wrong
        changed = [name for name in names if getattr(right, name) != getattr(wrong, name)]
        both += len(changed) == 2
        if len(changed) == 1:
            name, full = changed[0], 0x100 if changed[0] in ("op", "shift") else 0x10000
            value, distance = getattr(wrong, name), (getattr(wrong, name) - getattr(right, name)) % full
            near = distance in (1, 2, full - 1, full - 2)
            alone[name].add("near" if near else {0: "0", R: "the other memory"}.get(value, "any"))
    assert both > 300
    for name in names:
        assert {"near", "any"} <= alone[name], name
    for name in ("d", "a", "b"):
        assert "the other memory" in alone[name], name
    assert "0" in alone["length"]
