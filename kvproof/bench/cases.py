# SPDX-License-Identifier: Apache-2.0
"""What `kvproof bench` measures: the list of cases, and what a case is.

Pages are of 16 rows throughout. The yardstick is `kvproof.targets.plain`, which also stores the row it is given; our
page table is bookkeeping alone, its rows are stored by the pool, whose speed is the gather.
"""

from collections.abc import Callable
from dataclasses import dataclass

from kvproof.bench.timing import Effort, Measured


@dataclass(frozen=True, slots=True)
class Case:
    """One figure: the group it belongs to, its name there, what it is, and how it is measured.

    `limit` is the target: at most so many of `unit`, or, with `limit_is_ratio`, so many times the yardstick. Without a
    limit there is no target.
    """

    group: str
    name: str
    what: str
    measure: Callable[[Effort], Measured]
    unit: str = "µs"
    limit: float | None = None
    limit_is_ratio: bool = False
    yardstick: str = "plain"


GROUPS = ("decode", "window", "append", "request", "gather", "export", "pool")
"""The groups, in the order of the screen."""


def cases(only: str | None = None) -> list[Case]:
    """Every case, or those of one group."""
    from kvproof.bench import decode, exports, gather, pools, requests

    found = [*decode.CASES, *requests.CASES, *gather.CASES, *exports.CASES, *pools.CASES]
    return [case for case in found if only in (None, case.group)]
