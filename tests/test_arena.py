# SPDX-License-Identifier: Apache-2.0
"""The arena alone: sizes by their contracts, and that every operation ends after a few steps.

Steps are lines of its source that are run: a loop that never ends fails here like anything else, at once.
"""

import inspect
import random
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from impl import arena
from impl.arena import SMALLEST, Arena, Segments, capacity_for, capacity_to_grow, end_at

POWERS = [1 << power for power in range(6)]


@contextmanager
def at_most(lines: int) -> Iterator[None]:
    """AssertionError as soon as more lines of the arena have been run than that."""
    run = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal run
        if frame.f_globals is not vars(arena):
            return None
        if event == "line":
            run += 1
            if run > lines:
                raise AssertionError(f"{lines} lines were not enough for {frame.f_code.co_name}")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def holds(function: Callable[..., int], *arguments: int) -> bool:
    """Whether the result satisfies the contract in the docstring, and is an int."""
    result = function(*arguments)
    names = dict(zip(inspect.signature(function).parameters, arguments, strict=True))
    [post] = re.findall(r"^\s*post: (.*)$", function.__doc__ or "", re.MULTILINE)
    return type(result) is int and bool(eval(post, vars(arena), {**names, "_": result}))


def test_sizes_are_as_their_contracts_say() -> None:
    for entries in range(70):
        assert holds(capacity_for, entries)
        for power in POWERS:
            assert holds(end_at, entries, power)
            assert not entries or holds(capacity_to_grow, power, entries)
            assert not entries or holds(capacity_to_grow, 0, entries)


def test_sizes_by_hand() -> None:
    assert SMALLEST == 8
    assert [capacity_for(entries) for entries in (0, 1, 7, 8, 15, 16, 100)] == [8, 8, 8, 16, 16, 32, 128]
    assert [capacity_to_grow(8, entries) for entries in (1, 4, 5, 9, 15, 16)] == [0, 0, 16, 16, 16, 32]
    assert [end_at(top, 8) for top in (0, 1, 7, 8, 9)] == [8, 16, 16, 16, 24]


def test_a_segment_is_found_made_and_joined_in_few_steps() -> None:
    with at_most(300):
        made = Segments()
        assert [made.take(4), made.take(16), made.take(1), made.take(2)] == [0, 16, 4, 6]
        assert (made.top, made.vacant) == (32, [{5: None}, {}, {}, {8: None}])
        assert [made.end_of(capacity) for capacity in (1, 2, 8, 16)] == [32, 32, 32, 48]
        made.give_back(4, 1)
        made.give_back(6, 2)
        made.give_back(0, 4)
        assert (made.top, made.vacant) == (32, [{}, {}, {}, {}, {0: None}])
        assert made.take(8) == 0
        assert made.vacant == [{}, {}, {}, {8: None}, {}]


@pytest.mark.parametrize("seed", range(5))
def test_segments_never_overlap_and_fill_the_arena(seed: int) -> None:
    """Held against a set of entries; each operation ends after at most a few steps for each power of two."""
    chance, made = random.Random(seed), Arena()
    taken: dict[int, int] = {}
    for _ in range(150):
        if taken and chance.random() < 0.45:
            start = chance.choice(sorted(taken))
            with at_most(60):
                made.give_back(start, taken.pop(start))
        else:
            capacity = chance.choice(POWERS)
            with at_most(200):
                end = made.end_of(capacity)
                start = made.take(capacity)
            assert start % capacity == 0
            assert made.top == end
            assert not made.entries[start : start + capacity].any()
            made.entries[start : start + capacity] = 7
            taken[start] = capacity
        spans = [(start, 1 << power) for power, starts in enumerate(made.vacant) for start in starts]
        entries = [entry for start, size in [*spans, *taken.items()] for entry in range(start, start + size)]
        assert sorted(entries) == list(range(made.top))
        for start, size in spans:
            assert (start ^ size, size) not in spans


def test_what_is_tried_out_leaves_the_original_as_it_was() -> None:
    made = Segments(16, [{}, {}, {}, {8: None}])
    assert Segments(made.top, made.vacant).take(8) == 8
    assert (made.top, made.vacant) == (16, [{}, {}, {}, {8: None}])
    assert (Segments().top, Segments().vacant) == (0, [])
