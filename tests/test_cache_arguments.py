# SPDX-License-Identifier: Apache-2.0
"""What the cache takes and what it refuses: numbers of every kind, batches, snapshots, row shapes and dtypes."""

from functools import partial

import numpy as np
import pytest

from impl.cache import PagedCache
from impl.errors import BadArgument
from tests.page_tables import Index
from tests.test_cache import refused

OTHERS = [
    PagedCache(3, 2, (2,), np.float32),
    PagedCache(4, 1, (2,), np.float32),
    PagedCache(2, 4, (2,), np.float32),
    PagedCache(4, 2, (1, 2), np.float32),
    PagedCache(4, 2, (), np.float64),
    PagedCache(4, 2, (4,), np.float16),
    PagedCache(4, 2, (2,), np.int32),
    PagedCache(4, 2, (2,), np.dtype(np.float32).newbyteorder()),
]


@pytest.mark.parametrize("other", OTHERS)
def test_a_snapshot_of_another_kind_of_cache_is_refused(other: PagedCache) -> None:
    cache = PagedCache(4, 2, (2,), np.float32)
    cache.new("a")
    cache.append("a", np.ones((3, 2)))
    cache.fork("a", "b")
    cache.append("b", np.ones((1, 2)))
    other.new("x")
    refused(cache, BadArgument, partial(cache.restore, other.snapshot()), "same")
    assert cache.snapshot() != other.snapshot()
    other.release("x")


def test_what_is_no_snapshot_is_refused() -> None:
    cache = PagedCache(4, 2)
    cache.new("a")
    cache.append("a", [1])
    good = cache.snapshot()
    for junk in (None, 7, (), "four", tuple(good), cache.page_table.snapshot()):
        refused(cache, BadArgument, partial(cache.restore, junk), "is no snapshot")  # type: ignore[arg-type]
    for bad in (good._replace(table=None), good._replace(rows=good.rows[1:]), good._replace(kind=())):  # type: ignore[arg-type]
        refused(cache, BadArgument, partial(cache.restore, bad))


def test_a_snapshot_goes_into_a_twin() -> None:
    for row_shape in [(), (0,), (2, 1)]:
        one, two = (PagedCache(4, 2, row_shape, dtype) for dtype in (np.int16, "i2"))
        one.new("a")
        one.append("a", np.ones((3, *row_shape), dtype=np.int16))
        assert one.snapshot() != two.snapshot()
        two.restore(one.snapshot())
        assert one.snapshot() == two.snapshot()
        assert two.rows("a", 0, 3).tolist() == one.rows("a", 0, 3).tolist()
    assert PagedCache(1, 1, (2,)).snapshot() != PagedCache(1, 1, (1, 2)).snapshot()
    assert PagedCache(1, 1, (), "i4").snapshot() != PagedCache(1, 1, (), "f4").snapshot()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint32, np.uint64, np.int64, Index])
def test_numbers_of_every_kind(kind: type) -> None:
    cache = PagedCache(kind(8), kind(3))
    cache.new("a", kind(1))
    cache.append("a", np.arange(12))
    assert cache.rows("a", kind(1), kind(8)).tolist() == list(range(1, 8))
    assert cache.gather(cache.handle("a"), kind(5), kind(12)).tolist() == list(range(5, 12))
    out = np.zeros(2, dtype=np.int64)
    assert cache.gather(cache.handle("a"), kind(5), kind(7), out).tolist() == [5, 6]
    assert cache.pages_needed("a", kind(4)) == 2
    cache.trim("a", kind(7))
    cache.truncate("a", kind(11))
    cache.trim_batch(["a"], [kind(9)])
    assert cache.table("a") == [0, None, None, 3]
    assert cache.owners(kind(3)) == 1
    cache.append_rows([kind(1)], [kind(1)], [7])
    assert cache.rows("a", kind(9), kind(12)).tolist() == [9, 10, 7]


def test_what_is_no_batch_is_refused() -> None:
    cache = PagedCache(4, 2)
    cache.new("a")
    for nothing in (None, 7, np.array(7)):
        refused(cache, BadArgument, partial(cache.append_batch, nothing, [[1]]), "the requests are")  # type: ignore[arg-type]
        refused(cache, BadArgument, partial(cache.append_batch, ["a"], nothing), "the rows per request are")  # type: ignore[arg-type]
        refused(cache, BadArgument, partial(cache.trim_batch, nothing, [0]), "the requests are")  # type: ignore[arg-type]
        refused(cache, BadArgument, partial(cache.trim_batch, ["a"], nothing))
        refused(cache, BadArgument, partial(cache.append_rows, [cache.handle("a")], nothing, [1]))
    refused(cache, BadArgument, partial(cache.append_batch, ["a"], [[1], [2]]))
    cache.append("a", [1, 2])
    refused(cache, BadArgument, partial(cache.gather, cache.handle("a"), 0, 2, [0, 0]), "give an array")  # type: ignore[arg-type]


def test_batches_that_can_be_read_only_once() -> None:
    cache = PagedCache(4, 2)
    cache.new("a")
    cache.append_rows(iter([cache.handle("a")]), iter([1]), [5])
    cache.append_batch(iter("aa"), iter([[6], [7]]))  # type: ignore[arg-type]
    cache.trim_batch(iter("a"), iter([1]))  # type: ignore[arg-type]
    assert cache.rows("a", 0, 3).tolist() == [5, 6, 7]


@pytest.mark.parametrize(
    ("row_shape", "dtype"), [(5, "i8"), (None, "i8"), ((), "i4,,"), ((), ("f8", (2,))), ((1,) * 63, "i8"), ((), "O")]
)
def test_caches_that_are_none(row_shape: tuple[int, ...], dtype: str) -> None:
    with pytest.raises(BadArgument):
        PagedCache(2, 2, row_shape, dtype)
