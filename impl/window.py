# SPDX-License-Identifier: Apache-2.0
"""Window and page arithmetic: the closed forms, in one place. Everything else calls these.

Terms. Rows count from 0, steps from 1. Step L finds rows 0 … L−2 in the cache and appends row L−1. A window of W tokens
includes the new one. A page is P rows; the S sink rows (0 ≤ S < W) are never trimmed and count towards W. No window is
the window that is always wide enough, see `window_or_all`.

Every function takes ints (P ≥ 1, W ≥ 1, L ≥ 1, counts ≥ 0), is total on them and costs O(1). Each carries its contract
in the docstring, in the form that CrossHair reads; `proofs/` lifts the source of these very functions into z3. The
functions marked "elementwise" also take integer arrays. Source of the formulas: the definitions in `spec/window.py`.
"""


def ceil_div(a: int, b: int) -> int:
    """Smallest integer ≥ a/b. Elementwise.

    pre: b >= 1
    post: (_ - 1) * b < a <= _ * b
    """
    return -(-a // b)


def pages_for(rows: int, page: int) -> int:
    """Pages that hold rows 0 … rows−1. Elementwise.

    pre: rows >= 0 and page >= 1
    post: _ >= 0 and (_ - 1) * page < rows <= _ * page
    """
    return ceil_div(rows, page)


def page_of(row: int, page: int) -> int:
    """Logical page that holds `row`. Elementwise.

    pre: row >= 0 and page >= 1
    post: _ * page <= row < (_ + 1) * page
    """
    return row // page


def offset_of(row: int, page: int) -> int:
    """Offset of `row` in its page, 0 … P−1. Elementwise.

    pre: row >= 0 and page >= 1
    post: 0 <= _ < page and (row - _) % page == 0
    """
    return row % page


def slot_of(physical: int, offset: int, page: int) -> int:
    """Slot (index of a row in the pool) of `offset` in physical page `physical`. Elementwise.

    pre: physical >= 0 and 0 <= offset < page
    post: _ // page == physical and _ % page == offset
    """
    return physical * page + offset


def slot_after(physical: int, page: int) -> int:
    """Slot after the last one of physical page `physical`. Elementwise.

    pre: physical >= 0 and page >= 1
    post: _ % page == 0 and (_ - 1) // page == physical
    """
    return (physical + 1) * page


def last_page_rows(rows: int, page: int) -> int:
    """Rows in the last page of a request of `rows` ≥ 1 rows, 1 … P. Elementwise.

    pre: rows >= 1 and page >= 1
    post: 1 <= _ <= page and (rows - _) % page == 0
    """
    return (rows - 1) % page + 1


def room_in_last_page(rows: int, page: int) -> int:
    """Rows that still fit into the last page, 0 … P−1 (0 when it is full or there is none). Elementwise.

    pre: rows >= 0 and page >= 1
    post: 0 <= _ < page and rows + _ == pages_for(rows, page) * page
    """
    return pages_for(rows, page) * page - rows


def window_or_all(window: int | None, step: int) -> int:
    """The window as an int; for None one that step `step` and the trim after it cannot reach the end of.

    pre: step >= 1 and (window is None or window >= 1)
    post: _ >= 1 and (_ == window or _ > step)
    """
    return step + 1 if window is None else window


def context(step: int, window: int) -> int:
    """Tokens that step L attends to, the new one included: min(L, W).

    pre: step >= 1 and window >= 1
    post: 1 <= _ <= window and _ <= step and (_ == window or _ == step)
    """
    return min(step, window)


def first_row(step: int, window: int) -> int:
    """First cached row that step L reads; it reads first_row … L−2.

    pre: step >= 1 and window >= 1
    post: 0 <= _ <= step - 1 and (_ == 0 or step - _ == window)
    """
    return step - context(step, window)


def first_tail_row(step: int, window: int, sinks: int) -> int:
    """First cached row after the sinks that step L reads: it reads [0, min(S, L−1)) and first_tail_row … L−2.

    pre: step >= 1 and 0 <= sinks < window
    post: _ >= sinks and (_ == sinks or step - _ == window - sinks)
    """
    return max(sinks, step - (window - sinks))


def keep_from(step: int, window: int, sinks: int = 0) -> int:
    """First row that the steps after step L still need (apart from the sinks): where the host trims after step L.

    pre: step >= 1 and 0 <= sinks < window
    post: 0 <= _ <= step and (_ == 0 or step + 1 - _ == window - sinks)
    """
    return max(0, step + 1 - (window - sinks))


def released_begin(sinks: int, page: int) -> int:
    """First logical page that a trim may release: the first one that holds no sink. Elementwise.

    pre: sinks >= 0 and page >= 1
    post: (_ - 1) * page < sinks <= _ * page
    """
    return ceil_div(sinks, page)


def released_end(keep: int, page: int) -> int:
    """End of the logical pages that lie entirely before row `keep`. Elementwise.

    pre: keep >= 0 and page >= 1
    post: _ * page <= keep < (_ + 1) * page
    """
    return keep // page


def pages_held(rows: int, sinks: int, keep: int, page: int) -> int:
    """Pages of a request of `rows` rows whose largest trim so far was at `keep` ≤ rows.

    pre: 0 <= keep <= rows and sinks >= 0 and page >= 1
    post: 0 <= _ <= pages_for(rows, page)
    """
    return pages_for(rows, page) - max(0, released_end(keep, page) - released_begin(sinks, page))


def pages_in_use(step: int, window: int, page: int) -> int:
    """Pages held when step L starts, exactly: ceil((L−1)/P) − floor(max(0, L−W)/P).

    pre: step >= 1 and window >= 1 and page >= 1
    post: 0 <= _ <= peak_pages(window, page)
    """
    return pages_for(step - 1, page) - released_end(max(0, step - window), page)


def peak_pages(window: int, page: int) -> int:
    """Most pages that a request ever holds, reached between an append and its trim: ceil((W−1)/P) + 1.

    pre: window >= 1 and page >= 1
    post: _ >= 1
    """
    return pages_for(window - 1, page) + 1


def peak_pages_after_trim(window: int, page: int) -> int:
    """Most pages that a request holds after a trim: ceil((W−2)/P) + 1, for W = 1 one page and none if P = 1.

    pre: window >= 1 and page >= 1
    post: 0 <= _ <= peak_pages(window, page)
    """
    if window == 1:
        return 0 if page == 1 else 1
    return pages_for(window - 2, page) + 1


def span_pages(rows: int, page: int) -> int:
    """Most pages that `rows` consecutive rows touch, at any offset: ceil((n−1)/P) + 1, none for n = 0.

    pre: rows >= 0 and page >= 1
    post: _ >= pages_for(rows, page)
    """
    return 0 if rows == 0 else pages_for(rows - 1, page) + 1


def pages_to_append(rows: int, count: int, page: int, tail_shared: bool) -> int:
    """Pages that an append of `count` rows takes; a partial tail page that is shared costs one for its copy.

    pre: rows >= 0 and count >= 0 and page >= 1
    post: 0 <= _ <= append_bound(count, page)
    """
    if count == 0:
        return 0
    copy = 1 if tail_shared and offset_of(rows, page) != 0 else 0
    return pages_for(rows + count, page) - pages_for(rows, page) + copy


def new_pages(room: int, count: int, page: int) -> int:
    """Pages that `count` rows take beyond a last page in which `room` rows are left. Elementwise.

    pre: 0 <= room < page and count >= 0
    post: _ >= 0 and (_ - 1) * page < count - room <= _ * page
    """
    return ceil_div(count - room, page)


def room_after(room: int, count: int, page: int) -> int:
    """Rows that still fit into the last page when `count` rows have followed one with `room` left. Elementwise.

    pre: 0 <= room < page and count >= 0
    post: 0 <= _ < page and (count > room or _ == room - count)
    """
    return (room - count) % page


def append_bound(count: int, page: int) -> int:
    """Most pages that an append of `count` rows takes, its copy-on-write included; reached for every count and page.

    For P = 1 that is `count`: there a copy is never needed.

    pre: count >= 0 and page >= 1
    post: 0 <= _ <= count
    """
    return span_pages(count, page)


def truncate_slack(keep: int, page: int) -> int:
    """Rows that may be taken back after a trim at `keep` ≥ P with the next window (W ≥ 2) still readable.

    pre: keep >= 0 and page >= 1
    post: 0 <= _ < page
    """
    return keep % page


def ring_rows(window: int, writes_first: bool) -> int:
    """Rows that a ring addressed by row mod R needs to serve a window: W−1 if a step reads before it writes, else W.

    pre: window >= 1
    post: window - 1 <= _ <= window
    """
    return window if writes_first else window - 1


def programs(steps: int, window: int) -> int:
    """Distinct contexts, so distinct compiled programs, in `steps` steps: min(steps, W).

    pre: steps >= 0 and window >= 1
    post: 0 <= _ <= window
    """
    return min(steps, window)
