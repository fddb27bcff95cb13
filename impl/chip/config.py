# SPDX-License-Identifier: Apache-2.0
"""The sizes of the chip. The Verilog takes the same numbers as parameters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Config:
    """Sizes: `lanes` int8 in a row of either on-chip memory and on each side of the array, rows, and 32-bit words.

    `lanes` is a power of two, at least 4 for the model and 8 for the Verilog, which also wants at least 2·`lanes` rows
    in rowmem. The on-chip memories have at most 2^15 rows and the external one 3 … 2^16 words.
    """

    lanes: int = 16
    sram_rows: int = 128
    rowmem_rows: int = 128
    external_words: int = 8192
    max_context: int = 64

    @property
    def row_words(self) -> int:
        """32-bit words in a row."""
        return self.lanes // 4

    def rows_for(self, elements: int) -> int:
        """Rows that hold this many int8."""
        return -(-elements // self.lanes)

    def rows_of_words(self, words: int) -> int:
        """Rows that this many words touch, from the start of a row."""
        return -(-words // self.row_words)


DEFAULT = Config()
SMALL = Config(lanes=8, sram_rows=32, rowmem_rows=16, external_words=512, max_context=20)
"""A chip that the slower simulator gets through quickly."""
