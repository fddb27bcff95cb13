# SPDX-License-Identifier: Apache-2.0
"""The page table by hand-computed examples: trims, holes behind sinks, truncation, reads."""

from functools import partial

import numpy as np

from impl.errors import BadArgument, RowsReleased
from impl.page_table import Copy, PageTable
from tests.page_tables import refused, table_with


def test_trim_releases_whole_pages_only() -> None:
    table, (a,) = table_with(4, 4, 14)
    for keep, held in [(3, 4), (4, 3), (7, 3), (0, 3), (13, 1), (14, 1)]:
        table.trim(a, keep)
        assert table.held(a) == held
    assert table.hole(a) == (0, 12)
    assert table.table(a) == [None, None, None, 3]
    table.append(a, 2)
    table.trim(a, 16)
    assert (table.table(a), table.held(a), table.free_count) == ([None] * 4, 0, 4)


def test_no_rows_are_in_no_pages() -> None:
    table, (a,) = table_with(4, 4, 14)
    table.trim(a, 9)
    for row in range(15):
        assert table.pages_of(a, row, row).tolist() == []
        assert table.slots(a, row, row).tolist() == []
    assert table.pages_of(a, 8, 9).tolist() == [2]


def test_sinks_are_never_trimmed() -> None:
    table = PageTable(5, 4)
    a = table.open(sinks=5)
    table.append(a, 20)
    table.trim(a, 11)
    assert table.hole(a) == (0, 0)
    table.trim(a, 17)
    assert table.hole(a) == (8, 16)
    assert table.table(a) == [0, 1, None, None, 4]
    assert table.sinks(a) == 5
    assert table.slots(a, 6, 8).tolist() == [6, 7]
    assert table.slots(a, 16, 20).tolist() == [16, 17, 18, 19]
    b = table.fork(a)
    assert (table.sinks(b), table.hole(b), table.table(b)) == (5, (8, 16), table.table(a))


def test_reads_in_the_hole() -> None:
    table = PageTable(5, 4)
    a = table.open(sinks=4)
    table.append(a, 18)
    table.trim(a, 12)
    for low, high in [(4, 5), (11, 12), (3, 5), (11, 13), (0, 18)]:
        refused(table, RowsReleased, partial(table.slots, a, low, high), "rows 4 … 11 were released")
    assert table.slots(a, 4, 4).size == table.slots(a, 8, 8).size == 0
    assert table.slots(a, 3, 4).tolist() == [3]
    assert table.slots(a, 12, 13).tolist() == [12]
    assert table.slots(a, 18, 18).size == 0
    for low, high in [(-1, 2), (3, 2), (0, 19), (19, 19)]:
        refused(table, BadArgument, partial(table.slots, a, low, high))


def test_truncate() -> None:
    table, (a,) = table_with(6, 4, 13)
    table.trim(a, 8)
    for length in (1, 4, 7):
        refused(table, RowsReleased, partial(table.truncate, a, length), "rows 0 … 7 were released")
    refused(table, BadArgument, lambda: table.truncate(a, 14))
    refused(table, BadArgument, lambda: table.truncate(a, -1))
    table.truncate(a, 9)
    assert (table.table(a), table.length(a), table.hole(a)) == ([None, None, 2], 9, (0, 8))
    assert table.append(a, 1).slots.tolist() == [9]
    table.truncate(a, 8)
    assert (table.table(a), table.held(a), table.hole(a)) == ([None, None], 0, (0, 8))
    assert table.append(a, 1).slots.tolist() == [8]
    table.truncate(a, 0)
    assert (table.table(a), table.hole(a), table.free_count) == ([], (0, 0), 6)


def test_truncate_before_the_hole_makes_it_vanish() -> None:
    table = PageTable(6, 2)
    a = table.open(sinks=3)
    table.append(a, 11)
    table.trim(a, 8)
    assert table.table(a) == [0, 1, None, None, 4, 5]
    table.truncate(a, 3)
    assert (table.table(a), table.hole(a)) == ([0, 1], (0, 0))
    assert table.append(a, 4).slots.tolist() == [3, 10, 11, 8]
    table.trim(a, 6)
    assert table.hole(a) == (4, 6)


def test_truncate_a_table_that_has_slid_over_its_hole() -> None:
    """The table of a fork begins at the start of its segment, whatever the hole; without a hole it is as any other."""
    table = PageTable(40, 2)
    a = table.open(sinks=3)
    table.append(a, 40)
    table.trim(a, 34)
    b, c = table.fork(a), table.fork(a)
    table.truncate(b, 4)
    table.check()
    table.append(b, 6)
    table.check()
    assert table.slots(b, 0, 4).tolist() == [0, 1, 2, 3]
    assert table.table(b)[:2] == [0, 1]
    assert len(set(table.table(b))) == 5
    table.truncate(c, 0)
    table.append(c, 3)
    table.check()
    assert len(table.table(c)) == 2
    assert table.table(a)[17:] == [17, 18, 19]


def test_truncate_into_a_shared_page_leaves_it_shared_until_the_next_write() -> None:
    table, (a,) = table_with(3, 4, 4)
    b = table.fork(a)
    table.truncate(b, 2)
    assert table.refcount(0) == 2
    assert table.pages_needed(b, 1) == 1
    assert table.append(b, 1).copies == Copy(0, 1, 2)
    assert table.pages_needed(a, 1) == 1
    table.truncate(b, 1)
    assert table.append(b, 1).copies is None


def test_truncate_the_only_owner_of_what_was_shared() -> None:
    table, (a,) = table_with(2, 4, 3)
    b = table.fork(a)
    table.close(b)
    table.truncate(a, 2)
    assert table.pages_needed(a, 1) == 0
    assert table.append(a, 1) == (np.array([2]), None)
