# SPDX-License-Identifier: Apache-2.0
"""Targets that go wrong rarely, once, or for good."""

import os
from collections.abc import Sequence
from multiprocessing import parent_process
from typing import ClassVar

from kvproof.targets.plain import PlainCache


class RareMistake(PlainCache):
    """A trimmed request with sinks that is forked loses a row when it is truncated in front of its hole."""

    def truncate(self, request: str, length: int) -> None:
        this = self.requests.get(request)
        rare = this is not None and None in this.pages and 0 < length < this.sinks and this.length > 3 * self.page_size
        super().truncate(request, length)
        if rare:
            page = self.requests[request].pages[0]
            assert page is not None
            page.rows[0] = -1


class Unsteady(PlainCache):
    """The third cache that is made in a worker process loses a page at its fifth append."""

    made: ClassVar[int] = 0

    def __init__(self, pages: int, page_size: int) -> None:
        super().__init__(pages, page_size)
        Unsteady.made += 1
        self.appends = 0 if Unsteady.made == 3 and parent_process() is not None else 10

    def append(self, request: str, rows: Sequence[int]) -> None:
        super().append(request, rows)
        self.appends += 1
        if self.appends == 5 and self.free:
            self.free.pop()


class Exits(PlainCache):
    """Ends its process when a request is forked, as a crash in native code does."""

    def fork(self, source: str, request: str) -> None:
        super().fork(source, request)
        os._exit(9)
