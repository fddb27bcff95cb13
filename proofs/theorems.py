# SPDX-License-Identifier: Apache-2.0
"""The window theorems: statements only. Each holds for all integers that satisfy its hypotheses, without any bound.

A statement is a function that must return True; `theorem` gives its id and its hypotheses. It says what it says by
calling the definitions of `spec/window.py` and the closed forms of `impl/window.py`; both are translated from their
source. How each is proved is in `theorems_proved.py`, what is refuted besides in `controls.py`.

Names: P = page, W = window, L = step, S = sinks; `index` is a logical page, `row` a row, `keep` the row trimmed at.
Here are the theorems about steps; those about rows and pages alone (5, 6, 7, 10, 12) are in `theorems_pages.py`.
"""

from impl.window import (
    context,
    first_row,
    first_tail_row,
    keep_from,
    page_of,
    pages_for,
    pages_held,
    pages_in_use,
    pages_to_append,
    peak_pages,
    peak_pages_after_trim,
    programs,
    released_begin,
    released_end,
    ring_rows,
    truncate_slack,
    window_or_all,
)
from proofs.statements import theorem
from spec.window import holds, reads, rows_read, rows_readable_later

# 1. The closed forms are the sets of the spec.


@theorem("W1.a", "step >= 1 and window >= 1")
def rows_of_a_step(row: int, step: int, window: int) -> bool:
    """Step L reads exactly the cached rows from first_row to L−2."""
    return (row in rows_read(step, window)) == (first_row(step, window) <= row < step - 1)


@theorem("W1.b", "step >= 1 and window >= 1")
def tokens_of_a_step(step: int, window: int) -> bool:
    """With its new token, step L attends to exactly min(L, W) tokens."""
    return (step - 1) - first_row(step, window) + 1 == context(step, window) == min(step, window)


@theorem("W1.c", "step >= 1 and 0 <= sinks < window")
def rows_of_a_step_with_sinks(row: int, step: int, window: int, sinks: int) -> bool:
    """With S sinks, step L reads exactly the first min(S, L−1) rows and those from first_tail_row to L−2."""
    closed = 0 <= row < min(sinks, step - 1) or first_tail_row(step, window, sinks) <= row < step - 1
    return (row in rows_read(step, window, sinks)) == closed


@theorem("W1.d", "step >= 1 and 0 <= sinks < window")
def rows_of_later_steps(row: int, step: int, window: int, sinks: int) -> bool:
    """After step L a later step can read exactly the sinks and the rows from keep_from on."""
    closed = 0 <= row < step and (row < sinks or row >= keep_from(step, window, sinks))
    return (row in rows_readable_later(step, window, sinks)) == closed


@theorem(
    "W1.e",
    "step >= 1 and 0 <= sinks < window and later > step and 0 <= row < step and reads(row, later, window, sinks)",
)
def looking_ahead_is_enough(row: int, step: int, later: int, window: int, sinks: int) -> bool:
    """A row that any later step reads, however late, is among those that the spec finds by looking W steps ahead."""
    return row in rows_readable_later(step, window, sinks)


@theorem("W1.f", "step >= 1 and window >= 1 and page >= 1 and index >= 0")
def pages_of_a_step(index: int, step: int, window: int, page: int) -> bool:
    """The pages that hold a row which step L reads are those from the page of first_row to the last one in use."""
    touched = any(holds(index, row, page) for row in range(step) if row in rows_read(step, window))
    first = first_row(step, window)
    return touched == (first < step - 1 and page_of(first, page) <= index < pages_for(step - 1, page))


@theorem("W1.g", "step >= 1 and 0 <= sinks < window and page >= 1 and index >= 0")
def pages_of_later_steps(index: int, step: int, window: int, sinks: int, page: int) -> bool:
    """The pages that hold a row which a later step can read are those of the sinks and those from keep_from on."""
    needed = any(holds(index, row, page) for row in range(step) if row in rows_readable_later(step, window, sinks))
    keep = keep_from(step, window, sinks)
    tail = keep < step and index >= released_end(keep, page)
    return needed == (index < pages_for(step, page) and (index < released_begin(sinks, page) or tail))


@theorem("W1.h", "step >= 1")
def no_window(row: int, step: int) -> bool:
    """Without a window step L reads every cached row, and nothing is trimmed after it."""
    window = window_or_all(None, step)
    return (row in rows_read(step, window)) == (0 <= row < step - 1) and keep_from(step, window) == 0


# 2. Trim is safe and complete.


@theorem(
    "W2.a",
    "step >= 1 and 0 <= sinks < window and page >= 1 and later > step and holds(index, row, page)",
    "released_begin(sinks, page) <= index < released_end(keep_from(step, window, sinks), page)",
)
def trim_is_safe(index: int, row: int, step: int, later: int, window: int, sinks: int, page: int) -> bool:
    """No page that the trim after step L releases holds a row that any later step reads."""
    return not reads(row, later, window, sinks)


@theorem(
    "W2.b",
    "step >= 1 and 0 <= sinks < window and page >= 1 and 0 <= index < pages_for(step, page)",
    "not released_begin(sinks, page) <= index < released_end(keep_from(step, window, sinks), page)",
)
def trim_is_complete(index: int, step: int, window: int, sinks: int, page: int) -> bool:
    """A page that the trim after step L keeps holds a row that a later step reads, or the row about to be written."""
    about_to_be_written = holds(index, step, page)
    return about_to_be_written or any(
        holds(index, row, page) for row in range(step) if row in rows_readable_later(step, window, sinks)
    )


# 3. The page count is exact at every step, by induction over steps. What a step does to a count:


def released_by(step: int, window: int, sinks: int, page: int) -> int:
    """Pages that the trim after step L releases: those that no trim before it has."""
    before = max(0, step - (window - sinks))
    end, already = released_end(keep_from(step, window, sinks), page), released_end(before, page)
    return max(0, end - released_begin(sinks, page)) - max(0, already - released_begin(sinks, page))


def after_step(held: int, step: int, window: int, sinks: int, page: int) -> int:
    """Pages held after step L, its append and its trim, by a request that held `held` when it started."""
    return held + pages_to_append(step - 1, 1, page, False) - released_by(step, window, sinks, page)


@theorem("W3.a", "window >= 1 and page >= 1")
def count_at_the_first_step(window: int, page: int) -> bool:
    """The formula, base: when step 1 starts it says that no page is held, and none is."""
    return pages_in_use(1, window, page) == 0


@theorem("W3.b", "step >= 1 and window >= 1 and page >= 1 and held == pages_in_use(step, window, page)")
def count_from_step_to_step(held: int, step: int, window: int, page: int) -> bool:
    """The formula, step: if it is right when step L starts, it is right when step L+1 starts."""
    return after_step(held, step, window, 0, page) == pages_in_use(step + 1, window, page)


@theorem(
    "W3.c",
    "step >= 1 and window >= 1 and page >= 1 and (step > 1 or held == 0)",
    "step == 1 or before == pages_in_use(step - 1, window, page)",
    "step == 1 or held == after_step(before, step - 1, window, 0, page)",
)
def count_at_every_step(held: int, before: int, step: int, window: int, page: int) -> bool:
    """Base and step imply: whenever a step starts, ceil((L−1)/P) − floor(max(0, L−W)/P) pages are held."""
    return held == pages_in_use(step, window, page)


@theorem(
    "W3.d",
    "step >= 1 and 0 <= sinks < window and page >= 1 and (step > 1 or held == 0)",
    "step == 1 or before == pages_held(step - 2, sinks, max(0, step - 1 - (window - sinks)), page)",
    "step == 1 or held == after_step(before, step - 1, window, sinks, page)",
)
def count_with_sinks(held: int, before: int, step: int, window: int, sinks: int, page: int) -> bool:
    """The same with S sinks: pages_held is right at every step, there is no first step where it fails."""
    return held == pages_held(step - 1, sinks, max(0, step - (window - sinks)), page)


@theorem("W3.e", "step >= 1 and window >= 1 and page >= 1")
def both_counts_agree(step: int, window: int, page: int) -> bool:
    """The count by steps and the count by length and largest trim are one."""
    return pages_in_use(step, window, page) == pages_held(step - 1, 0, max(0, step - window), page)


# 4. The exact maximum.


@theorem("W4.a", "step >= 1 and window >= 1 and page >= 1")
def peak_is_enough(step: int, window: int, page: int) -> bool:
    """Between the append and the trim of any step at most ceil((W−1)/P) + 1 pages are held."""
    return pages_in_use(step, window, page) + pages_to_append(step - 1, 1, page, False) <= peak_pages(window, page)


@theorem("W4.b", "window >= 1 and page >= 1")
def peak_is_reached(window: int, page: int) -> bool:
    """That many are held in step W+P−1, whatever W and P are."""
    step = window + page - 1
    return pages_in_use(step, window, page) + pages_to_append(step - 1, 1, page, False) == peak_pages(window, page)


@theorem("W4.c", "step >= 1 and window >= 1 and page >= 1")
def peak_after_trim_is_enough(step: int, window: int, page: int) -> bool:
    """After the trim of any step at most ceil((W−2)/P) + 1 pages are held; for W = 1 at most one, none if P = 1."""
    return pages_in_use(step + 1, window, page) <= peak_pages_after_trim(window, page)


@theorem("W4.d", "window >= 1 and page >= 1")
def peak_after_trim_is_reached(window: int, page: int) -> bool:
    """That many are held after step W+2P−2, whatever W and P are."""
    step = window + 2 * page - 2
    return pages_in_use(step + 1, window, page) == peak_pages_after_trim(window, page)


# 8. Truncate after a trim. After step L and its trim [0, hole) is released; d rows are then taken back.


def hole_end(step: int, window: int, page: int) -> int:
    """End of the rows released by the trim after step L."""
    return released_end(keep_from(step, window), page) * page


def readable(rows: int, window: int, hole: int) -> bool:
    """Whether the next step of a request of `rows` rows reads no row of the hole [0, hole)."""
    return all(row >= hole for row in range(rows) if row in rows_read(rows + 1, window))


@theorem(
    "W8.a",
    "step >= 1 and window >= 2 and page >= 1 and 0 < back < step and keep_from(step, window) >= page",
    "not 0 < step - back < hole_end(step, window, page)",
)
def slack_of_truncate(step: int, back: int, window: int, page: int) -> bool:
    """Trimmed at keep_from ≥ P, a permitted truncate by d rows keeps the next window readable iff d ≤ keep_from % P."""
    slack = truncate_slack(keep_from(step, window), page)
    return readable(step - back, window, hole_end(step, window, page)) == (back <= slack)


@theorem(
    "W8.b",
    "step >= 1 and window >= 2 and page >= 1 and 0 < back < step and keep_from(step, window) >= page",
    "back <= truncate_slack(keep_from(step, window), page)",
)
def slack_is_permitted(step: int, back: int, window: int, page: int) -> bool:
    """Every truncate within that slack is permitted."""
    return not 0 < step - back < hole_end(step, window, page)


@theorem("W8.c", "step >= 1 and window >= 1 and page >= 1 and 0 < back <= step and keep_from(step, window) < page")
def truncate_before_the_first_release(step: int, back: int, window: int, page: int) -> bool:
    """After a trim at keep_from < P nothing is released: every truncate is permitted and leaves the window readable."""
    return hole_end(step, window, page) == 0 and readable(step - back, window, hole_end(step, window, page))


@theorem("W8.d", "step >= 1 and page >= 1 and 0 < back <= step")
def truncate_with_window_one(step: int, back: int, page: int) -> bool:
    """With W = 1 the next step reads no cached row, so every permitted truncate leaves its window readable."""
    return readable(step - back, 1, hole_end(step, 1, page))


@theorem("W8.e", "step >= 1 and window >= 1 and page >= 1")
def truncate_to_nothing(step: int, window: int, page: int) -> bool:
    """A truncate by d = length is always permitted, and the next step, the first one again, reads no cached row."""
    left = step - step
    return not 0 < left < hole_end(step, window, page) and readable(left, window, hole_end(step, window, page))


# 9. A ring of R rows, row i at place i mod R. It serves a row unless a newer row has been written to the same place.


@theorem(
    "W9.a",
    "step >= 1 and window >= 1 and ring >= 1 and ring >= ring_rows(window, False)",
    "row in rows_read(step, window) and row < newer <= step - 2",
)
def ring_reads_first(row: int, newer: int, step: int, window: int, ring: int) -> bool:
    """A ring of R ≥ W−1 rows serves every row of every step that reads before it writes."""
    return newer % ring != row % ring


@theorem("W9.b", "window >= 1 and 1 <= ring < ring_rows(window, False)")
def ring_reads_first_needs_it(window: int, ring: int) -> bool:
    """With fewer rows it fails: in step W row 0 is read, and row R has taken its place."""
    step = window
    return 0 in rows_read(step, window) and 0 < ring <= step - 2 and ring % ring == 0 % ring


@theorem(
    "W9.c",
    "step >= 1 and window >= 1 and ring >= 1 and ring >= ring_rows(window, True)",
    "row in rows_read(step, window) and row < newer <= step - 1",
)
def ring_writes_first(row: int, newer: int, step: int, window: int, ring: int) -> bool:
    """A ring of R ≥ W rows serves every row of every step that writes before it reads."""
    return newer % ring != row % ring


@theorem("W9.d", "window >= 1 and 1 <= ring < ring_rows(window, True)")
def ring_writes_first_needs_it(window: int, ring: int) -> bool:
    """With fewer rows it fails: in step W row 0 is read, and row R has taken its place."""
    step = window
    return 0 in rows_read(step, window) and 0 < ring <= step - 1 and ring % ring == 0 % ring


@theorem("W9.e", "window >= 2 and step >= 2 and 0 <= start < step - 1")
def ring_is_a_table(start: int, step: int, window: int) -> bool:
    """A ring of W−1 rows still has row s for step L iff s ≥ L−W: one row before first_row has been written over."""
    ring = ring_rows(window, False)
    return (start + ring > step - 2) == (start >= first_row(step, window))


# 11. Programs.


@theorem("W11.a", "1 <= step <= steps and window >= 1")
def contexts_are_few(step: int, steps: int, window: int) -> bool:
    """Every step up to L has one of the contexts 1 … min(L, W), so there are no more programs than that."""
    return 1 <= context(step, window) <= programs(steps, window) == min(steps, window)


@theorem("W11.b", "window >= 1 and steps >= 0 and 1 <= tokens <= programs(steps, window)")
def contexts_all_occur(tokens: int, steps: int, window: int) -> bool:
    """Each of these contexts occurs: c is the context of step c."""
    return tokens <= steps and context(tokens, window) == tokens
