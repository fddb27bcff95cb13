# SPDX-License-Identifier: Apache-2.0
"""What the exports refuse: requests that are not live, numbers out of range, released rows, what int32 cannot hold."""

from collections.abc import Callable

import numpy as np
import pytest

from impl import export
from impl.errors import BadArgument, RowsReleased, UnknownRequest
from impl.page_table import PageTable
from tests.export_scenes import scene_of, with_sinks

FORMATS: list[Callable[..., object]] = [
    export.padded,
    export.csr,
    export.compact,
    export.flat_read,
    lambda table, handles: export.flat_write(table, handles, [0] * len(handles)),
    lambda table, handles: [export.view(table, int(handle)) for handle in handles],
]


@pytest.mark.parametrize("function", FORMATS)
def test_a_handle_that_is_not_live_is_an_unknown_request(function: Callable[..., object]) -> None:
    scene = scene_of(3, 3)
    live, stale = scene.handles(["r0", "r1"]).tolist()
    scene.cache.release("r1")
    scene.cache.new("another")
    for wrong in (stale, -1, live + 99, 2**40):
        with pytest.raises(UnknownRequest):
            function(scene.table, np.array([live, wrong], dtype=np.int64))


@pytest.mark.parametrize("function", [export.padded, export.compact])
@pytest.mark.parametrize("null", [-2, 2**31, 1.0, True, None])
def test_a_null_page_is_minus_one_or_a_page_number(function: Callable[..., object], null: object) -> None:
    scene = scene_of(3)
    with pytest.raises(BadArgument, match="null"):
        function(scene.table, scene.handles(["r0"]), null)
    function(scene.table, scene.handles(["r0"]), np.int32(2**31 - 1))


@pytest.mark.parametrize(
    ("lows", "highs"), [([-1], [2]), ([2], [1]), ([0], [4]), ([0, 0], [1, 1]), ([0], []), ([0.0], [1]), ([True], [1])]
)
def test_ranges_of_rows_must_lie_within_the_request(lows: list[int], highs: list[int]) -> None:
    scene = scene_of(3)
    with pytest.raises(BadArgument):
        export.flat_read(scene.table, scene.handles(["r0"]), lows, highs)


@pytest.mark.parametrize("counts", [[-1], [4], [], [1, 1], [1.0]])
def test_counts_of_rows_must_lie_within_the_request(counts: list[int]) -> None:
    scene = scene_of(3)
    with pytest.raises(BadArgument):
        export.flat_write(scene.table, scene.handles(["r0"]), counts)


def test_unknown_requests_and_bad_arguments_come_in_the_order_of_precedence() -> None:
    scene = scene_of(3)
    table = scene.table
    with pytest.raises(UnknownRequest):
        export.padded(table, [-1], -2)
    with pytest.raises(UnknownRequest):
        export.flat_read(table, [-1], [5], [1])
    scene.cache.append("r0", range(6))
    scene.cache.trim("r0", 8)
    with pytest.raises(BadArgument):
        export.flat_read(table, scene.handles(["r0", "r0"]), [0, 0], [9, 10])


def test_what_does_not_fit_int32_is_refused_before_it_is_made() -> None:
    scene = scene_of(2**17, page_size=2**17)
    handles = np.full(2**14, scene.handles(["r0"])[0])
    with pytest.raises(BadArgument, match="2,147,483,648 entries do not fit"):
        export.flat_read(scene.table, handles)
    assert export._bounds(np.array([2**31 - 2, 1])).tolist() == [0, 2**31 - 2, 2**31 - 1]


def test_a_page_that_does_not_fit_int32_is_refused() -> None:
    fits, too_long = PageTable(1, 2**31 - 1), PageTable(1, 2**31)
    assert export.csr(fits, [fits.open()]).last_page_len.tolist() == [0]
    with pytest.raises(BadArgument, match="2,147,483,648 rows"):
        export.csr(too_long, [too_long.open()])


@pytest.mark.parametrize(("low", "high"), [(0, 35), (3, 5), (4, 30), (29, 31), (10, 11)])
def test_a_range_with_a_row_of_the_hole_is_refused(low: int, high: int) -> None:
    scene = with_sinks()
    with pytest.raises(RowsReleased, match="either side of the hole"):
        export.flat_read(scene.table, scene.handles(["r0", "r0"]), [0, low], [1, high])
