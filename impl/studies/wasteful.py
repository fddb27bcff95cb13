# SPDX-License-Identifier: Apache-2.0
"""Mistakes that are only wasteful, never wrong: which check sees them?

Each mistake is a small change to the paged cache. The same decoding with a shared prompt runs over lists, over the
right cache and over each mistake. What is looked at: the integers that the chip gives back, the bound on the pages of a
request, their exact number before every step, and the order in which pages come back. A caller adds how the spec
judges them.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from impl import window as formulas
from impl.cache import PagedCache
from impl.host import ROW, Host, PlainRows, Programs, Rows, Step
from impl.lm.model import random_model
from impl.lm.quantise import quantise

WINDOW, PAGE, POOL = 6, 4, 64
PROMPT = (1, 2, 3, 4, 5, 6)
FORKS, TURNS = 3, 20


class Late(PagedCache):
    """Pages released too late."""

    def late(self, keep_from: int) -> int:
        """From where the rows are kept instead, at most `keep_from`."""
        return 0

    def trim(self, request: Hashable, keep_from: int) -> None:
        """Keeps more rows; refuses what the right cache refuses."""
        super().trim(request, self.late(keep_from) if keep_from in range(self.length(request) + 1) else keep_from)


class RowLate(Late):
    """Pages released a row too late."""

    def late(self, keep_from: int) -> int:
        """One row more."""
        return max(0, keep_from - 1)


class PageLate(Late):
    """Pages released a page too late."""

    def late(self, keep_from: int) -> int:
        """One page more."""
        return max(0, keep_from - self.page_table.page_size)


class Never(Late):
    """Pages released only at the end."""


class CopiedPrompt(PagedCache):
    """A fork that copies every row."""

    def fork(self, source: Hashable, request: Hashable) -> None:
        """Shares nothing as long as the source is whole."""
        whole = None not in self.table(source)
        super().fork(source, request)
        if whole and self.pages_held(source) <= self.free_pages():
            rows = self.rows(source, 0, self.length(source))
            self.truncate(request, 0)
            self.append(request, rows)


class OtherOrder(PagedCache):
    """Pages released in another order."""

    def release(self, request: Hashable) -> None:
        """Forgets row by row, the last one first, and so gives back page by page."""
        _, tail = self.page_table.hole(self.handle(request))
        for length in range(self.length(request), tail, -1):
            self.truncate(request, length)
        super().release(request)


MISTAKES: dict[str, type[PagedCache]] = {
    "no mistake": PagedCache,
    "pages released a row too late": RowLate,
    "pages released a page too late": PageLate,
    "pages released only at the end": Never,
    "a fork that copies every row": CopiedPrompt,
    "pages released in another order": OtherOrder,
}

Judge = Callable[[type[PagedCache]], str]
"""The name of the law of the spec that a cache breaks, empty when it breaks none."""


def wasteful(judge: Judge) -> dict[str, Any]:
    """A line for the right cache and for each mistake: for every check, whether it sees something."""
    programs = Programs(quantise(random_model(0), WINDOW, len(PROMPT) + TURNS))
    expected, _ = _decoded(programs, PlainRows())
    right = _empty(PagedCache)
    _decoded(programs, right)
    order = right.page_table.free_stack()
    lines = []
    for mistake, kind in MISTAKES.items():
        cache = _empty(kind)
        steps, most_pages = _decoded(programs, cache)
        bound = formulas.peak_pages(WINDOW, PAGE)
        lines.append(
            {
                "mistake": mistake,
                "integers": [step.integers() for step in steps] != [step.integers() for step in expected],
                "bound": any(step.most_pages > bound for step in steps),
                "exact_count": any(step.pages != formulas.pages_in_use(step.number, WINDOW, PAGE) for step in steps),
                "order": cache.page_table.free_stack() != order,
                "law": judge(kind),
                "most_pages": most_pages,
            }
        )
    return {"window": WINDOW, "page": PAGE, "prompt": len(PROMPT), "forks": FORKS, "turns": TURNS, "lines": lines}


def _empty(kind: type[PagedCache]) -> PagedCache:
    return kind(POOL, PAGE, ROW, np.int8)


def _decoded(programs: Programs, rows: Rows) -> tuple[Sequence[Step], int]:
    """The steps of a prompt and its forks, and the most pages in use after a turn; everything released at the end."""
    host = Host(programs, rows, WINDOW)
    rows.new("prompt")
    steps = host.forced("prompt", PROMPT)
    names = range(FORKS)
    for name in names:
        rows.fork("prompt", name)
    rows.release("prompt")
    tokens: dict[Hashable, int] = {name: name for name in names}
    most_pages = 0
    for _ in range(TURNS):
        for request, stream in host.turns(tokens, 1).items():
            steps += stream.steps
            tokens[request] = stream.steps[-1].following
        if isinstance(rows, PagedCache):
            most_pages = max(most_pages, POOL - rows.free_pages())
    for name in names:
        rows.release(name)
    return steps, most_pages
