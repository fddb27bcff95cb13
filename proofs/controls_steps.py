# SPDX-License-Identifier: Apache-2.0
"""The wrong variants of the theorems about steps: windows, trims, counts, truncates, rings and programs."""

from proofs.variants import Wrong, assumed, code, stated

KEEP = "return max(0, step + 1 - (window - sinks))"
IN_USE = "return pages_for(step - 1, page) - released_end(max(0, step - window), page)"
HELD = "return pages_for(rows, page) - max(0, released_end(keep, page) - released_begin(sinks, page))"
RING = "return window if writes_first else window - 1"
PEAK = "return pages_for(window - 1, page) + 1"

CONTROLS: dict[str, tuple[Wrong, ...]] = {
    "W1.a": (
        code(
            "the gather starts one row early",
            "return step - context(step, window)",
            "return max(0, step - context(step, window) - 1)",
            "W={window}: step {step} would start at row {first_row(step, window)}, but it does not read row {row}",
        ),
        code(
            "the gather starts one row late",
            "return step - context(step, window)",
            "return min(step - 1, step - context(step, window) + 1)",
            "W={window}: step {step} would start at row {first_row(step, window)}, but it reads row {row}",
        ),
    ),
    "W1.b": (
        code(
            "the context is W+1",
            "return min(step, window)",
            "return min(step, window + 1)",
            "W={window}: step {step} attends to {context(step, window)} tokens",
        ),
    ),
    "W1.c": (
        code(
            "the sinks do not count towards W",
            "return max(sinks, step - (window - sinks))",
            "return max(sinks, step - window)",
            "W={window}, S={sinks}: step {step} would start its tail at row {first_tail_row(step, window, sinks)}, "
            "but it does not read row {row}",
        ),
    ),
    "W1.d": (
        code(
            "the trim point is one token too early",
            KEEP,
            "return max(0, step + 2 - (window - sinks))",
            "W={window}, S={sinks}, after step {step}: row {row} would go, which step {step + 1} reads",
        ),
        code(
            "the trim point is one token too late",
            KEEP,
            "return max(0, step - (window - sinks))",
            "W={window}, S={sinks}, after step {step}: row {row} would be kept, which no later step reads",
        ),
    ),
    "W1.e": (
        Wrong(
            "the next step is not looked at",
            "spec",
            "range(step + 1, step + window + 1)",
            "range(step + 2, step + window + 1)",
            "W={window}, S={sinks}, after step {step}: row {row} is not found, which step {later} reads",
        ),
    ),
    "W1.f": (
        stated(
            "the page being written counts as read",
            "< pages_for(step - 1, page)",
            "< pages_for(step, page)",
            "P={page}, W={window}: page {index} holds no row that step {step} reads",
        ),
    ),
    "W1.g": (
        code(
            "a page goes as soon as one of its rows may go",
            "return keep // page",
            "return -(-keep // page)",
            "P={page}, W={window}, S={sinks}, after step {step}: page {index} "
            "still holds a row that a later step reads",
        ),
    ),
    "W1.h": (
        code(
            "no window is taken as a window of L",
            "return step + 1 if window is None else window",
            "return step if window is None else window",
            "without a window, after step {step}: the trim would be at row "
            "{keep_from(step, window_or_all(None, step))}",
        ),
    ),
    "W2.a": (
        code(
            "a page goes as soon as one of its rows may go",
            "return keep // page",
            "return -(-keep // page)",
            "P={page}, W={window}, S={sinks}, after step {step}: page {index} still holds row {row}, "
            "which step {later} reads",
        ),
        code(
            "a page that holds a sink row goes",
            "return ceil_div(sinks, page)",
            "return sinks // page",
            "P={page}, W={window}, S={sinks}, after step {step}: page {index} still holds row {row}, "
            "which step {later} reads",
        ),
    ),
    "W2.b": (
        code(
            "the trim point is one token too late",
            KEEP,
            "return max(0, step - (window - sinks))",
            "P={page}, W={window}, S={sinks}, after step {step}: page {index} is kept, "
            "and no later step reads a row of it",
        ),
        code(
            "a page that just became free of needed rows is kept",
            "return keep // page",
            "return max(0, keep - 1) // page",
            "P={page}, W={window}, S={sinks}, after step {step}: page {index} is kept, "
            "and no later step reads a row of it",
        ),
    ),
    "W3.a": (
        code(
            "the row being written is counted",
            IN_USE,
            IN_USE.replace("step - 1", "step"),
            "P={page}, W={window}: {pages_in_use(1, window, page)} page when step 1 starts, and none is held",
        ),
    ),
    "W3.b": (
        code(
            "the formula releases one row later than the trim",
            IN_USE,
            IN_USE.replace("step - window", "step - window - 1"),
            "P={page}, W={window}: {after_step(held, step, window, 0, page)} pages are held "
            "when step {step + 1} starts, the formula says {pages_in_use(step + 1, window, page)}",
        ),
        code(
            "an append takes a page only after it is full",
            "return pages_for(rows + count, page) - pages_for(rows, page) + copy",
            "return (rows + count) // page - rows // page + copy",
            "P={page}, W={window}: {after_step(held, step, window, 0, page)} pages are held "
            "when step {step + 1} starts, the formula says {pages_in_use(step + 1, window, page)}",
        ),
    ),
    "W3.c": (
        assumed(
            "the induction has no base",
            "and (step > 1 or held == 0)",
            "",
            "P={page}, W={window}: {held} pages when step {step} starts, "
            "the formula says {pages_in_use(step, window, page)}",
        ),
    ),
    "W3.d": (
        code(
            "a trim before the end of the sinks counts against the hole",
            HELD,
            "return pages_for(rows, page) - (released_end(keep, page) - released_begin(sinks, page))",
            "P={page}, W={window}, S={sinks}: {held} pages when step {step} starts, the formula says "
            "{pages_held(step - 1, sinks, max(0, step - (window - sinks)), page)}",
        ),
    ),
    "W3.e": (
        code(
            "the formula rounds the released pages up",
            IN_USE,
            IN_USE.replace("released_end(max(0, step - window), page)", "ceil_div(max(0, step - window), page)"),
            "P={page}, W={window}, step {step}: {pages_in_use(step, window, page)} pages by one count, "
            "{pages_held(step - 1, 0, max(0, step - window), page)} by the other",
        ),
    ),
    "W4.a": (
        code(
            "the peak is ceil(W/P)",
            PEAK,
            "return pages_for(window, page)",
            "P={page}, W={window}: step {step} holds "
            "{pages_in_use(step, window, page) + pages_to_append(step - 1, 1, page, False)} pages "
            "before its trim, not {peak_pages(window, page)}",
        ),
    ),
    "W4.b": (
        code(
            "the peak is ceil(W/P) + 1",
            PEAK,
            "return pages_for(window, page) + 1",
            "P={page}, W={window}: {peak_pages(window, page)} pages are not reached in step {window + page - 1}",
        ),
    ),
    "W4.c": (
        code(
            "the peak after a trim is one page less",
            "return pages_for(window - 2, page) + 1",
            "return pages_for(window - 2, page)",
            "P={page}, W={window}: {pages_in_use(step + 1, window, page)} pages are held after step {step}, "
            "not {peak_pages_after_trim(window, page)}",
        ),
        code(
            "with W = 1 nothing is left after a trim",
            "return 0 if page == 1 else 1",
            "return 0",
            "P={page}, W={window}: {pages_in_use(step + 1, window, page)} page is held after step {step}",
        ),
    ),
    "W4.d": (
        code(
            "with W = 1 one page is left after a trim, whatever P is",
            "return 0 if page == 1 else 1",
            "return 1",
            "P={page}, W={window}: {peak_pages_after_trim(window, page)} page is not reached after step {window}",
        ),
    ),
    "W8.a": (
        stated(
            "d = keep_from mod P is too much",
            "(back <= slack)",
            "(back < slack)",
            "P={page}, W={window}: after step {step} and its trim at {keep_from(step, window)}, taking "
            "{back} row(s) back leaves the window readable",
        ),
        code(
            "the slack is a whole page less one row",
            "return keep % page",
            "return page - 1",
            "P={page}, W={window}: after step {step} and its trim at {keep_from(step, window)}, taking "
            "{back} row(s) back makes the next step read row {step - back + 1 - window}, which is gone",
        ),
    ),
    "W8.b": (
        code(
            "the slack is a whole page less one row",
            "return keep % page",
            "return page - 1",
            "P={page}, W={window}: after step {step} rows 0 to {hole_end(step, window, page) - 1} are gone, "
            "so a truncate to {step - back} is refused",
        ),
    ),
    "W8.c": (
        assumed(
            "nothing is released at keep_from = P either",
            "keep_from(step, window) < page",
            "keep_from(step, window) <= page",
            "P={page}, W={window}: the trim after step {step} is at {keep_from(step, window)} and releases "
            "{hole_end(step, window, page)} row(s)",
        ),
    ),
    "W8.d": (
        stated(
            "the same for W = 2",
            "readable(step - back, 1,",
            "readable(step - back, 2,",
            "P={page}: trimmed for W=1 after step {step}, {back} row(s) taken back: "
            "with W=2 the next step reads row {step - back - 1}, which is gone",
        ),
    ),
    "W8.e": (
        stated(
            "a truncate to one row is always permitted",
            "left = step - step",
            "left = 1",
            "P={page}, W={window}: after step {step} rows 0 to {hole_end(step, window, page) - 1} are gone",
        ),
    ),
    "W9.a": (
        assumed(
            "the gather starts one row early",
            "row in rows_read(step, window)",
            "0 <= row and first_row(step, window) - 1 <= row < step - 1",
            "W={window}, R={ring}, step {step}: row {row} is asked for, and row {newer} has taken its place",
        ),
        code(
            "W−2 rows are enough",
            RING,
            "return window if writes_first else window - 2",
            "W={window}, R={ring}, step {step}: row {row} is read, and row {newer} has taken its place",
        ),
    ),
    "W9.b": (
        code(
            "W rows are needed",
            RING,
            "return window",
            "W={window}: a ring of R={ring} row(s) serves every step that reads before it writes",
        ),
    ),
    "W9.c": (
        code(
            "W−1 rows are enough when the step writes first",
            RING,
            "return window - 1",
            "W={window}, R={ring}, step {step}: row {row} is read, and row {newer} has taken its place",
        ),
    ),
    "W9.d": (
        code(
            "W+1 rows are needed when the step writes first",
            RING,
            "return window + 1 if writes_first else window - 1",
            "W={window}: a ring of R={ring} row(s) serves every step that writes before it reads",
        ),
    ),
    "W9.e": (
        stated(
            "the start is one row early",
            ">= first_row(step, window))",
            ">= first_row(step, window) - 1)",
            "W={window}, step {step}: row {start} has been written over in a ring of {window - 1} row(s)",
        ),
    ),
    "W11.a": (
        code(
            "the context is W+1",
            "return min(step, window)",
            "return min(step, window + 1)",
            "W={window}: step {step} has context {context(step, window)}, of {programs(steps, window)} program(s)",
        ),
    ),
    "W11.b": (
        code(
            "there are W+1 programs",
            "return min(steps, window)",
            "return min(steps, window + 1)",
            "W={window}: no step of {steps} has context {tokens}",
        ),
    ),
}
