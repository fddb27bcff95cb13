# SPDX-License-Identifier: Apache-2.0
"""Who owns the pages: a count of owners per page, and the free pages as a stack. Twelve bytes per page.

A new pool hands out page 0 first. A page goes back on the stack when its last owner lets go, and is the next one handed
out; pages let go together are pushed in the order given.
"""

import numpy as np
from numpy.typing import NDArray

from impl.elementwise import ONE, Ints

Pages = NDArray[np.int32]

_ONE_OWNER = np.array(1, dtype=np.int32)


class Owners:
    """`counts[page]` owners of each page, int32; the free pages are `stack[:free]`, the top one last, int64."""

    def __init__(self, pages: int) -> None:
        self.counts = np.zeros(pages, dtype=np.int32)
        self.stack: Ints = np.arange(pages - 1, -1, -1)
        self.free = pages

    def top(self, count: int) -> Ints:
        """The `count` ≤ free pages that are handed out next, in that order. A view. O(1)."""
        return self.stack[self.free - count : self.free][::-1]

    def take(self, count: int) -> None:
        """Hand out the `count` pages of `top(count)`, each to one owner. Allocates no array. O(count)."""
        self.counts[self.top(count)] = _ONE_OWNER
        self.free -= count

    def share(self, pages: Pages | Ints) -> None:
        """Give each of the pages, all different, one more owner. Raises MemoryError. O(size)."""
        self.counts[pages] += 1

    def let_go(self, pages: Pages | Ints) -> None:
        """For each page in order, one owner lets go; a page is free after its last. A page may come several times.

        Raises MemoryError before anything has changed. O(size) when none of them is shared, else O(size log size).
        """
        different = freed = pages.astype(np.int64)  # numpy takes no memory to write where these say
        left = self.counts[different] - ONE
        if np.count_nonzero(left):
            different, from_the_end, times = np.unique(freed[::-1], return_index=True, return_counts=True)
            left = self.counts[different] - times
            lasts = freed.size - 1 - from_the_end[left == 0]
            freed = freed[np.sort(lasts)]
        self.counts[different] = left
        self.stack[self.free : self.free + freed.size] = freed
        self.free += freed.size
