# SPDX-License-Identifier: Apache-2.0
"""Our cache with every append and every trim done through the batch calls: a batch of one must be the operation."""

from collections.abc import Hashable, Sequence

from impl.cache import PagedCache


class BatchedCache(PagedCache):
    """A cache whose single calls are batches of one."""

    def append(self, request: Hashable, rows: Sequence[int]) -> None:  # type: ignore[override]
        self.append_batch([request], [rows])

    def trim(self, request: Hashable, keep_from: int) -> None:
        self.trim_batch([request], [keep_from])
