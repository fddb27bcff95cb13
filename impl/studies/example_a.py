# SPDX-License-Identifier: Apache-2.0
"""Example A: a block table at work. Fourteen windowed steps of one request, then a fork and its copy-on-write."""

from typing import Any

from impl import window as formulas
from impl.cache import PagedCache

PAGES = 8
PAGE_SIZE = 4
WINDOW = 6
STEPS = 14
FORK_LENGTH = 10
FORK_ROW = 100
FREE_LIST = "a stack; the lowest page number is handed out first and a freed page is the next one handed out"


def example_a() -> dict[str, Any]:
    """Both parts as plain data, in the form of the recorded figures. Rows carry their own index as content."""
    return {
        "setup": {
            "pages": PAGES,
            "page_rows": PAGE_SIZE,
            "window": WINDOW,
            "steps": STEPS,
            "free_list": FREE_LIST,
        },
        "window_log": window_log(),
        "fork_log": fork_log(),
    }


def window_log() -> list[dict[str, Any]]:
    """Part 1. Per step: the rows read, the table without its hole, the pages dropped from its front, the free pages."""
    cache = PagedCache(PAGES, PAGE_SIZE)
    cache.new("A")
    log = []
    for step in range(1, STEPS + 1):
        gathered = cache.rows("A", formulas.first_row(step, WINDOW), step - 1)
        cache.append("A", [step - 1])
        cache.trim("A", formulas.keep_from(step, WINDOW))
        table = cache.table("A")
        log.append(
            {
                "step": step,
                "gathered": [int(row) for row in gathered],
                "table": [page for page in table if page is not None],
                "dropped": sum(page is None for page in table),
                "free": _free(cache),
            }
        )
    return log


def fork_log() -> dict[str, Any]:
    """Part 2. Tables and reference counts before and after a fork, a write into its shared tail, and its release."""
    cache = PagedCache(PAGES, PAGE_SIZE)
    cache.new("A")
    cache.append("A", list(range(FORK_LENGTH)))
    log: dict[str, Any] = {"before_fork": {"A": cache.table("A"), "refcounts": _refcounts(cache)}}
    cache.fork("A", "B")
    log["after_fork"] = {"A": cache.table("A"), "B": cache.table("B"), "refcounts": _refcounts(cache)}
    cache.append("B", [FORK_ROW])
    log[f"after_B_appends_{FORK_ROW}"] = {
        "A": cache.table("A"),
        "B": cache.table("B"),
        "refcounts": _refcounts(cache),
        "A_rows": [int(row) for row in cache.rows("A", 0, FORK_LENGTH)],
        "B_rows": [int(row) for row in cache.rows("B", 0, FORK_LENGTH + 1)],
    }
    cache.release("B")
    log["after_release_B"] = {"refcounts": _refcounts(cache), "free": _free(cache)}
    return log


def _refcounts(cache: PagedCache) -> dict[str, int]:
    counts = {str(page): cache.owners(page) for page in range(PAGES)}
    return {page: count for page, count in counts.items() if count}


def _free(cache: PagedCache) -> list[int]:
    return [page for page in range(PAGES) if cache.owners(page) == 0]
