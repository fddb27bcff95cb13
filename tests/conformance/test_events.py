# SPDX-License-Identifier: Apache-2.0
"""The events: each is seen in a history made for it, and not one operation earlier."""

import pytest

from spec.conformance.events import EVENTS, Watch
from spec.conformance.lockstep import start
from spec.conformance.operations import (
    Operation,
    append,
    append_batch,
    fork,
    new,
    pages_needed,
    release,
    rows,
    trim,
    trim_batch,
    truncate,
)
from tests.conformance.mistakes_in_batches import BatchCache

HISTORIES: dict[str, list[Operation]] = {
    "append over several pages": [new("a"), append("a", 5)],
    "append that fills a page exactly": [new("a"), append("a", 3), append("a", 1)],
    "append that takes the last free page": [new("a"), append("a", 12), append("a", 1)],
    "reuse of a freed page": [new("a"), append("a", 16), release("a"), new("b"), append("b", 1)],
    "released name used again": [new("a"), release("a"), new("a")],
    "copy-on-write": [new("a"), append("a", 1), fork("a", "b"), append("a", 1)],
    "append of nothing to a shared tail": [new("a"), append("a", 1), fork("a", "b"), append("a", 0)],
    "append to a page that used to be shared": [
        new("a"),
        append("a", 1),
        fork("a", "b"),
        release("b"),
        append("a", 1),
    ],
    "release of a shared page": [new("a"), append("a", 1), fork("a", "b"), release("a")],
    "fork of an empty request": [new("a"), fork("a", "b")],
    "fork of a trimmed request": [new("a"), append("a", 5), trim("a", 4), fork("a", "b")],
    "trim of a shared page": [new("a"), append("a", 5), fork("a", "b"), trim("a", 4)],
    "trim of every page": [new("a"), append("a", 4), trim("a", 4)],
    "rows behind a hole": [new("a"), append("a", 5), trim("a", 4), rows("a", 4, 5)],
    "hole behind sinks": [new("a", 1), append("a", 9), trim("a", 8)],
    "truncate into a shared page": [new("a"), append("a", 2), fork("a", "b"), truncate("a", 1)],
    "truncate in front of a hole": [new("a", 1), append("a", 9), trim("a", 8), truncate("a", 4)],
    "truncate right behind a hole": [new("a"), append("a", 5), trim("a", 4), truncate("a", 4)],
    "batch with a request twice": [new("a"), append_batch(("a", "a"), (1, 1))],
    "batch with two owners of a shared tail": [
        new("a"),
        append("a", 1),
        fork("a", "b"),
        append_batch(("a", "b"), (1, 1)),
    ],
    "batch with nothing for a shared tail": [
        new("a"),
        append("a", 1),
        fork("a", "b"),
        append_batch(("a", "b"), (0, 1)),
    ],
    "batch that trims a page of two owners away": [
        new("a"),
        append("a", 4),
        fork("a", "b"),
        trim_batch(("a", "b"), (4, 4)),
    ],
    "batch refused though its first append fits": [new("a"), new("b"), append_batch(("a", "b"), (4, 16))],
    "new refused: BadArgument": [new("a", -1)],
    "truncate refused: RowsReleased": [new("a"), append("a", 5), trim("a", 4), truncate("a", 3)],
    "rows refused: RowsReleased": [new("a"), append("a", 5), trim("a", 4), rows("a", 3, 5)],
    "pages_needed refused: BadArgument": [new("a"), pages_needed("a", -1)],
    "append refused: OutOfPages": [new("a"), append("a", 17)],
    "fork refused: RequestExists": [new("a"), fork("a", "a")],
}


def seen(operations: list[Operation]) -> list[list[str]]:
    """The events of each operation."""
    lockstep = start(BatchCache, 4, 4)
    watch = Watch(4)
    events = []
    for operation in operations:
        before = lockstep.state
        outcome = lockstep.run(operation)
        events.append(watch.events(before, operation, outcome, lockstep.state))
    return events


@pytest.mark.parametrize("event", HISTORIES)
def test_the_event_is_seen_where_it_happens(event: str) -> None:
    events = seen(HISTORIES[event])
    assert event in events[-1]
    assert not any(event in earlier for earlier in events[:-1])


def test_every_event_that_is_no_plain_refusal_has_its_history() -> None:
    assert {name for name in EVENTS if " refused: " not in name} <= set(HISTORIES)
    assert set(HISTORIES) <= set(EVENTS)


@pytest.mark.parametrize(
    ("event", "near"),
    [
        ("copy-on-write", [new("a"), append("a", 4), fork("a", "b"), append("a", 1)]),
        ("reuse of a freed page", [new("a"), append("a", 4), release("a"), new("b"), append("b", 4)]),
        ("append to a page that used to be shared", [new("a"), append("a", 1), append("a", 1)]),
        ("trim of a shared page", [new("a"), append("a", 5), fork("a", "b"), append("b", 1), trim("a", 3)]),
        ("truncate into a shared page", [new("a"), append("a", 5), fork("a", "b"), truncate("a", 4)]),
        ("truncate into a shared page", [new("a"), append("a", 3), fork("a", "b"), truncate("a", 3)]),
        ("truncate right behind a hole", [new("a"), append("a", 4), trim("a", 4), truncate("a", 4)]),
        ("hole behind sinks", [new("a"), append("a", 9), trim("a", 8)]),
        (
            "batch with two owners of a shared tail",
            [new("a"), append("a", 1), fork("a", "b"), append_batch("ab", (1, 0))],
        ),
        ("batch refused though its first append fits", [new("a"), append_batch(("a",), (17,))]),
        (
            "batch with nothing for a shared tail",
            [new("a"), append("a", 1), fork("a", "b"), append_batch(("a",), (0,))],
        ),
        (
            "batch that trims a page of two owners away",
            [new("a"), append("a", 5), fork("a", "b"), trim_batch(("a", "b"), (4, 3))],
        ),
        ("rows behind a hole", [new("a"), append("a", 5), trim("a", 4), rows("a", 5, 5)]),
    ],
)
def test_what_is_only_near_is_not_counted(event: str, near: list[Operation]) -> None:
    assert not any(event in events for events in seen(near))
