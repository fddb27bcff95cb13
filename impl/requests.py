# SPDX-License-Identifier: Apache-2.0
"""The live requests as a structure of arrays, and the handles that name them.

A handle is generation << 32 | index. The index is the request's column in the arrays; it is used again after the
request has ended, with the next generation, so that an old handle is never taken for a new request. Index 0 is never
used and no handle is 0 or negative. A column that is not in use holds its next generation << 32 as handle: the index in
it is 0 and not its own, so it is equal to no number that leads to this column.
"""

import numpy as np

from impl.arguments import Ints, integer, integers
from impl.elementwise import ZERO, constant
from impl.errors import BadArgument, UnknownRequest

INDEX_BITS = 32
INDEX = (1 << INDEX_BITS) - 1
_INDEX = constant(INDEX)
GENERATIONS = 1 << 30
"""How often an index is used, then it is retired: a handle is below 2**62, as any number from outside."""

HANDLE, ROOM, END_SLOT, END_ROW, TAIL, SINKS, BASE, START, STOP = range(9)
FIELDS = 9


class Requests:
    """One column per request in `fields`, int64[field, index], 72 bytes each. Each field is an attribute, too (a view).

    * `room`: rows left in the last page, 0 … P−1, and `end_slot`: the slot after the end of that page, so that the next
      row goes to slot end_slot − room. When room is 0 there is no such slot and end_slot means nothing.
    * `end_row`: the row after the end of the last page; the length is end_row − room.
    * When the last page is partial and may be shared, room and end_row are both less by P ("marked"): room is negative
      then, and whoever wants to write must look at the owners first.
    * `sinks`; `tail`: the first logical page after the hole (the first without a sink when there is none).
    * `start`, `stop`: the segment of the table in the arena. The entry of logical page j is at start + j before the
      hole and at `base` + j behind it; base = start when there is no hole.
    """

    def __init__(self) -> None:
        self._set_fields(np.zeros((FIELDS, 16), dtype=np.int64))
        self.fields[HANDLE, 0] = 1
        self.used = 1
        self.vacant: list[int] = []

    def _set_fields(self, fields: Ints) -> None:
        order = np.arange(fields.shape[1])
        self._scratch = np.zeros_like(order)
        self._order: Ints = order
        self.fields = fields
        self.handle: Ints = fields[HANDLE]
        self.room: Ints = fields[ROOM]
        self.end_slot: Ints = fields[END_SLOT]
        self.end_row: Ints = fields[END_ROW]
        self.tail: Ints = fields[TAIL]
        self.sinks: Ints = fields[SINKS]
        self.base: Ints = fields[BASE]
        self.start: Ints = fields[START]
        self.stop: Ints = fields[STOP]

    def reserve(self) -> None:
        """Make sure that `open` finds a column. Amortised O(1). Raises MemoryError."""
        if not self.vacant:
            self.reserve_columns(self.used + 1)

    def reserve_columns(self, columns: int) -> None:
        """Make sure that there are so many columns. Amortised O(columns). Raises MemoryError."""
        capacity = self.fields.shape[1]
        if columns > capacity:
            fields = np.zeros((FIELDS, max(columns, 2 * capacity)), dtype=np.int64)
            fields[:, : self.used] = self.fields[:, : self.used]
            self._set_fields(fields)

    def open(self) -> int:
        """The index of a new request; all its fields but the handle are 0. O(1) if reserved."""
        self.reserve()
        if self.vacant:
            index = self.vacant.pop()
        else:
            index = self.used
            self.used += 1
        self.handle[index] += index
        return index

    def close(self, index: int) -> None:
        """The request has ended: its handle is not valid any more. Allocates no array. O(1)."""
        generation = self.handle.item(index) >> INDEX_BITS
        self.fields[:, index] = ZERO
        self.handle[index] = (generation + 1) % GENERATIONS << INDEX_BITS
        if generation + 1 < GENERATIONS:
            self.vacant.append(index)

    def find(self, handle: int) -> int:
        """The index of the request. Raises UnknownRequest when there is none with this handle. O(1)."""
        if type(handle) is not int:
            try:
                handle = integer(handle, "a handle")
            except BadArgument as error:
                raise UnknownRequest(f"{error}, as open() returns it") from None
        index = handle & INDEX
        if index >= self.used or self.handle.item(index) != handle:
            raise UnknownRequest(f"no live request has the handle {handle}; use one that open() or fork() returned")
        return index

    def find_all(self, handles: object) -> Ints:
        """The indices of the requests, int64, in order. Raises UnknownRequest when there is none for one of them.
        O(B)."""
        try:
            wanted = integers(handles, "the handles")
        except BadArgument as error:
            raise UnknownRequest(f"{error}, as open() returns them") from None
        index: Ints = wanted & _INDEX
        different = self.handle.take(index, mode="clip") != wanted
        if np.count_nonzero(different):
            self.find(wanted[different].item(0))
        return index

    def live(self) -> Ints:
        """The indices of all live requests, ascending. O(`used`)."""
        every = np.arange(self.used)
        live: Ints = every[(self.handle[: self.used] & INDEX) == every]
        return live

    def are_distinct(self, index: Ints) -> bool:
        """Whether no index comes twice. O(B)."""
        if index.size > self._order.size:
            return False
        order = self._order[: index.size]
        self._scratch[index] = order
        return not np.count_nonzero(self._scratch[index] != order)
