# SPDX-License-Identifier: Apache-2.0
"""What a case of `kvproof bench` is."""

from collections.abc import Callable
from dataclasses import dataclass

from kvproof.bench.timing import Effort, Measured

GROUPS = ("decode", "window", "append", "request", "gather", "export", "pool")
"""The groups, in the order of the screen."""


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
