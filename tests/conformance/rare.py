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
    """Loses a page at an append, once in the life of a worker process."""

    lost: ClassVar[bool] = parent_process() is None

    def append(self, request: str, rows: Sequence[int]) -> None:
        super().append(request, rows)
        if not Unsteady.lost and len(self.free) > 1:
            Unsteady.lost = True
            self.free.pop()


class Exits(PlainCache):
    """Ends its process when a request is forked, as a crash in native code does."""

    def fork(self, source: str, request: str) -> None:
        super().fork(source, request)
        os._exit(9)
