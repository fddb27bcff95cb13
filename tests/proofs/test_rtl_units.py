# SPDX-License-Identifier: Apache-2.0
"""What a catalogue of a unit must say: everything else is told, before anything is proved. No solver runs here."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proofs.evidence import Claim, Options, Result, judged
from proofs.rtl import group
from proofs.rtl.judging import judge
from proofs.rtl.outcome import Found, Outcome
from proofs.rtl.sbyfile import UnitError, as_bug, read_sby
from proofs.rtl.units import Unit, load, names
from tests.proofs.tiny_unit import write


def test_a_catalogue_in_order_is_read(tmp_path: Path) -> None:
    unit = load(write(tmp_path), "tiny")
    assert unit.tasks() == ["prove", "cover"]
    assert unit.sby.options("prove") == {"mode": "prove", "depth": "4", "timeout": "60"}
    assert unit.sby.options("cover") == {"mode": "cover", "depth": "6", "timeout": "60"}
    assert unit.sby.files("prove") == {"tiny.v": "../rtl/tiny.v", "tiny_harness.sv": "tiny_harness.sv"}
    assert [path.name for path in unit.harnesses] == ["tiny_harness.sv"]
    assert unit.holes == ("nobody has looked at the counter",)
    assert [claim.id for claim in unit.claims] == ["tiny.small", "tiny.twelve"]


FAULTS: dict[str, tuple[str, str, str, str]] = {
    "an unknown key": (".toml", "because = ", "since = ", "[[assumption]] 1: unknown: since"),
    "a missing key": (".toml", 'says = "the first cycle is a reset"', "", "[[assumption]] 1: says is missing"),
    "an empty text": (".toml", '"it does not stop"', '""', "[[bug]] 1: what is missing or not a text"),
    "a wrong type": (".toml", "depth = 16", 'depth = "16"', "[[bug]] 1: depth is missing or not a number"),
    "a list of numbers": (".toml", '["tiny.v"]', "[1]", "sources is not a list of texts"),
    "no toml": (".toml", '"tiny"\n', '"tiny\n', "tiny.toml: Illegal character"),
    "another unit": (".toml", 'unit = "tiny"', 'unit = "big"', "tiny.toml: unit is not tiny"),
    "another source": (".toml", '["tiny.v"]', '["big.v"]', "sources are not the files of rtl/ that tiny.sby names"),
    "a file that is not there": (".sby", "\ntiny_harness.sv\n", "\ngone.sv\n", "tiny.sby: there is no gone.sv"),
    "an id of another unit": (".toml", 'id = "tiny.small"', 'id = "big.small"', "big.small: an id is tiny.WORD"),
    "an id twice": (".toml", "tiny.small", "tiny.twelve", "two claims are called tiny.twelve"),
    "a property that is not there": (".toml", '["a_small"]', '["a_small", "a_big"]', "no harness has an assert a_big"),
    "a property in no claim": (".sv", "a_small:", "a_small: assert (1); a_big:", "the assert a_big is in no entry"),
    "a property in two claims": (
        ".toml",
        '["a_small"]',
        '["a_small", "a_not_twelve"]',
        "a_not_twelve is in two claims",
    ),
    "a cover in no claim": (".sv", "c_two:", "c_two: cover (1); c_one:", "the cover c_one is in no entry"),
    "an assumption in no entry": (".sv", "m_reset:", "m_reset: assume (1); m_go:", "the assume m_go is in no entry"),
    "a label of the wrong kind": (".sv", "c_two: cover", "c_two: assert", "c_two is the label of an assert"),
    "no label": (".sv", "a_small: assert", "assert", "without a label: assert (n <= 4'd9);"),
    "a property that no bug breaks": (".toml", '"a_small", "a_not_twelve"', '"a_small"', "tiny.twelve: no bug breaks"),
    "a bug of something else": (
        ".toml",
        '["a_small", "a_not_twelve"]',
        '["a_big"]',
        "a_big is in no claim of task prove",
    ),
    "a bug elsewhere": (".toml", 'file = "tiny.v"', 'file = "big.v"', "big.v is not in sources"),
    "a bug that is none": (".toml", "n != 4'd14", "n != 4'd9", "it changes nothing"),
    "a task that is not there": (".toml", 'task = "prove"\ndepth', 'task = "bmc"\ndepth', "there is no task bmc"),
    "a task that nothing needs": (".sby", "prove both\n", "prove both\nmore both\n", "task more is in no claim"),
    "a cover task that proves": (".sby", "~both: mode cover", "~both: mode bmc", "task cover has mode bmc"),
    "a task without time limit": (".sby", "timeout 60\n", "", "task prove has no timeout"),
    "presat switched off": (".sby", "smtbmc yices", "smtbmc --nopresat yices", "task prove switches off presat"),
    "another expectation": (".sby", "timeout 60", "timeout 60\nexpect fail", "or expects something else than a pass"),
    "no tasks": (".sby", "[tasks]\nprove both\ncover\n", "", "tiny.sby has no [tasks]"),
    "Python": (".sby", "[tasks]", "--pycode-begin--\n[tasks]", "tiny.sby has Python in it"),
    "a strange strength": (".toml", '"PROVED for four bits"', '"TESTED"', "strength is PROVED …, or BOUNDED …"),
    "a bound without reason": (".toml", '"PROVED for four bits"', '"BOUNDED to 4 cycles"', "with a because"),
    "a bound without number": (".toml", '"PROVED"', '"BOUNDED"\nbecause = "hard"', "BOUNDED to how many cycles?"),
    "no covers": (".toml", 'covers = ["c_two"]\n[[bug]]', "covers = []\n[[bug]]", "covers is missing or not a list"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_catalogue_that_is_not_in_order_is_told(tmp_path: Path, name: str) -> None:
    file, old, new, told = FAULTS[name]
    place = write(tmp_path, {file: (old, new)})
    with pytest.raises(UnitError) as error:
        load(place, "tiny")
    assert told in str(error.value)


def test_a_catalogue_that_is_not_in_order_is_a_claim_that_falls_short(tmp_path: Path) -> None:
    place = write(tmp_path, {".toml": ("because = ", "since = ")})
    (place.formal / "bare.toml").write_text('unit = "bare"\n', encoding="utf-8")
    assert names(place) == ["bare", "tiny"]
    catalogue = group.read(place)
    found: list[Result] = []
    catalogue.prove(catalogue.claims(), Options(), found.append, lambda _: None)
    assert [item.id for item in found] == ["bare", "tiny"]
    assert found[0].short == "bare.sby: No such file or directory"
    assert "unknown: since" in found[1].short


def labels(status: str, kind: str, *names: str) -> dict[str, Found]:
    return {name: Found(status, kind, 3) for name in names}


BOTH = ("a_small", "a_not_twelve")
GOOD = {
    "prove": Outcome("PASS", "prove", 4, "smtbmc yices", True, labels("PASS", "assert", *BOTH)),
    "cover": Outcome("PASS", "cover", 6, "smtbmc yices", False, labels("PASS", "cover", "c_two")),
    "bug-1": Outcome("FAIL", "bmc", 16, "smtbmc yices", False, labels("FAIL", "assert", *BOTH)),
}
MISSED = "'it does not stop' does not break a_small, a_not_twelve within 16 cycles"
NOT_REFUTED = "not refuted: it does not stop"
SHORTS: list[tuple[str, dict[str, Any], str]] = [
    ("prove", {}, ""),
    ("prove", {"mode": "bmc"}, "claimed PROVED for four bits, reached BOUNDED to 4 cycles"),
    ("prove", {"inductive": False}, "claimed PROVED for four bits, reached BOUNDED to 4 cycles"),
    ("prove", {"inductive": False, "engine": "abc pdr"}, ""),
    ("prove", {"verdict": "UNKNOWN"}, "task prove of tiny.sby ends with UNKNOWN; is TIMEOUT"),
    ("prove", {"verdict": "ERROR", "said": "no"}, "task prove of tiny.sby ends with ERROR: no; is TIMEOUT"),
    ("prove", {"labels": {}}, "a_small is absent from what sby reports; is TIMEOUT"),
    ("prove", {"labels": labels("UNKNOWN", "assert", *BOTH)}, "a_small is unknown; is TIMEOUT"),
    ("prove", {"labels": labels("FAIL", "assert", *BOTH)}, "a_small fails in cycle 3; is REFUTED"),
    ("prove", {"labels": labels("PASS", "assert", *BOTH, "a_b")}, "in no claim of task prove: a_b; is TIMEOUT"),
    ("cover", {"labels": {}}, "c_two is absent from what sby reports"),
    ("cover", {"labels": labels("FAIL", "cover", "c_two")}, "not reached: c_two"),
    ("cover", {"labels": labels("PASS", "cover", "c_two", "c_x")}, "covers in no claim: c_x"),
    ("cover", {"verdict": "TIMEOUT"}, "task cover of tiny.sby ends with TIMEOUT"),
    ("bug-1", {"labels": {}}, f"{MISSED}; {NOT_REFUTED}"),
    ("bug-1", {"verdict": "ERROR", "said": "no", "labels": {}}, f"{MISSED} (ERROR: no); {NOT_REFUTED}"),
]


def judged_small(unit: Unit, changes: Mapping[str, Outcome]) -> Result:
    """The result of the first claim when runs ended as in GOOD except for the changes."""
    claim = unit.claims[0]
    as_claim = Claim(claim.id, claim.statement, "rtl/tiny.v", "sby", claim.strength)
    return judged(as_claim, judge(unit, claim, as_claim, {**GOOD, **changes}, {}), Options())


@pytest.mark.parametrize(("run", "change", "short"), SHORTS)
def test_what_is_short(tmp_path: Path, run: str, change: dict[str, Any], short: str) -> None:
    unit = load(write(tmp_path), "tiny")
    assert judged_small(unit, {run: replace(GOOD[run], **change)}).short == short


def test_a_bug_under_one_task_counts_for_the_same_property_under_another(tmp_path: Path) -> None:
    unit = load(write(tmp_path), "tiny")
    moved = replace(unit, bugs=(replace(unit.bugs[0], task="prove_small"),))
    assert judged_small(moved, {}).short == ""
    assert len(judged_small(moved, {}).controls) == 1


@pytest.mark.parametrize(("bound", "mode", "reached"), [("4", "bmc", ""), ("5", "bmc", "x"), ("4", "prove", "x")])
def test_a_bound_is_what_was_run(tmp_path: Path, bound: str, mode: str, reached: str) -> None:
    strength = f'"BOUNDED to {bound} cycles"\nbecause = "it is hard"'
    unit = load(write(tmp_path, {".toml": ('"PROVED for four bits"', strength)}), "tiny")
    found = judged_small(unit, {"prove": replace(GOOD["prove"], mode=mode)})
    assert bool(found.short) == bool(reached)


def test_a_bug_is_looked_for_and_nothing_else(tmp_path: Path) -> None:
    sby = read_sby(write(tmp_path, {".sby": ("smtbmc yices", "smtbmc --induction --stbv yices")}).formal / "tiny.sby")
    text = as_bug(sby, "prove", ["tiny.v ../out/tiny.v"], ["a_small"], 9)
    assert "mode bmc\ndepth 9\ntimeout 60\n" in text
    assert "\nsmtbmc --keep-going --stbv yices\n" in text
    assert text.endswith(
        "prep -top tiny_harness\nselect -set named */a_small */*.a_small %%\nchformal -assert -remove * @named %d\n"
        "chformal -cover -remove\n\n[files]\ntiny.v ../out/tiny.v\n"
    )
