# SPDX-License-Identifier: Apache-2.0
"""Tables to start from, and what a refusal must leave as it was."""

from collections.abc import Callable

import numpy as np
import pytest

from impl.errors import CacheError
from impl.page_table import PageTable


def table_with(pages: int, page_size: int, *lengths: int) -> tuple[PageTable, list[int]]:
    """A table with one request of each length."""
    table = PageTable(pages, page_size)
    handles = [table.open() for _ in lengths]
    for handle, length in zip(handles, lengths, strict=True):
        table.append(handle, length)
    return table, handles


def refused(table: PageTable, kind: type[CacheError], operation: Callable[[], object], message: str = ".") -> None:
    """The operation raises this and no other refusal, and nothing has changed."""
    before = table.snapshot()
    with pytest.raises(CacheError, match=message) as caught:
        operation()
    assert caught.type is kind
    assert str(caught.value)
    assert table.snapshot() == before
    table.check()


class Index:
    """An integer that is no int."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


NO_INTEGERS = [True, 1.0, "1", None, np.float64(1), np.bool_(True), b"1", [1]]
