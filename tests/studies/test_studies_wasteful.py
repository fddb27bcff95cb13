# SPDX-License-Identifier: Apache-2.0
"""The wasteful mistakes, each by hand on a few pages of four rows, and the study in small."""

from collections.abc import Hashable

import numpy as np
import pytest

from impl.cache import PagedCache
from impl.errors import BadArgument
from impl.host import ROW, Host, PlainRows, Programs
from impl.lm.model import Model, random_model
from impl.lm.quantise import Quantised, quantise
from impl.page_pool import Rows
from impl.studies import wasteful
from impl.studies.wasteful import CopiedPrompt, Never, OtherOrder, PageLate, RowLate


def filled(kind: type[PagedCache], rows: int, pages: int = 8, page_size: int = 4) -> PagedCache:
    """A request "r" with rows 0, 1, 2, …"""
    cache = kind(pages, page_size)
    cache.new("r")
    cache.append("r", list(range(rows)))
    return cache


@pytest.mark.parametrize(
    ("kind", "page_size", "keep_from", "kept_from"),
    [
        (RowLate, 4, 8, 4), (RowLate, 4, 9, 8), (RowLate, 4, 10, 8), (RowLate, 4, 0, 0), (RowLate, 1, 1, 0),
        (PageLate, 4, 8, 4), (PageLate, 4, 7, 0), (PageLate, 4, 10, 4), (PageLate, 1, 1, 0), (PageLate, 4, 0, 0),
        (Never, 4, 10, 0), (Never, 1, 10, 0),
    ],
)  # fmt: skip
def test_what_is_released_late(kind: type[PagedCache], page_size: int, keep_from: int, kept_from: int) -> None:
    """Ten rows, trimmed at `keep_from`; those from `kept_from` on can be read, and that is a page boundary."""
    cache = filled(kind, 10, 10, page_size)
    cache.trim("r", keep_from)
    assert cache.table("r")[: kept_from // page_size] == [None] * (kept_from // page_size)
    assert cache.rows("r", kept_from, 10).tolist() == list(range(kept_from, 10))


@pytest.mark.parametrize("kind", [RowLate, PageLate, Never])
def test_what_is_late_refuses_what_the_right_one_refuses(kind: type[PagedCache]) -> None:
    for keep_from in (-1, 11):
        with pytest.raises(BadArgument):
            filled(kind, 10).trim("r", keep_from)


@pytest.mark.parametrize(("pages", "copied"), [(8, True), (6, True), (5, False)])
def test_a_fork_that_copies_every_row_where_it_can(pages: int, copied: bool) -> None:
    """Ten rows are three pages; as many have to be free."""
    cache = filled(CopiedPrompt, 10, pages)
    cache.fork("r", "f")
    assert cache.rows("f", 0, 10).tolist() == list(range(10))
    assert [cache.owners(page) for page in range(3)] == [1 if copied else 2] * 3
    assert cache.free_pages() == pages - 3 - (3 if copied else 0)


def test_a_fork_of_what_is_not_whole_is_no_copy() -> None:
    cache = filled(CopiedPrompt, 10)
    cache.trim("r", 4)
    cache.fork("r", "f")
    assert cache.table("f") == cache.table("r") == [None, 1, 2]


@pytest.mark.parametrize(
    ("page_size", "rows", "trimmed", "right", "other"),
    [
        (4, 9, 0, [3, 0, 1, 2], [3, 2, 1, 0]),
        (4, 9, 4, [3, 0, 1, 2], [3, 0, 2, 1]),
        (4, 8, 8, [3, 2, 0, 1], [3, 2, 0, 1]),
        (1, 4, 0, [0, 1, 2, 3], [3, 2, 1, 0]),
        (1, 4, 1, [0, 1, 2, 3], [0, 3, 2, 1]),
        (1, 0, 0, [3, 2, 1, 0], [3, 2, 1, 0]),
    ],
)  # fmt: skip
def test_pages_come_back_one_by_one(
    page_size: int, rows: int, trimmed: int, right: list[int], other: list[int]
) -> None:
    """Four pages, of which those of the request are given out from 0 on; the last to come back is the last here."""
    for kind, stack in ((PagedCache, right), (OtherOrder, other)):
        cache = filled(kind, rows, 4, page_size)
        cache.trim("r", trimmed)
        cache.release("r")
        assert cache.page_table.free_stack() == stack
        cache.new("r")


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Programs:
    """A prompt of three tokens, two forks of two turns each, a window of 3 and pages of 2 rows."""
    for name, value in {"WINDOW": 3, "PAGE": 2, "POOL": 12, "PROMPT": (1, 2, 3), "FORKS": 2, "TURNS": 2}.items():
        monkeypatch.setattr(wasteful, name, value)
    return Programs(quantise(random_model(0), 3, 5))


def test_a_prompt_and_its_forks(programs: Programs) -> None:
    """The forks go on from tokens 0 and 1, each with what the chip chose, and see the rows of the prompt."""
    steps, most_pages = wasteful._decoded(programs, PlainRows())
    assert most_pages == 0
    assert [step.number for step in steps] == [1, 2, 3, 4, 4, 5, 5]
    assert [step.token for step in steps] == [1, 2, 3, 0, 1, steps[3].following, steps[4].following]
    alone = PlainRows()
    alone.new("r")
    first = [step for step in steps if step not in (steps[4], steps[6])]
    again = Host(programs, alone, 3).forced("r", [step.token for step in first])
    assert [step.integers() for step in first] == [step.integers() for step in again]


def test_the_pages_of_a_prompt_and_its_forks(programs: Programs) -> None:
    """After the prompt row 1 is needed as well as row 2: two pages, of which the second is copied by the first fork.

    After the first turn rows 2 and 3 are needed, of each fork: one page each, so two in all; after the next three,
    since row 4 is on a page of its own. Everything is free again at the end.
    """
    cache = PagedCache(12, 2, ROW, np.int8)
    steps, most_pages = wasteful._decoded(programs, cache)
    assert [step.most_pages for step in steps] == [1, 1, 2, 2, 2, 2, 2]
    assert most_pages == 4
    assert cache.free_pages() == 12


def test_the_study_in_small(programs: Programs) -> None:
    """With a window of 3 pages of 2 rows a row too late is a page too much; the judge is asked about each cache."""
    figures = wasteful.wasteful(lambda cache: cache.__name__)
    assert figures | {"lines": []} == {"window": 3, "page": 2, "prompt": 3, "forks": 2, "turns": 2, "lines": []}
    keys = ("mistake", "integers", "bound", "exact_count", "order", "law", "most_pages")
    assert all(tuple(line) == keys for line in figures["lines"])
    assert [tuple(line.values()) for line in figures["lines"]] == [
        ("no mistake", False, False, False, False, "PagedCache", 4),
        ("pages released a row too late", False, True, True, True, "RowLate", 4),
        ("pages released a page too late", False, True, True, True, "PageLate", 5),
        ("pages released only at the end", False, True, True, True, "Never", 5),
        ("a fork that copies every row", False, False, False, True, "CopiedPrompt", 4),
        ("pages released in another order", False, False, False, True, "OtherOrder", 4),
    ]


class Swapped(PagedCache):
    """Rows with v before k."""

    def rows(self, request: Hashable, low: int, high: int) -> Rows:
        """Wrong integers of the right type, and nothing else."""
        assert self.pool.kind == (ROW, np.dtype(np.int8))
        return super().rows(request, low, high)[:, ::-1]


def test_wrong_integers_would_be_seen(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasteful, "MISTAKES", {"no mistake": PagedCache, "rows with v before k": Swapped})
    lines = wasteful.wasteful(lambda cache: "")["lines"]
    keys = ("mistake", "integers", "bound", "exact_count", "order")
    assert [tuple(line[key] for key in keys) for line in lines] == [
        ("no mistake", False, False, False, False),
        ("rows with v before k", True, False, False, False),
    ]


def test_the_model_is_calibrated_on_what_it_decodes(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random model 0, its window, and as many steps as a fork takes with its prompt."""
    calls = []

    def recorded(model: Model, window: int | None, steps: int) -> Quantised:
        assert np.array_equal(model.query, random_model(0).query)
        calls.append((window, steps))
        return quantise(model, window, steps)

    monkeypatch.setattr(wasteful, "quantise", recorded)
    monkeypatch.setattr(wasteful, "MISTAKES", {})
    assert wasteful.wasteful(lambda cache: "")["lines"] == []
    assert calls == [(3, 3 + 2)]
