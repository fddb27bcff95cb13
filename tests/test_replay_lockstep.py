# SPDX-License-Identifier: Apache-2.0
"""The replay in lockstep with the spec: no difference on ours, and seeded mistakes are found and told."""

from collections.abc import Hashable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from impl.cache import PagedCache
from impl.errors import OutOfPages
from impl.page_pool import Rows
from impl.studies.replay import Settings
from impl.studies.traces import TraceReader, TraceRequest
from kvproof.data import EMBEDDED_PAGES, embedded_trace
from kvproof.errors import UsageError
from kvproof.replay.run import LOCKSTEP_ROWS, Lockstep, Report, replay

SMALL = Settings(pages=12, page_size=4, window=6, sinks=2)
REQUESTS = [TraceRequest(*lengths) for lengths in ((9, 20), (3, 9), (14, 0), (1, 30), (5, 5), (400, 7), (8, 12))]


def held(factory: type[PagedCache] = PagedCache, settings: Settings = SMALL, every: int = 1) -> Report:
    return replay(REQUESTS, settings, Lockstep(every, factory))


def test_both_ways_come_to_the_same() -> None:
    for window, sinks in ((None, 0), (6, 2), (16, 0)):
        settings = Settings(12, 4, window, sinks)
        bare = replay(REQUESTS, settings)
        report = held(settings=settings)
        assert (report.failure, bare.failure) == ("", "")
        assert report.summary == bare.summary
        assert report.summary.settled == len(REQUESTS)
        assert (bare.operations, bare.every) == (None, None)
        assert report.operations is not None
        assert report.operations > 50


@pytest.mark.parametrize("window", [None, 64])
def test_the_embedded_trace(window: int | None) -> None:
    with embedded_trace().open("rb") as stream:
        report = replay(TraceReader(stream), Settings(EMBEDDED_PAGES, 16, window), Lockstep(500))
    assert report.failure == ""
    assert report.summary.finished == 400
    assert report.summary.tokens - report.summary.refilled == 109_626
    assert window or report.summary.preempted


@given(
    st.integers(1, 4),
    st.integers(1, 10),
    st.none() | st.tuples(st.integers(1, 9), st.integers(0, 8)).filter(lambda pair: pair[1] < pair[0]),
    st.lists(st.builds(TraceRequest, st.integers(1, 15), st.integers(0, 12)), max_size=6),
)
def test_random_traces(page: int, pages: int, windowed: tuple[int, int] | None, requests: list[TraceRequest]) -> None:
    window, sinks = windowed if windowed else (None, 0)
    report = replay(requests, Settings(pages, page, window, sinks), Lockstep(1))
    assert report.failure == ""
    assert report.summary.settled == len(requests)


class KeepsPages(PagedCache):
    """Never trims in a batch: wasteful, never wrong to a reader."""

    def trim_batch(self, requests: Sequence[Hashable], keep_froms: object) -> None:
        for request in requests:
            self.length(request)


class WrongRow(PagedCache):
    """Reads the row before the first one."""

    def rows(self, request: Hashable, low: int, high: int) -> Rows:
        found = super().rows(request, low, high)
        if high - low > 3:
            found[0] -= 1
        return found


class Refuses(PagedCache):
    """Refuses what is possible: a batch of three."""

    def append_batch(self, requests: Sequence[Hashable], rows_per_request: Sequence[ArrayLike]) -> None:
        if len(requests) == 3:
            raise OutOfPages("no")
        super().append_batch(requests, rows_per_request)


class Miscounts(PagedCache):
    """Claims a free page too many."""

    def free_pages(self) -> int:
        return super().free_pages() + (super().free_pages() < 5)


class Measures(PagedCache):
    """Counts ten rows as eleven."""

    def length(self, request: Hashable) -> int:
        return super().length(request) + (super().length(request) == 10)


class Forgets(PagedCache):
    """Does nothing when asked to release."""

    def release(self, request: Hashable) -> None:
        self.length(request)


@pytest.mark.parametrize("every", [1, 10_000])
@pytest.mark.parametrize(
    ("factory", "laws"),
    [
        (KeepsPages, ["capacity"]),
        (WrongRow, ["content"]),
        (Refuses, ["admission"]),
        (Miscounts, ["free-pages"]),
        (Measures, ["content"]),
        (Forgets, ["free-pages", "owners"]),
    ],
)
def test_a_seeded_mistake_is_found(factory: type[PagedCache], laws: list[str], every: int) -> None:
    """Also when everything is compared only at the end: the look at each operation finds these."""
    report = held(factory, every=every)
    assert report.failure.startswith(tuple(f"Violation: {law}: " for law in laws))
    assert report.operations is not None
    assert report.operations < 100


def test_what_only_the_comparison_of_everything_sees() -> None:
    class Mixes(PagedCache):
        """Every write changes the first row of the request 0, which no later operation reads back."""

        def append_batch(self, requests: Sequence[Hashable], rows_per_request: Sequence[ArrayLike]) -> None:
            super().append_batch(requests, rows_per_request)
            if "r0" in requests and self.length("r0") > 11:
                self.pool.write(self.page_table.slots(self.handle("r0"), 0, 1), np.array([7]))

    report = held(Mixes, every=3)
    assert "content" in report.failure
    assert report.operations is not None
    assert report.operations % 3 == 0


def test_too_large_for_lockstep() -> None:
    with pytest.raises(UsageError, match="too large for lockstep"):
        replay([], Settings(LOCKSTEP_ROWS, 2), Lockstep(1))
