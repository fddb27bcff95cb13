# SPDX-License-Identifier: Apache-2.0
"""What the refusals say, word for word: what was asked, what is allowed, what to do."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from impl.append import slots_in, spread, spread_one
from impl.arguments import shown
from impl.cache import PagedCache
from impl.elementwise import constant
from impl.errors import BadArgument, CacheError, OutOfPages, RequestExists, RowsReleased, UnknownRequest
from impl.export import compact, csr, flat_read, flat_write, padded
from impl.host import Host, PlainRows, Programs
from impl.lm.model import random_model
from impl.lm.quantise import quantise
from impl.page_pool import PagePool
from impl.page_table import PageTable

Operation = Callable[[], object]

HANDLE, MOST = 1, 2**62
PAGE = np.array([0], dtype=np.int32)
Table: Any = PageTable
Pool: Any = PagePool
"""As any, because most arguments here are of a wrong type."""


def table() -> Any:
    """Four pages of two rows: one request with rows 0 … 4, of which 0 and 1 are released; its handle is HANDLE."""
    made = PageTable(4, 2)
    assert made.open() == HANDLE
    made.append(HANDLE, 5)
    made.trim(HANDLE, 2)
    return made


def cache() -> Any:
    """The same as a cache of int64, the request is called "a"."""
    made = PagedCache(4, 2)
    made.new("a")
    made.append("a", range(5))
    made.trim("a", 2)
    return made


class Unprintable:
    """A value whose repr fails."""

    def __repr__(self) -> str:
        raise RuntimeError


SAID: list[tuple[Operation, type[CacheError], str]] = [
    (lambda: Table(0, 1), BadArgument, "the number of pages is 0; give one from 1 to 2147483647"),
    (lambda: Table(2**31, 1), BadArgument, "the number of pages is 2147483648; give one from 1 to 2147483647"),
    (lambda: Table(True, 1), BadArgument, "the number of pages is True, a bool; give an integer"),
    (lambda: Table(1.0, 1), BadArgument, "the number of pages is 1.0, a float; give an integer"),
    (
        lambda: Table(4, 2**61),
        BadArgument,
        f"the page size is {2**61}; give one from 1 to {2**60}",
    ),
    (lambda: Table(4, 0), BadArgument, f"the page size is 0; give one from 1 to {2**60}"),
    (
        lambda: Table("1" * 100, 1),
        BadArgument,
        f"the number of pages is '{79 * '1'} …, a str; give an integer",
    ),
    (
        lambda: Table(Unprintable(), 1),
        BadArgument,
        "the number of pages is something that can't be shown, a Unprintable; give an integer",
    ),
    (lambda: table().open(-1), BadArgument, f"the number of sinks is -1; give one from 0 to {MOST}"),
    (
        lambda: table().fork(7),
        UnknownRequest,
        "no live request has the handle 7; use one that open() or fork() returned",
    ),
    (lambda: table().close("x"), UnknownRequest, "a handle is 'x', a str; give an integer, as open() returns it"),
    (
        lambda: table().close(-1),
        UnknownRequest,
        "no live request has the handle -1; use one that open() or fork() returned",
    ),
    (
        lambda: table().lengths([1, 9]),
        UnknownRequest,
        "no live request has the handle 9; use one that open() or fork() returned",
    ),
    (
        lambda: table().lengths(np.array([[1]])),
        UnknownRequest,
        "the handles have the shape (1, 1); give an array of one dimension, as open() returns them",
    ),
    (
        lambda: table().lengths(5),
        UnknownRequest,
        "the handles are 5, a int; give an array or a sequence of integers, as open() returns them",
    ),
    (
        lambda: table().lengths("ab"),
        UnknownRequest,
        "the handles are 'ab', a str; give an array or a sequence of integers, as open() returns them",
    ),
    (
        lambda: table().lengths([1, 2.0]),
        UnknownRequest,
        "one of the handles is 2.0, a float; give an integer, as open() returns them",
    ),
    (
        lambda: table().append(HANDLE, -1),
        BadArgument,
        f"the number of rows to append is -1; give one from 0 to {MOST}",
    ),
    (lambda: table().append(HANDLE, 6), OutOfPages, "the append takes 3 pages, 2 are free; release or trim some first"),
    (
        lambda: table().append_batch([HANDLE], [-1]),
        BadArgument,
        f"one of the numbers of rows to append is -1; give one from 0 to {MOST}",
    ),
    (
        lambda: table().append_batch([HANDLE], [1, 2]),
        BadArgument,
        "2 values for the numbers of rows to append, 1 handles; give as many of one as of the other",
    ),
    (
        lambda: table().append_batch([HANDLE], "12"),
        BadArgument,
        "the numbers of rows to append are '12', a str; give an array or a sequence of integers",
    ),
    (
        lambda: table().append_batch([HANDLE, HANDLE], np.array([1, 2**62 + 1])),
        BadArgument,
        f"entry 1 of the numbers of rows to append is {2**62 + 1}; give one from 0 to {MOST}",
    ),
    (
        lambda: table().append_batch([HANDLE, HANDLE], [3, 3]),
        OutOfPages,
        "the append takes 3 pages, 2 are free; release or trim some first",
    ),
    (lambda: table().trim(HANDLE, 6), BadArgument, "the row to keep from is 6; give one from 0 to 5"),
    (
        lambda: table().trim_batch([HANDLE, HANDLE], [5, 6]),
        BadArgument,
        "entry 1 of the rows to keep from is 6; give one from 0 to 5",
    ),
    (
        lambda: table().trim_batch([HANDLE], []),
        BadArgument,
        "0 values for the rows to keep from, 1 handles; give as many of one as of the other",
    ),
    (lambda: table().truncate(HANDLE, 6), BadArgument, "the length to keep is 6; give one from 0 to 5"),
    (
        lambda: table().truncate(HANDLE, 1),
        RowsReleased,
        "rows 0 … 1 were released, so a length of 1 has no last row; truncate to at most 0 or to at least 2",
    ),
    (lambda: table().slots(HANDLE, 1, 6), BadArgument, "the end of the rows is 6; give one from 0 to 5"),
    (lambda: table().slots(HANDLE, 4, 3), BadArgument, "the first row is 4; give one from 0 to 3"),
    (lambda: table().pages_of(HANDLE, 1, 3), RowsReleased, "rows 0 … 1 were released; rows 1 … 2 were asked for"),
    (
        lambda: table().pages_needed(HANDLE, -1),
        BadArgument,
        f"the number of rows to append is -1; give one from 0 to {MOST}",
    ),
    (lambda: table().refcount(4), BadArgument, "the page is 4; give one from 0 to 3"),
    (lambda: padded(table(), [1], -2), BadArgument, "the null page is -2; give one from -1 to 2147483647"),
    (lambda: compact(table(), [1], 2**31), BadArgument, "the null page is 2147483648; give one from -1 to 2147483647"),
    (
        lambda: flat_read(table(), [1], "1"),
        BadArgument,
        "the first rows are '1', a str; give an array or a sequence of integers",
    ),
    (
        lambda: flat_read(table(), [1], [3], [1, 2]),
        BadArgument,
        "2 values for the ends of the rows, 1 handles; give as many of one as of the other",
    ),
    (
        lambda: flat_write(table(), [1], []),
        BadArgument,
        "0 values for the numbers of rows written, 1 handles; give as many of one as of the other",
    ),
    (lambda: flat_read(table(), [1], [3], [6]), BadArgument, "every range of rows must be 0 ≤ low ≤ high ≤ length"),
    (
        lambda: flat_read(table(), [1], [1], [3]),
        RowsReleased,
        "a range has rows that were trimmed away; give ranges on either side of the hole",
    ),
    (
        lambda: csr(PageTable(1, 2**31), []),
        BadArgument,
        "a page of 2,147,483,648 rows does not fit the int32 of this format",
    ),
    (lambda: table().restore(7), BadArgument, "7 is no snapshot; give one that snapshot() returned"),
    (
        lambda: table().restore(Table(5, 3).snapshot()),
        BadArgument,
        "the snapshot is of 5 pages of 3 rows, the pool has 4 of 2; restore it into one of the same size",
    ),
    (
        lambda: cache().new("a"),
        RequestExists,
        "there is a live request with the id 'a'; release it first or use another id",
    ),
    (lambda: cache().new([]), BadArgument, "[] can't be hashed, so it can't be an id; give a hashable one"),
    (lambda: cache().length("b"), UnknownRequest, "no live request has the id 'b'; start one with new() or fork()"),
    (lambda: cache().append_batch(5, []), BadArgument, "the requests are 5, a int; give a sequence"),
    (lambda: cache().append_batch(["a"], 5), BadArgument, "the rows per request are 5, a int; give a sequence"),
    (
        lambda: cache().append_batch(["a"], [[1], [2]]),
        BadArgument,
        "2 values for the numbers of rows to append, 1 handles; give as many of one as of the other",
    ),
    (lambda: cache().trim_batch(5, []), BadArgument, "the requests are 5, a int; give a sequence"),
    (
        lambda: cache().append_rows([1], [2], [1]),
        BadArgument,
        "entry 0 of the numbers of rows to append is 2; give one from 0 to 1",
    ),
    (
        lambda: cache().append_rows([1], "2", [1]),
        BadArgument,
        "the numbers of rows to append are '2', a str; give an array or a sequence of integers",
    ),
    (
        lambda: cache().append_rows([1, 1], [1, 1], [1, 2, 3]),
        BadArgument,
        "the counts add up to 2, but there are 3 rows; give one row each",
    ),
    (lambda: cache().restore(7), BadArgument, "7 is no snapshot of a cache; give one that snapshot() returned"),
    (
        lambda: cache().restore(PagedCache(4, 2, (3,), np.int8).snapshot()),
        BadArgument,
        "the snapshot has 24 bytes of rows of the shape and the dtype ((3,), dtype('int8')), "
        "the cache has 64 of ((), dtype('int64')); restore it into one of the same kind",
    ),
    (
        lambda: cache().restore(cache().snapshot()._replace(rows=b"12345678")),
        BadArgument,
        "the snapshot has 8 bytes of rows of the shape and the dtype ((), dtype('int64')), "
        "the cache has 64 of ((), dtype('int64')); restore it into one of the same kind",
    ),
    (lambda: Pool(-1, 1), BadArgument, f"the number of pages is -1; give one from 0 to {MOST}"),
    (lambda: Pool(1, -1), BadArgument, f"the page size is -1; give one from 0 to {MOST}"),
    (
        lambda: Pool(1, 1, (2, -1)),
        BadArgument,
        f"one of the row shape is -1; give one from 0 to {MOST}",
    ),
    (lambda: Pool(1, 1, 5), BadArgument, "the row shape are 5, a int; give a sequence"),
    (lambda: Pool(1, 1, (), "O"), BadArgument, "'O' is no dtype of bools, integers or floats; give one of those"),
    (
        lambda: Pool(1, 1, (2,)).as_rows([[1]]),
        BadArgument,
        "the rows have the shape (1, 1); give one of the shape (n, 2)",
    ),
    (
        lambda: Pool(1, 1).as_rows(np.ma.MaskedArray([1], mask=[True])),
        BadArgument,
        "some of the rows are masked; fill them first",
    ),
    (
        lambda: Pool(1, 1).as_rows([1.5]),
        BadArgument,
        "the rows are float64 and do not fit into int64; convert them first",
    ),
    (lambda: Pool(1, 1).gather(PAGE, 0, 1, [0]), BadArgument, "the rows can't go into [0], a list; give an array"),
    (
        lambda: Pool(1, 1, (2, 3)).gather(PAGE, 0, 1, np.zeros(1, dtype=np.int8)),
        BadArgument,
        "the rows can't go into an array (1,) of int8; give a writable C-contiguous one (1, 2, 3) of int64",
    ),
    (
        lambda: Host(Programs(quantise(random_model(0), None, 8)), PlainRows(), 0),
        BadArgument,
        f"the window is 0; give one from 1 to {MOST}",
    ),
]


@pytest.mark.parametrize(("operation", "kind", "text"), SAID, ids=range(len(SAID)))
def test_it_says(operation: Operation, kind: type[CacheError], text: str) -> None:
    with pytest.raises(CacheError) as caught:
        operation()
    assert caught.type is kind
    assert str(caught.value) == text


def said(operation: Operation, kind: type[Exception]) -> str:
    """The text of what the operation raises."""
    with pytest.raises(kind) as caught:
        operation()
    return str(caught.value)


def test_what_numpy_says_is_passed_on() -> None:
    reason = said(lambda: np.dtype("nonsense"), TypeError)
    assert said(lambda: Pool(1, 1, (), "nonsense"), BadArgument) == f"'nonsense' is no dtype: {reason}"
    reason = said(lambda: np.zeros((1,) * 65), ValueError)
    shape = "(" + 26 * "1, " + "1 …"
    assert (
        said(lambda: Pool(1, 1, (1,) * 63), BadArgument)
        == f"a pool of 1 pages of 1 rows of the shape {shape} can't be: {reason}"
    )
    ragged: Any = [[1], [1, 2]]
    reason = said(lambda: np.asarray(ragged), ValueError)
    expected = f"the rows are no array: {reason}; give one of the shape (n, 2)"
    assert said(lambda: Pool(1, 1, (2,)).as_rows(ragged), BadArgument) == expected


def test_arrays_that_are_too_large_for_numpy_are_out_of_memory() -> None:
    """numpy has a ValueError for sizes beyond its own limit; the message stays."""
    huge = 2**61
    reason = said(lambda: np.arange(0, huge), ValueError)
    assert said(lambda: spread_one(0, huge), MemoryError) == reason
    two = np.array([0, 0])
    reason = said(lambda: two.repeat(np.array([huge, huge])), ValueError)
    assert said(lambda: spread(two, np.array([huge, huge])), MemoryError) == reason


def test_slots_that_are_too_many_for_numpy_are_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 2**60 slots of some gigabytes of pages to get there, so numpy's refusal is played here."""

    def refuse(*_: object) -> np.ndarray:
        raise ValueError("too big")

    monkeypatch.setattr("impl.append.spread_one", refuse)
    assert said(lambda: slots_in(np.array([0, 1]), 0, 4, constant(2)), MemoryError) == "too big"


def test_a_refusal_without_a_text_has_an_empty_one() -> None:
    assert str(CacheError()) == ""
    assert str(UnknownRequest("a", "b")) == "a"


def test_what_is_shown_of_a_value() -> None:
    assert shown(1) == "1"
    assert shown("1" * 78) == repr("1" * 78)
    assert shown("1" * 79) == "'" + "1" * 79 + " …"
    assert shown(Unprintable()) == "something that can't be shown"
