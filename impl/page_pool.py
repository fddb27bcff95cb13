# SPDX-License-Identifier: Apache-2.0
"""The rows themselves: one array [page, offset, *row_shape] of bools, integers or floats of any width.

It knows pages and slots, and no requests. A slot is page · P + offset. Indices come from the page table and are not
checked again.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from impl import window as formulas
from impl.arguments import Ints, integer, items, shown
from impl.conversion import converted
from impl.errors import BadArgument
from impl.owners import Pages

Rows = NDArray[Any]

_KINDS = frozenset("biuf")


class PagePool:
    """`data`, [pages, page_size, *row_shape]; `by_slot` is the same memory as [slots, *row_shape]. Zero at first.

    `kind` is the row shape and the dtype.
    """

    def __init__(
        self, pages: int, page_size: int, row_shape: tuple[int, ...] = (), dtype: DTypeLike = np.int64
    ) -> None:
        """Raises BadArgument for a shape or a dtype that is none or that no pool can have, MemoryError."""
        pages, page_size = integer(pages, "the number of pages"), integer(page_size, "the page size")
        self.row_shape = tuple(integer(size, "one of the row shape") for size in items(row_shape, "the row shape"))
        try:
            kind = np.dtype(dtype)
        except Exception as error:
            raise BadArgument(f"{shown(dtype)} is no dtype: {error}") from None
        if kind.kind not in _KINDS:
            raise BadArgument(f"{shown(dtype)} is no dtype of bools, integers or floats; give one of those")
        try:
            self.data: Rows = np.zeros((pages, page_size, *self.row_shape), dtype=kind)
        except ValueError as error:
            raise BadArgument(
                f"a pool of {pages} pages of {page_size} rows of the shape {shown(self.row_shape)} can't be: {error}"
            ) from None
        self.by_slot: Rows = self.data.reshape(pages * page_size, *self.row_shape)
        self.kind = self.row_shape, kind

    def as_rows(self, rows: ArrayLike) -> Rows:
        """`rows` as an array [n, *row_shape] of the pool's dtype; an empty sequence is no rows. O(output).

        Bools go into a pool of bools only, integers into one of integers or of floats that can hold each of them
        exactly, floats into one of floats: they are rounded to the nearest, but no finite one to an infinite. Masked
        values go nowhere. That is about the array that numpy makes of a sequence. Raises BadArgument.
        """
        dtype = self.data.dtype
        try:
            given = np.asarray(rows)
        except (TypeError, ValueError, OverflowError) as error:
            raise BadArgument(f"the rows are no array: {error}; give one of the shape {self._shape('n')}") from None
        if given.shape == (0,):
            return np.zeros((0, *self.row_shape), dtype=dtype)
        if given.ndim == 0 or given.shape[1:] != self.row_shape:
            raise BadArgument(f"the rows have the shape {given.shape}; give one of the shape {self._shape('n')}")
        if _has_masked(rows):
            raise BadArgument("some of the rows are masked; fill them first")
        if given.dtype == dtype:
            return given
        cast = converted(given, dtype)
        if cast is None:
            raise BadArgument(f"the rows are {given.dtype} and do not fit into {dtype}; convert them first")
        return cast

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

        Returns `out`, a writable C-contiguous array [count, *row_shape] of the pool's dtype, or a new one.
        Copies page by page. Raises BadArgument for another `out`.
        """
        shape, page_size = (count, *self.row_shape), self.data.shape[1]
        if out is None:
            out = np.empty(shape, dtype=self.data.dtype)
        elif not isinstance(out, np.ndarray):
            raise BadArgument(f"the rows can't go into {shown(out)}, a {type(out).__name__}; give an array")
        elif out.shape != shape or out.dtype != self.data.dtype or not out.flags.carray:
            raise BadArgument(
                f"the rows can't go into an array {out.shape} of {out.dtype}; "
                f"give a writable C-contiguous one {self._shape(count)} of {self.data.dtype}"
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


def _has_masked(rows: object) -> bool:
    """Whether there is a masked value in an array, or in one of those in a sequence. O(size of the sequence)."""
    if isinstance(rows, list | tuple):
        return any(map(_has_masked, rows))
    return isinstance(rows, np.ma.MaskedArray) and bool(np.ma.is_masked(rows))
