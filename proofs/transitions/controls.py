# SPDX-License-Identifier: Apache-2.0
"""The obligations with their wrong variants: an obligation is asked of the right operations, and of each wrong one."""

from dataclasses import replace

from proofs.transitions import lifting, wrong, wrong_release
from proofs.transitions.controls_effects import ignoring_dropped
from proofs.transitions.obligations import admits, economises, isolates, never_for_pages, preserves, refuses
from proofs.transitions.operations import APPEND, FORK, NEW, RELEASE, ROWS, TRIM, TRUNCATE
from proofs.transitions.standing import counted, empty, follows, starts
from proofs.transitions.state import State
from proofs.transitions.tasks import Task, Wrong, task
from proofs.transitions.universe import Term, Universe


def _no_stack(u: Universe, s: State) -> State:
    return replace(empty(u, s), height=lambda: 0)


def _without_copy(u: Universe, s: State, request: Term, rows: Term) -> Term:
    length = s.length(request)
    return u.ite(rows == 0, 0, u.pages_for(length + rows) - u.pages_for(length))


def _without_room(u: Universe, s: State, request: Term, rows: Term) -> Term:
    return u.pages_for(rows)


STARTS = Task(starts(), (Wrong("the free stack of a new pool is empty", starts(_no_stack)),))

PRESERVES = {
    NEW: task(
        preserves,
        NEW,
        {
            "new keeps the length of an earlier request of that name": wrong.NEW_OLD_LENGTH,
            "new takes a negative number of sinks": wrong.NEW_NEGATIVE_SINKS,
            "new starts a request that lives": wrong.NEW_TWICE,
        },
    ),
    APPEND: task(
        preserves,
        APPEND,
        {
            "no copy before writing into a shared page": wrong.APPEND_NO_COPY,
            "the copy is empty": wrong.APPEND_EMPTY_COPY,
            "the copy keeps its reference on the shared page": wrong.APPEND_KEEPS_REFERENCE,
            "the offset in the page is off by one from the second page on": wrong.APPEND_OFFSET,
            "the page taken stays on the free stack": wrong.APPEND_PAGE_STAYS_FREE,
            "the free pages are not counted down": wrong.APPEND_FREE_UNCOUNTED,
            "the pages held are not counted up": wrong.APPEND_HELD_UNCOUNTED,
            "writing in place counts one more owner": wrong.APPEND_COUNTS_IN_PLACE,
            "exhaustion is not reported": wrong.APPEND_NEVER_FULL,
        },
    ),
    FORK: task(
        preserves,
        FORK,
        {
            "fork does not count the new owner": wrong.FORK_UNCOUNTED,
            "fork forgets the hole of its source": wrong.FORK_NO_HOLE,
            "fork onto a request that lives": wrong.FORK_ONTO_SOMEONE,
            "fork counts a page as taken": wrong.FORK_COUNTS_A_PAGE,
        },
    ),
    TRIM: task(
        preserves,
        TRIM,
        {
            "a page is put on the free stack while others share it": wrong_release.TRIM_FREES_SHARED,
            "a page released by its last owner is lost": wrong_release.TRIM_LOSES_PAGES,
            "the pages held are not counted down": wrong_release.TRIM_KEEPS_COUNT,
            "an earlier trim moves the end of the hole back": wrong_release.TRIM_RESTARTS_HOLE,
        },
    ),
    TRUNCATE: task(
        preserves,
        TRUNCATE,
        {
            "truncate leaves the pages after the new length": wrong_release.TRUNCATE_LEAVES_PAGES,
            "truncate keeps a hole that nothing follows": wrong_release.TRUNCATE_KEEPS_HOLE,
            "truncate into the released rows is not refused": wrong_release.TRUNCATE_INTO_HOLE,
            "truncate frees a page that others share": wrong_release.TRUNCATE_FREES_SHARED,
        },
    ),
    RELEASE: task(
        preserves,
        RELEASE,
        {
            "release forgets the request's pages": wrong_release.RELEASE_FORGETS_PAGES,
            "release frees a page that others share": wrong_release.RELEASE_FREES_SHARED,
            "release does not return its pages": wrong_release.RELEASE_LOSES_PAGES,
        },
    ),
    ROWS: task(preserves, ROWS, {"reading writes into the page after the last row": wrong_release.ROWS_WRITES}),
}

REFUSES = (
    task(refuses, NEW, {"new sets the sinks before it looks whether the request lives": wrong.NEW_HASTY}),
    task(refuses, APPEND, {"append counts the row before it looks for a page": wrong.APPEND_HASTY}),
    task(refuses, FORK, {"fork counts the owners before it looks whether the name is taken": wrong.FORK_HASTY}),
    task(refuses, TRIM, {"trim moves the hole before it looks at the length": wrong_release.TRIM_HASTY}),
    task(refuses, TRUNCATE, {"truncate shortens before it looks at the hole": wrong_release.TRUNCATE_HASTY}),
    task(
        refuses, RELEASE, {"release counts down before it looks whether the request lives": wrong_release.RELEASE_HASTY}
    ),
    task(refuses, ROWS, {"reading moves the length before it looks at the range": wrong_release.ROWS_HASTY}),
)

ADMITS = (
    task(
        admits,
        APPEND,
        {
            "exhaustion is not reported": wrong.APPEND_NEVER_FULL,
            "the last page is never handed out": wrong.APPEND_LAST_PAGE_KEPT,
            "a full pool refuses an append that needs no page": wrong.APPEND_PAGE_ALWAYS,
            "a copy is not asked for": wrong.APPEND_COPY_UNASKED,
        },
    ),
    task(never_for_pages, NEW, {"new takes every page": wrong.NEW_TAKES_A_PAGE}),
    task(never_for_pages, FORK, {"fork takes the free pages": wrong.FORK_TAKES_A_PAGE}),
    task(never_for_pages, TRIM, {"trim takes free pages": wrong_release.TRIM_TAKES_A_PAGE}),
    task(never_for_pages, TRUNCATE, {"truncate wipes the pages": wrong_release.TRUNCATE_WIPES}),
    task(never_for_pages, RELEASE, {"release wipes the pages": wrong_release.RELEASE_WIPES}),
    task(never_for_pages, ROWS, {"reading writes": wrong_release.ROWS_WRITES}),
)

ECONOMISES = task(
    economises,
    APPEND,
    {
        "a page that nobody shares is copied": wrong.APPEND_NEEDLESS_COPY,
        "the copy keeps its reference on the shared page": wrong.APPEND_KEEPS_REFERENCE,
        "writing in place counts one more owner": wrong.APPEND_COUNTS_IN_PLACE,
        "the free pages are not counted down": wrong.APPEND_FREE_UNCOUNTED,
        "the pages held are not counted up": wrong.APPEND_HELD_UNCOUNTED,
    },
)

ISOLATES = (
    task(lambda operation: isolates(operation, 0), NEW, {"new empties all tables": wrong.NEW_EMPTIES_OTHERS}),
    task(
        lambda operation: isolates(operation, 0),
        APPEND,
        {
            "no copy before writing into a shared page": wrong.APPEND_NO_COPY,
            "the copy takes the place of the shared page in all tables": wrong.APPEND_MOVES_SHARERS,
        },
    ),
    task(lambda operation: isolates(operation, 1), FORK, {"fork takes the pages over": wrong.FORK_TAKES_OVER}),
    task(
        lambda operation: isolates(operation, 0), TRIM, {"trim trims all who share": wrong_release.TRIM_TRIMS_SHARERS}
    ),
    task(
        lambda operation: isolates(operation, 0),
        TRUNCATE,
        {"truncate shortens all of that length": wrong_release.TRUNCATE_OTHERS},
    ),
    task(
        lambda operation: isolates(operation, 0),
        RELEASE,
        {"release ends all of that length": wrong_release.RELEASE_ENDS_SHARERS},
    ),
    task(lambda operation: isolates(operation, 0), ROWS, {"reading writes": wrong_release.ROWS_WRITES}),
)

MANY_PAGES = (
    Task(lifting.begins(), (Wrong("the copy is not counted", lifting.begins(pages=_without_copy)),)),
    Task(
        lifting.continues(),
        (
            Wrong("the copy is not counted", lifting.continues(pages=_without_copy)),
            Wrong("the room in the last page is not counted", lifting.continues(pages=_without_room)),
        ),
    ),
    Task(lifting.two_rows(), (Wrong("rows are written until no page is left", lifting.two_rows(lifting.one_by_one)),)),
)

MANY_ROWS = (
    Task(
        lifting.first_row_done(),
        (
            Wrong("the row is written one place late", lifting.first_row_done(wrong.APPEND_ROW_LATE)),
            Wrong("the free pages are not counted down", lifting.first_row_done(wrong.APPEND_FREE_UNCOUNTED)),
        ),
    ),
    Task(
        lifting.accumulates(),
        (
            Wrong("the row is written one place late", lifting.accumulates(wrong.APPEND_ROW_LATE)),
            Wrong("the copy is not counted", lifting.accumulates(pages=_without_copy)),
        ),
    ),
    Task(
        lifting.read_at_the_end(),
        (Wrong("the look-up ignores the pages dropped", lifting.read_at_the_end(reading=ignoring_dropped)),),
    ),
)

FOLLOWS = Task(
    follows(),
    tuple(
        Wrong(f"without the invariant “{name}”", follows(name))
        for name in ("counts", "owners", "owned", "capacity", "free or owned")
    ),
)

COUNTED = Task(
    counted(),
    (
        Wrong("the hole is counted too", counted(lambda u, pages: 0 * pages)),
        Wrong("the hole is one page longer", counted(lambda u, pages: u.ite(pages > 0, pages + 1, 0))),
    ),
)
