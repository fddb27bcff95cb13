# SPDX-License-Identifier: Apache-2.0
"""The report on mutants: what counts as killed, what an equivalent mutant has to bring, what fails it."""

import json
from pathlib import Path
from shutil import rmtree

import pytest

from kvproof.errors import UsageError
from kvproof.mutation import __main__ as command
from kvproof.mutation.equivalents import load
from kvproof.mutation.report import report
from kvproof.mutation.results import CRASHED, KILLED, SURVIVED, TIMED_OUT, changed_lines, function_of, outcome, pattern
from kvproof.mutation.run import STAMP, _everything_used
from kvproof.mutation.survivors import most_interesting
from kvproof.mutation.targets import files, is_core
from tests.mutation.toy import NAMES, write_results

ROOT = Path(__file__).resolve().parent.parent.parent


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
