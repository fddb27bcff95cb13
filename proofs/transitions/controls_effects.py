# SPDX-License-Identifier: Apache-2.0
"""What each operation does to the request it is about, with wrong variants."""

from proofs.transitions import effects, wrong, wrong_release
from proofs.transitions.obligations import reads_back
from proofs.transitions.operations import APPEND, FORK, NEW, RELEASE, ROWS, TRIM, TRUNCATE
from proofs.transitions.state import State
from proofs.transitions.tasks import Task, Wrong, task
from proofs.transitions.universe import Term, Universe


def ignoring_dropped(u: Universe, s: State, request: Term, row: Term) -> Term:
    index = u.page_of(row)
    looked_up = u.ite(index >= s.end(request), index - (s.end(request) - s.begin(request)), index)
    return s.content(s.table(request, looked_up), u.offset_of(row))


EFFECTS = {
    NEW: (
        task(
            lambda operation: effects.effect(operation, effects.new),
            NEW,
            {"new keeps the length of an earlier request of that name": wrong.NEW_OLD_LENGTH},
        ),
    ),
    APPEND: (
        task(
            lambda operation: effects.effect(operation, effects.append),
            APPEND,
            {
                "no copy before writing into a shared page": wrong.APPEND_NO_COPY,
                "the copy is empty": wrong.APPEND_EMPTY_COPY,
                "the offset in the page is off by one from the second page on": wrong.APPEND_OFFSET,
            },
        ),
    ),
    FORK: (
        task(
            lambda operation: effects.effect(operation, effects.fork),
            FORK,
            {
                "fork does not count the new owner": wrong.FORK_UNCOUNTED,
                "fork forgets the sinks of its source": wrong.FORK_FORGETS_SINKS,
            },
        ),
    ),
    TRIM: (
        task(
            lambda operation: effects.effect(operation, effects.trim),
            TRIM,
            {
                "trim releases a page that still holds a needed row": wrong_release.TRIM_NEEDED_PAGE,
                "trim keeps a page that lies before keep_from": wrong_release.TRIM_KEEPS_A_PAGE,
                "trim releases the sinks": wrong_release.TRIM_TRIMS_SINKS,
                "trim makes the request shorter": wrong_release.TRIM_SHRINKS,
            },
        ),
        task(effects.trimmed_again, TRIM, {"an earlier trim gives pages back": wrong_release.TRIM_GIVES_BACK}),
    ),
    TRUNCATE: (
        task(
            lambda operation: effects.effect(operation, effects.truncate),
            TRUNCATE,
            {
                "truncate leaves the pages after the new length": wrong_release.TRUNCATE_LEAVES_PAGES,
                "truncate releases a page that keeps rows": wrong_release.TRUNCATE_PARTIAL_PAGE,
                "truncate keeps a hole that nothing follows": wrong_release.TRUNCATE_KEEPS_HOLE,
            },
        ),
    ),
    RELEASE: (
        task(
            lambda operation: effects.effect(operation, effects.release),
            RELEASE,
            {
                "release forgets the request's pages": wrong_release.RELEASE_FORGETS_PAGES,
                "release does not return its pages": wrong_release.RELEASE_LOSES_PAGES,
            },
        ),
    ),
    ROWS: (
        Task(
            reads_back(ROWS),
            (
                Wrong("released rows are read", reads_back(wrong_release.ROWS_FROM_HOLE)),
                Wrong("rows before the hole are refused", reads_back(wrong_release.ROWS_BEFORE_HOLE_REFUSED)),
                Wrong("the look-up ignores the pages dropped", reads_back(ROWS, ignoring_dropped)),
            ),
        ),
    ),
}
