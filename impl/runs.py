# SPDX-License-Identifier: Apache-2.0
"""Where the block tables of a batch of requests lie: for whoever reads many tables at once without touching them.

The pages of a request are in two runs: those before its hole of released pages (they hold the sinks) and those after
it. Without a hole they all are in the second.
"""

from typing import NamedTuple

import numpy as np

from impl import elementwise as formulas
from impl.arguments import Ints
from impl.owners import Pages
from impl.store import Store


class Runs(NamedTuple):
    """The runs of n requests. `entries` is the memory of all tables: not to be written to, and stale after an
    operation.

    The pages of request i are entries[starts[i, k] : starts[i, k] + counts[i, k]] for k = 0 and 1; both arrays are
    int64 [n, 2]. The first run begins at logical page 0, the second one at `resume[i]`, the first page after the hole
    (0 when there is none). `lengths` are in rows, released ones included. `resume` and `lengths` are int64 [n].
    """

    entries: Pages
    lengths: Ints
    starts: Ints
    counts: Ints
    resume: Ints


def runs_of(store: Store, handles: object) -> Runs:
    """The runs of these requests, in order. Raises UnknownRequest. O(n)."""
    requests = store.requests
    index = requests.find_all(handles)
    lengths = requests.end_row[index] - requests.room[index]
    begin, tail = formulas.released_begin(requests.sinks[index], store.page_size), requests.tail[index]
    has_hole = begin < tail
    before, resume = np.where(has_hole, begin, 0), np.where(has_hole, tail, 0)
    behind = formulas.pages_for(lengths, store.page_size) - resume
    starts = np.column_stack((requests.start[index], requests.base[index] + resume))
    return Runs(store.arena.entries, lengths, starts, np.column_stack((before, behind)), resume)
