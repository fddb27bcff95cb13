# SPDX-License-Identifier: Apache-2.0
"""The model of the chip: bit-exact and cycle-exact. It runs one program from start to halt or error.

Results come from `integers`, cycles from `cost`, legality from `legal`; this file only moves rows. A decode step takes
some tens of numpy calls, well below a millisecond.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from impl.chip import cost, integers
from impl.chip.config import Config
from impl.chip.integers import Int8
from impl.chip.isa import ROWMEM, WORDS, Instruction, Op, decode
from impl.chip.legal import fault

Words = NDArray[np.uint32]


@dataclass(slots=True)
class Counters:
    """The five counters, in cycles."""

    total: int = 0
    dma: int = 0
    mm: int = 0
    sm: int = 0
    vec: int = 0

    def values(self) -> tuple[int, ...]:
        """All five, in the order of the chip."""
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What a program leaves: the external memory, the counters, and why it stopped with an error, if it did.

    `fetched` counts the instructions that were fetched, the last one included.
    """

    memory: Words
    counters: Counters
    error: str | None
    fetched: int


class Machine:
    """A chip with both on-chip memories at 0 and `image` (uint32, zeros follow) in the external memory.

    Raises ValueError when the image is larger than the external memory.
    """

    def __init__(self, image: Words, config: Config) -> None:
        if len(image) > config.external_words:
            raise ValueError(f"an image of {len(image)} words does not fit into {config.external_words}")
        self.config = config
        self.external: Words = np.zeros(config.external_words, dtype=np.uint32)
        self.external[: len(image)] = image
        self.sram: Int8 = np.zeros((config.sram_rows, config.lanes), dtype=np.int8)
        self.rowmem: Int8 = np.zeros((config.rowmem_rows, config.lanes), dtype=np.int8)
        self.counters = Counters()

    def run(self) -> Result:
        """Run from word 0 to the end, which comes after at most external_words / 3 instructions: there are no jumps."""
        fetched = 0
        for at in range(0, self.config.external_words - WORDS + 1, WORDS):
            instruction = decode(self.external[at : at + WORDS].tolist())
            fetched += 1
            self.counters.total += cost.FETCH
            error = fault(instruction, self.config)
            if error or instruction.op == Op.HALT:
                return self._result(error and f"instruction {fetched - 1}: {error}", fetched)
            self._charge(instruction)
            self._execute(instruction)
        self.counters.total += cost.FETCH_OUTSIDE
        return self._result(f"instruction {fetched} lies outside the external memory", fetched)

    def _result(self, error: str | None, fetched: int) -> Result:
        return Result(self.external, self.counters, error, fetched)

    def _charge(self, instruction: Instruction) -> None:
        cycles = cost.busy(instruction, self.config)
        unit = cost.UNITS[Op(instruction.op)]
        setattr(self.counters, unit, getattr(self.counters, unit) + cycles)
        self.counters.total += cycles

    def _execute(self, i: Instruction) -> None:
        n = i.length
        match Op(i.op):
            case Op.LOAD:
                self._words(i.d, n)[:] = self.external[i.a : i.a + n]
            case Op.STORE:
                self.external[i.d : i.d + n] = self._words(i.a, n)
            case Op.MATMUL:
                sums = self._packed(i.a, n).astype(np.int64) @ self._rows(i.b, n).astype(np.int64)
                self._row(i.d)[:] = integers.requant(sums, i.multiplier, i.shift)
            case Op.MATMUL_T:
                sums = self._rows(i.b, n).astype(np.int64) @ self._row(i.a).astype(np.int64)
                self._put(i.d, integers.requant(sums, i.multiplier, i.shift))
            case Op.SOFTMAX:
                self._put(i.d, integers.softmax(self._packed(i.a, n)))
            case Op.ADD:
                for row in range(n):
                    self._row(i.d + row)[:] = integers.saturating_add(self._row(i.a + row), self._row(i.b + row))
            case Op.COPY:
                for row in range(n):
                    self._row(i.d + row)[:] = self._row(i.a + row)
            case Op.ARGMAX:
                index = integers.argmax(self._packed(i.a, n))
                self._put(i.d, np.array([index], dtype="<u4").view(np.int8))

    def _place(self, address: int) -> tuple[Int8, int]:
        """The memory of a row address and the row in it."""
        return (self.rowmem, address & ~ROWMEM) if address & ROWMEM else (self.sram, address)

    def _row(self, address: int) -> Int8:
        """The row at an address, to read and write."""
        memory, at = self._place(address)
        row: Int8 = memory[at]
        return row

    def _rows(self, address: int, count: int) -> Int8:
        """The rows from an address on, to read and write."""
        memory, first = self._place(address)
        return memory[first : first + count]

    def _words(self, address: int, count: int) -> Words:
        """The first `count` words of the rows from an address on, to read and write."""
        words: Words = self._rows(address, self.config.rows_of_words(count)).ravel().view("<u4")
        return words[:count]

    def _packed(self, address: int, count: int) -> Int8:
        """The first `count` int8 of the rows from an address on."""
        return self._rows(address, self.config.rows_for(count)).ravel()[:count]

    def _put(self, address: int, values: Int8) -> None:
        """Write int8 from the start of a row on; what is left of the last row becomes 0."""
        rows = self._rows(address, self.config.rows_for(len(values))).ravel()
        rows[:] = 0
        rows[: len(values)] = values


def run(image: Words, config: Config) -> Result:
    """Run the program in `image` on a fresh chip."""
    return Machine(image, config).run()
