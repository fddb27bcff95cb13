# SPDX-License-Identifier: Apache-2.0
"""`python -m proofs` from outside: what it exits with and prints, also when the code or the prover itself is broken.

The broken ones are copies of our sources with one change, so that nothing is patched inside the process that runs.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from proofs.__main__ import chosen

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what the proofs need."""
    for name in ("spec", "impl", "proofs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def prove(folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and everything printed."""
    command = [sys.executable, "-m", "proofs", *arguments]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    return run.returncode, run.stdout + run.stderr


def change(folder: Path, file: str, old: str, new: str) -> None:
    """Change one place in one file of a copy."""
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {file}"
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


def only(*names: str) -> list[str]:
    return [word for name in names for word in ("--only", name)]


def test_what_holds_exits_with_0_and_writes_its_queries(tmp_path: Path) -> None:
    file = tmp_path / "new" / "proofs.json"
    code, said = prove(ROOT, *only("W2.a", "W10.d"), "--json", str(file), "--out", str(tmp_path / "out"))
    assert code == 0, said
    assert "all 2 claims hold (2 PROVED); 3 of 3 wrong variants refuted" in said
    data = json.loads(file.read_text(encoding="utf-8"))
    assert [found["id"] for found in data["results"]] == ["W2.a", "W10.d"]
    told = [control["found"] for control in data["results"][0]["controls"]]
    assert told[0] == "P=2, W=2, S=0, after step 2: page 0 still holds row 1, which step 3 reads"
    assert sorted(path.name for path in (tmp_path / "out" / "smt").iterdir()) == [
        "W10.d.last_page.smt2",
        "W10.d.smt2",
        "W2.a.smt2",
    ]
    query = (tmp_path / "out" / "smt" / "W2.a.smt2").read_text(encoding="utf-8")
    assert query.startswith("; No page that the trim after step L releases")
    assert "(set-info :status unsat)\n(set-logic ALL)" in query


BROKEN = {
    "a page goes too early": (
        "impl/window.py",
        "return keep // page",
        "return -(-keep // page)",
        "W2.a",
        "W2.a falls short: false for index = 0, row = 1, step = 2, later = 3, window = 2, sinks = 0, page = 2; is REF",
    ),
    "a page goes too late": (
        "impl/window.py",
        "return max(0, step + 1 - (window - sinks))",
        "return max(0, step - (window - sinks))",
        "W2.b",
        "W2.b falls short: false for index = 0, step = 1, window = 1, sinks = 0, page = 1; is REFUTED",
    ),
    "the spec reads one token more": (
        "spec/window.py",
        "new_token - row < window - sinks",
        "new_token - row <= window - sinks",
        "W1.a",
        "W1.a falls short: false for row = 0, step = 2, window = 1; is REFUTED",
    ),
    "the code is not in the liftable language": (
        "impl/window.py",
        "return min(step, window)",
        "return sorted((step, window))[0]",
        "W1.b",
        "an expression of kind Subscript has no translation",
    ),
    "the solver knows nothing": (
        "proofs/solve.py",
        "    answer = solver.check()\n",
        "    answer = z3.unknown\n",
        "W1.b",
        "W1.b falls short: hypotheses not shown satisfiable",
    ),
    "the solver calls everything proved": (
        "proofs/solve.py",
        "    answer = solver.check()\n",
        "    answer = z3.unsat\n",
        "W1.b",
        "W1.b falls short: the hypotheses contradict each other; is VACUOUS; not refuted: the context is W+1",
    ),
    "the lifter means something else by //": (
        "proofs/lift.py",
        "return a / b if self._is_positive(b, path)",
        "return (a - b + 1) / b if self._is_positive(b, path)",
        "W10.a",
        "W10.a falls short: z3's counterexample",
    ),
    "a contract is wrong": (
        "impl/window.py",
        "post: window - 1 <= _ <= window\n",
        "post: window - 1 <= _ <= window - 1\n",
        "C2",
        "C2 falls short: ring_rows: REFUTED",
    ),
}


@pytest.mark.parametrize("name", list(BROKEN))
def test_what_is_broken_exits_with_1_and_says_why(copy: Path, name: str) -> None:
    file, old, new, claim, reason = BROKEN[name]
    change(copy, file, old, new)
    code, said = prove(copy, "--only", claim)
    assert code == 1, said
    assert reason in " ".join(said.split())
    assert "1 of 1 FALL SHORT" in said


def test_a_contract_that_crosshair_refutes_or_gives_up_on_falls_short(copy: Path) -> None:
    change(copy, "impl/window.py", "post: window - 1 <= _ <= window\n", "post: window - 1 <= _ <= window - 1\n")
    change(
        copy, "impl/window.py", "post: _ * page <= row < (_ + 1) * page\n", "post: _ * page <= row < (_ + 1) * page +\n"
    )
    code, said = prove(copy, "--only", "C1")
    told = " ".join(said.split())
    assert code == 1, said
    assert "ring_rows, line" in told
    assert "false when calling ring_rows(" in told
    assert "page_of, line" in told


def test_a_stale_readme_fails_a_full_run_only(copy: Path) -> None:
    change(copy, "proofs/catalogue.py", "GROUPS = (", "GROUPS = ('proofs.few',)\nOTHERS = (")
    few = "from proofs.window import CLAIMS as ALL, prove as prove\nCLAIMS = ALL[:2]\n"
    (copy / "proofs" / "few.py").write_text(few, encoding="utf-8")
    readme = copy / "README.md"
    readme.write_text("<!-- proofs:begin --><!-- proofs:end -->\n", encoding="utf-8")
    code, said = prove(copy)
    assert code == 1
    assert "the proofs in README.md are STALE" in said
    assert prove(copy, "--quick")[0] == 0
    assert prove(copy, "--readme-table") == (0, "")
    code, said = prove(copy, "--again", "--json", "all.json")
    assert code == 0, said
    assert "cvc5 re-checked 2 of 2 claims" in said
    assert prove(copy)[0] == 0
    assert "| W1.b | With its new token" in readme.read_text(encoding="utf-8")
    assert "| W1.b | With its new token" in (copy / "out" / "proofs.md").read_text(encoding="utf-8")
    data = json.loads((copy / "out" / "proofs.json").read_text(encoding="utf-8"))
    assert data["ok"] is True
    again = json.loads((copy / "all.json").read_text(encoding="utf-8"))["again"]
    assert [item["verdict"] for item in again] == ["agrees", "agrees"]
    code, said = prove(copy, "--stable")
    assert code == 0, said
    assert "all 2 claims hold with each of 5 seeds" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "W99"], "no claim is called 'W99'; the ids are W1.a, "),
        (["--only", "W1.a", "--only", ""], "no claim is called ''; the ids are W1.a, "),
        (["--unit", "dmx"], "no unit is called dmx; the units are "),
        (["--unit", "dma", "--quick"], "no claim is left"),
        (["--budget", "0"], "is not a number above 0"),
        (["--timeout", "soon"], "'soon' is not a number above 0"),
        (["--json", "."], "'.' is a folder"),
        (["--json", "/proc/none.json"], "cannot write '/proc/none.json'"),
        (["--out", "/proc/none"], "cannot write '/proc/none'"),
        (["--out", "README.md"], "cannot write 'README.md'"),
        (["--nothing"], "unrecognized arguments"),
        (["--only", "C1", "--quick"], "no claim is left"),
    ],
)
def test_bad_usage_exits_with_2(arguments: list[str], message: str) -> None:
    code, said = prove(ROOT, *arguments)
    assert code == 2
    assert message in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("only", "ids"),
    [
        (["W3.a"], ["W3.a"]),
        (["W1"], ["W1.a", "W1.b", "W1.c", "W1.d", "W1.e", "W1.f", "W1.g", "W1.h"]),
        (["C", "E1"], ["C1", "C2", "C3", "E1"]),
    ],
)
def test_a_claim_is_named_by_its_id_or_by_how_it_begins(only: list[str], ids: list[str]) -> None:
    assert [claim.id for _, claim in chosen(only, [], False)] == ids


def test_a_unit_is_chosen_with_all_its_claims() -> None:
    ids = [claim.id for _, claim in chosen([], ["dma"], False)]
    assert len(ids) > 1
    assert all(id.startswith("dma.") for id in ids)
    assert chosen(["dma.bus"], ["dma"], False) == [job for job in chosen([], ["dma"], False) if job[1].id == "dma.bus"]
    assert chosen([], ["dma"], False, solver=True) == []


@pytest.mark.parametrize("width", [80, 100, 132])
def test_the_table_is_as_wide_as_the_screen(tmp_path: Path, width: int) -> None:
    command = [sys.executable, "-m", "proofs", "--only", "W1.g", "--out", str(tmp_path)]
    environment = {**os.environ, "COLUMNS": str(width)}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=True)
    assert max(map(len, run.stdout.splitlines())) <= width
    assert ("method" in run.stdout.splitlines()[0].split()) == (width >= 120)
    assert "1/1 refuted" in " ".join(run.stdout.split())


def test_help_has_an_example() -> None:
    code, said = prove(ROOT, "--help")
    assert code == 0
    assert "python -m proofs --unit dma" in said


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM"])
def test_an_interrupted_run_says_what_was_done(copy: Path, sent: str) -> None:
    change(copy, "proofs/catalogue.py", "GROUPS = (", "GROUPS = ('proofs.few',)\nOTHERS = (")
    few = (
        "from dataclasses import replace\nimport os, signal\nfrom proofs import window\n"
        "CLAIMS = (window.CLAIMS[0], replace(window.CLAIMS[1], exclusive=True))\n"
        "def prove(claim, options, progress):\n"
        "    if claim.exclusive:\n        os.kill(os.getpid(), signal.SENT)\n"
        "    return window.prove(claim, options, progress)\n"
    )
    (copy / "proofs" / "few.py").write_text(few.replace("SENT", sent), encoding="utf-8")
    code, said = prove(copy)
    assert code == 130
    assert "interrupted after 1 of 2 claims" in said
    assert "Traceback" not in said


def test_a_report_that_cannot_be_written_is_a_message(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where a folder should be", encoding="utf-8")
    code, said = prove(ROOT, *only("W1.b"), "--json", str(tmp_path / "out" / "x.json"))
    assert code == 2
    assert "Traceback" not in said
