# SPDX-License-Identifier: Apache-2.0
"""The synthesis table, with a stand-in for yosys: the real one is for `make synth`, its first run takes a minute."""

import json
from pathlib import Path

import pytest

from impl.chip import synth
from impl.chip.simulators import sources
from impl.chip.synth import INNER, Area, SynthesisFailed, main, synthesise, table


def stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    """Let a shell script be yosys; its third argument is the script for yosys."""
    yosys = tmp_path / "yosys"
    yosys.write_text(f"#!/bin/sh\n{script}\n")
    yosys.chmod(0o755)
    monkeypatch.setattr(synth, "find", lambda names, install: str(yosys))


def test_every_unit_has_a_line_and_each_unit_left_out_has_one_too() -> None:
    assert set(INNER) == {file.stem for file in sources()}
    assert {inner for inners in INNER.values() for inner in inners} <= set(INNER)


def test_cells_are_counted_by_kind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kinds = {"$_AND_": 5, "$_SDFF_PP0_": 3, "$_DFFE_PP_": 4, "$_MUX_": 2, "$mem_v2": 1, "divu": 1}
    cells = {"modules": {"\\ga2_sm": {"num_cells_by_type": kinds, "num_memory_bits": 0}}}
    memory = {"modules": {"\\ga2_sm": {"num_memory_bits": 640}}}
    (tmp_path / "cells").write_text(json.dumps(cells))
    (tmp_path / "memory").write_text(json.dumps(memory))
    script = f'cp {tmp_path}/cells cells.json; cp {tmp_path}/memory memory.json; echo "path (length=17)" > path.txt'
    stand_in(monkeypatch, tmp_path, f'case "$3" in *"blackbox *divu*"*) ;; *) exit 1 ;; esac; {script}')
    area = synthesise("ga2_sm")
    assert area == Area("ga2_sm", 7, 7, 640, 17, ("divu",))
    assert table([area]).splitlines()[1].split() == ["ga2_sm", "7", "7", "640", "17", "divu"]


def test_what_yosys_refuses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, tmp_path, "echo ERROR: no such thing >&2; exit 1")
    with pytest.raises(SynthesisFailed, match="yosys on dma:\nERROR: no such thing"):
        synthesise("dma")


def test_an_unknown_unit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dma", "gpu"]) == 2
    assert "no unit is called gpu; there are mul, pe" in capsys.readouterr().err
