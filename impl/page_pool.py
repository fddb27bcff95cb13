# SPDX-License-Identifier: Apache-2.0
"""The rows themselves: one array [page, offset, *row_shape] of any dtype. It knows pages and slots, and no requests.

A slot is page · P + offset. Indices come from the page table and are not checked again.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from impl.arguments import Ints
from impl.errors import BadArgument
from impl.owners import Pages

Rows = NDArray[Any]


class PagePool:
    """`data`, [pages, page_size, *row_shape]; `by_slot` is the same memory as [slots, *row_shape]. Zero at first."""

    def __init__(
        self, pages: int, page_size: int, row_shape: tuple[int, ...] = (), dtype: DTypeLike = np.int64
    ) -> None:
        self.row_shape = tuple(row_shape)
        self.data: Rows = np.zeros((pages, page_size, *self.row_shape), dtype=dtype)
        self.by_slot: Rows = self.data.reshape(pages * page_size, *self.row_shape)

    def as_rows(self, rows: ArrayLike) -> Rows:
        """`rows` as an array [n, *row_shape] of the pool's dtype; no rows at all may have any shape and type. O(output).

        Numbers may lose precision (float64 to float16) but nothing else: an integer pool takes only integers that fit.
        Raises BadArgument.
        """
        dtype = self.data.dtype
        try:
            given = np.asarray(rows)
        except ValueError as error:
            raise BadArgument(f"the rows are no array: {error}; give an array of the shape (n, *{self.row_shape})") from None
        if given.shape == (0,):
            return np.zeros((0, *self.row_shape), dtype=dtype)
        if given.ndim == 0 or given.shape[1:] != self.row_shape:
            raise BadArgument(f"the rows have the shape {given.shape}; give (n, *{self.row_shape})")
        if given.dtype == dtype:
            return given
        with np.errstate(all="ignore"):
            fits = np.can_cast(given.dtype, dtype, "same_kind") or {given.dtype.kind, dtype.kind} <= set("iu")
            cast = given.astype(dtype) if fits else given
        if not fits or (dtype.kind in "iu" and not np.array_equal(cast, given)):
            raise BadArgument(f"the rows are {given.dtype} and do not fit into {dtype}; convert them first")
        return cast

    def write(self, slots: Ints, rows: Rows) -> None:
        """Write rows[i], of `as_rows`, to slots[i]. O(rows)."""
        self.by_slot[slots] = rows

    def copy_page(self, source: int, target: int, rows: int) -> None:
        """Copy the first `rows` rows of page `source` to page `target`, another one. O(rows)."""
        self.data[target, :rows] = self.data[source, :rows]

    def gather(self, pages: Pages, first: int, count: int, out: Rows | None = None) -> Rows:
        """`count` rows in order: from offset `first` of the first of `pages` on, through the others. O(count).

        Returns `out`, of the shape (count, *row_shape) and the pool's dtype, or a new array. Copies page by page.
        """
        if out is None:
            out = np.empty((count, *self.row_shape), dtype=self.data.dtype)
        page_size = self.data.shape[1]
        head = min(count, -first % page_size)
        if head:
            out[:head] = self.data[pages[0], first : first + head]
        whole = (count - head) // page_size
        begin = 1 if head else 0
        middle = out[head : head + whole * page_size].reshape(whole, page_size, *self.row_shape)
        np.take(self.data, pages[begin : begin + whole], axis=0, out=middle, mode="clip")
        rest = count - head - whole * page_size
        if rest:
            out[count - rest :] = self.data[pages[-1], :rest]
        return out
