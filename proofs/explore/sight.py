# SPDX-License-Identifier: Apache-2.0
"""Everything visible of a paged cache, compared in one pass: what millions of transitions can afford.

The pool, the owner counts and the free stack are read whole, and each table once, instead of a call for each figure;
and where not one bit has changed nothing is looked at again. The same laws as in `spec/conformance/views.py`, told in
the same words; that full comparison, the calls that read rows and the cache's own check are made once for each distinct
state.
"""

from impl.cache import PagedCache
from spec.block_table import Page, State
from spec.conformance.views import Broken


class Sight:
    """Compares a cache with a state of the spec.

    The cache is now in the state `known`, compared before, with the snapshot `bits`.
    """

    def __init__(self, cache: PagedCache, known: State, bits: tuple[object, ...]) -> None:
        self._known = known
        self._bits = bits
        self._snapshot = cache.snapshot
        self._table = cache.table
        self._length = cache.length
        self._owners = cache.page_table.refcounts
        self._free = cache.page_table.free_stack
        self._slots = cache.pool.by_slot

    def forget(self) -> None:
        """Nothing is remembered from one comparison to the next."""

    def compare(self, state: State, steady: bool = False, own_check: bool = True) -> Broken | None:
        """Hold all of it against `state`; None when it agrees. O(pool + requests · pages + rows)."""
        if state is self._known and self._snapshot() == self._bits:
            return None
        size = state.page_size
        pool = tuple(self._slots.tolist())
        theirs_of: dict[Page, Page] = {}
        owners = [0] * state.page_count
        for name, request in state.requests.items():
            pages, written = self._table(name), request.rows
            if self._length(name) != len(written):
                return "content", f"length({name!r})", f"{len(written)}", f"{self._length(name)}"
            if len(pages) != len(request.pages):
                return "capacity", f"table({name!r})", f"{len(request.pages)} pages", f"{pages}"
            for index, (theirs, ours) in enumerate(zip(pages, request.pages, strict=True)):
                if theirs is None or ours is None:
                    if theirs is not ours:
                        return "capacity", f"table({name!r})", f"{request.pages} up to names", f"{pages}"
                    continue
                if theirs_of.setdefault(ours, theirs) != theirs:
                    return "sharing", f"table({name!r})", f"page {theirs_of[ours]}, which is shared", f"{pages}"
                owners[theirs] += 1
                rows = written[index * size : (index + 1) * size]
                found = pool[theirs * size : theirs * size + len(rows)]
                if found != rows:
                    return "content", f"rows of {name!r} from {index * size} on", f"{list(rows)}", f"{list(found)}"
        if len(set(theirs_of.values())) < len(theirs_of):
            return "sharing", "table of every request", "each page in one place only", f"{sorted(theirs_of.values())}"
        counts = self._owners()
        if counts != owners:
            return "owners", "owners of every page", f"{owners}", f"{counts}"
        free = sorted(self._free())
        expected = [page for page, count in enumerate(owners) if count == 0]
        if free != expected:
            return "free-pages", "the free stack, sorted", f"{expected}", f"{free}"
        return None
