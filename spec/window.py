# SPDX-License-Identifier: Apache-2.0
"""The attention window by definition, over sets of rows.

A step is numbered from 1. When step L starts the cache holds rows 0 … L−2; the step attends to the new token, which
becomes row L−1, and to earlier rows. With a window of W tokens the step sees at most W tokens in all, the new one
included. The first S rows, the sinks (0 ≤ S < W), stay visible for ever and count towards W.

There is no closed form in this file. The closed forms are in `impl/window.py` and are held against these sets.
"""


def reads(row: int, step: int, window: int, sinks: int = 0) -> bool:
    """Whether step `step` reads cached row `row`: a sink, or one of the `window - sinks` newest tokens."""
    cached = 0 <= row < step - 1
    new_token = step - 1
    return cached and (row < sinks or new_token - row < window - sinks)


def rows_read(step: int, window: int, sinks: int = 0) -> set[int]:
    """The cached rows that step `step` reads."""
    return {row for row in range(step) if reads(row, step, window, sinks)}


def readable_later(row: int, step: int, window: int, sinks: int = 0) -> bool:
    """Whether any step after `step` reads row `row`, which was written in or before step `step`.

    A step further than `window` steps after the row was written sees it only as a sink, and then every step does:
    so it is enough to ask the next `window` steps.
    """
    written = 0 <= row < step
    return written and any(reads(row, later, window, sinks) for later in range(step + 1, step + window + 1))


def rows_readable_later(step: int, window: int, sinks: int = 0) -> set[int]:
    """The rows in the cache after step `step` that any later step reads."""
    return {row for row in range(step) if readable_later(row, step, window, sinks)}


def holds(page: int, row: int, page_size: int) -> bool:
    """Whether logical page `page` holds row `row`."""
    return page * page_size <= row < (page + 1) * page_size


def pages_holding(rows: set[int], page_size: int) -> set[int]:
    """The logical pages that hold at least one of `rows`, looked for one by one."""
    candidates = range(max(rows, default=-1) + 1)
    return {page for page in candidates if any(holds(page, row, page_size) for row in rows)}


def pages_released(length: int, sinks: int, keep_from: int, page_size: int) -> set[int]:
    """The logical pages that a trim releases: whole pages of rows that are no sinks and lie before `keep_from`."""

    def unwanted(row: int) -> bool:
        return sinks <= row < keep_from

    return {
        page for page in range(length) if all(unwanted(row) for row in range(page * page_size, (page + 1) * page_size))
    }
