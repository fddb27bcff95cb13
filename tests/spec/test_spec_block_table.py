# SPDX-License-Identifier: Apache-2.0
"""The block-table spec against histories worked out by hand: every operation, every refusal, their precedence."""

from collections.abc import Sequence
from functools import partial

import pytest

from spec import block_table as spec
from spec.block_table import Appended, Refusal, State


def start(page_count: int = 8, page_size: int = 4) -> State:
    return State(page_count, page_size)


def grown(state: State, name: str, rows: Sequence[int], sinks: int = 0) -> State:
    state, made = spec.new(state, name, sinks)
    assert made is None
    state, written = spec.append(state, name, rows)
    assert isinstance(written, Appended)
    return state


def test_append_takes_a_page_when_one_is_needed() -> None:
    state = grown(start(), "a", range(4))
    assert state.requests["a"].pages == (0,)
    state, result = spec.append(state, "a", [4])
    assert result == Appended(taken=1, copied=0)
    assert spec.free_pages(state) == [2, 3, 4, 5, 6, 7]
    assert spec.rows(state, "a", 1, 5)[1] == (1, 2, 3, 4)


def test_the_seventh_append_into_three_pages_of_two_rows_is_refused() -> None:
    state = grown(start(3, 2), "a", range(6))
    after, result = spec.append(state, "a", [6])
    assert result is Refusal.OUT_OF_PAGES
    assert after is state


def test_a_shared_tail_is_copied_once_and_only_for_the_writer() -> None:
    state = grown(start(), "a", range(10))
    state, _ = spec.fork(state, "a", "b")
    assert [spec.owners(state, i, p) for i, p in enumerate((0, 1, 2))] == [2, 2, 2]
    assert spec.pages_needed(state, "b", 1)[1] == 1
    state, result = spec.append(state, "b", [100])
    assert result == Appended(taken=1, copied=1)
    assert state.requests["b"].pages == (0, 1, 3)
    assert spec.rows(state, "a", 0, 10)[1] == tuple(range(10))
    assert spec.rows(state, "b", 8, 11)[1] == (8, 9, 100)
    assert spec.append(state, "a", [7])[1] == Appended(taken=0, copied=0)


def test_a_full_shared_tail_is_not_copied() -> None:
    state, _ = spec.fork(grown(start(), "a", range(8)), "a", "b")
    assert spec.append(state, "b", [8])[1] == Appended(taken=1, copied=0)


def test_appending_nothing_to_a_shared_tail_takes_and_copies_nothing() -> None:
    state, _ = spec.fork(grown(start(3), "a", range(10)), "a", "b")
    after, result = spec.append(state, "b", [])
    assert (after, result) == (state, Appended(0, 0))
    assert spec.pages_needed(state, "b", 0)[1] == 0


def test_trim_releases_whole_pages_only_and_never_a_partial_tail() -> None:
    state = grown(start(), "a", range(10))
    assert spec.trim(state, "a", 7)[0].requests["a"].pages == (None, 1, 2)
    trimmed = spec.trim(state, "a", 10)[0]
    assert trimmed.requests["a"].pages == (None, None, 2)
    assert spec.trim(trimmed, "a", 3)[0] == trimmed


def test_trim_leaves_the_pages_of_the_sinks() -> None:
    state = grown(start(), "a", range(20), sinks=5)
    state = spec.trim(state, "a", 17)[0]
    assert state.requests["a"].pages == (0, 1, None, None, 4)
    assert spec.hole(state, state.requests["a"]) == (8, 16)
    assert spec.rows(state, "a", 0, 8)[1] == tuple(range(8))
    assert spec.rows(state, "a", 7, 9)[1] is Refusal.ROWS_RELEASED


def test_truncate_around_the_hole() -> None:
    state = spec.trim(grown(start(), "a", range(13)), "a", 8)[0]
    assert spec.truncate(state, "a", 7)[1] is Refusal.ROWS_RELEASED
    shorter = spec.truncate(state, "a", 9)[0]
    assert spec.rows(shorter, "a", 4, 9)[1] is Refusal.ROWS_RELEASED
    at_the_end = spec.truncate(state, "a", 8)[0]
    assert at_the_end.requests["a"].pages == (None, None)
    regrown = spec.append(at_the_end, "a", [50])[0]
    assert spec.rows(regrown, "a", 8, 9)[1] == (50,)
    empty = spec.truncate(state, "a", 0)[0]
    assert spec.hole(empty, empty.requests["a"]) == (0, 0)


def test_truncate_into_a_shared_page_copies_at_the_next_write() -> None:
    state, _ = spec.fork(grown(start(), "a", range(8)), "a", "b")
    state = spec.truncate(state, "b", 6)[0]
    assert state.requests["b"].pages == (0, 1)
    state, result = spec.append(state, "b", [66])
    assert result == Appended(taken=1, copied=1)
    assert spec.rows(state, "a", 0, 8)[1] == tuple(range(8))


def test_release_gives_back_what_nobody_else_holds() -> None:
    state, _ = spec.fork(grown(start(), "a", range(10)), "a", "b")
    state = spec.append(state, "b", [10])[0]
    state = spec.release(state, "a")[0]
    assert spec.free_pages(state) == [2, 4, 5, 6, 7]
    assert spec.new(state, "a")[1] is None


@pytest.mark.parametrize(
    ("operation", "refusal"),
    [
        (partial(spec.new, name="a", sinks=-1), Refusal.REQUEST_EXISTS),
        (partial(spec.new, name="z", sinks=-1), Refusal.BAD_ARGUMENT),
        (partial(spec.append, name="z", rows=[1]), Refusal.UNKNOWN_REQUEST),
        (partial(spec.pages_needed, name="z", count=-1), Refusal.UNKNOWN_REQUEST),
        (partial(spec.pages_needed, name="a", count=-1), Refusal.BAD_ARGUMENT),
        (partial(spec.fork, source="z", name="a"), Refusal.UNKNOWN_REQUEST),
        (partial(spec.fork, source="a", name="a"), Refusal.REQUEST_EXISTS),
        (partial(spec.trim, name="z", keep_from=-1), Refusal.UNKNOWN_REQUEST),
        (partial(spec.trim, name="a", keep_from=14), Refusal.BAD_ARGUMENT),
        (partial(spec.trim, name="a", keep_from=-1), Refusal.BAD_ARGUMENT),
        (partial(spec.truncate, name="z", length=0), Refusal.UNKNOWN_REQUEST),
        (partial(spec.truncate, name="a", length=14), Refusal.BAD_ARGUMENT),
        (partial(spec.truncate, name="a", length=3), Refusal.ROWS_RELEASED),
        (partial(spec.rows, name="z", low=0, high=0), Refusal.UNKNOWN_REQUEST),
        (partial(spec.rows, name="a", low=5, high=4), Refusal.BAD_ARGUMENT),
        (partial(spec.rows, name="a", low=0, high=14), Refusal.BAD_ARGUMENT),
        (partial(spec.rows, name="a", low=7, high=9), Refusal.ROWS_RELEASED),
        (partial(spec.release, name="z"), Refusal.UNKNOWN_REQUEST),
    ],
)
def test_refusals_leave_the_state(operation: partial[tuple[State, object]], refusal: Refusal) -> None:
    state = spec.trim(grown(start(), "a", range(13)), "a", 8)[0]
    assert operation(state) == (state, refusal)


def test_an_empty_range_inside_the_hole_is_empty() -> None:
    state = spec.trim(grown(start(), "a", range(13)), "a", 8)[0]
    assert spec.rows(state, "a", 5, 5)[1] == ()


def test_a_batch_is_all_or_nothing_with_the_first_refusal_by_precedence() -> None:
    state = grown(start(2), "a", range(4))
    too_many = partial(spec.append, name="a", rows=range(9))
    unknown = partial(spec.append, name="z", rows=[1])
    one = partial(spec.append, name="a", rows=[9])
    assert spec.in_order(state, [one, too_many, unknown]) == (state, Refusal.UNKNOWN_REQUEST)
    assert spec.in_order(state, [one, too_many]) == (state, Refusal.OUT_OF_PAGES)
    after, results = spec.in_order(state, [one, one])
    assert results == [Appended(1, 0), Appended(0, 0)]
    assert spec.rows(after, "a", 4, 6)[1] == (9, 9)


def test_two_owners_of_one_tail_in_a_batch_need_one_copy() -> None:
    state, _ = spec.fork(grown(start(2), "a", range(3)), "a", "b")
    batch = [partial(spec.append, name=name, rows=[7]) for name in "ab"]
    after, results = spec.in_order(state, batch)
    assert results == [Appended(1, 1), Appended(0, 0)]
    assert spec.free_pages(after) == []
