# SPDX-License-Identifier: Apache-2.0
"""Instructions to words and to assembly and back, and the edge of legality of every operand."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.chip.config import DEFAULT, SMALL, Config
from impl.chip.isa import FIELDS, ROWMEM, USED, Instruction, Op, assemble, decode, disassemble, encode
from impl.chip.legal import fault

BYTE, HALF = st.integers(0, 0xFF), st.integers(0, 0xFFFF)
WORD = st.integers(0, 2**32 - 1)
ANY = st.builds(Instruction, BYTE | st.sampled_from(Op), HALF, HALF, HALF, HALF, HALF, BYTE)


@given(ANY)
def test_an_instruction_survives_its_words(instruction: Instruction) -> None:
    assert decode(encode(instruction)) == instruction


@given(WORD, WORD, WORD)
def test_words_survive_their_instruction(first: int, second: int, third: int) -> None:
    assert encode(decode([first, second, third])) == [first, second, third]


@given(ANY)
def test_an_instruction_survives_its_assembly(instruction: Instruction) -> None:
    assert assemble(disassemble(instruction)) == instruction
    assert str(instruction) == disassemble(instruction)


def test_assembly_reads_as_documented() -> None:
    multiply = Instruction(Op.MATMUL, d=5, a=0, b=ROWMEM | 16, length=16, multiplier=40000, shift=23)
    assert str(multiply) == "MATMUL d=s5 a=s0 b=r16 length=16 multiplier=40000 shift=23"
    assert str(Instruction(Op.LOAD, d=ROWMEM, a=300, length=4)) == "LOAD d=r0 a=300 length=4"
    assert str(Instruction(Op.STORE, d=300, a=2, length=4)) == "STORE d=300 a=s2 length=4"
    assert str(Instruction(0x20, d=1)) == ".word 20000001 00000000 00000000"
    assert encode(multiply) == [0x04170005, 0x00008010, 0x00109C40]
    assert assemble(str(multiply)) == multiply
    assert assemble("LOAD d=r7 a=300 length=4") == Instruction(Op.LOAD, d=ROWMEM | 7, a=300, length=4)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("JUMP d=3", "no instruction is called JUMP"),
        ("ADD x=3", "x=3 is no operand"),
        ("ADD d", "d is no operand"),
        ("ADD d=", "d= is no operand"),
        ("ADD d=s1=2", "invalid literal for int() with base 10: '1=2'"),
        ("ADD d=R1", "invalid literal for int() with base 10: 'R1'"),
    ],
)
def test_what_is_no_assembly(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}$"):
        assemble(line)


@pytest.mark.parametrize(
    ("field", "value", "largest"),
    [("op", 256, 255), ("shift", 256, 255), ("d", 65536, 65535), ("a", -1, 65535), ("length", 65536, 65535)],
)
def test_what_has_no_room_in_a_word(field: str, value: int, largest: int) -> None:
    with pytest.raises(ValueError, match=f"^{field} = {value} does not fit: it has to be 0 … {largest}$"):
        encode(replace(Instruction(Op.HALT), **{field: value}))


R = ROWMEM
# The last legal operands on the default chip: 128 rows in each memory, 8192 words, 64 scores.
EDGES = [
    Instruction(Op.LOAD, d=127, a=8188, length=4),
    Instruction(Op.LOAD, d=R | 126, a=8187, length=5),
    Instruction(Op.STORE, d=8188, a=127, length=4),
    Instruction(Op.STORE, d=8187, a=R | 126, length=5),
    Instruction(Op.MATMUL, d=127, a=124, b=64, length=64, multiplier=0, shift=1),
    Instruction(Op.MATMUL, d=R | 127, a=123, b=R | 63, length=65, multiplier=65535, shift=47),
    Instruction(Op.MATMUL_T, d=124, a=127, b=R | 64, length=64, multiplier=1, shift=47),
    Instruction(Op.MATMUL_T, d=123, a=127, b=R | 63, length=65, multiplier=1, shift=1),
    Instruction(Op.SOFTMAX, d=124, a=120, length=64),
    Instruction(Op.SOFTMAX, d=121, a=125, length=48),
    Instruction(Op.ADD, d=120, a=R | 120, b=120, length=8),
    Instruction(Op.COPY, d=R | 120, a=120, length=8),
    Instruction(Op.ARGMAX, d=R | 127, a=126, length=32),
]


@pytest.mark.parametrize("edge", EDGES, ids=str)
def test_the_last_legal_operands(edge: Instruction) -> None:
    assert fault(edge, DEFAULT) is None
    used = USED[Op(edge.op)]
    for name in {"d", "a", "b"} & set(used):
        assert fault(replace(edge, **{name: getattr(edge, name) + 1}), DEFAULT) or _has_room(edge, name)
        assert fault(replace(edge, **{name: 0x7FFF}), DEFAULT)
        assert fault(replace(edge, **{name: 0xFFFF}), DEFAULT)
    assert fault(replace(edge, length=0), DEFAULT) == "the length is 0"
    assert fault(replace(edge, length=65535), DEFAULT)
    for name in set(FIELDS) - set(used):
        assert "does not use" in str(fault(replace(edge, **{name: 1}), DEFAULT))
    if "shift" in used:
        assert fault(replace(edge, shift=0), DEFAULT)
        assert fault(replace(edge, shift=48), DEFAULT)


def _has_room(edge: Instruction, name: str) -> bool:
    return (edge.op, name) in {(Op.SOFTMAX, "a"), (Op.SOFTMAX, "d")} and getattr(edge, name) + 1 < 126


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        (Instruction(Op.MATMUL, d=0, a=R, b=0, length=1, shift=1), "a may not be in rowmem"),
        (Instruction(Op.MATMUL_T, d=R, a=0, b=R, length=1, shift=1), "d may not be in rowmem"),
        (Instruction(Op.MATMUL_T, d=0, a=R, b=R, length=1, shift=1), "a may not be in rowmem"),
        (Instruction(Op.MATMUL_T, d=0, a=0, b=0, length=1, shift=1), "b may not be in sram"),
        (Instruction(Op.SOFTMAX, d=0, a=R, length=1), "a may not be in rowmem"),
        (Instruction(Op.SOFTMAX, d=R, a=0, length=1), "d may not be in rowmem"),
        (Instruction(Op.SOFTMAX, d=0, a=8, length=65), "a softmax of 65 is longer than 64"),
        (Instruction(Op.SOFTMAX, d=1, a=0, length=17), "source and destination overlap: d = 1, a = 0, 2 rows"),
        (Instruction(Op.SOFTMAX, d=0, a=1, length=17), "source and destination overlap: d = 0, a = 1, 2 rows"),
        (Instruction(Op.MATMUL, d=0, a=0, b=0, length=1, shift=48), "shift = 48 is not 1 … 47"),
        (Instruction(Op.ADD, d=0, a=0, b=0), "the length is 0"),
        (Instruction(0), "opcode 0x00 does not exist"),
        (Instruction(0x0A), "opcode 0x0a does not exist"),
        (Instruction(Op.HALT, d=1), "HALT does not use d, which is 1 and not 0"),
        (Instruction(Op.COPY, length=1, shift=5), "COPY does not use shift, which is 5 and not 0"),
        (Instruction(Op.LOAD, a=8190, length=3), "a = 8190 and 3 from there on leave the external memory of 8192"),
        (Instruction(Op.LOAD, d=127, length=5), "d = 127 and 2 from there on leave the sram of 128"),
        (Instruction(Op.COPY, d=R | 127, length=2), "d = 127 and 2 from there on leave the rowmem of 128"),
    ],
)
def test_why_an_instruction_is_refused(instruction: Instruction, reason: str) -> None:
    assert fault(instruction, DEFAULT) == reason


def test_halt_is_legal_and_has_no_operands() -> None:
    assert fault(Instruction(Op.HALT), DEFAULT) is None
    assert "does not use length" in str(fault(Instruction(Op.HALT, length=1), DEFAULT))


def test_a_long_product_is_no_long_softmax() -> None:
    """Only the softmax has a longest length of its own."""
    chip = replace(DEFAULT, max_context=4)
    assert fault(Instruction(Op.MATMUL, length=5, shift=1), chip) is None
    assert fault(Instruction(Op.SOFTMAX, length=4), chip) is None


def test_a_softmax_in_place_and_beside_itself_is_legal() -> None:
    for a, d in ((3, 3), (3, 5), (5, 3)):
        assert fault(Instruction(Op.SOFTMAX, d=d, a=a, length=32), DEFAULT) is None


@given(ANY, st.sampled_from([DEFAULT, SMALL]))
def test_every_instruction_is_judged(instruction: Instruction, config: Config) -> None:
    reason = fault(instruction, config)
    assert reason is None or len(reason) > 10
