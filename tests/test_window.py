# SPDX-License-Identifier: Apache-2.0
"""Every closed form against what it means: counted, over sets of rows, for all small sizes; and its own contract.

A count is never more than a few lines of `spec/window.py`; where a formula is a bound, the bound is reached.
"""

import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from impl import elementwise
from impl import window as closed
from spec import window as spec

ROWS, PAGES, WINDOWS, STEPS = range(20), range(1, 6), range(1, 8), range(1, 20)

FORMULAS = [
    function
    for name, function in inspect.getmembers(closed, inspect.isfunction)
    if function.__module__ == closed.__name__ and "__mutmut_" not in name
]
"""All of them, but not the changed copies that the mutation tool keeps beside them."""

SMALL: dict[str, list[Any]] = {
    "window": [*WINDOWS],
    "step": [*STEPS],
    "page": [*PAGES],
    "b": [*PAGES],
    "a": [*range(-9, 20)],
    "physical": [*range(5)],
    "sinks": [*range(5)],
    "offset": [*range(5)],
    "room": [*range(5)],
    "tail_shared": [False, True],
    "writes_first": [False, True],
}


def contract(function: Callable[..., object], kind: str) -> list[str]:
    """The `pre:` or `post:` lines of a docstring, as Python."""
    return re.findall(rf"^\s*{kind}: (.*)$", function.__doc__ or "", re.MULTILINE)


def arguments(function: Callable[..., object]) -> Iterator[dict[str, Any]]:
    """All small arguments that the contract allows."""
    names = [*inspect.signature(function).parameters]
    choices = [SMALL.get(name, [*ROWS]) for name in names]
    if function is closed.window_or_all:
        choices[0] = [None, *choices[0]]
    for values in itertools.product(*choices):
        given = dict(zip(names, values, strict=True))
        if all(eval(line, {}, given) for line in contract(function, "pre")):
            yield given


def held(rows: range, page: int) -> int:
    """How many pages hold these rows."""
    return len(spec.pages_holding(set(rows), page))


@pytest.mark.parametrize("function", FORMULAS, ids=lambda function: function.__name__)
def test_the_contract_holds_and_the_result_is_an_int(function: Callable[..., object]) -> None:
    cases = 0
    for given in arguments(function):
        result = function(**given)
        assert type(result) is int
        for line in contract(function, "post"):
            assert eval(line, vars(closed), {**given, "_": result}), f"{function.__name__}({given}) is {result}"
        cases += 1
    assert cases >= 14
    assert contract(function, "post")


def test_slots_are_numbered_page_by_page() -> None:
    for page in PAGES:
        slots = [closed.slot_of(physical, offset, page) for physical in range(6) for offset in range(page)]
        assert slots == [*range(6 * page)]
        ends = [slot + 1 for slot in slots[page - 1 :: page]]
        assert [closed.slot_after(physical, page) for physical in range(6)] == ends


def test_rows_in_the_last_page() -> None:
    for rows, page in itertools.product(ROWS, PAGES):
        every = {row for index in spec.pages_holding(set(range(rows)), page) for row in range(page * (index + 1))}
        assert closed.room_in_last_page(rows, page) == len(every) - rows
        assert closed.pages_for(rows, page) == held(range(rows), page)
        if rows:
            last = closed.page_of(rows - 1, page)
            inside = [row for row in range(rows) if spec.holds(last, row, page)]
            assert closed.last_page_rows(rows, page) == len(inside)
            assert closed.offset_of(rows - 1, page) == inside.index(rows - 1)


def test_the_narrowest_window_that_shows_everything() -> None:
    for step in STEPS:
        wide = closed.window_or_all(None, step)

        def shows_all(window: int, step: int = step) -> bool:
            return all(spec.rows_read(later, window) == set(range(later - 1)) for later in (step, step + 1))

        assert shows_all(wide)
        assert not shows_all(wide - 1)
        assert closed.window_or_all(3, step) == 3


def test_pages_of_consecutive_rows_at_the_worst_offset() -> None:
    for rows, page in itertools.product(ROWS, PAGES):
        assert closed.span_pages(rows, page) == max(held(range(at, at + rows), page) for at in range(page))


def test_the_bound_of_an_append_is_reached() -> None:
    for count, page in itertools.product(ROWS, PAGES):
        taken = [
            held(range(rows + count), page) - held(range(rows), page) + (shared and count > 0 and rows % page > 0)
            for rows in range(2 * page)
            for shared in (False, True)
        ]
        assert closed.append_bound(count, page) == max(taken)
        assert [
            closed.pages_to_append(rows, count, page, shared) for rows in range(2 * page) for shared in (False, True)
        ] == taken


def test_the_peaks_are_reached() -> None:
    """A step appends, which is when most pages are held, and then trims."""
    for window, page in itertools.product(WINDOWS, PAGES):
        before, after = [0], [0]
        for step in range(1, 4 * (window + page)):
            keeps = [closed.keep_from(earlier, window) for earlier in (step - 1, step)]
            released = [spec.pages_released(step, 0, keep, page) for keep in keeps]
            every = spec.pages_holding(set(range(step)), page)
            before.append(len(every - released[0]))
            after.append(len(every - released[1]))
        assert closed.peak_pages(window, page) == max(before)
        assert closed.peak_pages_after_trim(window, page) == max(after)


def test_a_ring_holds_what_a_step_reads_and_what_it_writes_before() -> None:
    for window, writes_first in itertools.product(WINDOWS, (False, True)):
        read = max(len(spec.rows_read(step, window)) for step in STEPS)
        assert closed.ring_rows(window, writes_first) == read + writes_first


def test_rows_that_may_be_taken_back() -> None:
    """As many as are left before `keep` in pages that the trim did not release."""
    for keep, page in itertools.product(ROWS, PAGES):
        released = spec.pages_released(keep, 0, keep, page)
        left = [row for row in range(keep) if not any(spec.holds(index, row, page) for index in released)]
        assert closed.truncate_slack(keep, page) == len(left)


def test_room_and_new_pages_row_by_row() -> None:
    for page, count in itertools.product(PAGES, ROWS):
        for room in range(page):
            pages, left = 0, room
            for _ in range(count):
                pages, left = (pages + 1, page - 1) if left == 0 else (pages, left - 1)
            assert closed.new_pages(room, count, page) == pages
            assert closed.room_after(room, count, page) == left


def test_programs_are_the_distinct_contexts() -> None:
    for steps, window in itertools.product(range(20), WINDOWS):
        contexts = {len(spec.rows_read(step, window)) + 1 for step in range(1, steps + 1)}
        assert closed.programs(steps, window) == len(contexts)


def test_arrays_are_computed_entry_by_entry() -> None:
    """Each formula that is marked "elementwise", on arrays and with the page size in an array of no dimensions."""
    marked = [function for function in FORMULAS if "Elementwise." in (function.__doc__ or "")]
    assert [function.__name__ for function in marked if not hasattr(elementwise, function.__name__)] == ["ceil_div"]
    for function in marked:
        cases = [*arguments(function)]
        columns = {name: np.array([case[name] for case in cases], dtype=np.int64) for name in cases[0]}
        results = function(**columns)
        assert isinstance(results, np.ndarray)
        assert results.dtype == np.int64
        assert results.tolist() == [function(**case) for case in cases]


def test_constants_cannot_be_written_to() -> None:
    for value in (0, 1, 7):
        array = elementwise.constant(value)
        assert (array.item(), array.shape) == (value, ())
        assert array.dtype == np.int64
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 3
    assert (elementwise.ZERO.item(), elementwise.ONE.item()) == (0, 1)
