# SPDX-License-Identifier: Apache-2.0
"""The window theorems: statements only. Each holds for all integers that satisfy its hypotheses, without any bound.

A statement is a function that must return True; `theorem` gives its id and its hypotheses. It says what it says by
calling the definitions of `spec/window.py` and the closed forms of `impl/window.py`; both are translated from their
source. How each is proved is in `theorems_proved.py`, what is refuted besides in `controls.py`.

Names: P = page, W = window, L = step, S = sinks; `index` is a logical page, `row` a row, `keep` the row trimmed at.
"""

from impl.window import (
    append_bound,
    context,
    first_row,
    first_tail_row,
    keep_from,
    last_page_rows,
    offset_of,
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
    room_in_last_page,
    slot_of,
    span_pages,
    truncate_slack,
    window_or_all,
)
from proofs.statements import theorem
from spec.window import holds, pages_released, reads, rows_read, rows_readable_later

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


# 5. Rows in a run.


@theorem("W5.a", "start >= 0 and rows >= 1 and page >= 1")
def pages_of_a_run(index: int, start: int, rows: int, page: int) -> bool:
    """The pages that hold a row of a run are those from the page of its first row to the page of its last."""
    touched = any(holds(index, row, page) for row in range(start, start + rows))
    return touched == (page_of(start, page) <= index <= page_of(start + rows - 1, page))


@theorem("W5.b", "start >= 0 and rows >= 1 and page >= 1")
def run_is_bounded(start: int, rows: int, page: int) -> bool:
    """n ≥ 1 consecutive rows at any offset touch at most ceil((n−1)/P) + 1 pages."""
    return page_of(start + rows - 1, page) - page_of(start, page) + 1 <= span_pages(rows, page)


@theorem("W5.c", "rows >= 1 and page >= 1")
def run_bound_is_reached(rows: int, page: int) -> bool:
    """n rows that start at the last row of a page touch that many, for every n ≥ 1 and P."""
    start = page - 1
    return page_of(start + rows - 1, page) - page_of(start, page) + 1 == span_pages(rows, page)


@theorem("W5.d", "rows >= 1 and page >= 1")
def cap_of_an_engine(rows: int, page: int) -> bool:
    """The cap ceil(n/P) + 1 that a well-known engine uses is one page loose exactly when n ≡ 1 (mod P), else exact."""
    cap = pages_for(rows, page) + 1
    return cap - span_pages(rows, page) == (1 if (rows - 1) % page == 0 else 0)


# 6. Pages needed by an append.


@theorem("W6.a", "rows >= 0 and first >= 0 and second >= 0 and page >= 1")
def append_is_additive(rows: int, first: int, second: int, page: int, shared: bool) -> bool:
    """Appending n + m rows takes as many pages as appending n and then m; the first copy makes the tail private."""
    still_shared = shared and first == 0
    apart = pages_to_append(rows, first, page, shared) + pages_to_append(rows + first, second, page, still_shared)
    return pages_to_append(rows, first + second, page, shared) == apart


@theorem("W6.b", "rows >= 0 and count >= 1 and page >= 1")
def append_is_exact(rows: int, count: int, page: int, shared: bool) -> bool:
    """An append takes the least number of pages that, with the private pages kept, has room for every row."""
    kept = pages_for(rows, page) - (1 if shared and rows % page != 0 else 0)
    taken = pages_to_append(rows, count, page, shared)
    enough, one_less = (kept + taken) * page >= rows + count, (kept + taken - 1) * page >= rows + count
    return taken >= 0 and enough and (taken == 0 or not one_less)


@theorem("W6.c", "rows >= 0 and count >= 0 and page >= 1")
def append_is_bounded(rows: int, count: int, page: int, shared: bool) -> bool:
    """An append of n rows takes at most append_bound pages, the copy included: ceil((n−1)/P) + 1, for P = 1 just n."""
    return pages_to_append(rows, count, page, shared) <= append_bound(count, page)


@theorem("W6.d", "count >= 0 and page >= 1")
def append_bound_is_reached(count: int, page: int) -> bool:
    """Appending n rows to P−1 rows of a shared page takes that many, for every n and P."""
    return pages_to_append(page - 1, count, page, True) == append_bound(count, page)


@theorem("W6.e", "rows >= 0 and page >= 1")
def append_of_nothing(rows: int, page: int, shared: bool) -> bool:
    """An append of no rows takes nothing, even when the tail is shared."""
    return pages_to_append(rows, 0, page, shared) == 0


# 7. Trim. A table is the set of pages held; one page of it, held or not, stands for all.


def goes(index: int, sinks: int, keep: int, page: int) -> bool:
    """Whether a trim at `keep` releases page `index`."""
    return released_begin(sinks, page) <= index < released_end(keep, page)


@theorem("W7.a", "0 <= keep <= rows and sinks >= 0 and page >= 1")
def trim_releases_the_set(index: int, rows: int, sinks: int, keep: int, page: int) -> bool:
    """A trim releases exactly the pages whose rows all lie in [S, keep_from): the set that the spec defines."""
    return (index in pages_released(rows, sinks, keep, page)) == goes(index, sinks, keep, page)


@theorem("W7.b", "keep >= 0 and sinks >= 0 and page >= 1")
def trim_is_idempotent(index: int, held: bool, sinks: int, keep: int, page: int) -> bool:
    """A second trim at the same row releases nothing more."""
    once = held and not goes(index, sinks, keep, page)
    return (once and not goes(index, sinks, keep, page)) == once


@theorem("W7.c", "0 <= keep <= farther and sinks >= 0 and page >= 1")
def trim_is_monotone(index: int, held: bool, sinks: int, keep: int, farther: int, page: int) -> bool:
    """A farther trim releases at least as much, and two trims in either order do what the farther one does alone."""
    both = held and not goes(index, sinks, keep, page) and not goes(index, sinks, farther, page)
    at_least = goes(index, sinks, farther, page) or not goes(index, sinks, keep, page)
    return at_least and both == (held and not goes(index, sinks, farther, page))


@theorem(
    "W7.d",
    "0 <= keep <= rows and count >= 0 and sinks >= 0 and page >= 1",
    "held == (0 <= index < pages_for(rows, page))",
)
def trim_commutes_with_append(index: int, rows: int, count: int, sinks: int, keep: int, page: int, held: bool) -> bool:
    """Trim then append leaves the same logical pages as append then trim, when keep_from is at most the old length."""
    new = pages_for(rows, page) <= index < pages_for(rows + count, page)
    trim_first = (held and not goes(index, sinks, keep, page)) or new
    append_first = (held or new) and not goes(index, sinks, keep, page)
    return trim_first == append_first


@theorem("W7.e", "0 <= keep <= rows and sinks >= 0 and page >= 1 and rows % page != 0")
def trim_spares_the_tail(rows: int, sinks: int, keep: int, page: int) -> bool:
    """No trim releases a partial tail page, so an append takes and copies the same before and after it."""
    return not goes(page_of(rows, page), sinks, keep, page)


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


# 10. Slots and the exported formats.


@theorem("W10.a", "page >= 1 and physical >= 0 and 0 <= offset < page")
def slot_there_and_back(physical: int, offset: int, page: int) -> bool:
    """(page, offset) is found again from its slot, so no two have the same one."""
    slot = slot_of(physical, offset, page)
    return slot >= 0 and page_of(slot, page) == physical and offset_of(slot, page) == offset


@theorem("W10.b", "page >= 1 and slot >= 0")
def slot_back_and_there(slot: int, page: int) -> bool:
    """Every slot is that of a (page, offset)."""
    return slot_of(page_of(slot, page), offset_of(slot, page), page) == slot


@theorem("W10.c", "page >= 1 and physical >= 0 and 0 <= offset < page and pages >= 0")
def slots_of_a_pool(physical: int, offset: int, page: int, pages: int) -> bool:
    """The slots of a pool of N pages are 0 … N·P−1: a slot lies in the pool iff its page does."""
    return (slot_of(physical, offset, page) < pages * page) == (physical < pages)


@theorem("W10.d", "rows >= 1 and page >= 1")
def rows_of_the_last_page(rows: int, page: int) -> bool:
    """last_page_len lies in 1 … P and is what the pages before the last one do not hold."""
    last = last_page_rows(rows, page)
    return 1 <= last <= page and (pages_for(rows, page) - 1) * page + last == rows


@theorem("W10.e", "rows >= 1 and sinks >= 0 and 0 <= keep <= rows and page >= 1")
def csr_counts_one_request(rows: int, sinks: int, keep: int, page: int) -> bool:
    """In CSR form a request's pages, the last one counted with last_page_len, hold exactly its retained rows."""
    hole = max(0, released_end(keep, page) - released_begin(sinks, page)) * page
    return (pages_held(rows, sinks, keep, page) - 1) * page + last_page_rows(rows, page) == rows - hole


@theorem("W10.f", "rows >= 1 and sinks >= 0 and 0 <= keep <= rows and page >= 1 and total == pages * page - empty")
def csr_counts_a_batch(total: int, pages: int, empty: int, rows: int, sinks: int, keep: int, page: int) -> bool:
    """CSR totals (pages · P − empty places) equal the retained rows: if they did, they do with one more request."""
    hole = max(0, released_end(keep, page) - released_begin(sinks, page)) * page
    held, unused = pages_held(rows, sinks, keep, page), page - last_page_rows(rows, page)
    return total + rows - hole == (pages + held) * page - (empty + unused)


# 11. Programs.


@theorem("W11.a", "1 <= step <= steps and window >= 1")
def contexts_are_few(step: int, steps: int, window: int) -> bool:
    """Every step up to L has one of the contexts 1 … min(L, W), so there are no more programs than that."""
    return 1 <= context(step, window) <= programs(steps, window) == min(steps, window)


@theorem("W11.b", "window >= 1 and steps >= 0 and 1 <= tokens <= programs(steps, window)")
def contexts_all_occur(tokens: int, steps: int, window: int) -> bool:
    """Each of these contexts occurs: c is the context of step c."""
    return tokens <= steps and context(tokens, window) == tokens


# 12. Waste: rows reserved and not used.


@theorem("W12.a", "rows >= 0 and page >= 1")
def paging_wastes_little(rows: int, page: int) -> bool:
    """Paging wastes at most P−1 rows per request, the room in its last page."""
    waste = pages_for(rows, page) * page - rows
    return 0 <= waste <= page - 1 and waste == room_in_last_page(rows, page)


@theorem("W12.b", "page >= 1")
def paging_can_waste_that(page: int) -> bool:
    """A request of one row wastes that many, for every P."""
    return pages_for(1, page) * page - 1 == page - 1


@theorem("W12.c", "1 <= rows <= reserved")
def contiguous_reservation_wastes_the_rest(rows: int, reserved: int) -> bool:
    """A contiguous reservation of M rows, one page of M rows, wastes exactly M−n."""
    return pages_for(rows, reserved) * reserved - rows == reserved - rows
