# SPDX-License-Identifier: Apache-2.0
"""`kvproof fuzz-chip`: what it counts, the same programs for the same seed, and a program that differs."""

import json
from pathlib import Path

import pytest

from impl.chip import cost, fuzz
from impl.chip.config import SMALL
from kvproof.cli import main


def test_programs_that_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    arguments = ["fuzz-chip", "--sim", "icarus", "--small", "--n", "30", "--seed", "5", "--waits", "60"]
    assert main([*arguments, "--json", str(file)]) == 0
    figures = json.loads(file.read_text())
    assert (figures["programs"], figures["failed"], figures["seed"]) == (30, None, 5)
    assert figures["errors"] >= 6
    assert 0 < figures["waits"] < figures["cycles"]
    assert f"PASS: icarus agrees with the model, {figures['cycles']:,} cycles" in capsys.readouterr().out
    assert main([*arguments, "--json", str(file)]) == 0
    assert json.loads(file.read_text()) == figures


def test_seeds_and_numbers_give_different_programs() -> None:
    images = [fuzz.program(seed, number, SMALL).tolist() for seed in (0, 1) for number in (0, 1, 2)]
    assert len({tuple(image) for image in images}) == 6
    assert fuzz.program(1, 2, SMALL).tolist() == images[5]


def test_a_program_that_differs_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    right = cost.argmax
    monkeypatch.setattr(cost, "argmax", lambda length, config: right(length, config) + 1)
    monkeypatch.setattr(fuzz, "BATCH", 4)
    file = tmp_path / "figures.json"
    assert main(["fuzz-chip", "--sim", "icarus", "--small", "--n", "40", "--json", str(file)]) == 1
    figures = json.loads(file.read_text())
    printed = capsys.readouterr().out
    assert (
        f"FAILED: program {figures['failed']} of seed 0: FAIL record={figures['failed'] % 4} counter=total" in printed
    )
    assert "ARGMAX" in figures["listing"]
    assert figures["listing"] in printed
    assert figures["programs"] < 40


@pytest.mark.parametrize(("arguments", "message"), [(["--waits", "256"], "at most 255"), (["--n", "0"], "at least 1")])
def test_bad_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz-chip", *arguments]) == 2
    assert message in capsys.readouterr().err
