# SPDX-License-Identifier: Apache-2.0
"""Runs of mutants: what is tested, what is kept from an earlier run, and what goes wrong."""

import json
import os
import subprocess
from importlib.metadata import distributions
from pathlib import Path
from types import SimpleNamespace

import pytest

from kvproof.errors import UsageError
from kvproof.mutation import results
from kvproof.mutation.run import STAMP, _everything_used, _together, doubt, run
from tests.mutation.toy import CODES, NAMES, write_results


def test_a_run_starts_afresh_and_tests_what_timed_out_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def mutmut(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert (project / "mutants" / "impl").exists() == bool(calls)
        calls.append(words[1:])
        (project / "mutants" / "impl").mkdir(parents=True, exist_ok=True)
        write_results(project, CODES if len(calls) == 1 else [1] * 6)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(subprocess, "run", mutmut)
    assert run(["impl/toy.py"], 2)[1] == 6
    assert calls == [["run", "--max-children", "2", "impl.toy.x*"], ["run", "--max-children", "1", NAMES[3]]]


def test_a_run_that_was_stopped_goes_on(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[list[str]] = []
    ends: list[list[int | None]] = [[0, 1, None, None, None, None], [0, 1, 1, 1, None, 1], [1] * 6, [None] * 6, [1] * 6]

    def mutmut(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        calls.append(words[3:])
        (project / "mutants" / "impl").mkdir(parents=True, exist_ok=True)
        (project / "mutants" / "mutmut-stats.json").write_text("{}")
        write_results(project, ends[len(calls) - 1])
        if None in ends[len(calls) - 1]:
            raise KeyboardInterrupt
        return subprocess.CompletedProcess(words, 0)

    def stopped() -> None:
        with pytest.raises(KeyboardInterrupt):
            run(["impl/toy.py"], 2)

    monkeypatch.setattr(subprocess, "run", mutmut)
    stopped()
    stopped()
    assert run(["impl/toy.py"], 2)[1] == 1
    anew = ["2", "impl.toy.x*"]
    assert calls == [anew, ["2", *NAMES[2:]], ["2", NAMES[4]]]
    assert "going on with the 4 mutants that are left" in capsys.readouterr().out
    # A run that came to its end is no run to go on with, nor is one before something changed.
    stopped()
    (project / "tests" / "equivalent_mutants.toml").write_text("# changed")
    run(["impl/toy.py"], 2)
    assert calls[3:] == [anew, anew]


def test_one_run_at_a_time(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one touches nothing; mutmut gets the lock, so that it keeps it when its parent is gone."""

    def mutmut(words: list[str], pass_fds: list[int], **_: object) -> subprocess.CompletedProcess[str]:
        assert [os.fstat(lock).st_ino for lock in pass_fds] == [project.stat().st_ino]
        (project / "mutants" / "impl").mkdir()
        write_results(project, [1] * 6)
        with pytest.raises(UsageError, match="being tested in this folder already"):
            run(["impl/toy.py"], 2)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(subprocess, "run", mutmut)
    assert run(["impl/toy.py"], 2)[1] == 6
    assert run(["impl/toy.py"], 2)[1] == 6


def test_a_run_that_was_killed_while_it_wrote_starts_afresh(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "impl" / "other.py").write_text("")
    (project / "mutants" / "mutmut-stats.json").write_text("{}")
    write_results(project, [1, 1, 1, 1, 1, None])
    (project / "mutants" / "impl" / "other.py.meta").write_text('{"exit_code_')
    STAMP.write_text(_everything_used())

    def mutmut(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert words[4:] == ["impl.toy.x*"]
        assert not (project / "mutants" / "impl").exists()
        (project / "mutants" / "impl").mkdir()
        write_results(project, [1] * 6)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(subprocess, "run", mutmut)
    assert run(["impl/toy.py"], 2)[1] == 6


def test_a_file_that_is_tested_again_leaves_the_results_of_the_others(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else a look at one file would throw away what a run over all of them, stopped after hours, has found."""
    (project / "impl" / "other.py").write_text("")
    other = {"exit_code_by_key": {"impl.other.x_f__mutmut_1": 1}, "durations_by_key": {}}
    calls: list[list[str]] = []

    def mutmut(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        calls.append(words[4:])
        if len(calls) == 1:
            (project / "mutants" / "impl").mkdir(parents=True)
            (project / "mutants" / "mutmut-stats.json").write_text("{}")
            (project / "mutants" / "impl" / "other.py.meta").write_text(json.dumps(other))
        else:
            assert results.untested(["impl/toy.py"]) == NAMES
        if len(calls) == 3:
            raise KeyboardInterrupt
        write_results(project, [1] * 6)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(subprocess, "run", mutmut)
    run(["impl/toy.py"], 2)
    run(["impl/toy.py"], 2)
    assert calls == [["impl.toy.x*"]] * 2
    assert results.tested(["impl/other.py"]) == ["impl.other.x_f__mutmut_1"]
    # Stopped before the first result there is nothing to go on with, and nothing is said.
    with pytest.raises(KeyboardInterrupt):
        run(["impl/toy.py"], 2)
    assert run(["impl/toy.py"], 2)[1] == 6
    assert "going on" not in capsys.readouterr().out


def test_whole_functions_go_on_as_one_pattern() -> None:
    assert _together([*NAMES[2:], "impl.toy.x_sub__mutmut_1", "impl.toy.x_sub__mutmut_2"], NAMES[:2]) == [
        *NAMES[2:],
        "impl.toy.x_sub__mutmut_*",
    ]


def test_a_run_that_fails_is_no_result(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda words, **_: subprocess.CompletedProcess(words, 1))
    with pytest.raises(UsageError, match="mutmut ended with exit status 1"):
        run(["impl/toy.py"], 2)


def test_every_package_counts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doubt().startswith("nothing in 'mutants/' says which source")
    STAMP.write_text(_everything_used())
    assert not doubt()
    every = [SimpleNamespace(name=each.name, version=each.version) for each in distributions()]
    every[-1].version += "1"
    monkeypatch.setattr("kvproof.mutation.run.distributions", lambda: every)
    assert "have changed" in doubt()
