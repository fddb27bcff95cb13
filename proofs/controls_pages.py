# SPDX-License-Identifier: Apache-2.0
"""The wrong variants of the theorems about rows and pages: runs, appends, trims, slots and waste."""

from proofs.variants import Wrong, assumed, code, stated

SPAN = "return 0 if rows == 0 else pages_for(rows - 1, page) + 1"
BOUND = "return span_pages(count, page)"
LAST = "return (rows - 1) % page + 1"
OFFSET_OF_NEXT = "return row % (page + 1)"

CONTROLS: dict[str, tuple[Wrong, ...]] = {
    "W5.a": (
        stated(
            "the run is taken one row too long",
            "page_of(start + rows - 1, page)",
            "page_of(start + rows, page)",
            "P={page}: page {index} holds none of the {rows} rows from row {start} on",
        ),
    ),
    "W5.b": (
        code(
            "a run touches at most ceil(n/P) pages",
            SPAN,
            "return pages_for(rows, page)",
            "P={page}: {rows} rows from row {start} on touch pages {page_of(start, page)} to "
            "{page_of(start + rows - 1, page)}",
        ),
    ),
    "W5.c": (
        code(
            "ceil(n/P) + 1 is reached",
            SPAN,
            "return pages_for(rows, page) + 1",
            "P={page}: {rows} row(s) touch no {span_pages(rows, page)} pages",
        ),
    ),
    "W5.d": (
        stated(
            "the cap is loose when P divides n",
            "(rows - 1) % page == 0",
            "rows % page == 0",
            "P={page}, n={rows}: the cap is {pages_for(rows, page) + 1}, the exact bound {span_pages(rows, page)}",
        ),
    ),
    "W6.a": (
        stated(
            "the second part copies the tail again",
            "still_shared = shared and first == 0",
            "still_shared = shared",
            "P={page}, {rows} rows, shared tail: {first} and then {second} rows would copy twice",
        ),
    ),
    "W6.b": (
        code(
            "a full tail page is copied",
            "copy = 1 if tail_shared and offset_of(rows, page) != 0 else 0",
            "copy = 1 if tail_shared else 0",
            "P={page}, {rows} rows in full shared pages: {count} more would take "
            "{pages_to_append(rows, count, page, shared)} pages",
        ),
        code(
            "the copy is forgotten",
            "copy = 1 if tail_shared and offset_of(rows, page) != 0 else 0",
            "copy = 0",
            "P={page}, {rows} rows with a shared tail: {count} more would take "
            "{pages_to_append(rows, count, page, shared)} pages",
        ),
    ),
    "W6.c": (
        code(
            "an append of n rows takes at most ceil(n/P) pages",
            BOUND,
            "return pages_for(count, page)",
            "P={page}, {rows} rows: {count} more take {pages_to_append(rows, count, page, shared)} pages, "
            "not {append_bound(count, page)}",
        ),
    ),
    "W6.d": (
        code(
            "ceil(n/P) + 1 is reached",
            BOUND,
            "return pages_for(count, page) + 1",
            "P={page}: {append_bound(count, page)} pages for {count} row(s) are not reached",
        ),
    ),
    "W6.e": (
        code(
            "an append of nothing copies a shared tail",
            "    if count == 0:\n        return 0\n",
            "",
            "P={page}, {rows} rows with a shared tail: appending nothing would take "
            "{pages_to_append(rows, 0, page, shared)} page",
        ),
    ),
    "W6.f": (
        code(
            "the room in the last page is not used",
            "return ceil_div(count - room, page)",
            "return ceil_div(count, page)",
            "P={page}, {rows} row(s), room for {room_in_last_page(rows, page)}: {count} more would take "
            "{new_pages(room_in_last_page(rows, page), count, page)} page(s)",
        ),
    ),
    "W7.a": (
        code(
            "a page that holds a sink row goes",
            "return ceil_div(sinks, page)",
            "return sinks // page",
            "P={page}, S={sinks}, keep_from={keep}: page {index} would go, and holds a sink row",
        ),
        code(
            "a partial page goes",
            "return keep // page",
            "return -(-keep // page)",
            "P={page}, S={sinks}, keep_from={keep}: page {index} would go, and holds row {keep}",
        ),
    ),
    "W7.b": (
        stated(
            "the second trim is at keep_from + P",
            "(once and not goes(index, sinks, keep, page))",
            "(once and not goes(index, sinks, keep + page, page))",
            "P={page}, S={sinks}: a trim at {keep} leaves page {index}, one at {keep + page} does not",
        ),
    ),
    "W7.c": (
        assumed(
            "the second trim may be the nearer one",
            "0 <= keep <= farther",
            "0 <= keep and 0 <= farther",
            "P={page}, S={sinks}: a trim at {keep} releases page {index}, one at {farther} does not",
        ),
    ),
    "W7.d": (
        assumed(
            "keep_from may lie beyond the old length",
            "0 <= keep <= rows",
            "0 <= keep <= rows + count",
            "P={page}, {rows} rows, trim at {keep}, append of {count}: page {index} is kept in one order only",
        ),
    ),
    "W7.e": (
        code(
            "a partial page goes",
            "return keep // page",
            "return -(-keep // page)",
            "P={page}: a trim at {keep} would release the partial tail page of {rows} row(s)",
        ),
    ),
    "W10.a": (
        code(
            "the offset in the page is computed with P+1",
            "return row % page",
            OFFSET_OF_NEXT,
            "P={page}: offset {offset} of page {physical} is found again as offset "
            "{offset_of(slot_of(physical, offset, page), page)}",
        ),
    ),
    "W10.b": (
        code(
            "the offset in the page is computed with P+1",
            "return row % page",
            OFFSET_OF_NEXT,
            "P={page}: slot {slot} is found again as slot {slot_of(page_of(slot, page), offset_of(slot, page), page)}",
        ),
    ),
    "W10.c": (
        code(
            "slots count from 1",
            "return physical * page + offset",
            "return physical * page + offset + 1",
            "P={page}, {pages} page(s): offset {offset} of page {physical} has slot "
            "{slot_of(physical, offset, page)} of {pages * page}",
        ),
    ),
    "W10.d": (
        code(
            "last_page_len is n mod P",
            LAST,
            "return rows % page",
            "P={page}, {rows} row(s): last_page_len would be {last_page_rows(rows, page)}",
        ),
    ),
    "W10.e": (
        code(
            "last_page_len is n mod P",
            LAST,
            "return rows % page",
            "P={page}, {rows} row(s), trimmed at {keep}: {pages_held(rows, sinks, keep, page)} page(s), "
            "the last with {last_page_rows(rows, page)} row(s)",
        ),
    ),
    "W10.f": (
        code(
            "last_page_len is n mod P",
            LAST,
            "return rows % page",
            "P={page}, {rows} row(s) more, trimmed at {keep}: {pages_held(rows, sinks, keep, page)} page(s), "
            "the last with {last_page_rows(rows, page)} row(s)",
        ),
    ),
    "W10.g": (
        code(
            "the end of a page is its last slot",
            "return (physical + 1) * page",
            "return (physical + 1) * page - 1",
            "P={page}, page {physical} with {rows} row(s): the next one would go to slot "
            "{slot_after(physical, page) - room_in_last_page(rows, page)}",
        ),
    ),
    "W10.h": (
        code(
            "the room goes on below nothing instead of into a new page",
            "return (room - count) % page",
            "return room - count",
            "P={page}, room for {room} and {count} row(s) to come: {room_after(room, count, page)} would be left after "
            "{new_pages(room, count, page)} new page(s)",
        ),
    ),
    "W12.a": (
        code(
            "a full last page is followed by an empty one",
            "return ceil_div(rows, page)",
            "return rows // page + 1",
            "P={page}, {rows} row(s): {pages_for(rows, page) * page - rows} places are wasted",
        ),
    ),
    "W12.b": (
        stated(
            "so does one of two rows",
            "pages_for(1, page) * page - 1 ==",
            "pages_for(2, page) * page - 2 ==",
            "P={page}: two rows waste {pages_for(2, page) * page - 2}",
        ),
    ),
    "W12.c": (
        code(
            "a full last page is followed by an empty one",
            "return ceil_div(rows, page)",
            "return rows // page + 1",
            "{reserved} rows reserved, {rows} used: {pages_for(rows, reserved) * reserved - rows} would be wasted",
        ),
    ),
}
