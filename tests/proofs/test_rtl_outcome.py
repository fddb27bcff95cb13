# SPDX-License-Identifier: Apache-2.0
"""What is made of the files of a run of sby and of what it says. Nothing runs here."""

import json
from pathlib import Path

import pytest

from proofs.rtl.outcome import Found, outcome_of
from proofs.rtl.sbyfile import SbyFile, read_sby
from tests.proofs.tiny_unit import write

CONFIG = """[options]
mode prove
depth 4
timeout 60

[engines]
smtbmc yices

[script]
read -formal tiny.v
read -formal tiny_harness.sv
prep -top tiny_harness

[files]
../rtl/tiny.v
tiny_harness.sv
"""


def said(*rows: dict[str, object]) -> str:
    """sby's live report with these rows, which assert unless they say something else."""
    return "".join(f"SBY 1:02:03 [x] jsonl: {json.dumps({'kind': 'ASSERT', **row})}\n" for row in rows)


@pytest.fixture
def sby(tmp_path: Path) -> SbyFile:
    return read_sby(write(tmp_path).formal / "tiny.sby")


def ended(folder: Path, status: str, config: str) -> Path:
    """A work folder of a run that ended so."""
    (folder / "status").write_text(status, encoding="utf-8")
    (folder / "config.sby").write_text(config, encoding="utf-8")
    return folder


def test_a_run_is_what_its_files_say(tmp_path: Path, sby: SbyFile) -> None:
    folder = ended(tmp_path, "PASS 0 1\n", CONFIG)
    found = outcome_of(sby, "prove", folder, "summary: successful proof by k-induction.\n", 1.5)
    assert (found.verdict, found.mode, found.depth, found.engine) == ("PASS", "prove", 4, "smtbmc yices")
    assert found.inductive
    assert found.said == ""
    assert not outcome_of(sby, "prove", folder, "", 1.5).inductive


@pytest.mark.parametrize(
    ("old", "new"),
    [("mode prove", "mode bmc"), ("depth 4", "depth 3"), ("yices", "z3"), ("prep", "prep -x"), ("../", "")],
)
def test_a_file_that_sby_reads_otherwise_is_an_error(tmp_path: Path, sby: SbyFile, old: str, new: str) -> None:
    folder = ended(tmp_path, "PASS 0 1\n", CONFIG.replace(old, new))
    found = outcome_of(sby, "prove", folder, "", 1.5)
    assert found.verdict == "ERROR"
    assert "something else to sby" in found.said


def test_a_run_without_files_is_an_error(tmp_path: Path, sby: SbyFile) -> None:
    told = "SBY 1:02:03 [x] ERROR: no such thing\nSBY 1:02:03 [x] more\n"
    assert outcome_of(sby, "prove", tmp_path, told, 1.5).said == "ERROR: no such thing"
    assert outcome_of(sby, "prove", tmp_path, "", 1.5).said == "sby said nothing"
    (tmp_path / "status").write_text("", encoding="utf-8")
    assert outcome_of(sby, "prove", tmp_path, "", 1.5).verdict == "ERROR"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([{"name": "t.a_x", "status": "UNKNOWN"}], {"a_x": Found("UNKNOWN", "assert")}),
        (
            [{"name": "t.a_x", "status": "UNKNOWN", "depth": 2}, {"name": "t.a_x", "status": "PASS"}],
            {"a_x": Found("PASS", "assert")},
        ),
        (
            [
                {"name": "t.a_x", "status": "FAIL", "depth": 3, "trace": "e/trace.vcd"},
                {"name": "t.a_x", "status": "FAIL", "depth": 3, "trace": "e/trace.yw"},
            ],
            {"a_x": Found("FAIL", "assert", 3, "e/trace.vcd")},
        ),
        (
            [{"name": "t.a_x", "status": "FAIL", "trace": "e/trace_induct.vcd"}],
            {"a_x": Found("UNKNOWN", "assert", 0, "e/trace_induct.vcd")},
        ),
        (
            [
                {"name": "t.\\g[0].p .a_x", "status": "PASS"},
                {"name": "t.\\g[1].p .a_x", "status": "FAIL", "depth": 7},
                {"name": "t.\\g[2].p .a_x ", "status": "PASS"},
            ],
            {"a_x": Found("FAIL", "assert", 7)},
        ),
        (
            [{"name": "t.p.a_x", "status": "PASS"}, {"name": "t.q.a_x", "status": "UNKNOWN"}],
            {"a_x": Found("UNKNOWN", "assert")},
        ),
        (
            [
                {"name": "t.p.c_x", "status": "PASS", "kind": "COVER"},
                {"name": "t.q.c_x", "status": "FAIL", "kind": "COVER"},
            ],
            {"c_x": Found("FAIL", "cover")},
        ),
    ],
)
def test_the_worst_word_on_a_label_counts(
    tmp_path: Path, sby: SbyFile, rows: list[dict[str, object]], expected: dict[str, Found]
) -> None:
    assert outcome_of(sby, "prove", ended(tmp_path, "FAIL 2 1\n", CONFIG), said(*rows), 1.5).labels == expected
