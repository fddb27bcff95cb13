# SPDX-License-Identifier: Apache-2.0
"""How a figure is measured: two contestants in turn, warmed up, several repeats, medians, the garbage collector off.

Each repeat prepares a state of its own, untimed, so that no repeat finds what an earlier one left behind. The
contestants take turns within a repeat and change who goes first, so that whatever else the machine does meets both.
"""

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured: repeats that count, repeats before them that do not, and decode steps in each."""

    repeats: int
    warm_ups: int
    steps: int


FULL = Effort(repeats=21, warm_ups=2, steps=64)
QUICK = Effort(repeats=2, warm_ups=1, steps=16)
"""Steps are multiples of 16, the page size: every request crosses a page boundary equally often."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one contestant does. `prepare()` makes the state, untimed, and gives the call to time; the call does `count`
    of whatever the figure is per."""

    prepare: Callable[[], Callable[[], object]]
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of what was measured, the least and the most, in the unit of the figure."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """The spread of at least one value."""
        return cls(statistics.median(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of ours, and of the yardstick where there is one."""

    ours: Spread
    yardstick: Spread | None = None


def contest(effort: Effort, ours: Work, yardstick: Work | None = None) -> Measured:
    """Time both in turn, in µs per `count`."""
    works = [ours] if yardstick is None else [ours, yardstick]
    times: list[list[float]] = [[] for _ in works]
    with collector_off():
        for repeat in range(effort.warm_ups + effort.repeats):
            for which in range(len(works))[:: 1 if repeat % 2 else -1]:
                took = _microseconds(works[which])
                if repeat >= effort.warm_ups:
                    times[which].append(took)
    spreads = [Spread.of(values) for values in times]
    return Measured(spreads[0], spreads[1] if yardstick else None)


def _microseconds(work: Work) -> float:
    call = work.prepare()
    start = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - start) / work.count / 1000


@contextmanager
def collector_off() -> Iterator[None]:
    """No garbage collection within the block; one before it."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
