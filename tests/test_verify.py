# SPDX-License-Identifier: Apache-2.0
"""`kvproof verify`: how checks are judged, what the screen says, and what it costs to hide a failure (nothing can)."""

import json
from pathlib import Path

import pytest

from kvproof import cli
from kvproof.ui import Advance
from kvproof.verify import checks
from kvproof.verify.rows import Check, Outcome, judged


def good(seed: int, advance: Advance) -> Outcome:
    """A check that holds."""
    advance(text="half way")
    return Outcome(seed + 1, f"{seed + 1} things")


def wrong(seed: int, advance: Advance) -> Outcome:
    """A check that finds something wrong."""
    return Outcome(5, "5 things", "1. append('a', 1)\n2. release('a')")


def empty(seed: int, advance: Advance) -> Outcome:
    """A check that checks nothing."""
    return Outcome(0, "0 things")


def broken(seed: int, advance: Advance) -> Outcome:
    """A check that cannot run."""
    raise FileNotFoundError(2, "No such file or directory", "figures.json")


def stopped(seed: int, advance: Advance) -> Outcome:
    """Ctrl-C in the middle of a check."""
    raise KeyboardInterrupt


CHECKS = {run: Check(run.__name__, f"what {run.__name__}", "how", run) for run in (good, wrong, empty, broken, stopped)}


def silent(n: float = 1, text: str = "") -> None:
    """Shows no progress."""


@pytest.mark.parametrize(
    ("run", "amount", "detail"),
    [
        (good, "8 things", ""),
        (wrong, "5 things", "1. append('a', 1)\n2. release('a')"),
        (empty, "0 things", "nothing was checked"),
    ],
)
def test_judged(run: object, amount: str, detail: str) -> None:
    check = next(check for check in CHECKS.values() if check.run is run)
    row = judged(check, 7, silent)
    assert (row.id, row.what, row.how, row.amount, row.detail) == (check.id, check.what, "how", amount, detail)
    assert row.ok == (not detail)
    assert 0 <= row.seconds < 1


def test_a_check_that_cannot_run_has_failed() -> None:
    row = judged(CHECKS[broken], 0, silent)
    assert not row.ok
    assert row.detail.startswith("in broken (tests/test_verify.py:")
    assert row.detail.endswith("): FileNotFoundError: [Errno 2] No such file or directory: 'figures.json'")


@pytest.mark.parametrize(
    ("runs", "status", "last"),
    [
        ((good, good), cli.FINE, "VERIFIED: 2 of 2 checks hold"),
        ((good, wrong, good), cli.FAILED, "FAILED: 2 of 3 checks hold"),
        ((empty,), cli.FAILED, "FAILED: 0 of 1 checks hold"),
        ((broken, good), cli.FAILED, "FAILED: 1 of 2 checks hold"),
        ((), cli.FAILED, "INCOMPLETE: 0 of 0 checks hold"),
        ((good, stopped, good), cli.INTERRUPTED, "INCOMPLETE: 1 of 3 checks hold"),
        ((wrong, stopped), cli.INTERRUPTED, "FAILED: 0 of 2 checks hold"),
    ],
)
def test_verdict(
    runs: tuple[object, ...],
    status: int,
    last: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """The exit status, the last line, the JSON file, and a failure told in full."""
    monkeypatch.setattr(checks, "CHECKS", tuple(check for run in runs for check in CHECKS.values() if check.run is run))
    assert cli.main(["verify", "--seed", "2", "--json", str(tmp_path / "v.json")]) == status
    printed = capsys.readouterr().out
    assert printed.splitlines()[-1].startswith(f"{last}, ")
    assert max(map(len, printed.splitlines())) <= 120
    assert ("  1. append('a', 1)\n  2. release('a')\n" in printed) == (wrong in runs)
    data = json.loads((tmp_path / "v.json").read_text())
    assert data["verdict"] == last.split(":")[0]
    assert data["seed"] == 2
    assert [row["ok"] for row in data["checks"]] == [run is good for run in runs[: len(data["checks"])]]
