# SPDX-License-Identifier: Apache-2.0
"""The theorems about rows and pages alone: runs, appends, trims, slots, waste. Read `theorems.py` first."""

from impl.window import (
    append_bound,
    last_page_rows,
    new_pages,
    offset_of,
    page_of,
    pages_for,
    pages_held,
    pages_to_append,
    released_begin,
    released_end,
    room_after,
    room_in_last_page,
    slot_after,
    slot_of,
    span_pages,
)
from proofs.statements import theorem
from spec.window import holds, pages_released

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


@theorem("W6.f", "rows >= 0 and count >= 0 and page >= 1")
def append_by_room(rows: int, count: int, page: int) -> bool:
    """Counted by the room left in the last page, an append to private pages takes the same number."""
    return new_pages(room_in_last_page(rows, page), count, page) == pages_to_append(rows, count, page, False)


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


@theorem("W10.g", "page >= 1 and physical >= 0 and rows >= 1 and rows % page != 0")
def slot_by_room(physical: int, rows: int, page: int) -> bool:
    """The next row of a partial last page goes as far before the page's end as there is room left."""
    slot = slot_after(physical, page) - room_in_last_page(rows, page)
    return slot == slot_of(physical, offset_of(rows, page), page)


@theorem("W10.h", "0 <= room < page and count >= 0")
def room_is_kept_up(room: int, count: int, page: int) -> bool:
    """The room after an append is the room before it and that of the new pages, less the rows written."""
    return room_after(room, count, page) == room + new_pages(room, count, page) * page - count


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
