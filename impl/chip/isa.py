# SPDX-License-Identifier: Apache-2.0
"""The instruction set: what the instructions do and how they look in memory. `legal` says which operands are allowed.

A program is straight-line code from word 0 of the external memory. Every instruction is three words:

| word | 31 … 24 | 23 … 16 | 15 … 0 |
| --- | --- | --- | --- |
| 0 | opcode | shift | d |
| 1 | a (31 … 16) | | b |
| 2 | length (31 … 16) | | multiplier |

N is the number of lanes. A row address names a row of N int8 in one of the two on-chip memories: bit 15 clear means
sram, set means rowmem. Addresses in the external memory count 32-bit words, which are little-endian: byte 0 of a row is
bits 7 … 0 of its first word.
Fields that an instruction does not use are 0. Anything else, an address range that leaves its memory and a length
of 0 are illegal: the chip stops with the error flag set, before it has written anything for that instruction.

| opcode | reads | writes |
| --- | --- | --- |
| HALT | | ends the program |
| LOAD | external words a … a+length−1 | rows from d on, word by word; the rest of the last row stays |
| STORE | rows from a on, `length` words | external words d … d+length−1 |
| MATMUL | `length` int8 from sram row a on, rows b … b+length−1 | row d: requant of Σ a[i]·row[b+i][j] for each j |
| MATMUL_T | sram row a, rowmem rows b … b+length−1 | sram, row d on: requant of the product of a with each row |
| SOFTMAX | `length` scores from sram row a on | `length` weights from sram row d on; d = a, or no row in common |
| ADD | rows from a on, rows from b on, `length` rows | rows from d on: saturating sums, row after row |
| COPY | rows from a on, `length` rows | rows from d on, row after row |
| ARGMAX | `length` int8 from row a on | row d: the first index of the largest as a 32-bit word |

Whoever writes int8 writes whole rows: what lies beyond the last int8 is set to 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

WORDS = 3
"""Words in an instruction."""

ROWMEM = 0x8000
"""The bit of a row address that selects rowmem."""


class Op(IntEnum):
    """Opcodes. 0 is none of them, so that empty memory is no program."""

    HALT = 0x01
    LOAD = 0x02
    STORE = 0x03
    MATMUL = 0x04
    MATMUL_T = 0x05
    SOFTMAX = 0x06
    ADD = 0x07
    COPY = 0x08
    ARGMAX = 0x09


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. Fields are unsigned: shift 8 bits, all others 16. `op` may be an opcode that does not exist."""

    op: int
    d: int = 0
    a: int = 0
    b: int = 0
    length: int = 0
    multiplier: int = 0
    shift: int = 0

    def __str__(self) -> str:
        """The instruction in assembly."""
        return disassemble(self)


USED: dict[Op, tuple[str, ...]] = {
    Op.HALT: (),
    Op.LOAD: ("d", "a", "length"),
    Op.STORE: ("d", "a", "length"),
    Op.MATMUL: ("d", "a", "b", "length", "multiplier", "shift"),
    Op.MATMUL_T: ("d", "a", "b", "length", "multiplier", "shift"),
    Op.SOFTMAX: ("d", "a", "length"),
    Op.ADD: ("d", "a", "b", "length"),
    Op.COPY: ("d", "a", "length"),
    Op.ARGMAX: ("d", "a", "length"),
}
"""The fields of each instruction, in the order of the assembly."""

FIELDS = USED[Op.MATMUL]


def encode(instruction: Instruction) -> list[int]:
    """The three words. Raises ValueError when a field does not fit into its bits."""
    i = instruction
    for name in ("op", *FIELDS):
        value, limit = getattr(i, name), 0xFF if name in ("op", "shift") else 0xFFFF
        if not 0 <= value <= limit:
            raise ValueError(f"{name} = {value} does not fit: it has to be 0 … {limit}")
    return [i.op << 24 | i.shift << 16 | i.d, i.a << 16 | i.b, i.length << 16 | i.multiplier]


def decode(words: Sequence[int]) -> Instruction:
    """The instruction in three words. Every three words are one, legal or not."""
    first, second, third = (int(word) for word in words)
    return Instruction(
        op=first >> 24,
        shift=first >> 16 & 0xFF,
        d=first & 0xFFFF,
        a=second >> 16,
        b=second & 0xFFFF,
        length=third >> 16,
        multiplier=third & 0xFFFF,
    )


def disassemble(instruction: Instruction) -> str:
    """Assembly, such as `MATMUL d=s5 a=s0 b=r16 length=16 multiplier=40000 shift=23`; `.word` for unknown opcodes."""
    if instruction.op not in set(Op):
        return ".word " + " ".join(f"{word:08x}" for word in encode(instruction))
    op = Op(instruction.op)
    external = {Op.LOAD: "a", Op.STORE: "d"}.get(op)
    fields = []
    for name in FIELDS:
        value = getattr(instruction, name)
        if name not in USED[op]:
            if value:
                fields.append(f"{name}={value}")
        elif name in ("d", "a", "b") and name != external:
            fields.append(f"{name}={'r' if value & ROWMEM else 's'}{value & ~ROWMEM}")
        else:
            fields.append(f"{name}={value}")
    return " ".join([op.name, *fields])


def assemble(line: str) -> Instruction:
    """What `disassemble` wrote. Raises ValueError for anything else."""
    name, *rest = line.split()
    if name == ".word":
        return decode([int(word, 16) for word in rest])
    try:
        op = Op[name]
    except KeyError:
        raise ValueError(f"no instruction is called {name}") from None
    values = {}
    for field in rest:
        key, _, value = field.partition("=")
        if key not in FIELDS or not value:
            raise ValueError(f"{field} is no operand")
        memory = {"s": 0, "r": ROWMEM}.get(value[0])
        values[key] = int(value) if memory is None else memory | int(value[1:])
    return Instruction(op, **values)
