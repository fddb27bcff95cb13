# SPDX-License-Identifier: Apache-2.0
"""A mutant of the cache against the cache: the same random operations, with the same results and bit for bit the same
states, over 100,000 operations."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from impl.cache import PagedCache
from impl.errors import CacheError
from kvproof.mutation.equivalents import Entry
from proofs.mistakes import applied
from spec.conformance.drawing import Draw, RandomChooser, draw_scope
from spec.conformance.lockstep import start
from tests.calls import arguments_of
from tests.mutation.evidence import as_mistake

OPERATIONS, OF_ONE_HISTORY, BETWEEN_SNAPSHOTS = 100_000, 200, 20

History = tuple[int, int, list[tuple[str, list[Any]]]]


@cache
def histories() -> list[History]:
    """Pages, page size and calls of each."""
    return [_history(seed) for seed in range(OPERATIONS // OF_ONE_HISTORY)]


def _history(seed: int) -> History:
    chooser = RandomChooser(f"mutants/{seed}")
    scope = draw_scope(chooser)
    lockstep = start(PagedCache, scope.pages, scope.page_size)
    draw = Draw(scope, lockstep.capabilities, chooser)
    calls = []
    for _ in range(OF_ONE_HISTORY):
        operation = draw.operation(lockstep.state)
        calls.append((operation.kind, arguments_of(operation, lockstep.next_row)))
        lockstep.run(operation)
    return scope.pages, scope.page_size, calls


def seen(history: History) -> Iterator[object]:
    """Everything that can be seen of a history: results, refusals with their texts, and the state from time to time."""
    pages, page_size, calls = history
    target = PagedCache(pages, page_size)
    for number, (kind, arguments) in enumerate(calls):
        try:
            result = getattr(target, kind)(*arguments)
        except CacheError as error:
            result = type(error), str(error)
        yield result.tolist() if isinstance(result, np.ndarray) else result
        if number % BETWEEN_SNAPSHOTS == 0:
            yield target.snapshot()


@cache
def expected() -> list[int]:
    """What is seen without any change, history by history, as a hash."""
    return [hash(repr(list(seen(history)))) for history in histories()]


def compare(entry: Entry) -> int:
    """How many operations came to the same. AssertionError at the first history that did not."""
    right = expected()
    with applied(as_mistake(entry)):
        for number, history in enumerate(histories()):
            assert hash(repr(list(seen(history)))) == right[number], (
                f"{entry}: history {number} comes to something else"
            )
    return len(right) * OF_ONE_HISTORY
