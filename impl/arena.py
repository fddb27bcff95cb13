# SPDX-License-Identifier: Apache-2.0
"""One array for the entries of all block tables, in segments of a power of two entries: tables grow without a limit.

A segment lies at a multiple of its size. The one beside it, with which it makes one of twice the size, is its buddy: a
segment that is given back is joined with its buddy when that one is vacant, too, and so on; when one is wanted and
there is none of its size, a larger one is split. So the arena stays about as large as the most that was ever in use at
a time.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from impl.elementwise import ZERO
from impl.owners import Pages

SMALLEST = 8
"""Entries of the smallest segment: 32 bytes, so that a table of a few pages is never moved."""


def capacity_for(entries: int) -> int:
    """Entries of the segment for a table of `entries`: a power of two, so that at least one more fits.

    pre: entries >= 0
    post: entries < _ and _ >= SMALLEST and (_ <= 2 * entries or _ == SMALLEST)
    """
    return max(SMALLEST, 1 << entries.bit_length())


def capacity_to_grow(capacity: int, entries: int) -> int:
    """Entries of the segment that a full one of `capacity` makes way for, 0 when half of it is enough for `entries`.

    pre: capacity >= 0 and entries >= 1
    post: (_ == 0 and 2 * entries <= capacity) or (_ > entries and _ >= 2 * capacity)
    """
    return 0 if 2 * entries <= capacity else max(2 * capacity, capacity_for(entries))


def end_at(top: int, capacity: int) -> int:
    """The end of a segment of `capacity` entries, a power of two, that is put at `top` or as soon after it as it may.

    pre: top >= 0 and capacity >= 1
    post: _ % capacity == 0 and top + capacity <= _ < top + 2 * capacity
    """
    return top + -top % capacity + capacity


class Segments:
    """Which segments there are, without their entries. `top` entries are in segments; `vacant[k]` has the starts of
    those of 2^k that nobody uses."""

    def __init__(self, top: int = 0, vacant: Sequence[dict[int, None]] = ()) -> None:
        self.top = top
        self.vacant = [dict(starts) for starts in vacant]

    def end_of(self, capacity: int) -> int:
        """The top when a segment of `capacity` has been taken. O(1)."""
        return self.top if self._vacant_for(capacity) < len(self.vacant) else end_at(self.top, capacity)

    def take(self, capacity: int) -> int:
        """The start of a segment of `capacity` entries, a power of two. The one given back last comes first. O(1)."""
        size = capacity.bit_length() - 1
        larger = self._vacant_for(capacity)
        if larger < len(self.vacant):
            start, _ = self.vacant[larger].popitem()
        else:
            start = self._extend(capacity)
            larger = size
        for half in range(size, larger):
            self._put(start + (1 << half), half)
        return start

    def _vacant_for(self, capacity: int) -> int:
        """The power of the smallest vacant segments that are large enough, the length of `vacant` without one."""
        larger = capacity.bit_length() - 1
        while larger < len(self.vacant) and not self.vacant[larger]:
            larger += 1
        return larger

    def _extend(self, capacity: int) -> int:
        """A segment at the top. What lies between it and the old top is vacant."""
        while self.top % capacity:
            gap = self.top & -self.top
            self.top += gap
            self.give_back(self.top - gap, gap)
        self.top += capacity
        return self.top - capacity

    def give_back(self, start: int, capacity: int) -> None:
        """The segment is not used any more. O(log capacity)."""
        size = capacity.bit_length() - 1
        while size < len(self.vacant) and start ^ (1 << size) in self.vacant[size]:
            del self.vacant[size][start ^ (1 << size)]
            start &= ~(1 << size)
            size += 1
        self._put(start, size)

    def _put(self, start: int, size: int) -> None:
        while len(self.vacant) <= size:
            self.vacant.append({})
        self.vacant[size][start] = None


class Arena(Segments):
    """`entries`, int32: physical pages."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: Pages = np.zeros(4096, dtype=np.int32)

    def reserve(self, top: int) -> None:
        """Make sure that there are `top` entries. Amortised O(top). Raises MemoryError."""
        if top > self.entries.size:
            entries = np.zeros(max(top, self.entries.size * 5 // 4), dtype=np.int32)
            entries[: self.top] = self.entries[: self.top]
            self.entries = entries

    def make_room(self, moves: Sequence[tuple[int, int]], held: Mapping[int, tuple[int, int]]) -> None:
        """Make sure that there is memory for these moves, each of somebody to a segment of a capacity, in order.

        `held` says for everybody start and size of the segment that the first move leaves; of size 0 it is none. Raises
        MemoryError. O(moves); where several moves might need more entries than there are, O(vacant segments), too.
        """
        if len(moves) == 1:
            self.reserve(self.end_of(moves[0][1]))
            return
        top = self.top
        for _, capacity in moves:
            top = end_at(top, capacity)
        if top > self.entries.size:  # that is if all of them go to the top; so see where they go
            tried, left = Segments(self.top, self.vacant), dict(held)
            for who, capacity in moves:
                start = tried.take(capacity)
                old, size = left[who]
                if size:
                    tried.give_back(old, size)
                left[who] = start, capacity
            top = tried.top
        self.reserve(top)

    def take(self, capacity: int) -> int:
        """As of `Segments`; all its entries are 0. Amortised O(capacity).

        Raises MemoryError before anything has changed, after `make_room` never: then it allocates no array.
        """
        self.reserve(self.end_of(capacity))
        start = super().take(capacity)
        self.entries[start : start + capacity] = ZERO
        return start
