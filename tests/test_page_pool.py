# SPDX-License-Identifier: Apache-2.0
"""The pool of rows: gathers page by page, copies, and which rows fit into which type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.errors import BadArgument
from impl.page_pool import PagePool


def numbered(pages: int, page_size: int, row_shape: tuple[int, ...] = ()) -> PagePool:
    """A pool in which every number is different."""
    pool = PagePool(pages, page_size, row_shape)
    pool.data[...] = np.arange(pool.data.size).reshape(pool.data.shape)
    return pool


def test_a_new_pool_is_zero_and_shares_its_memory_with_the_slots() -> None:
    pool = PagePool(3, 4, (2,), np.float16)
    assert pool.data.shape == (3, 4, 2)
    assert pool.by_slot.shape == (12, 2)
    assert pool.data.dtype == np.float16
    assert not pool.data.any()
    pool.write(np.array([5, 0]), np.array([[1, 2], [3, 4]], dtype=np.float16))
    assert pool.data[1, 1].tolist() == [1, 2]
    assert pool.data[0, 0].tolist() == [3, 4]
    assert np.count_nonzero(pool.data) == 4


def test_a_copy_of_the_first_rows_of_a_page() -> None:
    pool = numbered(2, 4)
    pool.copy_page(0, 1, 3)
    assert pool.data.tolist() == [[0, 1, 2, 3], [0, 1, 2, 7]]


@given(st.data(), st.integers(1, 5), st.sampled_from([(), (2,), (1, 3)]))
def test_gather(data: st.DataObject, page_size: int, row_shape: tuple[int, ...]) -> None:
    """The rows of a gather are those of the slots one by one."""
    pool = numbered(7, page_size, row_shape)
    pages = np.array(data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=5)), dtype=np.int32)
    first = data.draw(st.integers(0, page_size - 1))
    count = data.draw(st.integers((len(pages) - 1) * page_size - first + 1, len(pages) * page_size - first))
    count = max(count, 0)
    slots = [page * page_size + offset for page in pages.tolist() for offset in range(page_size)]
    expected = pool.by_slot[np.array(slots)][first : first + count]
    got = pool.gather(pages, first, count)
    assert got.tolist() == expected.tolist()
    assert not np.shares_memory(got, pool.data)
    out = np.full((count, *row_shape), -1)
    assert pool.gather(pages, first, count, out) is out
    assert out.tolist() == expected.tolist()


def test_a_gather_of_nothing() -> None:
    none = np.zeros(0, dtype=np.int32)
    for first in (0, 3):
        assert numbered(2, 4, (5,)).gather(none, first, 0).shape == (0, 5)


@pytest.mark.parametrize(
    "out",
    [
        np.zeros((3, 2), dtype=np.int64),
        np.zeros((4, 2), dtype=np.int32),
        np.zeros((8, 2), dtype=np.int64)[::2],
        np.zeros((2, 4), dtype=np.int64).T,
    ],
)
def test_a_gather_into_what_does_not_fit(out: np.ndarray) -> None:
    with pytest.raises(BadArgument, match=r"C-contiguous one \(4, 2\) of int64"):
        numbered(2, 4, (2,)).gather(np.array([0], dtype=np.int32), 0, 4, out)
    assert not out.any()


FITTING = [
    (np.int64, (1, 2), [1, 2]),
    (np.int64, [], []),
    (np.int64, np.array([1], dtype=np.uint64), [1]),
    (np.int8, [127, -128], [127, -128]),
    (np.uint8, np.array([255], dtype=np.int16), [255]),
    (np.int64, np.array([True]), [1]),
    (np.float64, [1, 2], [1.0, 2.0]),
    (np.float16, [0.1], [np.float16(0.1)]),
    (np.float16, np.array([3], dtype=np.int8), [3.0]),
]
UNFITTING = [
    (np.int8, [128]),
    (np.uint8, [-1]),
    (np.int64, [10**30]),
    (np.int64, np.array([2**63], dtype=np.uint64)),
    (np.int64, [1.0]),
    (np.int64, ["1"]),
    (np.int64, [None]),
    (np.float64, [1j]),
    (np.float64, ["1"]),
    (np.bool_, [1]),
]


@pytest.mark.parametrize(("dtype", "rows", "expected"), FITTING)
def test_rows_that_fit(dtype: type, rows: object, expected: list[object]) -> None:
    got = PagePool(1, 1, (), dtype).as_rows(rows)  # type: ignore[arg-type]
    assert got.dtype == dtype
    assert got.tolist() == expected


@pytest.mark.parametrize(("dtype", "rows"), UNFITTING)
def test_rows_of_a_type_that_does_not_fit(dtype: type, rows: object) -> None:
    with pytest.raises(BadArgument, match="do not fit into"):
        PagePool(1, 1, (), dtype).as_rows(rows)  # type: ignore[arg-type]


def test_rows_of_another_shape() -> None:
    pool = PagePool(1, 1, (2, 3))
    assert pool.as_rows(np.ones((4, 2, 3), dtype=np.int64)).shape == (4, 2, 3)
    assert pool.as_rows([]).shape == (0, 2, 3)
    for shape in [(), (4,), (2, 3), (4, 3, 2), (4, 2, 3, 1), (0, 2)]:
        with pytest.raises(BadArgument, match=r"give one of the shape \(n, 2, 3\)"):
            pool.as_rows(np.ones(shape, dtype=np.int64))
    with pytest.raises(BadArgument, match="no array"):
        pool.as_rows([[1], [1, 2]])
    with pytest.raises(BadArgument, match=r"give one of the shape \(n\)"):
        PagePool(1, 1).as_rows(5)


@pytest.mark.parametrize(("row_shape", "dtype"), [((-1,), np.int64), ((1.0,), np.int64), ((), "nonsense"), ((), 7)])
def test_pools_that_are_none(row_shape: tuple[int, ...], dtype: str) -> None:
    with pytest.raises(BadArgument):
        PagePool(1, 1, row_shape, dtype)
