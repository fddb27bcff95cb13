# SPDX-License-Identifier: Apache-2.0
"""Named minimal histories: each is a mistake that a real engine has shipped, or one operation away from it.

What must come out is written down here by hand, so that the spec is held against it too. Rows are numbered from 100 in
the order in which they are offered, those of a refused append included.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from spec import window
from spec.block_table import Refusal
from spec.conformance.failure import Failure, attempt
from spec.conformance.lockstep import FIRST_ROW, Outcome
from spec.conformance.operations import (
    NEEDS,
    Operation,
    append,
    capabilities_needed,
    fork,
    new,
    pages_held,
    pages_needed,
    release,
    rows,
    trim,
    truncate,
)
from spec.conformance.target import Factory

Step = tuple[Operation, Outcome]

_QUESTIONS = ("length", "pages_needed", "pages_held", "table")


@dataclass(frozen=True, slots=True)
class History:
    """Operations in a pool, and what each must come to: None (it is done), a refusal, a number or rows."""

    name: str
    about: str
    pages: int
    page_size: int
    steps: tuple[Step, ...]

    def needs(self) -> frozenset[str]:
        """The capabilities without which it cannot be run. Questions are left out where a target cannot answer."""
        return capabilities_needed([operation for operation, _ in self.steps if operation.kind not in _QUESTIONS])

    def operations(self, capabilities: frozenset[str]) -> list[Operation]:
        """What a target of these capabilities is asked to do."""
        return [operation for operation, _ in self.steps if NEEDS[operation.kind] in {None, *capabilities}]


def run_history(factory: Factory, history: History, capabilities: frozenset[str]) -> Failure | None:
    """Run one history in lockstep on a new target that has what it needs; None when it is as it must be."""
    return attempt(factory, history.pages, history.page_size, history.operations(capabilities))


def _decode(steps: int, window_size: int, page_size: int) -> Iterator[Step]:
    """One request, `steps` steps: read what the window shows, append one row, trim; the page count before each step."""
    yield new("a"), None
    for step in range(1, steps + 1):
        seen = sorted(window.rows_read(step, window_size))
        needed = window.pages_holding(window.rows_readable_later(step - 1, window_size), page_size)
        tail = {(step - 2) // page_size} if (step - 1) % page_size else set()
        yield pages_held("a"), len(needed | tail)
        yield rows("a", step - 1 - len(seen), step - 1), tuple(FIRST_ROW + row for row in seen)
        yield append("a", 1), None
        unread = [row for row in range(step) if row not in window.rows_readable_later(step, window_size)]
        yield trim("a", len(unread)), None


HISTORIES = (
    History(
        "window not one row early",
        "window 6, seven rows stored: the next step reads rows 2 … 6, and they read back",
        pages=4,
        page_size=4,
        steps=(
            (new("a"), None),
            (append("a", 6), None),
            (append("a", 1), None),
            (trim("a", 2), None),
            (pages_held("a"), 2),
            (rows("a", 2, 7), (102, 103, 104, 105, 106)),
        ),
    ),
    History(
        "copy-on-write without a free page",
        "a full pool refuses the copy and changes nothing; once a page is free there is one copy",
        pages=2,
        page_size=4,
        steps=(
            (new("a"), None),
            (append("a", 2), None),
            (fork("a", "b"), None),
            (new("c"), None),
            (append("c", 1), None),
            (pages_needed("b", 1), 1),
            (append("b", 1), Refusal.OUT_OF_PAGES),
            (rows("a", 0, 2), (100, 101)),
            (rows("b", 0, 2), (100, 101)),
            (release("c"), None),
            (append("b", 1), None),
            (rows("a", 0, 2), (100, 101)),
            (rows("b", 0, 3), (100, 101, 104)),
        ),
    ),
    History(
        "double release",
        "the second release is refused, and no page is handed out twice afterwards",
        pages=2,
        page_size=4,
        steps=(
            (new("a"), None),
            (append("a", 4), None),
            (release("a"), None),
            (release("a"), Refusal.UNKNOWN_REQUEST),
            (new("b"), None),
            (append("b", 4), None),
            (new("c"), None),
            (append("c", 4), None),
            (append("c", 1), Refusal.OUT_OF_PAGES),
            (rows("b", 0, 4), (104, 105, 106, 107)),
            (rows("c", 0, 4), (108, 109, 110, 111)),
        ),
    ),
    History(
        "fork past the window",
        "trimmed, forked, written, both released: every page is freed exactly once",
        pages=4,
        page_size=2,
        steps=(
            (new("a"), None),
            (append("a", 5), None),
            (trim("a", 3), None),
            (pages_held("a"), 2),
            (fork("a", "b"), None),
            (append("b", 1), None),
            (rows("b", 2, 6), (102, 103, 104, 105)),
            (rows("a", 2, 5), (102, 103, 104)),
            (release("a"), None),
            (release("b"), None),
            (new("c"), None),
            (append("c", 9), Refusal.OUT_OF_PAGES),
            (append("c", 8), None),
            (rows("c", 0, 8), tuple(range(115, 123))),
        ),
    ),
    History(
        "three pages with two free",
        "the append is refused and keeps nothing: the two pages are still free",
        pages=2,
        page_size=4,
        steps=(
            (new("a"), None),
            (append("a", 9), Refusal.OUT_OF_PAGES),
            (pages_held("a"), 0),
            (rows("a", 0, 0), ()),
            (append("a", 8), None),
            (rows("a", 0, 8), tuple(range(109, 117))),
        ),
    ),
    History(
        "truncate after a trim",
        "window 6, trimmed at 8, taken back to 9 rows: released rows are refused, never stale or missing in silence",
        pages=4,
        page_size=4,
        steps=(
            (new("a"), None),
            (append("a", 13), None),
            (trim("a", 8), None),
            (truncate("a", 9), None),
            (rows("a", 4, 9), Refusal.ROWS_RELEASED),
            (rows("a", 8, 9), (108,)),
            (truncate("a", 7), Refusal.ROWS_RELEASED),
            (pages_held("a"), 1),
        ),
    ),
    History(
        "a pool of one page",
        "it holds a request of one page: none is lost to bookkeeping",
        pages=1,
        page_size=4,
        steps=(
            (new("a"), None),
            (append("a", 4), None),
            (rows("a", 0, 4), (100, 101, 102, 103)),
            (append("a", 1), Refusal.OUT_OF_PAGES),
        ),
    ),
    *(
        History(
            f"{name}, 20 steps",
            "the page count is exact at every step, and so is what is read",
            pages=8,
            page_size=page_size,
            steps=tuple(_decode(20, window_size, page_size)),
        )
        for name, window_size, page_size in (
            ("page 8 with window 3", 3, 8),
            ("window 1", 1, 4),
            ("page 1", 6, 1),
            ("window 1 with page 1", 1, 1),
        )
    ),
    History(
        "a full shared tail",
        "what is written behind it goes into a page of its own, without a copy",
        pages=3,
        page_size=2,
        steps=(
            (new("a"), None),
            (append("a", 2), None),
            (fork("a", "b"), None),
            (pages_needed("b", 1), 1),
            (append("b", 1), None),
            (append("a", 1), None),
            (rows("a", 0, 3), (100, 101, 103)),
            (rows("b", 0, 3), (100, 101, 102)),
        ),
    ),
    History(
        "truncate into a shared page",
        "the page stays shared, and the next write copies it: the other one sees nothing",
        pages=2,
        page_size=4,
        steps=(
            (new("a"), None),
            (append("a", 4), None),
            (fork("a", "b"), None),
            (truncate("b", 2), None),
            (pages_needed("b", 1), 1),
            (append("b", 1), None),
            (rows("b", 0, 3), (100, 101, 104)),
            (rows("a", 0, 4), (100, 101, 102, 103)),
        ),
    ),
    History(
        "sinks stay",
        "with three sink rows the first page stays and the pages behind it go; a fork inherits that",
        pages=4,
        page_size=2,
        steps=(
            (new("a", 3), None),
            (append("a", 8), None),
            (trim("a", 7), None),
            (pages_held("a"), 3),
            (fork("a", "b"), None),
            (rows("b", 0, 4), (100, 101, 102, 103)),
            (rows("b", 3, 5), Refusal.ROWS_RELEASED),
            (rows("b", 6, 8), (106, 107)),
            (truncate("b", 4), None),
            (append("b", 1), None),
            (rows("b", 0, 5), (100, 101, 102, 103, 108)),
        ),
    ),
)
"""All of them; the first eight subjects are the ones that engines are known for."""
