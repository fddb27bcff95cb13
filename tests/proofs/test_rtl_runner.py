# SPDX-License-Identifier: Apache-2.0
"""The runner of the RTL proofs on a tiny unit: what holds holds, and nothing else is taken for it."""

import json
import threading
import time
import xml.etree.ElementTree as ElementTree
from contextlib import suppress
from pathlib import Path

import pytest

from proofs.evidence import REFUTED, TIMEOUT, VACUOUS, Options
from proofs.rtl import run
from proofs.rtl.group import read
from proofs.rtl.judging import UNCHANGED
from proofs.rtl.outcome import Outcome
from proofs.rtl.tools import ToolMissing
from tests.proofs.tiny_unit import proved, write

HARD = {
    ".sv": ("(n <= 4'd9)", "(x * y != 64'd2362046525439665803)"),
    "_harness.sv": (
        "    reg ready = 0;\n",
        "    reg ready = 0;\n    (* anyconst *) reg [30:0] x;\n    (* anyconst *) reg [30:0] y;\n",
    ),
}
"""Changes after which a proof has to find the factors of a large number."""


def test_what_holds_is_proved_once_and_kept_until_something_changes(work: Path) -> None:
    place = write(work)
    found, said = proved(place)
    assert {name: result.short for name, result in found.items()} == {"small": "", "twelve": ""}
    assert found["small"].strength == "PROVED for four bits"
    assert found["twelve"].covers == "1/1"
    assert found["small"].controls[0].found == "a_small fails in cycle 12, a_not_twelve fails in cycle 14"
    assert found["small"].seconds > 0.1
    assert [line.split(",")[0] for line in said] == [f"{number} of 3 runs of sby" for number in (1, 2, 3)]
    again, _ = proved(place)
    assert {result.note for result in again.values()} == {UNCHANGED}
    assert again["small"].seconds == 0.0
    assert again["small"].controls == found["small"].controls
    source = place.rtl / "tiny.v"
    source.write_text(source.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert proved(place, only="small")[0]["small"].note == ""
    assert proved(place, only="small")[0]["small"].note == UNCHANGED
    assert proved(place, force=True, only="small")[0]["small"].note == ""


def test_what_is_false_is_refuted_with_a_picture_and_not_kept(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = write(work, {".sv": ("(n <= 4'd9)", "(n != 4'd1)")})
    monkeypatch.chdir(work)
    found, _ = proved(place)
    small = found["small"]
    assert small.strength == REFUTED
    assert small.short.startswith("a_small fails in cycle 3: out/tiny/a_small.vcd, out/tiny/a_small.svg; task prove of")
    assert "$enddefinitions" in (work / "out/tiny/a_small.vcd").read_text(encoding="utf-8")
    texts = [node.text for node in ElementTree.parse(work / "out/tiny/a_small.svg").iter() if node.tag.endswith("text")]
    assert {"tiny: a_small", "3 fails", "n [4]", "ready"} <= set(texts)
    assert found["twelve"].strength == TIMEOUT
    assert "a_not_twelve is unknown" in found["twelve"].short
    assert not (work / "out/tiny/prove.json").exists()
    write(work)
    assert proved(place, only="small")[0]["small"].short == ""
    assert not (work / "out/tiny/a_small.svg").exists()


def test_what_is_not_inductive_is_no_proof(work: Path) -> None:
    place = write(work, {".sv": ("(n <= 4'd9)", "(n != 4'd11)")})
    found, _ = proved(place)
    assert found["twelve"].strength == TIMEOUT
    both = found["small"].short + found["twelve"].short
    assert "does not follow by induction: " in both
    assert "ends with UNKNOWN" in both


def test_a_cover_that_is_not_reached_falls_short(work: Path) -> None:
    found, _ = proved(write(work, {".sv": ("cover (n == 4'd2)", "cover (n == 4'd10)")}))
    assert found["small"].strength == "PROVED for four bits"
    assert found["small"].short == found["twelve"].short == "not reached: c_two"
    assert found["small"].covers == "0/1"
    assert not (work / "out/tiny/cover.json").exists()
    assert (work / "out/tiny/prove.json").exists()


def test_assumptions_that_contradict_each_other_fall_short(work: Path) -> None:
    found, _ = proved(write(work, {".sv": ("assume (rst)", "assume (rst && !rst)")}))
    assert {result.strength for result in found.values()} == {VACUOUS}
    assert "Assumptions are unsatisfiable" in found["small"].short
    assert "not reached: c_two" in found["small"].short
    assert not list((work / "out/tiny").glob("*.json"))


def test_a_bug_that_is_not_caught_falls_short(work: Path) -> None:
    found, _ = proved(write(work, {".toml": ("4'd14", "4'd11")}))
    told = "'it does not stop' does not break a_not_twelve within 16 cycles; not refuted: it does not stop"
    assert {result.short for result in found.values()} == {told}
    assert not (work / "out/tiny/bug-1.json").exists()


@pytest.mark.parametrize(
    ("new", "count"), [("n < 4'd9) n <= n + 4'd10", 0), ("n != 4'd9 && n != 4'd9) n <= n + 4'd1", 2)]
)
def test_a_bug_that_does_not_fit_falls_short_and_hides_no_failure(work: Path, new: str, count: int) -> None:
    """The change of the source that it does not fit to may be what is wrong."""
    found, _ = proved(write(work, {".v": ("n != 4'd9) n <= n + 4'd1", new)}))
    assert f'(ERROR: "n != 4\'d9" occurs {count} times in tiny.v, not once)' in found["small"].short
    assert found["small"].strength == ("PROVED for four bits" if count else REFUTED)
    assert (work / "out/tiny/a_small.vcd").exists() == (work / "out/tiny/a_small.svg").exists() == (count == 0)


def test_a_bug_that_is_not_reached_in_its_depth_falls_short(work: Path) -> None:
    found, _ = proved(write(work, {".toml": ("depth = 16", "depth = 5")}), only="small")
    assert "does not break a_small, a_not_twelve within 5 cycles" in found["small"].short


def test_a_run_out_of_time_falls_short(work: Path) -> None:
    found, _ = proved(write(work, {".sby": ("timeout 60", "timeout 3"), **HARD}), only="small")
    assert found["small"].strength == TIMEOUT
    assert "task prove of tiny.sby ends with TIMEOUT" in found["small"].short
    assert "Reached TIMEOUT (3 seconds)" in found["small"].short
    assert not (work / "out/tiny/prove.json").exists()


def test_a_source_that_yosys_refuses_falls_short(work: Path) -> None:
    found, _ = proved(write(work, {".v": ("if (rst)", "if rst")}), only="small")
    assert found["small"].strength == TIMEOUT
    assert "ends with ERROR" in found["small"].short
    assert "syntax error" in found["small"].short


def test_a_program_that_is_missing_falls_short(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(name: str) -> str:
        raise ToolMissing(f"there is no {name}")

    monkeypatch.setattr(run, "program", nowhere)
    found, _ = proved(write(work), only="small")
    assert "ends with ERROR: there is no yowasp-sby" in found["small"].short


def test_a_kept_result_that_is_no_success_is_not_used(work: Path) -> None:
    place = write(work)
    job = next(job for job in run.jobs(read(place).units["tiny"]) if job.name == "prove")
    file = place.out / "tiny" / "prove.json"
    file.parent.mkdir(parents=True)
    labels = {"a_small": {"status": "PASS", "kind": "assert", "cycle": 0, "trace": ""}}
    outcome = {"verdict": "PASS", "mode": "prove", "labels": labels}
    for wrong in (
        {"key": "another", "outcome": outcome},
        {"key": run.key(place, job), "outcome": {**outcome, "verdict": "UNKNOWN"}},
        {
            "key": run.key(place, job),
            "outcome": {**outcome, "labels": {"a_small": {"status": "FAIL", "kind": "assert"}}},
        },
        {"key": run.key(place, job), "outcome": {**outcome, "more": 1}},
        {"key": run.key(place, job)},
    ):
        file.write_text(json.dumps(wrong), encoding="utf-8")
        assert run.kept(place, job) is None
    file.write_text(json.dumps({"key": run.key(place, job), "outcome": outcome}), encoding="utf-8")
    assert run.kept(place, job) is not None


def test_two_runners_do_not_run_the_same_at_once(work: Path) -> None:
    place = write(work)
    job = run.jobs(read(place).units["tiny"])[1]
    found: list[Outcome] = []
    threads = [threading.Thread(target=lambda: found.append(run.Runner(place).run(job))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(outcome.unchanged for outcome in found) == [False, True]


def running(folder: Path) -> list[str]:
    """What runs inside a folder, by the number of its process."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it has just ended
            if place.resolve().is_relative_to(folder):
                found.append(place.parent.name)
    return found


def test_an_interrupted_run_leaves_nothing_running(work: Path) -> None:
    place = write(work)

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    catalogue = read(place)
    with pytest.raises(KeyboardInterrupt):
        catalogue.prove(catalogue.claims(), Options(), lambda _: None, interrupt)
    assert len(list((work / "out/tiny").glob("*.json"))) <= 2
    assert running(work) == []


def test_what_runs_is_ended_when_the_runner_is_stopped(work: Path) -> None:
    place = write(work, HARD)
    runner = run.Runner(place)
    job = run.jobs(read(place).units["tiny"])[0]
    found: list[Outcome] = []
    thread = threading.Thread(target=lambda: found.append(runner.run(job)))
    thread.start()
    while not (work / "out/tiny/prove/engine_0/logfile_basecase.txt").exists():
        assert thread.is_alive()
        time.sleep(0.1)
    assert running(work) != []
    runner.stop()
    thread.join(timeout=30)
    assert not thread.is_alive()
    assert not run.succeeded(job, found[0])
    assert running(work) == []
    with pytest.raises(InterruptedError):
        runner.run(job)
