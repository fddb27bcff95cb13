# SPDX-License-Identifier: Apache-2.0
"""The pool of rows: gathers page by page, copies, and which rows fit into which type."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import DTypeLike

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


def test_rows_go_straight_into_the_array_that_is_given() -> None:
    """Whole pages of it, 1 MiB in all, without a buffer in between."""
    pool, out = PagePool(64, 256), np.empty(2**17, dtype=np.int64)
    pages = np.arange(512, dtype=np.int32) % 64
    tracemalloc.start()
    try:
        pool.gather(pages, 0, out.size, out)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < out.nbytes / 4


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
        np.broadcast_to(np.int64(0), (4, 2)),
        np.frombuffer(bytes(64), dtype=np.int64).reshape(4, 2),
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
    (np.bool_, [True, False], [True, False]),
    (np.float64, [1, 2], [1.0, 2.0]),
    (np.float16, [0.1], [np.float16(0.1)]),
    (np.float16, np.array([3], dtype=np.int8), [3.0]),
    (np.float16, [2048, 2050, -2048, 32768, 0], [2048.0, 2050.0, -2048.0, 32768.0, 0.0]),
    (np.float16, np.array([-128], dtype=np.int8), [-128.0]),
    (np.float16, [65504.0, np.inf, -np.inf, 1e-30], [65504.0, np.inf, -np.inf, 0.0]),
    (np.float32, np.array([-(2**63)]), [float(-(2**63))]),
    (np.float64, np.array([2**63, 2**64 - 2**11], dtype=np.uint64), [2.0**63, 2.0**64 - 2**11]),
    (np.float64, [2**53, 2**53 + 2], [2.0**53, 2.0**53 + 2]),
    (np.uint64, np.array([2**62 + 1]), [2**62 + 1]),
    (np.int64, np.array([0, 1, 2**63 - 1], dtype=np.uint64), [0, 1, 2**63 - 1]),
    (np.longdouble, np.array([2**64 - 1], dtype=np.uint64), [np.longdouble(2**32) * 2**32 - 1]),
    (np.int64, np.ma.MaskedArray([1, 2], mask=[False, False]), [1, 2]),
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
    (np.int64, [True]),
    (np.float64, [True]),
    (np.float16, [70000.0]),
    (np.float16, np.array([-1e300])),
    (np.float32, [0.0, 1e39]),
    (np.float16, [65536]),
    (np.float16, [2049]),
    (np.float32, [2**24 + 1]),
    (np.float64, [2**53 + 1]),
    (np.float64, [-(2**53) - 1]),
    (np.float64, [2**63 - 1]),
    (np.float64, np.array([2**64 - 1], dtype=np.uint64)),
    (np.int64, np.array([2**64 - 1], dtype=np.uint64)),
    (np.uint64, np.array([-1])),
    (np.uint64, np.array([-1], dtype=np.int8)),
    (np.uint8, np.array([256 + 7, 1])),
    (np.int8, np.array([2**64 - 1], dtype=np.uint64)),
    (np.int64, np.array(["2020-01-01"], dtype="M8[D]")),
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


NO_DTYPES = [
    "nonsense",
    7,
    "i4,,",
    "i4,i4",
    ("f8", (2,)),
    "O",
    "U2",
    "S2",
    "V4",
    "M8[D]",
    "m8[s]",
    "c16",
    [("a", "i4")],
]
NO_SHAPES = [(-1,), (1.0,), (True,), 5, None, "12", (1,) * 63, (2**40, 2**40), (2**62, 2)]


@pytest.mark.parametrize("dtype", NO_DTYPES)
def test_dtypes_that_no_pool_can_have(dtype: DTypeLike) -> None:
    with pytest.raises(BadArgument, match="is no dtype"):
        PagePool(1, 1, (), dtype)


@pytest.mark.parametrize("row_shape", NO_SHAPES)
def test_shapes_that_no_row_can_have(row_shape: tuple[int, ...]) -> None:
    with pytest.raises(BadArgument):
        PagePool(1, 1, row_shape)


def test_the_most_axes_and_the_smallest_rows() -> None:
    assert PagePool(1, 1, (1,) * 62).gather(np.array([0], dtype=np.int32), 0, 1).size == 1
    assert PagePool(2, 2, (0,)).gather(np.array([1], dtype=np.int32), 1, 1).shape == (1, 0)


def test_sizes_of_every_kind() -> None:
    pool = PagePool(np.uint8(200), np.uint8(2), (np.int8(1),))  # type: ignore[arg-type]
    assert pool.by_slot.shape == (400, 1)


def test_masked_rows_are_refused() -> None:
    masked = np.ma.MaskedArray([1, 2], mask=[False, True])
    with pytest.raises(BadArgument, match="masked"):
        PagePool(1, 1).as_rows(masked)
    with pytest.raises(BadArgument, match="masked"):
        PagePool(1, 1, (2,)).as_rows([masked])
    with pytest.raises(BadArgument, match="masked"):
        PagePool(1, 1, (1, 2)).as_rows([(np.array([3, 4]),), (masked,)])


def test_nothing_but_an_array_takes_rows() -> None:
    with pytest.raises(BadArgument, match="a list; give an array"):
        numbered(1, 2).gather(np.array([0], dtype=np.int32), 0, 2, [0, 0])  # type: ignore[arg-type]


def test_what_makes_no_array_is_no_row() -> None:
    class Broken:
        def __array__(self, *_: object, **__: object) -> np.ndarray:
            raise TypeError("broken")

    with pytest.raises(BadArgument, match="no array: broken"):
        PagePool(1, 1).as_rows(Broken())
