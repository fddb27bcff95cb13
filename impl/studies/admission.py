# SPDX-License-Identifier: Apache-2.0
"""When to take a request in: the requests of example B wait in a line, and every running one grows by a row a turn.

At most one request is taken in a turn. A policy says how long it is expected to get, and whether the pages that running
requests are still expected to take are kept for them. A request that finds no page has failed and gives its pages back.
Bold policies run more requests at a time and lose some; careful ones lose none and leave pages idle.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from impl import window as formulas
from impl.errors import OutOfPages
from impl.page_table import PageTable
from impl.studies.example_b import LONGEST, POOL_ROWS, request_lengths

PAGE = 16


@dataclass(frozen=True, slots=True)
class Policy:
    """Take a request in when `expected` rows fit into the free pages, without those promised if `keeps_promises`."""

    name: str
    expected: int
    keeps_promises: bool


@dataclass(slots=True)
class Run:
    """The running requests, by handle: the length each one will have."""

    table: PageTable
    wanted: dict[int, int] = field(default_factory=dict)
    completed: int = 0
    failed: int = 0


def policies(lengths: Sequence[int]) -> list[Policy]:
    """From the boldest to the most careful."""
    mean = formulas.ceil_div(sum(lengths), len(lengths))
    return [
        Policy("a page is free", 1, False),
        Policy("the mean length is free", mean, False),
        Policy("the mean length is free and unpromised", mean, True),
        Policy("twice the mean is free and unpromised", 2 * mean, True),
        Policy("the longest is free and unpromised", LONGEST, True),
    ]


def admission() -> dict[str, Any]:
    """A line for each policy."""
    lengths = request_lengths()
    return {
        "pool_rows": POOL_ROWS,
        "page": PAGE,
        "requests": len(lengths),
        "lines": [serve(lengths, policy) for policy in policies(lengths)],
    }


def serve(lengths: Sequence[int], policy: Policy) -> dict[str, Any]:
    """Serve all requests in order. O(rows), one batch a turn. ValueError when the policy waits for more than a pool."""
    run = Run(PageTable(POOL_ROWS // PAGE, PAGE))
    waiting = list(reversed(lengths))
    held: list[int] = []
    used = 0
    while waiting or run.wanted:
        if waiting and _fits(run, policy):
            run.wanted[run.table.open()] = waiting[-1]
            del waiting[-1]
        elif not run.wanted:
            raise ValueError(f"the policy {policy.name!r} waits for {policy.expected} rows, the pool has {POOL_ROWS}")
        _grow(run, list(run.wanted))
        held.append(len(run.wanted))
        used += run.table.pages - run.table.free_count
    run.table.check()
    return {
        "policy": policy.name,
        "expected_rows": policy.expected,
        "held_mean": sum(held) / len(held),
        "held_most": max(held),
        "completed": run.completed,
        "out_of_pages": run.failed,
        "turns": len(held),
        "pages_used": used / len(held) / run.table.pages,
    }


def _fits(run: Run, policy: Policy) -> bool:
    expected = formulas.pages_for(policy.expected, PAGE)
    promised = 0
    if policy.keeps_promises:
        promised = sum(max(0, expected - run.table.held(handle)) for handle in run.wanted)
    return run.table.free_count >= expected + promised


def _grow(run: Run, handles: list[int]) -> None:
    """A row for each of these; whoever is complete leaves, whoever finds no page fails and leaves."""
    try:
        run.table.append_batch(np.array(handles), np.ones(len(handles), dtype=np.int64))
    except OutOfPages:
        for handle in handles:
            try:
                run.table.append(handle, 1)
            except OutOfPages:
                run.failed += 1
                run.table.close(handle)
                del run.wanted[handle]
    for handle in handles:
        if handle in run.wanted and run.table.length(handle) == run.wanted[handle]:
            run.table.close(handle)
            del run.wanted[handle]
            run.completed += 1
