# SPDX-License-Identifier: Apache-2.0
"""The window spec against hand-made figures, and the closed forms against the spec on every small size."""

import itertools

import pytest

from impl import window as closed
from spec import window as spec

SIZES = [(step, window, page) for step in range(1, 19) for window in range(1, 9) for page in range(1, 7)]
SINKS = [(step, window, sinks) for step in range(1, 19) for window in range(1, 9) for sinks in range(window)]


def test_window_of_six_reads_five_cached_rows() -> None:
    assert spec.rows_read(1, 6) == set()
    assert spec.rows_read(6, 6) == {0, 1, 2, 3, 4}
    assert spec.rows_read(8, 6) == {2, 3, 4, 5, 6}


def test_sinks_stay_visible_and_count_towards_the_window() -> None:
    assert spec.rows_read(10, 5, sinks=2) == {0, 1, 7, 8}
    assert spec.rows_readable_later(10, 5, sinks=2) == {0, 1, 8, 9}


def test_a_row_that_is_not_written_yet_is_not_read() -> None:
    assert not spec.reads(4, step=5, window=3)
    assert not spec.reads(-1, step=5, window=9)
    assert not spec.readable_later(5, step=5, window=3)


def test_pages_holding_and_released() -> None:
    assert spec.pages_holding({3, 4, 11}, 4) == {0, 1, 2}
    assert spec.pages_holding(set(), 4) == set()
    assert spec.pages_released(length=13, sinks=5, keep_from=12, page_size=4) == {2}
    assert spec.pages_released(length=13, sinks=0, keep_from=11, page_size=4) == {0, 1}


@pytest.mark.parametrize("window", range(1, 9))
def test_one_window_further_is_far_enough(window: int) -> None:
    """The spec asks the next `window` steps only; looking three times as far finds no other row."""
    for step, sinks in itertools.product(range(1, 19), range(window)):
        far = {
            row
            for row in range(step)
            if any(spec.reads(row, later, window, sinks) for later in range(step + 1, step + 3 * window + 8))
        }
        assert far == spec.rows_readable_later(step, window, sinks)


def test_closed_forms_equal_the_sets_for_every_small_size() -> None:
    for step, window, page in SIZES:
        assert set(range(closed.first_row(step, window), step - 1)) == spec.rows_read(step, window)
        assert closed.context(step, window) == len(spec.rows_read(step, window)) + 1
        needed = spec.rows_readable_later(step, window)
        assert needed == set(range(closed.keep_from(step, window), step))
        # A step starts with the pages of the rows that it or a later step reads.
        start = spec.pages_holding(spec.rows_readable_later(step - 1, window), page) if step > 1 else set()
        trimmed = spec.pages_released(step - 1, 0, closed.keep_from(step - 1, window), page) if step > 1 else set()
        held = spec.pages_holding(set(range(step - 1)), page) - trimmed
        assert len(held) == closed.pages_in_use(step, window, page)
        assert start <= held


def test_closed_forms_with_sinks_equal_the_sets_for_every_small_size() -> None:
    for step, window, sinks in SINKS:
        head = set(range(min(sinks, step - 1)))
        tail = set(range(closed.first_tail_row(step, window, sinks), step - 1))
        assert head | tail == spec.rows_read(step, window, sinks)
        keep = closed.keep_from(step, window, sinks)
        assert spec.rows_readable_later(step, window, sinks) == set(range(min(sinks, step))) | set(range(keep, step))


def test_released_pages_equal_the_sets_for_every_small_size() -> None:
    for length, sinks, page in itertools.product(range(14), range(6), range(1, 6)):
        for keep in range(length + 1):
            begin, end = closed.released_begin(sinks, page), closed.released_end(keep, page)
            assert set(range(begin, end)) == spec.pages_released(length, sinks, keep, page)
            held = len(spec.pages_holding(set(range(length)), page)) - max(0, end - begin)
            assert closed.pages_held(length, sinks, keep, page) == held


def test_no_window_is_a_window_that_never_ends() -> None:
    for step in range(1, 9):
        wide = closed.window_or_all(None, step)
        assert closed.context(step, wide) == step
        assert closed.first_row(step, wide) == closed.keep_from(step, wide) == 0
        assert closed.window_or_all(3, step) == 3
