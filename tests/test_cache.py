# SPDX-License-Identifier: Apache-2.0
"""The cache: ids, rows of any shape and type, copies before writes, batches by id and by handle, example A."""

import json
from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
import pytest

import kvproof.data
from impl import window as formulas
from impl.cache import PagedCache
from impl.errors import BadArgument, CacheError, OutOfPages, RequestExists, RowsReleased, UnknownRequest
from spec.conformance.target import CAPABILITIES, capabilities_of

EXAMPLE_A = json.loads((Path(kvproof.data.__file__).parent / "example_a.json").read_text())

UNHASHABLE = cast(Hashable, [])


def refused(cache: PagedCache, kind: type[CacheError], operation: Callable[[], object], message: str = ".") -> None:
    """The operation raises this and no other refusal, and nothing has changed, rows included."""
    before = cache.snapshot()
    with pytest.raises(CacheError, match=message) as caught:
        operation()
    assert caught.type is kind
    assert cache.snapshot() == before
    cache.check()


def test_it_is_a_target_with_every_capability() -> None:
    assert capabilities_of(PagedCache(1, 1)) == frozenset(CAPABILITIES)


def test_the_windowed_log_of_example_a() -> None:
    setup = EXAMPLE_A["setup"]
    cache = PagedCache(setup["pages"], setup["page_rows"])
    cache.new("A")
    for expected in EXAMPLE_A["window_log"]:
        step = expected["step"]
        assert cache.rows("A", formulas.first_row(step, setup["window"]), step - 1).tolist() == expected["gathered"]
        cache.append("A", [step - 1])
        cache.trim("A", formulas.keep_from(step, setup["window"]))
        table = cache.table("A")
        assert table == [None] * expected["dropped"] + expected["table"]
        assert sorted(cache.page_table.free_stack()) == expected["free"]


def test_the_fork_log_of_example_a() -> None:
    log = EXAMPLE_A["fork_log"]
    cache = PagedCache(8, 4)
    cache.new("A")
    cache.append("A", range(10))

    def owners() -> dict[str, int]:
        return {str(page): cache.owners(page) for page in range(8) if cache.owners(page)}

    assert {"A": cache.table("A"), "refcounts": owners()} == log["before_fork"]
    cache.fork("A", "B")
    assert {"A": cache.table("A"), "B": cache.table("B"), "refcounts": owners()} == log["after_fork"]
    assert cache.copies() == 0
    cache.append("B", [100])
    assert cache.copies() == 1
    assert {
        "A": cache.table("A"),
        "B": cache.table("B"),
        "refcounts": owners(),
        "A_rows": cache.rows("A", 0, 10).tolist(),
        "B_rows": cache.rows("B", 0, 11).tolist(),
    } == log["after_B_appends_100"]
    cache.release("B")
    assert {"refcounts": owners(), "free": sorted(cache.page_table.free_stack())} == log["after_release_B"]


def test_rows_of_keys_and_values() -> None:
    """Rows of two vectors in float16: what is read is what was written, also after a fork and a copy."""
    cache = PagedCache(6, 4, (2, 3), np.float16)
    rows = np.arange(66).reshape(11, 2, 3).astype(np.float32)
    cache.new(("request", 1))
    cache.append(("request", 1), rows[:6])
    cache.fork(("request", 1), 2)
    cache.append(2, rows[6:])
    cache.append(("request", 1), -rows[6:7])
    assert np.array_equal(cache.rows(2, 0, 11), rows)
    assert np.array_equal(cache.rows(("request", 1), 0, 7), [*rows[:6], -rows[6]])
    assert cache.rows(2, 3, 3).shape == (0, 2, 3)
    assert cache.rows(2, 0, 1).dtype == np.float16
    assert cache.copies() == 1


def test_rows_are_a_copy_to_keep() -> None:
    cache = PagedCache(1, 4)
    cache.new("a")
    cache.append("a", [1, 2, 3])
    kept = cache.rows("a", 0, 3)
    kept[0] = 9
    cache.truncate("a", 0)
    cache.append("a", [7, 8, 9])
    assert kept.tolist() == [9, 2, 3]
    assert cache.rows("a", 0, 3).tolist() == [7, 8, 9]


def test_ids() -> None:
    cache = PagedCache(2, 2)
    names: list[Hashable] = ["a", None, (1, 2), 1.5, frozenset()]
    for name in names:
        cache.new(name)
        refused(cache, RequestExists, partial(cache.new, name))
        refused(cache, RequestExists, partial(cache.new, name, -1))
        refused(cache, RequestExists, partial(cache.fork, name, name))
    refused(cache, BadArgument, partial(cache.new, UNHASHABLE), "can't be hashed")
    refused(cache, BadArgument, partial(cache.fork, "a", UNHASHABLE), "can't be hashed")
    refused(cache, BadArgument, partial(cache.new, "b", -1))
    refused(cache, UnknownRequest, partial(cache.fork, "b", "a"))
    refused(cache, UnknownRequest, partial(cache.rows, UNHASHABLE, 0, 0))
    cache.release("a")
    refused(cache, UnknownRequest, partial(cache.release, "a"), "no live request has the id 'a'")
    cache.new("a", sinks=3)
    assert cache.page_table.sinks(cache.handle("a")) == 3


def test_unknown_requests() -> None:
    cache = PagedCache(2, 2)
    cache.new("a")
    for name in ("length", "pages_held", "table", "handle", "release"):
        refused(cache, UnknownRequest, partial(getattr(cache, name), "b"))
    refused(cache, UnknownRequest, partial(cache.append, "b", [1.5]))
    refused(cache, UnknownRequest, partial(cache.append_batch, ["a", "b"], [[1.5], [1]]))
    refused(cache, UnknownRequest, partial(cache.trim_batch, ["a", "b"], [9, 9]))
    refused(cache, UnknownRequest, partial(cache.append_rows, [cache.handle("a"), 77], [-1, 0], [1.5]))
    refused(cache, UnknownRequest, partial(cache.gather, 77, -1, 0))
    for name in ("trim", "truncate", "pages_needed"):
        refused(cache, UnknownRequest, partial(getattr(cache, name), "b", -1))


def test_refusals() -> None:
    cache = PagedCache(3, 2)
    cache.new("a")
    cache.append("a", [1, 2, 3])
    cache.fork("a", "b")
    refused(cache, OutOfPages, partial(cache.append, "a", [4, 5, 6, 7]))
    refused(cache, OutOfPages, partial(cache.append_batch, ["a", "b"], [[4, 5], [6, 7]]))
    refused(cache, BadArgument, partial(cache.append, "a", 4))
    refused(cache, BadArgument, partial(cache.append, "a", [1.5, 2, 3, 4, 5, 6]))
    refused(cache, BadArgument, partial(cache.append_batch, ["a", "b"], [[4, 5]]))
    refused(cache, BadArgument, partial(cache.append_batch, ["a", "b"], [[4], ["5"]]))
    refused(cache, BadArgument, partial(cache.trim_batch, ["a", "b"], [1, 4]))
    refused(cache, BadArgument, partial(cache.owners, 3))
    handles = np.array([cache.handle("a"), cache.handle("b")])
    refused(cache, BadArgument, partial(cache.append_rows, handles, np.array([1, 1]), [4]), "add up to 2, .* 1 rows")
    refused(cache, BadArgument, partial(cache.append_rows, handles, np.array([-1, 3]), [4, 5]))
    refused(cache, BadArgument, partial(cache.append_rows, handles, np.array([2**62, 2**62]), []), "from 0 to 0")
    refused(cache, BadArgument, partial(cache.append_rows, handles, [1], [4]), "1 values .* 2 handles")
    refused(cache, OutOfPages, partial(cache.append_rows, handles, [2, 2], [4, 5, 6, 7]))
    cache.trim("a", 2)
    refused(cache, RowsReleased, partial(cache.rows, "a", 1, 3))
    refused(cache, RowsReleased, partial(cache.truncate, "a", 1))
    assert cache.rows("b", 0, 3).tolist() == [1, 2, 3]


def test_batches_by_id() -> None:
    cache = PagedCache(8, 2)
    for name in "abc":
        cache.new(name)
    cache.append_batch(["a", "b", "a"], [(1, 2, 3), (), [4]])
    cache.fork("a", "d")
    cache.append_batch("dac", [[5], [6], np.array([7, 8])])
    assert [cache.rows(name, 0, cache.length(name)).tolist() for name in "abcd"] == [
        [1, 2, 3, 4, 6],
        [],
        [7, 8],
        [1, 2, 3, 4, 5],
    ]
    cache.trim_batch(["a", "d", "a"], [2, 4, 4])
    assert (cache.table("a"), cache.table("d")) == ([None, None, 3], [None, None, 2])
    cache.append_batch([], [])
    assert cache.free_pages() == 5


def test_batches_by_handle() -> None:
    cache = PagedCache(8, 4, (1,))
    for name in "ab":
        cache.new(name)
    cache.append("a", [[1], [2]])
    cache.fork("a", "c")
    handles = np.array([cache.handle(name) for name in "abc"])
    cache.append_rows(handles, np.array([1, 2, 3]), np.arange(10, 16).reshape(6, 1))
    assert cache.rows("a", 0, 3).ravel().tolist() == [1, 2, 10]
    assert cache.rows("b", 0, 2).ravel().tolist() == [11, 12]
    assert cache.rows("c", 0, 5).ravel().tolist() == [1, 2, 13, 14, 15]
    assert cache.copies() == 1
    out = np.zeros((2, 1), dtype=np.int64)
    assert cache.gather(int(handles[2]), 3, 5, out) is out
    assert out.ravel().tolist() == [14, 15]


def test_figures_are_ints() -> None:
    cache = PagedCache(np.int64(4), 2)  # type: ignore[arg-type]
    cache.new("a")
    cache.append("a", np.arange(3))
    figures = [cache.length("a"), cache.pages_held("a"), cache.pages_needed("a", 5), cache.free_pages()]
    assert figures == [3, 2, 2, 2]
    figures += [
        cache.owners(0),
        cache.copies(),
        cache.handle("a"),
        *(page for page in cache.table("a") if page is not None),
    ]
    assert {type(figure) for figure in figures} == {int}


def test_snapshots_of_a_cache() -> None:
    cache = PagedCache(4, 2, (2,), np.float32)
    cache.new("a")
    cache.append("a", np.ones((3, 2)))
    before = cache.snapshot()
    cache.fork("a", "b")
    cache.append("b", np.zeros((1, 2)))
    assert cache.snapshot() != before
    cache.restore(before)
    assert cache.snapshot() == before
    assert cache.copies() == 0
    refused(cache, UnknownRequest, partial(cache.length, "b"))
    assert cache.rows("a", 0, 3).tolist() == [[1, 1]] * 3
