# SPDX-License-Identifier: Apache-2.0
"""The release of pages from the front of tables, of one request or of many. Arrays are int64 of one dimension."""

import numpy as np

from impl import elementwise as formulas
from impl.append import spread
from impl.arguments import Ints
from impl.elementwise import ONE
from impl.store import Store


def trim_rows(store: Store, index: Ints, keeps: Ints) -> None:
    """Release the pages of each request index[i] before row keeps[i] ≤ its length, in order; it may come several times.

    The pages go back request by request. O(B + pages released).
    """
    requests = store.requests
    end, tail = formulas.released_end(keeps, store.page), requests.tail[index]
    some = (end > tail).nonzero()[0]
    if not some.size:
        return
    index, end, tail = index[some], end[some], tail[some]
    if not requests.are_distinct(index):
        tail = _tails(index, end, tail)
        some = (end > tail).nonzero()[0]
        index, end, tail = index[some], end[some], tail[some]
    pages = end - tail
    one_each = not np.count_nonzero(pages != ONE)
    store.owners.let_go(store.arena.entries[spread(requests.base[index] + tail, pages, one_each)])
    requests.tail[index] = end  # of one that comes several times the last, which is the largest


def _tails(index: Ints, end: Ints, tail: Ints) -> Ints:
    """Where the hole ends before each of the trims, when those before it are done: `end` is where it wants to be then.

    `tail` is where it ends before the first. O(B).
    """
    reached: dict[int, int] = {}
    tails = []
    for each, wanted, now in zip(index.tolist(), end.tolist(), tail.tolist(), strict=True):
        tails.append(reached.get(each, now))
        reached[each] = max(tails[-1], wanted)
    return np.fromiter(tails, np.int64)


def release_before(store: Store, index: int, end: int) -> None:
    """Release the logical pages from the end of the hole to `end`, if there are any. O(pages released)."""
    tail = store.requests.tail.item(index)
    if end > tail:
        store.owners.let_go(store.between(index, tail, end))
        store.requests.tail[index] = end
