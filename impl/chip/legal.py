# SPDX-License-Identifier: Apache-2.0
"""Which instructions are legal on a chip of given sizes. The Verilog decodes by the same rules (`rtl/ga2_decode.v`)."""

from impl.chip.config import Config
from impl.chip.integers import MAX_SHIFT
from impl.chip.isa import FIELDS, ROWMEM, USED, Instruction, Op

EXTERNAL = ("external memory",)
SRAM, ROWS = ("sram",), ("rowmem",)
ON_CHIP = (*SRAM, *ROWS)
"""Where an address may be."""


def fault(instruction: Instruction, config: Config) -> str | None:
    """Why the chip refuses the instruction, or None when it is legal."""
    i = instruction
    if i.op not in set(Op):
        return f"opcode {i.op:#04x} does not exist"
    op = Op(i.op)
    for name in FIELDS:
        if name not in USED[op] and getattr(i, name):
            return f"{op.name} does not use {name}, which is {getattr(i, name)} and not 0"
    if op is not Op.HALT and i.length == 0:
        return "the length is 0"
    if "shift" in USED[op] and not 1 <= i.shift <= MAX_SHIFT:
        return f"shift = {i.shift} is not 1 … {MAX_SHIFT}"
    if op is Op.SOFTMAX and i.length > config.max_context:
        return f"a softmax of {i.length} is longer than {config.max_context}"
    for name, rows, allowed in _ranges(i, op, config):
        if wrong := _range_fault(name, getattr(i, name), rows, allowed, config):
            return wrong
    rows = config.rows_for(i.length)
    if op is Op.SOFTMAX and i.a != i.d and abs(i.a - i.d) < rows:
        return f"source and destination overlap: d = {i.d}, a = {i.a}, {rows} rows"
    return None


def _ranges(i: Instruction, op: Op, config: Config) -> list[tuple[str, int, tuple[str, ...]]]:
    """For each address: how many rows or words it reaches over, and in which memories it may be."""
    packed = config.rows_for(i.length)
    words = config.rows_of_words(i.length)
    match op:
        case Op.LOAD:
            return [("d", words, ON_CHIP), ("a", i.length, EXTERNAL)]
        case Op.STORE:
            return [("d", i.length, EXTERNAL), ("a", words, ON_CHIP)]
        case Op.MATMUL:
            return [("d", 1, ON_CHIP), ("a", packed, SRAM), ("b", i.length, ON_CHIP)]
        case Op.MATMUL_T:
            return [("d", packed, SRAM), ("a", 1, SRAM), ("b", i.length, ROWS)]
        case Op.SOFTMAX:
            return [("d", packed, SRAM), ("a", packed, SRAM)]
        case Op.ADD:
            return [("d", i.length, ON_CHIP), ("a", i.length, ON_CHIP), ("b", i.length, ON_CHIP)]
        case Op.COPY:
            return [("d", i.length, ON_CHIP), ("a", i.length, ON_CHIP)]
        case Op.ARGMAX:
            return [("d", 1, ON_CHIP), ("a", packed, ON_CHIP)]
        case Op.HALT:
            return []


def _range_fault(name: str, address: int, count: int, allowed: tuple[str, ...], config: Config) -> str | None:
    if allowed is EXTERNAL:
        memory, size, first = "external memory", config.external_words, address
    elif address & ROWMEM:
        memory, size, first = "rowmem", config.rowmem_rows, address & ~ROWMEM
    else:
        memory, size, first = "sram", config.sram_rows, address
    if memory not in allowed:
        return f"{name} may not be in {memory}"
    if first + count > size:
        return f"{name} = {first} and {count} from there on leave the {memory} of {size}"
    return None
