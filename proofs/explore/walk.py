# SPDX-License-Identifier: Apache-2.0
"""One state of the real cache, and every operation tried on it in lockstep with the spec.

A state is reached again by running its history. Then every row is given a number of its own by the slot it is in, also
the rows of copies, so that a row read from the wrong place shows whatever was written before.
"""

from collections.abc import Callable, Iterator

import numpy as np

from impl.cache import PagedCache
from proofs.explore.scope import Key, Scope, key
from proofs.explore.sight import Sight
from spec.block_table import Refusal, Request, State
from spec.conformance.lockstep import Lockstep
from spec.conformance.operations import Operation
from spec.conformance.violation import Violation

History = tuple[Operation, ...]


Maker = Callable[[int, int], PagedCache]
"""Makes a cache of so many pages of so many rows; importable by name, so that other processes find it."""


class Broken(Exception):
    """A law was broken, or a refused or looking operation changed a hidden part of the state."""

    def __init__(self, history: History, told: str) -> None:
        super().__init__(history, told)
        self.history = history
        self.told = told


def steps(make: Maker, scope: Scope, history: History) -> Iterator[tuple[Operation, Key | None]]:
    """Every operation of the scope on the state that `history` leads to, with the key of the state it leads to.

    None stands for a refusal, which must leave every bit of the state as it was. Raises Broken at the first difference
    from the spec.
    """
    cache = make(scope.pages, scope.page_size)
    lockstep = Lockstep(cache, scope.pages, scope.page_size)
    for operation in history:
        lockstep.run(operation)
    state = _relabelled(cache, lockstep.state)
    rows = scope.pages * scope.page_size
    before, known = cache.snapshot(), key(state)
    try:
        lockstep.resume(state, next_row=rows)
        lockstep.check_all()
    except Violation as violation:
        raise Broken(history, str(violation)) from None
    lockstep.views = Sight(cache, state, before)
    for operation in scope.operations(state):
        lockstep.resume(state, next_row=rows)
        try:
            outcome = lockstep.run(operation)
            if not isinstance(outcome, Refusal):
                lockstep.check_all(operation)
        except Violation as violation:
            raise Broken((*history, operation), str(violation)) from None
        if isinstance(outcome, Refusal):
            if cache.snapshot() != before:
                told = f"unchanged-after-refusal: {operation} is refused but changes a hidden part of the state"
                raise Broken((*history, operation), told)
            yield operation, None
        else:
            yield operation, known if lockstep.state is state else key(lockstep.state)
            cache.restore(before)


def _relabelled(cache: PagedCache, state: State) -> State:
    """The state with every row numbered by its slot, on both sides; released rows are None."""
    cache.pool.write(*(np.arange(state.page_count * state.page_size, dtype=np.int64),) * 2)
    requests = {}
    for name, request in state.requests.items():
        pages = cache.table(name)
        slots = [
            None if page is None else page * state.page_size + offset
            for page in pages
            for offset in range(state.page_size)
        ]
        requests[name] = Request(request.sinks, tuple(slots[: len(request.rows)]), tuple(pages))
    return State(state.page_count, state.page_size, requests)
