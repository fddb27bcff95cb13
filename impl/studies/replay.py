# SPDX-License-Identifier: Apache-2.0
"""The replay of a request trace through a page table: admission, prefill, decoding in batches, windows, preemption.

The loop is that of a serving engine, without the model:

1. *Admit.* Requests enter in order while pages suffice; the first that has to wait holds back all behind it. A request
   is let in when the free pages cover its prompt, its first output token and the next page of every request that runs.
   One whose full length could not be filled into the empty pool is refused: it never fits.
2. *Prefill.* The rows of the prompt are appended: at once without a window, with one in chunks of a window (rounded up
   to whole pages) and a trim after each, so that a windowed request holds about two windows while it is being filled.
3. *Decode.* One row for every running request, in one batch. When the pages do not suffice, the youngest running
   request (the one let in last) is released and waits at the head of the line, with the output it has so far, to be
   filled again; a request this happens to for the second time has failed. Then the batch is tried again.
4. *Trim* for the window, release what has all its output, and start over.

A request of p prompt and o output tokens ends with p + o rows. Timestamps play no part: the line is always full.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from impl import window as formulas
from impl.arguments import LARGEST
from impl.errors import OutOfPages
from impl.studies.traces import TraceRequest

Ints = NDArray[np.int64]

HANDLE, LENGTH, LEFT, RETURNED = range(4)
"""Lines of the array of running requests, one column each, oldest first: handle, rows so far, output tokens still to
come, and whether the request has been preempted before."""


class Table(Protocol):
    """What the loop asks of a page table (or of anything that stands in for one)."""

    @property
    def free_count(self) -> int: ...

    def open(self, sinks: int) -> int: ...

    def append(self, handle: int, n: int) -> object: ...

    def append_batch(self, handles: Ints, counts: Ints) -> object: ...

    def trim(self, handle: int, keep: int) -> object: ...

    def trim_batch(self, handles: Ints, keeps: Ints) -> object: ...

    def close(self, handle: int) -> object: ...

    def check(self) -> object: ...


@dataclass(frozen=True, slots=True)
class Settings:
    """The pool (`pages` of `page_size` rows), the window in tokens with its sinks, and how often `check()` runs.

    `check_every` counts steps; 0 means at the end only. Sinks need a window that is larger than they are.
    """

    pages: int
    page_size: int
    window: int | None = None
    sinks: int = 0
    check_every: int = 0

    def __post_init__(self) -> None:
        if self.pages < 1 or self.page_size < 1:
            raise ValueError("a pool has at least one page of at least one row")
        if self.sinks < 0 or self.check_every < 0:
            raise ValueError("sinks and check_every count from 0")
        if self.window is None:
            if self.sinks:
                raise ValueError("sinks need a window: without one no row is ever trimmed")
        elif self.window > LARGEST:
            raise ValueError(f"the window is at most {LARGEST}")
        elif not self.sinks < self.window:
            raise ValueError(f"the window ({self.window}) must be larger than its sinks ({self.sinks})")

    def keep_from(self, length: int) -> int:
        """Where a request of `length` rows is trimmed: the first row after its sinks that a later step reads."""
        if self.window is None or length == 0:
            return 0
        return formulas.keep_from(length, self.window, self.sinks)

    def context(self, length: int) -> int:
        """The rows that a step reads and writes when it brings a request to `length` ≥ 1 rows."""
        return formulas.context(length, formulas.window_or_all(self.window, length))

    def fill(self, length: int) -> Iterator[tuple[int, int]]:
        """The chunks (from, to) in which `length` rows are filled in."""
        chunk = self._chunk(length)
        for start in range(0, length, chunk):
            yield start, min(start + chunk, length)

    def pages_to_fill(self, length: int) -> int:
        """Most pages that a request holds while `length` rows are filled in.

        O(1): a later full chunk never holds less than an earlier one, so the last full one and the rest tell.
        """
        chunk = self._chunk(length)
        full = length - length % chunk
        spans = [(full, length)]
        if full:
            spans.append((full - chunk, full))
        return max(self._pages_between(*span) for span in spans)

    def pages_to_start(self, length: int) -> int:
        """As `pages_to_fill`, and with the row of the first token that follows. O(1)."""
        return max(self.pages_to_fill(length), self._pages_between(length, length + 1))

    def _chunk(self, length: int) -> int:
        """Rows of a chunk of `length` rows: all, or the window rounded up to whole pages."""
        if self.window is None:
            return length
        return formulas.pages_for(self.window, self.page_size) * self.page_size

    def _pages_between(self, start: int, end: int) -> int:
        """Pages held when a request trimmed at `start` rows has grown to `end`, before the next trim."""
        return formulas.pages_held(end, self.sinks, self.keep_from(start), self.page_size)


@dataclass(slots=True)
class Summary:
    """What a replay did. Tokens are rows; every count starts at 0 and only grows.

    `filled` rows were prefilled, `refilled` of them for the second time; `decoded` rows were appended in `steps`
    batches. `refusals` counts OutOfPages, `waits` the steps that began with a request waiting for pages. Waste is
    measured in every step, after its append: `rows_reserved` are the rows of all pages held, `rows_used` those that the
    step reads or writes, summed over steps; `fullest_reserved` and `fullest_used` are the same in the first of the
    fullest steps.
    """

    requests: int = 0
    finished: int = 0
    never_fit: int = 0
    preempted: int = 0
    failed: int = 0
    filled: int = 0
    refilled: int = 0
    decoded: int = 0
    steps: int = 0
    refusals: int = 0
    waits: int = 0
    checks: int = 0
    peak_pages: int = 0
    peak_running: int = 0
    rows_reserved: int = 0
    rows_used: int = 0
    fullest_reserved: int = 0
    fullest_used: int = 0

    @property
    def tokens(self) -> int:
        """All rows appended."""
        return self.filled + self.decoded

    @property
    def settled(self) -> int:
        """Requests that are over, one way or another."""
        return self.finished + self.never_fit + self.failed

    @property
    def waste(self) -> float:
        """Share of the reserved rows that no step used, 0 … 1."""
        return 1 - self.rows_used / self.rows_reserved if self.rows_reserved else 0.0


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A request in the line: `length` rows to fill in, `left` output tokens to come, the pages it takes to start."""

    length: int
    left: int
    returned: bool
    pages: int


@dataclass(slots=True)
class Replay:
    """One replay of one trace. `summary` is current at any time, also after an interruption.

    Time per step: O(running requests) without a window and as much with one; memory O(running requests), nothing grows
    with the trace but the number of requests that were sent back to the line.
    """

    table: Table
    settings: Settings
    summary: Summary = field(default_factory=Summary)
    _line: deque[_Waiting] = field(default_factory=deque)
    _running: Ints = field(default_factory=lambda: np.zeros((4, 0), dtype=np.int64))

    def run(self, requests: Iterable[TraceRequest]) -> Iterator[int]:
        """Replay `requests`; yields the number of requests that are over after each step. At the end `check()` runs."""
        arrivals = iter(requests)
        while True:
            self._admit(arrivals)
            if self._running.shape[1] == 0:
                break
            self._step()
            yield self.summary.settled
        self._check()

    def _admit(self, arrivals: Iterator[TraceRequest]) -> None:
        admitted: list[tuple[int, int, int, int]] = []
        while (waiting := self._head(arrivals)) is not None:
            running = self._running.shape[1] + len(admitted)
            if waiting.pages + running > self.table.free_count:
                self.summary.waits += 1
                break
            self._line.popleft()
            handle = self.table.open(self.settings.sinks)
            self._fill(handle, waiting)
            if waiting.left:
                admitted.append((handle, waiting.length, waiting.left, int(waiting.returned)))
            else:
                self.table.close(handle)
                self.summary.finished += 1
        if admitted:
            columns = np.array(admitted).T
            self._running = np.concatenate([self._running, columns], axis=1)
            self.summary.peak_running = max(self.summary.peak_running, self._running.shape[1])

    def _head(self, arrivals: Iterator[TraceRequest]) -> _Waiting | None:
        """The request at the head of the line, taken from the trace when nobody waits. None at the end of the trace."""
        while not self._line:
            request = next(arrivals, None)
            if request is None:
                return None
            self.summary.requests += 1
            if self._fits(request):
                pages_for = self.settings.pages_to_start if request.output else self.settings.pages_to_fill
                pages = pages_for(request.prompt)
                self._line.append(_Waiting(request.prompt, request.output, False, pages))
            else:
                self.summary.never_fit += 1
        return self._line[0]

    def _fits(self, request: TraceRequest) -> bool:
        """Whether all rows can be filled in at once, as after a late preemption. That bounds every step on the way."""
        return self.settings.pages_to_fill(request.prompt + request.output) <= self.settings.pages

    def _fill(self, handle: int, waiting: _Waiting) -> None:
        for start, end in self.settings.fill(waiting.length):
            self.table.append(handle, end - start)
            self._note_peak()
            if self.settings.window is not None:
                self.table.trim(handle, self.settings.keep_from(end))
        self.summary.filled += waiting.length
        self.summary.refilled += waiting.length if waiting.returned else 0

    def _step(self) -> None:
        self._append()
        summary, running = self.summary, self._running
        running[LENGTH] += 1
        running[LEFT] -= 1
        summary.steps += 1
        summary.decoded += running.shape[1]
        self._note_peak()
        self._note_waste()
        if self.settings.window is not None:
            keeps = [self.settings.keep_from(length) for length in running[LENGTH].tolist()]
            self.table.trim_batch(running[HANDLE], np.array(keeps))
        over = running[LEFT] == 0
        if over.any():
            for handle in running[HANDLE, over].tolist():
                self.table.close(handle)
                summary.finished += 1
            self._running = running[:, ~over]
        if self.settings.check_every and summary.steps % self.settings.check_every == 0:
            self._check()

    def _append(self) -> None:
        """One row for every running request, after as many preemptions as it takes. One request alone always fits."""
        while True:
            try:
                self.table.append_batch(self._running[HANDLE], np.ones(self._running.shape[1], dtype=np.int64))
                return
            except OutOfPages:
                self.summary.refusals += 1
                self._preempt()

    def _preempt(self) -> None:
        handle, length, left, returned = self._running[:, -1].tolist()
        self._running = self._running[:, :-1]
        self.table.close(handle)
        if returned:
            self.summary.failed += 1
            return
        self.summary.preempted += 1
        self._line.appendleft(_Waiting(length, left, True, self.settings.pages_to_start(length)))

    def _note_peak(self) -> None:
        self.summary.peak_pages = max(self.summary.peak_pages, self.settings.pages - self.table.free_count)

    def _note_waste(self) -> None:
        summary = self.summary
        reserved = (self.settings.pages - self.table.free_count) * self.settings.page_size
        if self.settings.window is None:
            used = int(self._running[LENGTH].sum())
        else:
            used = sum(self.settings.context(length) for length in self._running[LENGTH].tolist())
        summary.rows_reserved += reserved
        summary.rows_used += used
        if reserved > summary.fullest_reserved:
            summary.fullest_reserved, summary.fullest_used = reserved, used

    def _check(self) -> None:
        self.table.check()
        self.summary.checks += 1
