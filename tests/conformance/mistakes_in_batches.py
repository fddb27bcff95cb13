# SPDX-License-Identifier: Apache-2.0
"""The plain cache with batches, and the seeded mistakes of batches."""

from collections.abc import Sequence
from typing import Any

from kvproof.targets.plain import OutOfPages, PlainCache, UnknownRequest


class BatchCache(PlainCache):
    """The plain cache with batches, by putting back how everything was; right, and the base of wrong ones."""

    capabilities = PlainCache.capabilities | {"batch"}

    def append_batch(self, requests: Sequence[str], rows: Sequence[Sequence[int]]) -> None:
        self._all_or_nothing(self.append, requests, rows)

    def trim_batch(self, requests: Sequence[str], keep_froms: Sequence[int]) -> None:
        self._all_or_nothing(self.trim, requests, keep_froms)

    def _all_or_nothing(self, operation: Any, requests: Sequence[str], arguments: Sequence[Any]) -> None:
        for request in requests:
            if request not in self.requests:
                raise UnknownRequest(request)
        saved = self._saved()
        try:
            for request, argument in zip(requests, arguments, strict=True):
                operation(request, argument)
        except Exception:
            self._put_back(saved)
            raise

    def _saved(self) -> tuple[Any, ...]:
        pages = [(page, list(page.rows), page.owners) for page in self.pool]
        requests = {name: (this, this.length, list(this.pages)) for name, this in self.requests.items()}
        return pages, requests, list(self.free), self.copied

    def _put_back(self, saved: tuple[Any, ...]) -> None:
        pages, requests, self.free, self.copied = saved
        for page, rows, owners in pages:
            page.rows, page.owners = rows, owners
        for this, length, table in requests.values():
            this.length, this.pages = length, table


class BatchHalfApplied(BatchCache):
    """A refused batch leaves what came before the refusal."""

    def _put_back(self, saved: tuple[Any, ...]) -> None:
        return


class BatchCopiesTwice(BatchCache):
    """A batch asks for a page for each owner of a shared tail, though the last one needs none."""

    def append_batch(self, requests: Sequence[str], rows: Sequence[Sequence[int]]) -> None:
        known = [request for request in requests if request in self.requests]
        if len(known) == len(requests):
            needed = sum(self.pages_needed(request, len(more)) for request, more in zip(requests, rows, strict=True))
            if len(set(requests)) == len(requests) and needed > len(self.free):
                raise OutOfPages
        super().append_batch(requests, rows)


class BatchForgetsRepeats(BatchCache):
    """A request that is twice in a batch is appended to once."""

    def append_batch(self, requests: Sequence[str], rows: Sequence[Sequence[int]]) -> None:
        once = dict(zip(requests, rows, strict=True))
        super().append_batch(list(once), list(once.values()))
