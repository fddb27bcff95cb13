# SPDX-License-Identifier: Apache-2.0
"""The replay loop on the real page table: hand-computed admissions and preemptions, windows, and random traces."""

import json
import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl import window as formulas
from impl.page_table import PageTable
from impl.studies.replay import Ints, Replay, Settings, Summary, Table
from impl.studies.traces import TraceRequest

DECODE_PAGES = json.loads((Path(__file__).parent / "data" / "decode_pages.json").read_text())


def replay(settings: Settings, *requests: tuple[int, int], table: Table | None = None) -> Summary:
    """The summary of a replay that ended with every page free."""
    table = PageTable(settings.pages, settings.page_size) if table is None else table
    run = Replay(table, settings)
    for _ in run.run([TraceRequest(*request) for request in requests]):
        pass
    assert table.free_count == settings.pages
    return run.summary


def test_one_request() -> None:
    """Five rows in pages of two: filled to 3 (2 pages), then steps to 4 (no page) and 5 (third page)."""
    assert replay(Settings(pages=4, page_size=2), (3, 2)) == Summary(
        requests=1, finished=1, filled=3, decoded=2, steps=2, checks=1, peak_pages=3, peak_running=1,
        rows_reserved=4 + 6, rows_used=4 + 5, fullest_reserved=6, fullest_used=5,
    )  # fmt: skip


def test_a_request_without_output_is_over_once_it_is_filled() -> None:
    assert replay(Settings(pages=4, page_size=2), (3, 0), (8, 0)) == Summary(
        requests=2, finished=2, filled=11, checks=1, peak_pages=4
    )


def test_no_request() -> None:
    assert replay(Settings(pages=1, page_size=1)) == Summary(checks=1)
    assert Summary().waste == 0


@pytest.mark.parametrize(
    ("prompt", "output", "fits"), [(6, 0, 1), (5, 1, 1), (1, 5, 1), (7, 0, 0), (6, 1, 0), (1, 6, 0)]
)
def test_a_request_that_never_fits_is_passed_over(prompt: int, output: int, fits: int) -> None:
    summary = replay(Settings(pages=3, page_size=2), (prompt, output), (1, 1))
    assert (summary.requests, summary.finished, summary.never_fit) == (2, fits + 1, 1 - fits)
    assert summary.settled == 2


def test_a_windowed_request_needs_the_pages_of_its_chunks() -> None:
    """Window and page of 4, so chunks of 4 rows: rows 4 … 7 come while 1 … 3 are kept, and so on: two pages.

    With pages of one row the chunk of rows 4 … 7 finds 3 rows kept; one of 3 rows is just 3 pages, and 4 for its token.
    """
    for pages, fits in ((1, 0), (2, 1)):
        summary = replay(Settings(pages, 4, window=4), (20, 5))
        assert (summary.finished, summary.never_fit) == (fits, 1 - fits)
    by_row = Settings(9, 1, window=4)
    assert by_row.pages_to_start(20) == by_row.pages_to_fill(20) == 3 + 4
    assert (by_row.pages_to_fill(3), by_row.pages_to_start(3)) == (3, 4)


def test_admission_leaves_a_page_for_every_running_request() -> None:
    """Two pages free, the first request runs: a prompt of one page, output in the same page, needs 1 + 1, so it enters.

    With a prompt of two rows its first output token needs a second page: 2 + 1, so it waits until the first is over.
    """
    settings = Settings(pages=3, page_size=2)
    assert replay(settings, (1, 1), (1, 1)).waits == 0
    late = replay(settings, (1, 1), (2, 1))
    assert (late.waits, late.peak_running, late.steps) == (1, 1, 2)


def test_the_head_of_the_line_holds_back_the_rest() -> None:
    """The third request would fit beside the first, but it waits behind the second."""
    summary = replay(Settings(pages=4, page_size=2), (2, 2), (6, 1), (1, 1))
    assert (summary.peak_running, summary.finished, summary.waits) == (1, 3, 2 + 1)


def test_a_preempted_request_returns_with_its_output() -> None:
    """Three pages of two rows; A = 2 + 4 and B = 1 + 2 both enter.

    Step 1: A 3 rows (2 pages), B 2 (1 page): full. Step 2: A 4, but B needs a page: B leaves with 2 rows and 1 to come.
    It waits through steps 3 and 4 (it takes 2 pages to start and A's next one), in which A comes to 5 (page) and 6
    rows. Then B is filled again with 2 rows and decodes its last token in step 5.
    """
    assert replay(Settings(pages=3, page_size=2), (2, 4), (1, 2)) == Summary(
        requests=2, finished=2, preempted=1, filled=2 + 1 + 2, refilled=2, decoded=2 + 1 + 1 + 1 + 1, steps=5,
        refusals=1, waits=2, checks=1, peak_pages=3, peak_running=2, rows_reserved=6 + 4 + 6 + 6 + 4,
        rows_used=5 + 4 + 5 + 6 + 3, fullest_reserved=6, fullest_used=5,
    )  # fmt: skip


def test_a_second_preemption_is_a_failure() -> None:
    """Ten pages of one row; A = 1 + 9, B = 1 + 3, C = 1 + 5 all enter.

    After step 2 they hold 3 rows each. Step 3 finds 1 page for 3: C leaves with 3 rows, A and B come to 4, B is over.
    6 pages are free, C takes 4 to start and A's next: it returns. Step 4: A 5, C 4, so 1 page is left for 2 in step 5:
    C has failed. A goes on to 10 rows in step 9.
    """
    summary = replay(Settings(pages=10, page_size=1), (1, 9), (1, 3), (1, 5))
    assert (summary.finished, summary.preempted, summary.failed, summary.refusals) == (2, 1, 1, 2)
    assert (summary.steps, summary.filled, summary.refilled, summary.decoded) == (9, 6, 3, 3 + 3 + 2 + 2 + 5)
    assert (summary.waits, summary.peak_pages, summary.peak_running, summary.settled) == (0, 10, 3, 3)
    assert summary.tokens == 6 + 15
    assert summary.waste == 0


def test_a_preempted_request_waits_for_its_next_token_too() -> None:
    """Six pages of one row; A = 1 + 3, B = 1 + 2, C = 1 + 3 all enter and fill them in step 1.

    Step 2: C leaves with 2 rows; A and B come to 3, B is over. 3 pages are free, but C takes 2, one for its next token,
    and A takes its next one: C waits through step 3, in which A is over, and decodes in steps 4 and 5.
    """
    summary = replay(Settings(pages=6, page_size=1), (1, 3), (1, 2), (1, 3))
    assert (summary.waits, summary.steps, summary.preempted, summary.finished, summary.refusals) == (1, 5, 1, 3, 1)


def test_every_failure_is_counted() -> None:
    """The same three requests twice: both times the one of five tokens does not come through."""
    summary = replay(Settings(pages=10, page_size=1), *[(1, 9), (1, 3), (1, 5)] * 2)
    assert (summary.finished, summary.failed, summary.refusals) == (4, 2, summary.preempted + 2)


def test_the_youngest_is_preempted() -> None:
    """Three equal requests of two pages in a pool of five: the third makes room for the first two, and comes last."""
    table = Recorder(5, 2)
    summary = replay(Settings(pages=5, page_size=2), (1, 3), (1, 3), (1, 3), table=table)
    closed = [call.handles for call in table.calls if call.name == "close"]
    opened = [call.handles for call in table.calls if call.name == "open"]
    first, second, third, again = opened
    assert closed == [third, first, second, again]
    assert (summary.steps, summary.preempted, summary.finished) == (5, 1, 3)


def test_checks_every_so_many_steps_and_at_the_end() -> None:
    settings = Settings(pages=10, page_size=1, check_every=3)
    table = Recorder(10, 1)
    assert replay(settings, (1, 7), table=table).checks == 2 + 1
    assert [call.name for call in table.calls].count("check") == 2 + 1


@pytest.mark.parametrize("recorded", DECODE_PAGES, ids=lambda recorded: f"W {recorded['window']} P {recorded['page']}")
def test_pages_in_use_are_the_recorded_ones(recorded: dict[str, Any]) -> None:
    """A prompt of one row is step 1; the recorded peak is the one after a trim."""
    page, steps = recorded["page"], recorded["steps"]
    table = Recorder(16, page)
    summary = replay(Settings(16, page, recorded["window"]), (1, steps - 1), table=table)
    before_step = [call.pages_before for call in table.calls if call.name in ("append", "append_batch")]
    assert before_step == recorded["pages_in_use_before_step"]
    last = [call for call in table.calls if call.name != "check"][-1]
    assert (last.name, last.pages_before) == ("close", recorded["pages_at_end"])
    assert max(*before_step, last.pages_before) == recorded["peak"]
    assert summary.peak_pages == max(call.pages_after for call in table.calls)


WINDOWS = [(1, 0, 1), (1, 0, 4), (3, 1, 2), (4, 0, 4), (6, 0, 4), (6, 2, 4), (8, 5, 4), (8, 0, 1), (5, 4, 3)]


@pytest.mark.parametrize(("window", "sinks", "page"), WINDOWS)
@pytest.mark.parametrize("prompt", [1, 2, 13, 40])
def test_windows_and_sinks_hold_the_pages_of_the_formulas(window: int, sinks: int, page: int, prompt: int) -> None:
    """Every append finds the pages of the trim before it, and adds those of its rows; chunks are whole pages."""
    settings = Settings(64, page, window, sinks)
    table = Recorder(64, page)
    replay(settings, (prompt, 30), table=table)
    length = kept = 0
    most_decoding = 0
    for call in table.calls:
        if call.name in ("append", "append_batch"):
            assert call.pages_before == formulas.pages_held(length, sinks, kept, page)
            length += call.rows
            assert call.pages_after == formulas.pages_held(length, sinks, kept, page)
            if call.name == "append_batch":
                most_decoding = max(most_decoding, call.pages_after)
            else:
                assert call.rows % page == 0 or length == prompt
        if call.name in ("trim", "trim_batch"):
            kept = formulas.keep_from(length, window, sinks)
            assert call.rows == kept
    assert length == prompt + 30
    if not sinks:
        assert most_decoding <= formulas.peak_pages(window, page)
    assert max(call.pages_after for call in table.calls) <= settings.pages_to_fill(prompt + 30)


@given(
    st.integers(1, 5),
    st.integers(1, 12),
    st.none() | st.tuples(st.integers(1, 12), st.integers(0, 11)).filter(lambda pair: pair[1] < pair[0]),
    st.integers(0, 3),
    st.lists(st.tuples(st.integers(1, 25), st.integers(0, 25)), max_size=12),
)
def test_random_traces(
    page: int, pages: int, windowed: tuple[int, int] | None, every: int, requests: list[tuple[int, int]]
) -> None:
    """Whatever the trace: every request is settled, its tokens are accounted for, and all pages are free at the end."""
    window, sinks = windowed if windowed else (None, 0)
    settings = Settings(pages, page, window, sinks, every)
    table = Recorder(pages, page)
    summary = replay(settings, *requests, table=table)
    assert summary.requests == summary.settled == len(requests)
    assert summary.refusals == summary.preempted + summary.failed
    assert summary.filled == sum(call.rows for call in table.calls if call.name == "append")
    assert summary.decoded == sum(len(call.handles) for call in table.calls if call.name == "append_batch" if call.done)
    if not summary.failed and not summary.never_fit:
        assert summary.tokens - summary.refilled == sum(map(sum, requests))
    assert summary.peak_pages == max((call.pages_after for call in table.calls), default=0)
    assert 0 <= summary.waste < 1
    assert summary.rows_used <= summary.rows_reserved


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"pages": 0}, "a pool has at least one page of"),
        ({"page_size": 0}, "a pool has at least one page of at least one row"),
        ({"window": 0}, "the window (0) must be larger than its sinks (0)"),
        ({"window": 4, "sinks": 4}, "the window (4) must be larger than its sinks (4)"),
        ({"sinks": 1}, "sinks need a window"),
        ({"sinks": -1}, "sinks and check_every count from 0"),
        ({"check_every": -1}, "sinks and check_every count from 0"),
    ],
)
def test_settings_out_of_range(settings: dict[str, int], reason: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(reason)):
        Settings(**{"pages": 1, "page_size": 1, **settings})


class Call(NamedTuple):
    """One call: the rows appended or the point of the last trim, and the pages in use before and after."""

    name: str
    handles: tuple[int, ...]
    rows: int
    pages_before: int
    pages_after: int
    done: bool


class Recorder:
    """A page table that notes every call."""

    def __init__(self, pages: int, page_size: int) -> None:
        self.calls: list[Call] = []
        self._pages = pages
        self._table = PageTable(pages, page_size)

    @property
    def free_count(self) -> int:
        return self._table.free_count

    def open(self, sinks: int = 0) -> int:
        handle = self._table.open(sinks)
        self.calls.append(Call("open", (handle,), 0, self._in_use(), self._in_use(), True))
        return handle

    def append(self, handle: int, n: int) -> None:
        self._noted("append", (handle,), n, lambda: self._table.append(handle, n))

    def append_batch(self, handles: Ints, counts: Ints) -> None:
        self._noted(
            "append_batch", handles.tolist(), int(counts[-1]), lambda: self._table.append_batch(handles, counts)
        )

    def trim(self, handle: int, keep: int) -> None:
        self._noted("trim", (handle,), keep, lambda: self._table.trim(handle, keep))

    def trim_batch(self, handles: Ints, keeps: Ints) -> None:
        self._noted("trim_batch", handles.tolist(), int(keeps[-1]), lambda: self._table.trim_batch(handles, keeps))

    def close(self, handle: int) -> None:
        self._noted("close", (handle,), 0, lambda: self._table.close(handle))

    def check(self) -> None:
        self._noted("check", (), 0, self._table.check)

    def _noted(self, name: str, handles: Sequence[int], count: int, call: Callable[[], object]) -> None:
        before = self._in_use()
        done = False
        try:
            call()
            done = True
        finally:
            self.calls.append(Call(name, tuple(handles), count, before, self._in_use(), done))

    def _in_use(self) -> int:
        return self._pages - self._table.free_count


def test_where_a_request_is_trimmed() -> None:
    """Never without a window or before its first row; else at the first row of its window after the sinks."""
    assert [Settings(9, 1).keep_from(length) for length in (0, 1, 7)] == [0, 0, 0]
    assert [Settings(9, 1, 4).keep_from(length) for length in (0, 1, 3, 4, 7)] == [0, 0, 0, 1, 4]
    assert [Settings(9, 1, 4, 3).keep_from(length) for length in (0, 1, 3, 4, 7)] == [0, 1, 3, 4, 7]
    assert [Settings(9, 1, 4).context(length) for length in (1, 4, 7)] == [1, 4, 4]
    assert [Settings(9, 1).context(length) for length in (1, 4, 7)] == [1, 4, 7]


def test_the_pages_to_fill_are_those_of_the_fullest_chunk() -> None:
    for page, window, length in product(range(1, 5), range(1, 9), range(1, 40)):
        for sinks in range(window):
            settings = Settings(9, page, window, sinks)
            held = [
                formulas.pages_held(end, sinks, settings.keep_from(start), page) for start, end in settings.fill(length)
            ]
            assert settings.pages_to_fill(length) == max(held)
    assert Settings(9, 16, 16).pages_to_start(2**62) == 2


def test_a_window_has_a_limit() -> None:
    assert Settings(9, 1, window=2**62).window == 2**62
    with pytest.raises(ValueError, match=f"^the window is at most {2**62}$"):
        Settings(9, 1, window=2**62 + 1)
