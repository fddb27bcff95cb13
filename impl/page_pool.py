# SPDX-License-Identifier: Apache-2.0
"""The rows themselves: one array [page, offset, *row_shape] of any dtype. It knows pages and slots, and no requests.

A slot is page · P + offset. Indices come from the page table and are not checked again.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from impl import window as formulas
from impl.arguments import Ints, integer
from impl.errors import BadArgument
from impl.owners import Pages

Rows = NDArray[Any]


class PagePool:
    """`data`, [pages, page_size, *row_shape]; `by_slot` is the same memory as [slots, *row_shape]. Zero at first."""

    def __init__(
        self, pages: int, page_size: int, row_shape: tuple[int, ...] = (), dtype: DTypeLike = np.int64
    ) -> None:
        """Raises BadArgument for a shape or a dtype that is none, MemoryError."""
        self.row_shape = tuple(integer(size, "one of the row shape") for size in row_shape)
        try:
            kind = np.dtype(dtype)
        except TypeError as error:
            raise BadArgument(f"{dtype!r} is no dtype: {error}") from None
        self.data: Rows = np.zeros((pages, page_size, *self.row_shape), dtype=kind)
        self.by_slot: Rows = self.data.reshape(pages * page_size, *self.row_shape)

    def as_rows(self, rows: ArrayLike) -> Rows:
        """`rows` as an array [n, *row_shape] of the pool's dtype; an empty sequence is no rows. O(output).

        Floats may lose precision, nothing else may be lost: an integer pool takes only integers that fit. Raises
        BadArgument.
        """
        dtype = self.data.dtype
        try:
            given = np.asarray(rows)
        except ValueError as error:
            raise BadArgument(f"the rows are no array: {error}; give one of the shape {self._shape('n')}") from None
        if given.shape == (0,):
            return np.zeros((0, *self.row_shape), dtype=dtype)
        if given.ndim == 0 or given.shape[1:] != self.row_shape:
            raise BadArgument(f"the rows have the shape {given.shape}; give one of the shape {self._shape('n')}")
        if given.dtype == dtype:
            return given
        whole = {given.dtype.kind, dtype.kind} <= {"i", "u"}
        if whole or np.can_cast(given.dtype, dtype, "same_kind"):
            cast = given.astype(dtype)
            if not whole or np.array_equal(cast, given):
                return cast
        raise BadArgument(f"the rows are {given.dtype} and do not fit into {dtype}; convert them first")

    def _shape(self, count: object) -> str:
        return f"({', '.join(map(str, (count, *self.row_shape)))})"

    def write(self, slots: Ints, rows: Rows) -> None:
        """Write rows[i], of `as_rows`, to slots[i]. O(rows)."""
        self.by_slot[slots] = rows

    def copy_page(self, source: int, target: int, rows: int) -> None:
        """Copy the first `rows` rows of page `source` to page `target`, another one. O(rows)."""
        self.data[target, :rows] = self.data[source, :rows]

    def gather(self, pages: Pages, first: int, count: int, out: Rows | None = None) -> Rows:
        """`count` rows in order: from offset `first` of the first of `pages` on, through the others. O(count).

        Returns `out`, a C-contiguous array [count, *row_shape] of the pool's dtype, or a new one. Copies page by page.
        Raises BadArgument for another `out`.
        """
        shape, page_size = (count, *self.row_shape), self.data.shape[1]
        if out is None:
            out = np.empty(shape, dtype=self.data.dtype)
        elif out.shape != shape or out.dtype != self.data.dtype or not out.flags.c_contiguous:
            raise BadArgument(
                f"the rows can't go into an array {out.shape} of {out.dtype}; "
                f"give a C-contiguous one {self._shape(count)} of {self.data.dtype}"
            )
        head = min(count, formulas.room_in_last_page(first, page_size))
        if head:
            out[:head] = self.data[pages[0], first : first + head]
            pages = pages[1:]
        whole = formulas.page_of(count - head, page_size)
        end = head + whole * page_size
        middle = out[head:end].reshape(whole, page_size, *self.row_shape)
        np.take(self.data, pages[:whole], axis=0, out=middle, mode="clip")
        if end < count:
            out[end:] = self.data[pages[whole], : count - end]
        return out
