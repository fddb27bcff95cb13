# SPDX-License-Identifier: Apache-2.0
"""Breadth-first search over every reachable state of a scope, in several processes.

The frontier is cut into chunks that are expanded anywhere, but what they find is merged in the order of the chunks: the
same states get the same histories whatever the number of processes. States found by level: a failure comes with a
shortest history.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from proofs.evidence import Progress, silent
from proofs.explore.scope import Key, Scope
from proofs.explore.walk import Broken, History, Maker, steps

CHUNK = 64


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to: distinct states, transitions checked, operations to the farthest state, seconds.

    `history` and `told` are the shortest way to a difference from the spec, and what it was; empty when there is none.
    """

    states: int
    transitions: int
    depth: int
    seconds: float
    history: History = ()
    told: str = ""

    @property
    def pace(self) -> float:
        """Transitions a second."""
        return self.transitions / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class _Chunk:
    """What one chunk of the frontier led to: each new key once, with its history; or the first failure."""

    transitions: int
    reached: tuple[tuple[Key, History], ...]
    history: History = ()
    told: str = ""


def search(make: Maker, scope: Scope, processes: int | None = None, progress: Progress = silent) -> Found:
    """Every state and every transition of `scope`, or up to the first failure.

    `make` must be importable by name when there is more than one process (default: one for each core).
    """
    count = processes or os.cpu_count() or 1
    if count == 1:
        return _search(scope, partial(map, partial(_expand, make, scope)), progress)
    with get_context("spawn").Pool(count) as pool:
        return _search(scope, partial(pool.imap, partial(_expand, make, scope)), progress)


_Expand = Callable[[Iterable[Sequence[History]]], Iterator[_Chunk]]


def _search(scope: Scope, expand: _Expand, progress: Progress) -> Found:
    began = time.perf_counter()
    seen: set[Key] = {()}
    frontier: list[History] = [()]
    transitions = depth = 0
    while frontier:
        chunks = [frontier[start : start + CHUNK] for start in range(0, len(frontier), CHUNK)]
        reached: list[History] = []
        for chunk in expand(chunks):
            transitions += chunk.transitions
            for found, history in chunk.reached:
                if found not in seen:
                    seen.add(found)
                    reached.append(history)
            if chunk.told:
                elapsed = time.perf_counter() - began
                return Found(len(seen), transitions, depth + 1, elapsed, chunk.history, chunk.told)
            progress(f"{scope}: {len(seen):,} states, {transitions:,} transitions, depth {depth}")
        frontier = reached
        depth += bool(reached)
    return Found(len(seen), transitions, depth, time.perf_counter() - began)


def _expand(make: Maker, scope: Scope, histories: Sequence[History]) -> _Chunk:
    transitions = 0
    reached: dict[Key, History] = {}
    for history in histories:
        try:
            for operation, found in steps(make, scope, history):
                transitions += 1
                if found is not None and found not in reached:
                    reached[found] = (*history, operation)
        except Broken as broken:
            return _Chunk(transitions + 1, tuple(reached.items()), broken.history, broken.told)
    return _Chunk(transitions, tuple(reached.items()))
