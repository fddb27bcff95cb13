# SPDX-License-Identifier: Apache-2.0
"""One legal instruction of the chip in plain Python, as the tables of `impl/chip/isa.py` describe it."""

from dataclasses import dataclass

from impl.chip.integers import Scale
from impl.chip.isa import ROWMEM, Instruction, Op
from tests.chip.plain_step import plain_requant, plain_softmax


@dataclass
class Memories:
    """Both on-chip memories as rows of signed bytes, the external one as unsigned words."""

    sram: list[list[int]]
    rowmem: list[list[int]]
    external: list[int]

    def row(self, address: int) -> list[int]:
        """The row at an address, to read and write."""
        return self.rowmem[address - ROWMEM] if address >= ROWMEM else self.sram[address]

    def packed(self, address: int, count: int) -> list[int]:
        """The first bytes from a row on."""
        lanes = len(self.sram[0])
        return [self.row(address + at // lanes)[at % lanes] for at in range(count)]

    def put(self, address: int, values: list[int]) -> None:
        """Whole rows: what is left of the last one becomes 0."""
        lanes = len(self.sram[0])
        for at in range(-(-len(values) // lanes) * lanes):
            self.row(address + at // lanes)[at % lanes] = values[at] if at < len(values) else 0

    def execute(self, i: Instruction) -> None:
        """Do what one instruction does; HALT is none of them."""
        n, scale, lanes = i.length, Scale(i.multiplier, i.shift), len(self.sram[0])
        if i.op == Op.LOAD:
            for at in range(4 * n):
                octet = self.external[i.a + at // 4] >> 8 * (at % 4) & 0xFF
                self.row(i.d + at // lanes)[at % lanes] = octet - 256 if octet > 127 else octet
        elif i.op == Op.STORE:
            octets = bytes(value & 0xFF for value in self.packed(i.a, 4 * n))
            self.external[i.d : i.d + n] = [int.from_bytes(octets[at : at + 4], "little") for at in range(0, 4 * n, 4)]
        elif i.op == Op.MATMUL:
            a, columns = self.packed(i.a, n), range(lanes)
            sums = [sum(a[k] * self.row(i.b + k)[column] for k in range(n)) for column in columns]
            self.put(i.d, [plain_requant(total, scale) for total in sums])
        elif i.op == Op.MATMUL_T:
            sums = [sum(map(int.__mul__, self.row(i.a), self.row(i.b + k))) for k in range(n)]
            self.put(i.d, [plain_requant(total, scale) for total in sums])
        elif i.op == Op.SOFTMAX:
            self.put(i.d, plain_softmax(self.packed(i.a, n)))
        elif i.op == Op.ARGMAX:
            values = self.packed(i.a, n)
            self.put(
                i.d,
                [octet - 256 if octet > 127 else octet for octet in values.index(max(values)).to_bytes(4, "little")],
            )
        for row in range(n if i.op in (Op.ADD, Op.COPY) else 0):
            sums = self.row(i.a + row)[:]
            if i.op == Op.ADD:
                sums = [max(-128, min(127, x + y)) for x, y in zip(sums, self.row(i.b + row), strict=True)]
            self.row(i.d + row)[:] = sums
