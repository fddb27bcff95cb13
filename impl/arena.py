# SPDX-License-Identifier: Apache-2.0
"""One array for the entries of all block tables, in segments of a power of two entries: tables grow without a limit.

A segment lies at a multiple of its size. The one beside it, with which it makes one of twice the size, is its buddy: a
segment that is given back is joined with its buddy when that one is vacant, too, and so on; when one is wanted and
there is none of its size, a larger one is split. So the arena stays about as large as the most that was ever in use at
a time.
"""

import numpy as np

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


class Arena:
    """`entries`, int32: physical pages. `top` entries are in segments; `vacant[k]` has the starts of those of 2^k."""

    def __init__(self) -> None:
        self.entries: Pages = np.zeros(4096, dtype=np.int32)
        self.top = 0
        self.vacant: list[dict[int, None]] = []

    def reserve(self, top: int) -> None:
        """Make sure that there are `top` entries. Amortised O(top). Raises MemoryError."""
        if top > self.entries.size:
            entries = np.zeros(max(top, self.entries.size * 5 // 4), dtype=np.int32)
            entries[: self.top] = self.entries[: self.top]
            self.entries = entries

    def take(self, capacity: int) -> int:
        """The start of a segment of `capacity` entries, a power of two, all 0. The one given back last comes first.

        Amortised O(capacity). Raises MemoryError before anything has changed.
        """
        size = capacity.bit_length() - 1
        larger = size
        while larger < len(self.vacant) and not self.vacant[larger]:
            larger += 1
        if larger < len(self.vacant):
            start, _ = self.vacant[larger].popitem()
        else:
            start = self._extend(capacity)
            larger = size
        for half in range(size, larger):
            self._put(start + (1 << half), half)
        self.entries[start : start + capacity] = 0
        return start

    def _extend(self, capacity: int) -> int:
        """A segment at the top. What lies between it and the old top is vacant."""
        self.reserve(self.top + -self.top % capacity + capacity)
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
