# SPDX-License-Identifier: Apache-2.0
"""One replay from start to end, on the page table alone or in lockstep, with its time and what was found."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from impl.cache import PagedCache
from impl.errors import BadArgument, CacheError
from impl.page_table import InvariantBroken, PageTable
from impl.studies.replay import Replay, Settings, Summary, Table
from impl.studies.traces import TraceRequest
from kvproof.errors import UsageError
from kvproof.replay.held import HeldTable
from spec.conformance.violation import Violation

LOCKSTEP_ROWS = 2**24
"""Largest pool for lockstep: the spec looks at every page of it, and the cache holds every row."""


@dataclass(slots=True)
class Report:
    """What a replay did, how long it took, and what was found wrong (empty: nothing).

    `operations` is the number of operations held against the spec, with everything compared after every `every`-th;
    both are None without lockstep.
    """

    settings: Settings
    summary: Summary
    seconds: float = 0.0
    operations: int | None = None
    every: int | None = None
    interrupted: bool = False
    failure: str = ""

    @property
    def tokens_per_second(self) -> float:
        """Rows appended a second, everything included."""
        return self.summary.tokens / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Lockstep:
    """Asks for a replay in lockstep: after how many operations everything is compared, and what makes the cache.

    `factory(pages, page_size)` gives a target with the capabilities that the loop needs: batch, trim and counts.
    """

    every: int
    factory: Callable[[int, int], Any] = PagedCache


def replay(
    requests: Iterable[TraceRequest],
    settings: Settings,
    lockstep: Lockstep | None = None,
    on_step: Callable[[Summary], None] = lambda summary: None,
) -> Report:
    """Replay `requests`, calling `on_step` after each step. Ctrl-C ends it with what was done so far.

    Raises UsageError when there is no memory for such a pool, and what reading the requests raises.
    """
    table = _held(settings, lockstep) if lockstep else _bare(settings)
    run = Replay(table, settings)
    report = Report(settings, run.summary)
    start = time.perf_counter()
    try:
        for _ in run.run(requests):
            on_step(run.summary)
        if table.free_count != settings.pages:
            report.failure = f"{settings.pages - table.free_count:,} pages are still held after the last request"
    except (Violation, InvariantBroken, CacheError) as error:
        report.failure = f"{type(error).__name__}: {error}"
    except KeyboardInterrupt:
        report.interrupted = True
    report.seconds = time.perf_counter() - start
    if isinstance(table, HeldTable):
        report.operations, report.every = table.operations, table.every
    return report


def _bare(settings: Settings) -> Table:
    try:
        return PageTable(settings.pages, settings.page_size)
    except (BadArgument, MemoryError, OverflowError) as error:
        raise UsageError(
            f"no pool of {settings.pages:,} pages of {settings.page_size:,} rows: {error}; make it smaller"
        ) from None


def _held(settings: Settings, lockstep: Lockstep) -> HeldTable:
    rows = settings.pages * settings.page_size
    if rows > LOCKSTEP_ROWS:
        raise UsageError(f"a pool of {rows:,} rows is too large for lockstep, which takes up to {LOCKSTEP_ROWS:,}")
    return HeldTable(lockstep.factory, settings.pages, settings.page_size, lockstep.every)
