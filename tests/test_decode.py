# SPDX-License-Identifier: Apache-2.0
"""`kvproof decode`: its figures, what it prints, the picture, the Verilog, and what makes it fail."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from impl.cache import PagedCache
from impl.chip import cosim, simulators
from impl.chip.config import Config
from impl.chip.place import CompileError
from impl.host import ROW, Host, PlainRows, Programs, Step
from impl.lm.model import Model, random_model, structured
from impl.lm.quantise import Quantised, quantise
from impl.studies.decode import decode, failures, figures, model_named, strays
from kvproof.cli import main
from kvproof.commands.decode import windows


@pytest.fixture
def runs() -> tuple[list[Step], list[Step]]:
    """Ten steps of the structured model with a window of 4, over pages of 4 and over lists."""
    paged, plain, programs = decode(model_named("structured", 0), 4, 4, 10, 0)
    assert programs == 4
    return paged, plain


def test_the_figures_of_a_good_run(runs: tuple[list[Step], list[Step]]) -> None:
    data = figures(4, 4, *runs, 4)
    assert data["failures"] == []
    assert [step["next"] for step in data["steps"]] == [3, 2, 13, 4, 7, 6, 1, 8, 11, 10]
    assert [step["token"] for step in data["steps"]] == [0, 3, 2, 13, 4, 7, 6, 1, 8, 11]
    assert [step["pages"] for step in data["steps"]] == [0, 1, 1, 1, 1, 2, 2, 1, 1, 2]
    assert (data["pages_peak"], data["pages_peak_within_step"], data["programs"]) == (2, 2, 4)
    assert data["steps"][0] | {"token": 0} == {
        "step": 1, "token": 0, "next": 3, "context": 1, "pages": 0,
        "total": 704, "dma": 340, "mm": 266, "sm": 32, "vec": 6, "data_words": 337,
    }  # fmt: skip
    assert data["cycles"] == sum(step["total"] for step in data["steps"])
    assert data["data_words"] == 337 + 345 + 353 + 361 * 7
    assert data["cycles_per_data_word"] == round(data["cycles"] / data["data_words"], 3)
    assert strays(runs[0]) == []


def test_the_peak_is_read_after_each_trim(runs: tuple[list[Step], list[Step]]) -> None:
    """After step 5 rows 2 … 4 are needed, in two pages; before it rows 1 … 3 were in one."""
    data = figures(4, 4, runs[0][:5], runs[1][:5], 4)
    assert (data["pages_peak"], data["steps"][-1]["pages"], data["failures"]) == (2, 1, [])


def test_what_is_not_as_it_has_to_be_is_named(runs: tuple[list[Step], list[Step]]) -> None:
    paged, plain = runs
    wrong = list(paged)
    wrong[2] = replace(wrong[2], row=wrong[2].row + np.int8(1))
    assert failures(4, 4, wrong, plain, 4) == ["step 3: pages and lists give different integers"]
    wrong = list(paged)
    wrong[9] = replace(wrong[9], pages=1)
    assert failures(4, 4, wrong, plain, 4) == ["step 10: 1 pages in use, the formula says 2"]
    assert failures(4, 4, paged, plain, 5) == ["5 programs, the formula says 4"]
    for number in (4, 8, 10):
        wrong = list(paged)
        wrong[number - 1] = replace(paged[number - 1], result=paged[0].result)
        assert failures(4, 4, wrong, plain, 4) == ["the cycles are not the same from step 4 on"]
    wrong = list(paged)
    wrong[7] = replace(paged[7], following=5)
    assert strays(wrong) == ["step 8: 5 follows 1, the structured model says 8"]


def test_both_runs_are_those_of_the_host() -> None:
    """A random model, quantised for its window of 3 and five steps, from token 2 on."""
    rows = PlainRows()
    rows.new(0)
    expected = Host(Programs(quantise(random_model(1), 3, 5)), rows, 3).greedy(0, 2, 5)
    paged, plain, programs = decode(random_model(1), 3, 2, 5, 2)
    assert programs == 3
    for steps in (paged, plain):
        assert [step.integers() for step in steps] == [step.integers() for step in expected]
    assert [step.pages for step in paged] == [0, 1, 1, 2, 1]
    assert [step.pages for step in plain] == [0] * 5
    with pytest.raises(CompileError):
        decode(random_model(1), 3, 2, 5, 2, Config(max_context=2))


def test_a_run_is_calibrated_for_itself_and_has_just_the_pages_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pages of 2 rows for a window of 3; without one, those of a window of 4, which three steps do not fill."""
    asked: list[tuple[object, ...]] = []

    class Noted(PagedCache):
        def __init__(self, *given: Any) -> None:
            asked.append(given)
            super().__init__(*given)

    def noted(model: Model, *given: Any) -> Quantised:
        asked.append(given)
        return quantise(model, *given)

    monkeypatch.setattr("impl.studies.decode.PagedCache", Noted)
    monkeypatch.setattr("impl.studies.decode.quantise", noted)
    for window, steps in ((3, 5), (None, 3)):
        asked.clear()
        decode(structured(), window, 2, steps, 0)
        assert asked == [(window, steps), (2 if window else 3, 2, ROW, np.int8)]


def test_without_a_window_everything_stays() -> None:
    """Six rows in pages of 4; as many programs as steps, of which no two take the same cycles, and none has to."""
    paged, plain, programs = decode(structured(), None, 4, 6, 0)
    data = figures(None, 4, paged, plain, programs)
    assert (data["window"], data["page"], data["failures"]) == (None, 4, [])
    assert (programs, data["pages_peak"], data["pages_peak_within_step"]) == (6, 2, 2)
    assert (data["cycles"], data["data_words"], data["cycles_per_data_word"]) == (4414, 2142, 2.061)
    assert failures(None, 4, paged, plain, 7) == ["7 programs, the formula says 6"]
    wrong = [replace(step, pages=2) for step in paged]
    expected = [1 if step > 1 else 0 for step in range(1, 6)]
    assert failures(None, 4, wrong, plain, 6) == [
        f"step {step}: 2 pages in use, the formula says {count}" for step, count in enumerate(expected, 1)
    ]


def test_a_run_that_stops_early_is_no_run_to_compare_with(runs: tuple[list[Step], list[Step]]) -> None:
    paged, plain = runs
    with pytest.raises(ValueError, match="shorter"):
        failures(4, 4, paged, plain[:-1], 4)


def test_a_random_model_depends_on_its_seed() -> None:
    chosen = [[step.following for step in decode(model_named("random", seed), 6, 3, 12, 3)[0]] for seed in (1, 1, 2)]
    assert chosen[0] == chosen[1] != chosen[2]


def test_the_command_prints_writes_and_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    data, picture = tmp_path / "decode.json", tmp_path / "cycles.svg"
    words = ["decode", "--window", "none,8,4", "--json", str(data), "--plot", str(picture)]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    for expected in ("tokens 0 3 2 13 4 7 6 1 8 11 10 5 12 15 14 9 0 3", "1,057", "782", "742", "PASS same integers"):
        assert expected in printed
    report = json.loads(data.read_text())
    assert [run["window"] for run in report["runs"]] == [None, 8, 4]
    assert [run["programs"] for run in report["runs"]] == [32, 8, 4]
    assert [run["pages_peak"] for run in report["runs"]] == [8, 3, 2]
    assert [run["cycles"] for run in report["runs"]] == [28296, 24736, 23676]
    assert report["simulators"] == []
    first = picture.read_bytes()
    assert main(words) == 0
    assert picture.read_bytes() == first


def test_the_programs_run_on_the_verilog(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "decode.json"
    assert main(["decode", "--window", "2", "--steps", "3", "--sim", "icarus", "--json", str(data)]) == 0
    line = "PASS programs=3 cycles=2148 waits=0"
    assert f"icarus, window 2: {line}" in capsys.readouterr().out
    assert json.loads(data.read_text())["simulators"] == [
        {"simulator": "icarus", "window": 2, "passed": True, "line": line}
    ]


def test_what_the_verilog_does_otherwise_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "FAIL record=1 counter total: expected 722, got 723"
    monkeypatch.setattr(cosim, "replay", lambda name, config, records: cosim.Outcome(name, line, False, record=1))
    assert main(["decode", "--steps", "3", "--sim", "icarus"]) == 1
    assert f"icarus, window none: {line}" in capsys.readouterr().out


def test_a_figure_that_is_wrong_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("impl.studies.decode.failures", lambda *run: ["step 2: wrong"])
    assert main(["decode", "--steps", "3", "--window", "2"]) == 1
    printed = capsys.readouterr().out
    assert "FAIL window 2: step 2: wrong" in printed
    assert "PASS" not in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--window", "0"], "not a whole number of at least 1"),
        (["--window", "8,8"], "names a window twice"),
        (["--start", "16"], "not a token"),
        (["--start", "-1"], "not a token"),
        (["--plot", "cycles.pdf"], "call it .svg or .png"),
        (["--steps", "65"], "use fewer steps or a smaller window"),
    ],
)
def test_bad_usage(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decode", *words]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_missing_simulator_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(simulators, "BUILD", tmp_path)
    assert main(["decode", "--steps", "1", "--sim", "icarus"]) == 2
    assert "iverilog is not installed. Install it with: " in capsys.readouterr().err


def test_windows() -> None:
    assert windows("none, 8,4") == (None, 8, 4)
