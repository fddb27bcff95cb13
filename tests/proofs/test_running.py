# SPDX-License-Identifier: Apache-2.0
"""What counts as short, claims run in processes, the second solver, the seed sweep, the README, the reports."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proofs import again, output, readme, report, stable
from proofs.catalogue import claims
from proofs.evidence import FAILED, PROVED, REFUTED, Claim, Control, Options, Result, judged, result
from proofs.quick import quick
from proofs.workers import prove_all
from tests.proofs import shared_group, slow_group

CLAIM = Claim("X1", "All is well.", "f", "z3", PROVED)
SIZED = replace(CLAIM, strength="EXHAUSTED to 4 pages")
REFUTATION = (Control("all is ill", "it is not"),)


@pytest.mark.parametrize(
    ("claim", "found", "options", "short"),
    [
        (CLAIM, result(CLAIM, PROVED, REFUTATION, 0.0), Options(), ""),
        (CLAIM, result(CLAIM, PROVED, (), 0.0), Options(), "has no wrong variant"),
        (CLAIM, result(CLAIM, PROVED, (Control("w", ""),), 0.0), Options(), "not refuted: w"),
        (CLAIM, result(CLAIM, "TESTED 5 runs", REFUTATION, 0.0), Options(), "claimed PROVED, reached TESTED 5 runs"),
        (CLAIM, result(CLAIM, "FINE", REFUTATION, 0.0), Options(), "is FINE"),
        (CLAIM, result(CLAIM, PROVED, REFUTATION, 0.0, "a lemma is missing"), Options(), "a lemma is missing"),
        (CLAIM, result(SIZED, PROVED, REFUTATION, 0.0), Options(), ""),
        (CLAIM, result(replace(CLAIM, id="X2"), PROVED, REFUTATION, 0.0), Options(), "answers another claim"),
        (SIZED, result(SIZED, "EXHAUSTED to 3 pages", REFUTATION, 0.0), Options(quick=True), ""),
        (SIZED, result(SIZED, "EXHAUSTED to 9 pages", REFUTATION, 0.0), Options(budget=2.0), ""),
        (SIZED, result(SIZED, "BOUNDED 9", REFUTATION, 0.0), Options(quick=True), "claimed EXHAUSTED to 4 pages"),
        (SIZED, result(SIZED, "EXHAUSTED to 3 pages", REFUTATION, 0.0), Options(), "claimed EXHAUSTED to 4 pages"),
    ],
)
def test_what_is_short(claim: Claim, found: Result, options: Options, short: str) -> None:
    reason = judged(claim, found, options).short
    assert reason.startswith(short)
    assert bool(reason) == bool(short)


@pytest.mark.parametrize("word", FAILED)
def test_a_claim_cannot_claim_a_failure(word: str) -> None:
    claim = replace(CLAIM, strength=word)
    assert judged(claim, result(claim, word, REFUTATION, 0.0), Options()).short == f"is {word}"


def test_a_claim_that_hangs_dies_or_raises_falls_short_and_the_others_do_not() -> None:
    said: list[str] = []
    heard: list[str] = []
    jobs = [(slow_group.__name__, claim) for claim in slow_group.CLAIMS]
    results = prove_all(jobs, Options(), lambda found: heard.append(found.id), said.append)
    assert [found.id for found in results] == [claim.id for claim in slow_group.CLAIMS]
    shorts = {found.id: found.short for found in results if found.short}
    assert set(shorts) == {"endless", "dying", "raising"}
    assert "no answer within 1 s" in shorts["endless"]
    assert "its process died" in shorts["dying"]
    assert "RuntimeError: went wrong" in shorts["raising"]
    assert said == ["alone"]
    assert heard[-1] == "alone"
    where = {found.id: found.controls[0].found for found in results if found.controls}
    assert where["alone"].endswith(f" {os.getpid()}")
    assert not where["good"].endswith(f" {os.getpid()}")


def test_claims_proved_together_are_judged_and_none_is_lost() -> None:
    said: list[str] = []
    jobs = [(shared_group.__name__, claim) for claim in shared_group.CLAIMS]
    results = prove_all(jobs, Options(), lambda _: None, said.append)
    assert [found.short for found in results] == [
        "",
        "RuntimeError: went wrong; is TIMEOUT; has no wrong variant",
        "RuntimeError: went wrong; is TIMEOUT; has no wrong variant",
    ]
    assert said == ["settled", "forgotten", "raising"]
    results = prove_all(jobs[:2], Options(), lambda _: None)
    assert [found.short for found in results] == ["", "it was left out; is TIMEOUT; has no wrong variant"]


QUERY = "(set-info :status {})\n(set-logic ALL)\n(declare-fun x () Int)\n(assert {})\n(check-sat)\n"


def test_the_second_solver_agrees_disagrees_or_leaves_it_open(tmp_path: Path) -> None:
    texts = {
        "agrees": QUERY.format("unsat", "(= (* 2 x) 5)"),
        "differs": QUERY.format("unsat", "(= (* 2 x) 6)"),
        "broken": QUERY.format("unsat", "(= x"),
        "hard": QUERY.format("unsat", "(= (+ (* x x x) (* 7 x x x x x)) (+ 123456789 (* x x (mod (* x x x) 97))))"),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.smt2").write_text(text, encoding="utf-8")
    results = [replace(result(CLAIM, PROVED, (), 0.0), id=name, files=(f"{name}.smt2",)) for name in texts]
    several = replace(results[0], id="several", files=("agrees.smt2", "broken.smt2", "differs.smt2"))
    heard: list[str] = []
    found = again.again([*results, several], tmp_path, 2.0, lambda item: heard.append(item.id))
    verdicts = {item.id: item.verdict for item in found}
    assert verdicts["agrees"] == again.AGREES
    assert verdicts["differs"] == verdicts["several"] == again.DISAGREES
    assert verdicts["broken"] == again.OPEN
    assert sorted(heard) == sorted(verdicts)
    assert again.short(found) == "cvc5 disagrees about differs, several"


@pytest.mark.parametrize(("agreed", "asked", "short"), [(2, 3, False), (3, 3, False), (1, 3, True), (0, 0, True)])
def test_two_thirds_must_be_asked_again(agreed: int, asked: int, short: bool) -> None:
    found = [again.Again(str(place), again.AGREES if place < agreed else again.OPEN) for place in range(asked)]
    assert bool(again.short(found)) == short


def test_a_claim_that_hangs_on_the_seed_is_seen() -> None:
    good = result(CLAIM, PROVED, REFUTATION, 0.5)
    bad = result(CLAIM, REFUTED, (), 2.0, "false for x = 1")
    steady = stable.Sweep("X1", (PROVED, PROVED), ("", ""), 0.5, 0.5)
    assert steady.stable
    assert stable.over_seeds([good, good]) == steady
    assert not stable.over_seeds([good, bad]).stable
    assert not stable.over_seeds([bad, bad]).stable


def test_the_quick_part_proves_the_quick_claims_and_says_what_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    some = {name: claims()[name] for name in ("W1.a", "W2.a", "C1", "C2")}
    some["good"] = (slow_group.__name__, replace(slow_group.CLAIMS[0], quick=True))
    some["raising"] = (slow_group.__name__, replace(slow_group.CLAIMS[3], quick=True))
    monkeypatch.setattr("proofs.quick.claims", lambda: some)
    said: list[str] = []
    found = quick(advance=said.append)
    assert found.claims() == 4
    assert found.refuted() >= 2 + 2 + 24 + 1
    assert [result.id for result in found.results if result.short] == ["raising"]
    assert found.results[-1].short.startswith("RuntimeError: went wrong")
    assert said[-1] == "5 of 5 claims"


def test_the_readme_says_what_is_claimed(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    text = "# x\n<!-- proofs:begin -->old<!-- proofs:end -->\n<!-- holes:begin --><!-- holes:end -->\nrest\n"
    file.write_text(text, encoding="utf-8")
    assert "STALE" in readme.stale(file)
    readme.renew(file)
    assert readme.stale(file) == ""
    fresh = file.read_text(encoding="utf-8")
    assert all(f"| {name} | " in fresh for name in claims())
    assert fresh.startswith("# x\n<!-- proofs:begin -->\n\n| id |")
    assert fresh.endswith("<!-- holes:end -->\nrest\n")
    assert "1. The lifter" in fresh
    file.write_text(fresh.replace("Step L reads exactly", "Step L reads nearly"), encoding="utf-8")
    assert "STALE" in readme.stale(file)


def test_a_readme_without_markers_is_not_fresh(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    assert "cannot be read" in readme.stale(file)
    for text in ("", "<!-- proofs:begin -->", "<!-- proofs:end --><!-- proofs:begin -->"):
        file.write_text(text, encoding="utf-8")
        assert "needs one" in readme.stale(file)
        with pytest.raises(readme.NoMarkers):
            readme.renew(file)


def test_our_readme_is_not_stale() -> None:
    assert readme.stale(report.ROOT / "README.md") == ""


def test_the_report_says_what_falls_short() -> None:
    results = [
        replace(result(CLAIM, PROVED, REFUTATION, 0.25, note="12 states"), files=("X1.smt2",)),
        result(replace(CLAIM, id="X2"), REFUTED, (Control("a | b", ""),), 0.5, "false for x = 1"),
    ]
    text = report.markdown(results)
    assert report.control(replace(results[0], covers="2/3")) == "2/3 covers, 1/1 refuted: it is not"
    assert "1 of 2 FALL SHORT (1 PROVED); 1 of 2 wrong variants refuted." in text
    assert "| X1 | All is well. | f | z3 | PROVED | 1/1 refuted: it is not | 0.25 |" in text
    assert "| X2 | All is well. | f | z3 | REFUTED, SHORT: false for x = 1 | 0/1 refuted | 0.50 |" in text
    assert "- X2, a | b: NOT REFUTED" in text
    assert "- X1: 12 states" in text
    assert "| spec/window.py | " in text
    assert "## What single proofs assume of their surroundings\n\n1. divu, " in text
    data: dict[str, Any] = json.loads(json.dumps(report.as_json(results, Options(seed=3))))
    assert data["ok"] is False
    assert data["seed"] == 3
    assert [found["short"] for found in data["results"]] == ["", "false for x = 1"]
    assert data["trusted_lines"]["spec/window.py"] > 20
    assert len(data["holes"]) >= 8
    assert any(sentence.startswith("dma, m_length: ") for sentence in data["assumptions"])
    assert data["trusted_lines"]["formal/dma_harness.sv"] > 20


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sub" / "proofs.json"
    output.write_json(file, {"a": 1})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        output.write_json(file, {"a": 2})
    assert json.loads(file.read_text(encoding="utf-8")) == {"a": 1}
    assert list(file.parent.iterdir()) == [file]


def test_a_report_goes_where_a_link_leads_and_into_a_pipe(tmp_path: Path) -> None:
    """As root a file in the place of /dev/null or of a pipe would be a mishap for everybody."""
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(tmp_path / "real")
    output.write(output.output_file(str(link)), "whole")
    assert link.is_symlink()
    assert (tmp_path / "real").read_text() == "whole"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        output.write(output.output_file(str(pipe)), "piped")
        assert os.read(end, 9) == b"piped"
    finally:
        os.close(end)
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == [link, pipe, tmp_path / "real"]
