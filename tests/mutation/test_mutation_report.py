# SPDX-License-Identifier: Apache-2.0
"""The report on mutants: what counts as killed, what an equivalent mutant has to bring, what fails it."""

import json
import os
import subprocess
from collections.abc import Sequence
from importlib.metadata import distributions
from pathlib import Path
from shutil import rmtree
from types import SimpleNamespace

import pytest

from kvproof.errors import UsageError
from kvproof.mutation import __main__ as command
from kvproof.mutation.equivalents import load
from kvproof.mutation.report import report
from kvproof.mutation.results import CRASHED, KILLED, SURVIVED, TIMED_OUT, changed_lines, function_of, outcome, pattern
from kvproof.mutation.run import STAMP, _everything_used, _together, outdated, run
from kvproof.mutation.survivors import most_interesting
from kvproof.mutation.targets import files, is_core

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = [f"impl.toy.x_add__mutmut_{number}" for number in range(1, 7)]
MUTATED = """\
def x_add__mutmut_orig(a, b):
    if a > 9:
        raise ValueError("too large")
    return a + b
"""
CHANGES = [
    ("a > 9", "a >= 9"),
    ("a + b", "a - b"),
    ("too large", "XXtoo largeXX"),
    ("> 9", "> 10"),
    ("a + b", "b"),
    ("if a", "if b"),
]
CODES = [0, 1, 0, -24, 33, 3]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one mutated file, as mutmut leaves it: five mutants were not killed, each in its own way."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "impl").mkdir()
    (tmp_path / "impl" / "toy.py").write_text("")
    (tmp_path / "setup.cfg").write_text("")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "equivalent_mutants.toml").write_text("")
    text, spans = MUTATED, {"x_add__mutmut_orig": [1, 4]}
    for number, (old, new) in enumerate(CHANGES, 1):
        assert old in MUTATED
        name = f"x_add__mutmut_{number}"
        text += MUTATED.replace(old, new).replace("x_add__mutmut_orig", name)
        spans[name] = [4 * number + 1, 4 * number + 4]
    mutants = tmp_path / "mutants" / "impl"
    mutants.mkdir(parents=True)
    (mutants / "toy.py").write_text(text)
    (mutants / "toy.py.spans").write_text(json.dumps({"version": 1, "spans": spans}))
    write_results(tmp_path, CODES)
    return tmp_path


def write_results(project: Path, codes: Sequence[int | None]) -> None:
    """How the tests of each mutant ended."""
    results = {"exit_code_by_key": dict(zip(NAMES, codes, strict=True)), "durations_by_key": dict.fromkeys(NAMES, 0.5)}
    (project / "mutants" / "impl" / "toy.py.meta").write_text(json.dumps(results))


def entry(old: str, new: str, evidence: str = "argument = 'because'") -> str:
    """An entry of the list of equivalent mutants."""
    return f"[[mutant]]\nfile = 'impl/toy.py'\nfunction = 'add'\ndiff = '''\n-{old}\n+{new}\n'''\n{evidence}\n"


def listed(project: Path, *entries: str) -> None:
    text = "".join(entries)
    (project / "tests" / "equivalent_mutants.toml").write_text(text, encoding="utf-8", errors="surrogateescape")


def test_what_the_end_of_the_tests_means() -> None:
    assert [outcome(code) for code in (0, 5, 33)] == [SURVIVED] * 3
    assert [outcome(code) for code in (-24, 24, 36, 152, 255, -9)] == [TIMED_OUT] * 6
    assert [outcome(code) for code in (2, 3, 4, 34, 35, -11, 77)] == [CRASHED] * 7
    assert outcome(1) == KILLED


def test_names() -> None:
    assert function_of("impl.window.x_ceil_div__mutmut_12") == "ceil_div"
    assert function_of("impl.chip.isa.xǁWordǁfield__mutmut_1") == "Word.field"
    assert function_of("impl.arena.x__put__mutmut_1") == "_put"
    assert pattern("impl/chip/isa.py") == "impl.chip.isa.x*"


def test_core_files_are_those_of_the_cache() -> None:
    assert {"impl/window.py", "impl/page_table.py", "impl/page_pool.py", "impl/cache.py", "impl/host.py"} <= {
        file for file in files() if is_core(file)
    }
    assert not any(map(is_core, ("impl/export.py", "impl/chip/isa.py", "impl/lm/model.py", "impl/studies/traces.py")))


def test_only_a_failed_test_is_a_kill(project: Path) -> None:
    done = report(["impl/toy.py"])
    assert done.total.counts == {"killed": 1, "survived": 3, "timed out": 1, "crashed": 1, "equivalent": 0}
    assert done.total.shown() == "16.6 %"
    assert [(each.mutant.name[-1], each.fate, each.mutant.tests) for each in done.survivors] == [
        ("1", "survived", True),
        ("4", "timed out", True),
        ("6", "crashed", True),
        ("5", "survived", False),
        ("3", "survived", True),
    ]
    assert [each.mutant.name[-1] for each in most_interesting(done.survivors, 10)] == ["1", "4"]
    assert changed_lines(done.survivors[0].diff) == "-if a > 9:\n+if a >= 9:"
    assert any("impl/toy.py: 16.6 %" in sentence for sentence in done.wrong)


def test_a_hundred_per_cent_is_good(project: Path) -> None:
    write_results(project, [1] * 6)
    assert report(["impl/toy.py"]).wrong == []
    write_results(project, [1, 1, 0, 1, 1, 1])
    assert report(["impl/toy.py"]).wrong != []


def test_equivalent_mutants_do_not_count(project: Path) -> None:
    write_results(project, [0, 1, 1, 1, 1, 1])
    listed(project, entry("if a > 9:", "if a >= 9:", "proof = 'z3'"))
    done = report(["impl/toy.py"])
    assert done.wrong == []
    assert done.total.counts["equivalent"] == 1
    assert done.total.percent() == 100
    assert done.survivors == []


def test_stale_entries_fail(project: Path) -> None:
    write_results(project, [1] * 6)
    listed(project, entry("if a > 9:", "if a >= 9:", "proof = 'z3'"), entry("return a + b", "return a", "proof = 'z3'"))
    faults = report(["impl/toy.py"]).wrong
    assert [fault.split(":")[0] for fault in faults] == ["stale", "stale"]
    assert "a test notices impl/toy.py add: -if a > 9:" in faults[0] + faults[1]
    assert "no mutant is impl/toy.py add: -return a + b" in faults[0] + faults[1]


def test_entries_of_what_crashes_or_is_gone_are_stale(project: Path) -> None:
    write_results(project, [1, 1, 1, 1, 1, 3])
    gone = "[[mutant]]\nfile = 'impl/gone.py'\nfunction = 'f'\ndiff = '-a'\nproof = 'z3'\n"
    listed(project, entry("if a > 9:", "if b > 9:", "proof = 'z3'"), gone)
    assert report(["impl/toy.py"]).wrong[:2] == [
        "stale: there is no file of impl/gone.py f: -a",
        "stale: a test notices impl/toy.py add: -if a > 9:",
    ]


def test_an_entry_comes_once(project: Path) -> None:
    write_results(project, [0, 1, 1, 1, 1, 1])
    listed(project, *[entry("if a > 9:", "if a >= 9:", "proof = 'z3'")] * 2)
    assert any(fault.startswith("twice") for fault in report(["impl/toy.py"]).wrong)


def test_few_arguments_are_allowed(project: Path) -> None:
    """One of six mutants is more than 2 %."""
    write_results(project, [0, 1, 1, 1, 1, 1])
    listed(project, entry("if a > 9:", "if a >= 9:"))
    assert any("more than 2 %" in fault for fault in report(["impl/toy.py"]).wrong)


@pytest.mark.parametrize(
    "text",
    [
        entry("a", "b", ""),
        entry("a", "b", "argument = 'x'\nproof = 'z3'"),
        entry("a", "b", "argument = ' '"),
        entry("a", "b", "argument = 7"),
        entry("a", "b", "argument = 'x'\nmore = 'y'"),
        entry("a", "b").replace("-a", "a").replace("+b", "b"),
        "[[mutant]]\nfile = 'impl/toy.py'\n",
        "mutant = 7",
        "mutant = [7]",
        "[[mutants]]",
        "= nonsense",
        "\udcff",
    ],
)
def test_a_list_that_is_none_is_refused(project: Path, text: str) -> None:
    listed(project, text)
    with pytest.raises(UsageError, match=r"equivalent_mutants\.toml"):
        load()


def test_mutants_that_were_not_tested_are_no_result(project: Path) -> None:
    write_results(project, [1] * 6)
    meta = project / "mutants" / "impl" / "toy.py.meta"
    meta.write_text(meta.read_text().replace(f'"{NAMES[2]}": 1', f'"{NAMES[2]}": null'))
    with pytest.raises(UsageError, match="was not tested"):
        report(["impl/toy.py"])
    (project / "impl" / "other.py").write_text("")
    write_results(project, [1] * 6)
    for asked in (["impl/other.py"], ["impl/toy.py", "impl/other.py"]):
        with pytest.raises(UsageError, match=r"no tested mutants of 'impl/other\.py'"):
            report(asked)
    meta.write_text(meta.read_text()[:99])
    with pytest.raises(UsageError, match=r"about 'impl/toy\.py' was cut off"):
        report(["impl/toy.py"])


def test_what_is_left_out_is_named(project: Path) -> None:
    write_results(project, [1] * 6)
    (project / "impl" / "toy.py").write_text(
        "class Toy:\n    @property\n    def size(self): ...\n    @staticmethod\n    def make(): ...\n\ndef add(): ...\n"
    )
    assert report(["impl/toy.py"]).not_mutated == ["impl/toy.py Toy.size"]


@pytest.mark.parametrize("sign", ["# pragma: no" + " mutate", "do_not" + "_mutate", "only" + "_mutate"])
def test_nothing_of_the_source_is_left_out_by_hand(sign: str) -> None:
    paths = [ROOT / "setup.cfg", ROOT / "pyproject.toml", *(ROOT / "impl").rglob("*.py")]
    assert [str(path) for path in paths if sign.removeprefix("# ") in path.read_text(encoding="utf-8")] == []


def test_results_of_something_else_are_no_pass(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_results(project, [1] * 6)
    STAMP.write_text(_everything_used())
    assert command.main(["impl/toy.py", "--report"]) == 0
    (project / "tests" / "test_toy.py").write_text("")
    assert command.main(["impl/toy.py", "--report"]) == 1
    assert "FAILED: the source, the tests or the packages have changed" in capsys.readouterr().out


def test_every_package_counts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    STAMP.write_text(_everything_used())
    assert not outdated()
    every = [SimpleNamespace(name=each.name, version=each.version) for each in distributions()]
    every[-1].version += "1"
    monkeypatch.setattr("kvproof.mutation.run.distributions", lambda: every)
    assert outdated()


def test_the_command(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    STAMP.write_text(_everything_used())
    arguments = ["impl/toy.py", "--report", "--json", "out.json", "--plot", "out.svg"]
    assert command.main(arguments) == 1
    said = capsys.readouterr().out
    for text in ("Mutants by file", "Mutants by function", "impl.toy.x_add__mutmut_1  (survived)", "+    if a >= 9:"):
        assert text in said
    assert "FAILED: impl/toy.py: 16.6 % of the mutants are killed, the target is 100 %" in said
    data = json.loads(Path("out.json").read_text())
    assert data["total"]["mutants"] == 6
    assert len(data["not_killed"]) == 5
    assert data["functions"][0]["what"] == "impl/toy.py add"
    assert "<svg" in Path("out.svg").read_text()
    write_results(project, [1] * 6)
    assert command.main(["impl/toy.py", "--report"]) == 0
    assert "PASS: 100.0 % of 6 mutants" in capsys.readouterr().out


def test_bad_usage(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert command.main(["impl/nothing.py"]) == 2
    assert "'impl/nothing.py' is not mutated" in capsys.readouterr().err
    assert command.main(["--processes", "0"]) == 2
    assert command.main(["--core", "--json", "nowhere/out.json"]) == 2
    assert command.main(["--help"]) == 0
    (project / "setup.cfg").unlink()
    assert command.main([]) == 2
    assert "call this in its folder" in capsys.readouterr().err

    def interrupted(*_: object) -> tuple[float, int]:
        raise KeyboardInterrupt

    (project / "setup.cfg").write_text("")
    monkeypatch.setattr(command, "run", interrupted)
    assert command.main([]) == 130


def test_a_file_where_the_mutants_belong_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rmtree(project / "mutants")
    (project / "mutants").write_text("")
    assert command.main([]) == 2
    assert capsys.readouterr().err == "kvproof.mutation: 'mutants': File exists\n"


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


def test_whole_functions_go_on_as_one_pattern() -> None:
    assert _together([*NAMES[2:], "impl.toy.x_sub__mutmut_1", "impl.toy.x_sub__mutmut_2"], NAMES[:2]) == [
        *NAMES[2:],
        "impl.toy.x_sub__mutmut_*",
    ]


def test_a_run_that_fails_is_no_result(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda words, **_: subprocess.CompletedProcess(words, 1))
    with pytest.raises(UsageError, match="mutmut ended with exit status 1"):
        run(["impl/toy.py"], 2)
