# SPDX-License-Identifier: Apache-2.0
"""The rows of `kvproof verify`: what a check reports, how it is judged, and the row that comes of it."""

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kvproof.ui import Advance


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check reports: how many things it has checked, what they were, and what was wrong (empty: nothing).

    `amount` is for the screen: "400 requests, 92,345 tokens". `failure` may have several lines, such as a history.
    """

    checked: int
    amount: str
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its short id, what it checks, how, and the function that does it.

    `run(seed, advance)` gives the outcome, the same one for the same seed. `advance(text="…")` shows how far it is. It
    imports what it needs when it is called, and may raise: that is a failure.
    """

    id: str
    what: str
    how: str
    run: Callable[[int, Advance], Outcome]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the screen."""

    id: str
    what: str
    how: str
    amount: str
    ok: bool
    seconds: float
    detail: str = ""


def judged(check: Check, seed: int, advance: Advance) -> Row:
    """Run a check. Its row is ok only when it came back, found nothing wrong, and has checked something."""
    start = time.perf_counter()
    try:
        outcome = check.run(seed, advance)
    except Exception as error:  # whatever goes wrong in a check is a failed check, with the rest still run
        outcome = Outcome(0, "–", f"{_where(error)}: {type(error).__name__}: {error}")
    seconds = time.perf_counter() - start
    failure = outcome.failure
    if not failure and outcome.checked < 1:
        failure = "nothing was checked"
    return Row(check.id, check.what, check.how, outcome.amount, not failure, seconds, failure)


def _where(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"in {last.name} ({'/'.join(Path(last.filename).parts[-2:])}:{last.lineno})"  # wherever the clone is
