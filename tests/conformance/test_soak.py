# SPDX-License-Identifier: Apache-2.0
"""The soak driver: rounds that can be run again by themselves, several processes, failures made short."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kvproof.cli import main
from kvproof.commands.soak import too_little
from kvproof.soak_workers import Soaked
from kvproof.targets.find import BUILT_IN, find
from kvproof.targets.plain import PlainCache
from spec.conformance.operations import Operation
from spec.conformance.report import Report
from spec.conformance.soak import EVERY, OPERATIONS, WATCHED, Broken, minimal, run_round
from tests.conformance import mistakes
from tests.conformance.rare import RareMistake


@pytest.mark.parametrize("name", BUILT_IN)
def test_rounds_hold_on_every_target(name: str) -> None:
    found = find(name)
    report = Report(found.capabilities)
    for number in range(2 * WATCHED):
        assert run_round(found.factory, 1, number, report) is None
    assert report.histories == 2 * WATCHED
    assert report.operations == 2 * WATCHED * OPERATIONS
    assert report.events["append that fills a page exactly"] > 0
    assert sum((report.done + report.refused).values()) >= 2 * OPERATIONS


def first_broken(seed: int) -> Broken:
    """The first round of a seed in which an empty copy is found."""
    report = Report(PlainCache.capabilities)
    rounds = (run_round(mistakes.EmptyCopy, seed, number, report) for number in range(50))
    return next(broken for broken in rounds if broken is not None)


def test_a_round_is_a_function_of_seed_and_number() -> None:
    first = first_broken(0)
    report = Report(PlainCache.capabilities)
    assert run_round(mistakes.EmptyCopy, 0, first.round, report) == first
    assert run_round(mistakes.EmptyCopy, 0, first.round + 1, report) != first
    assert first_broken(1).operations != first.operations


def test_a_broken_round_is_made_minimal() -> None:
    failure = minimal(mistakes.EmptyCopy, first_broken(0))
    assert failure is not None
    assert len(failure.operations) == 4
    assert minimal(PlainCache, first_broken(0)) is None


def test_every_sixteenth_operation_is_followed_by_a_full_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    from spec.conformance.lockstep import Lockstep

    since, most = 0, 0
    run, check_all = Lockstep.run, Lockstep.check_all

    def counted(self: Lockstep, operation: Operation) -> object:
        nonlocal since, most
        since += 1
        most = max(most, since)
        return run(self, operation)

    def checked(self: Lockstep, operation: Operation | None = None) -> None:
        nonlocal since
        since = 0
        check_all(self, operation)

    monkeypatch.setattr(Lockstep, "run", counted)
    monkeypatch.setattr(Lockstep, "check_all", checked)
    assert run_round(PlainCache, 0, 1, Report(PlainCache.capabilities)) is None
    assert most == 16
    assert since == 0


def test_the_command_reports_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "soak.json"
    arguments = ["--rounds", "40", "--first-round", "8", "--processes", "2", "--seed", "3", "--json", str(path)]
    assert main(["soak", "plain", *arguments]) == 0
    out = capsys.readouterr().out
    assert "to go on: kvproof soak plain --seed 3 --first-round 48" in out
    assert out.splitlines()[-1].startswith(f"HOLDS: {40 * OPERATIONS:,} operations in 40 rounds, ")
    data = json.loads(path.read_text())
    assert data["verdict"] == "HOLDS"
    assert data["covered"]["operations"] == 40 * OPERATIONS
    assert data["next_round"] == 48
    assert data["operations_per_second"] > 0


def test_the_time_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    begin = time.perf_counter()
    assert main(["soak", "plain", "--minutes", "0.01", "--processes", "1"]) == 0
    assert time.perf_counter() - begin < 20
    assert "HOLDS" in capsys.readouterr().out


def test_the_first_failing_round_is_reported_whoever_runs_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report(RareMistake.capabilities)
    broken = [number for number in range(100) if run_round(RareMistake, 0, number, report) is not None]
    assert 2 < len(broken) < 30
    begin, expected = broken[0] + 1, broken[1]
    outputs = []
    for processes in ("1", "3"):
        path = tmp_path / f"{processes}.json"
        arguments = ["--first-round", str(begin), "--rounds", "200", "--processes", processes, "--json", str(path)]
        assert main(["soak", "tests.conformance.rare:RareMistake", *arguments]) == 1
        data = json.loads(path.read_text())
        assert data["failed_round"] == expected
        assert len(data["failure"]["operations"]) <= 4
        outputs.append((data["failure"], data["violation"]))
    assert outputs[0] == outputs[1]
    out = capsys.readouterr().out
    again = f"kvproof soak tests.conformance.rare:RareMistake --seed 0 --first-round {expected} --rounds 1"
    assert f"the round again: {again}" in out
    assert main(again.split()[1:]) == 1
    assert f"FAILED: a law is broken in round {expected}" in capsys.readouterr().out


def test_a_failure_that_does_not_come_again_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "tests.conformance.rare:Unsteady", "--rounds", "4", "--processes", "1"]) == 1
    out = capsys.readouterr().out
    assert "the target is not steady" in out
    assert "free-pages" in out


def test_a_worker_that_dies_fails_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "tests.conformance.rare:Exits", "--rounds", "8", "--processes", "2"]) == 1
    assert "FAILED: worker" in capsys.readouterr().out


def test_minutes_and_rounds_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "plain", "--minutes", "1", "--rounds", "2"]) == 2
    assert "not allowed with" in capsys.readouterr().err


def test_ctrl_c_prints_the_summary_so_far() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kvproof", "soak", "plain", "--processes", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("soaking plain")
    time.sleep(3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == ""
    assert "INTERRUPTED, nothing found so far: " in out.splitlines()[-1]
    assert "--first-round " in out


OURS = find("kvproof")


def test_what_is_exercised_is_counted_in_every_round_not_only_where_events_are() -> None:
    report = Report(OURS.capabilities)
    assert run_round(OURS.factory, 0, 1, report) is None
    assert 1 % WATCHED != 0
    assert (
        report.operations == report.done.total() + report.refused.total() - report.done["new with sinks"] == OPERATIONS
    )
    assert 0 < report.looked <= OPERATIONS // EVERY
    assert not report.events, f"round 1 is none of every {WATCHED}th"


def test_too_few_operations_to_exercise_what_is_declared_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spec.conformance.soak.OPERATIONS", 1)
    report = Report(OURS.capabilities)
    assert run_round(OURS.factory, 0, 1, report) is None
    assert "fork" in too_little(Soaked(report, next_round=2))
    assert too_little(Soaked(Report(frozenset()), next_round=0)) == "no round was run"
