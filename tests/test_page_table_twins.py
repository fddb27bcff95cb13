# SPDX-License-Identifier: Apache-2.0
"""A batch is the same operations one by one, in order, or nothing: two tables, compared bit for bit."""

from dataclasses import dataclass

import numpy as np
from hypothesis import event, given
from hypothesis import strategies as st

from impl.errors import CacheError, OutOfPages
from impl.page_table import PageTable

COUNTS = st.sampled_from([0, 1, 1, 1, 1, 2, 3, 5, 9])


@dataclass
class Twins:
    """The first is driven in batches, the second by single calls."""

    batched: PageTable
    single: PageTable
    handles: list[int]

    def both(self, operation: str, *arguments: int) -> object:
        """Do it to both, with the same result or refusal."""
        results = []
        for table in (self.batched, self.single):
            try:
                results.append(getattr(table, operation)(*arguments))
            except CacheError as error:
                results.append(type(error))
        assert results[0] == results[1]
        return results[0]

    def start(self, operation: str, argument: int) -> None:
        """A new request for both."""
        handle = self.both(operation, argument)
        assert type(handle) is int
        self.handles.append(handle)

    def append(self, handles: list[int], counts: list[int]) -> None:
        before = self.single.snapshot()
        try:
            one_by_one = [self.single.append(*each) for each in zip(handles, counts, strict=True)]
        except OutOfPages:
            event("a batch is refused")
            self.single.restore(before)
            try:
                self.batched.append_batch(np.array(handles, dtype=np.int64), np.array(counts, dtype=np.int64))
            except OutOfPages:
                return
            raise AssertionError("a batch was not refused") from None
        done = self.batched.append_batch(np.array(handles, dtype=np.int64), np.array(counts, dtype=np.int64))
        assert done.slots.tolist() == [slot for each in one_by_one for slot in each.slots.tolist()]
        copies = [each.copies for each in one_by_one if each.copies is not None]
        assert [tuple(column.tolist()) for column in done.copies] == [
            tuple(column) for column in (zip(*copies, strict=True) if copies else ((), (), ()))
        ]
        if copies:
            event("a batch copies a page")

    def trim(self, handles: list[int], keeps: list[int]) -> None:
        self.batched.trim_batch(np.array(handles, dtype=np.int64), np.array(keeps, dtype=np.int64))
        for handle, keep in zip(handles, keeps, strict=True):
            self.single.trim(handle, keep)

    def compare(self) -> None:
        """No bit is different."""
        assert self.batched.snapshot() == self.single.snapshot()
        self.batched.check()


@given(st.data(), st.integers(1, 40), st.integers(1, 5))
def test_a_batch_is_its_operations_one_by_one(data: st.DataObject, pages: int, page_size: int) -> None:
    twins = Twins(PageTable(pages, page_size), PageTable(pages, page_size), [])
    for _ in range(data.draw(st.integers(1, 25))):
        kinds = (
            ["open"]
            if not twins.handles
            else ["open", "fork", "append", "append", "append", "trim", "trim", "cut", "close"]
        )
        kind = data.draw(st.sampled_from(kinds))
        chosen = [
            data.draw(st.sampled_from(twins.handles))
            for _ in range(data.draw(st.integers(1, 7)) if twins.handles else 0)
        ]
        if data.draw(st.booleans()):
            chosen = list(dict.fromkeys(chosen))
        lengths = [twins.single.length(handle) for handle in chosen]
        if kind == "append":
            twins.append(chosen, [data.draw(COUNTS) for _ in chosen])
        elif kind == "trim":
            twins.trim(chosen, [data.draw(st.integers(0, length)) for length in lengths])
        elif kind == "open":
            twins.start("open", data.draw(st.integers(0, 7)))
        elif kind == "fork":
            twins.start("fork", chosen[0])
        elif kind == "close":
            twins.handles.remove(chosen[0])
            twins.both("close", chosen[0])
        else:
            twins.both("truncate", chosen[0], data.draw(st.integers(0, lengths[0])))
        twins.compare()


@given(st.integers(1, 9), st.integers(0, 12), st.integers(1, 40), st.integers(0, 9))
def test_decoding_in_batches_with_a_window(page_size: int, window: int, batch: int, sinks: int) -> None:
    """Sixty decode steps of many requests, each trimmed to its window, the first half of them forks of one."""
    pages = batch * (60 // page_size + 2)
    twins = Twins(PageTable(pages, page_size), PageTable(pages, page_size), [])
    for table in (twins.batched, twins.single):
        first = table.open(sinks)
        table.append(first, 5)
        twins.handles = [first, *(table.fork(first) for _ in range(batch // 2)), *(table.open() for _ in range(batch))]
    for step in range(60):
        twins.append(twins.handles, [1] * len(twins.handles))
        lengths = [twins.single.length(handle) for handle in twins.handles]
        twins.trim(twins.handles, [max(0, length - window) for length in lengths])
        if step % 6 == 0:
            twins.compare()
    twins.compare()
