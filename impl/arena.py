# SPDX-License-Identifier: Apache-2.0
"""One array for the entries of all block tables, in segments of a power of two entries: tables grow without a limit.

A segment that is given back waits for the next request that wants one of its size; segments are never split or joined.
So the arena is at most the sum over the sizes of the most segments of that size ever in use, and a segment is at most
four times as long as the table that it was made for.
"""

import numpy as np

from impl.owners import Pages

SMALLEST = 4
"""Entries of the smallest segment."""


def capacity_for(entries: int) -> int:
    """Entries of the segment for a table of `entries`: a power of two, so that at least one more fits.

    pre: entries >= 0
    post: entries < _ and _ >= SMALLEST and (_ <= 2 * entries or _ == SMALLEST)
    """
    return max(SMALLEST, 1 << entries.bit_length())


class Arena:
    """`entries`, int32: physical pages. `top` entries are in segments; `vacant[k]` are the starts of those of 2^k."""

    def __init__(self) -> None:
        self.entries: Pages = np.zeros(64, dtype=np.int32)
        self.top = 0
        self.vacant: list[list[int]] = []

    def reserve(self, count: int) -> None:
        """Make sure that segments of `count` entries in all can be taken. Amortised O(count). Raises MemoryError."""
        wanted = self.top + count
        if wanted > self.entries.size:
            entries = np.zeros(max(wanted, 2 * self.entries.size), dtype=np.int32)
            entries[: self.top] = self.entries[: self.top]
            self.entries = entries

    def take(self, capacity: int) -> int:
        """The start of a segment of `capacity` entries, a power of two, all 0. O(capacity) if reserved."""
        size = capacity.bit_length() - 1
        if size < len(self.vacant) and self.vacant[size]:
            start = self.vacant[size].pop()
        else:
            self.reserve(capacity)
            start = self.top
            self.top += capacity
        self.entries[start : start + capacity] = 0
        return start

    def give_back(self, start: int, capacity: int) -> None:
        """The segment is not used any more. O(1)."""
        size = capacity.bit_length() - 1
        while len(self.vacant) <= size:
            self.vacant.append([])
        self.vacant[size].append(start)
