# SPDX-License-Identifier: Apache-2.0
"""`python -m proofs.rtl_mutation`: usage, exit codes, scores that fall short, what is kept, waveforms."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from impl.chip.verilog import RTL
from proofs.rtl_mutation import __main__ as command
from proofs.rtl_mutation import report
from proofs.rtl_mutation.cosim import selected
from proofs.rtl_mutation.designs import Part
from proofs.rtl_mutation.mutants import Mutant, observed, parse, width
from proofs.rtl_mutation.score import (
    ALIVE,
    BOTH,
    CONTRADICTION,
    COSIM_ONLY,
    DIFFERS,
    EQUIVALENT,
    FORMAL_ONLY,
    UNKNOWN,
    Score,
    Verdict,
    counters,
    must_be_killed,
)
from proofs.rtl_mutation.store import Store, fingerprint
from proofs.rtl_mutation.traces import told, vcd
from proofs.rtl_mutation.units import EACH, UNITS


def verdict(
    labels: Sequence[str] = (),
    difference: str | None = None,
    miter: str = DIFFERS,
    number: int = 1,
    unproved: Sequence[str] = (),
) -> Verdict:
    cycle = 3 if labels else None
    return Verdict(Mutant(number, "dma", ""), tuple(labels), cycle, tuple(unproved), difference, miter)


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (verdict(["a_x"], "cycle 3"), BOTH),
        (verdict(["a_x"]), FORMAL_ONLY),
        (verdict(["i_x"]), FORMAL_ONLY),
        (verdict(difference="cycle 3"), COSIM_ONLY),
        (verdict(), ALIVE),
        (verdict(miter=UNKNOWN), ALIVE),
        (verdict(["a_x"], miter=UNKNOWN), FORMAL_ONLY),
        (verdict(miter=EQUIVALENT), EQUIVALENT),
        (verdict(["i_x"], miter=EQUIVALENT), EQUIVALENT),
        (verdict(["i_x", "a_x"], miter=EQUIVALENT), CONTRADICTION),
        (verdict(difference="cycle 3", miter=EQUIVALENT), CONTRADICTION),
        (verdict(unproved=["a_x"]), FORMAL_ONLY),
        (verdict(unproved=["i_x"], miter=UNKNOWN), FORMAL_ONLY),
        (verdict(unproved=["a_x"], difference="cycle 3"), BOTH),
        (verdict(unproved=["a_x"], miter=EQUIVALENT), EQUIVALENT),
    ],
)
def test_the_class_of_a_mutant(one: Verdict, kind: str) -> None:
    assert one.kind == kind


def test_19_of_20_are_enough_and_18_are_not() -> None:
    unit = UNITS["sram"]
    killed = [verdict(["a_x"])] * 19
    assert Score(unit, [*killed, verdict()]).short() == []
    assert Score(unit, [*killed, verdict(), verdict(miter=EQUIVALENT)]).short() == []
    assert Score(unit, [*killed, verdict(), verdict()]).short() == ["sram: 19 of 21 killed, less than 95%"]


def test_formal_alone_has_a_share_to_reach() -> None:
    both, simulated = verdict(["a_x"], "cycle 1"), verdict(difference="cycle 1")
    assert Score(UNITS["sram"], [both] * 17 + [simulated] * 3).short() == []
    assert Score(UNITS["sram"], [both] * 16 + [simulated] * 4).short() == [
        "sram: 16 of 20 killed by formal, less than 85%"
    ]


def test_a_select_input_is_a_vector_even_for_a_single_mutant() -> None:
    """yosys writes a single bit as a Bool, which the questions would compare with a number."""
    mutants = [Mutant(number, "toy", "") for number in (1, 2, 3, 4)]
    assert [width(mutants[:count]) for count in (1, 2, 3, 4)] == [2, 2, 2, 3]


def test_the_table_fits_a_screen() -> None:
    scores = [Score(UNITS[name], [verdict(["a_x"])] * 1000) for name in UNITS]
    console = Console(file=io.StringIO(), width=80)
    console.print(report.table(scores))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert len(lines) == 3 + len(UNITS) + 1
    assert "…" not in console.file.getvalue()
    assert [heading.replace("-\n", "").replace("\n", " ") for heading in report.COLUMNS.values()] == [
        *(column.replace("co-simulation", "cosimulation") for column in report.COLUMNS)
    ]


def test_traces_and_lost_proofs_are_counted_apart() -> None:
    lost, both = verdict(unproved=["i_x"]), verdict(["a_x"], unproved=["i_x"])
    same = verdict(unproved=["i_x"], miter=EQUIVALENT)
    score = Score(UNITS["sram"], [lost, lost, both, verdict(["a_x"]), verdict(difference="cycle 1"), same])
    assert (score.formal, score.traced, score.unproved) == (4, 2, 2)
    shown = dict(zip(report.COLUMNS, report.row(score), strict=True))
    assert [shown[name] for name in ("equivalent", "killed", "by formal", "by a trace", "unproved only")] == [
        *(1, 5, 4, 2, 2)
    ]
    assert "2 by a trace of a harness, 2 only because its proof is lost, 4 not by co-sim" in report.summary([score], [])


def test_no_mutant_that_differs_is_no_score() -> None:
    assert Score(UNITS["sram"], [verdict(miter=EQUIVALENT)]).short() == [
        "sram: no mutant differs from the original: nothing was measured"
    ]


def test_dma_and_the_counters_have_to_be_complete() -> None:
    mutants = [Mutant(1, "ga2", "-src ga2.v:100.1-100.9"), Mutant(2, "ga2", "-src ga2.v:7.1-7.9")]
    assert must_be_killed(UNITS["dma"], mutants, "") == {1, 2}
    assert must_be_killed(UNITS["sram"], mutants, "") == set()
    top = (RTL / "ga2.v").read_text()
    lines = sorted(counters(top))
    text = [top.splitlines()[line - 1].strip() for line in lines]
    assert text[0] == "always @(posedge clk) begin"
    assert "vec <= vec + {31'd0, vec_busy};" in text
    assert not any("pc <=" in line for line in text)
    counting = [Mutant(1, "ga2", f"-src ga2.v:{lines[-3]}.1-9.9"), mutants[1]]
    assert must_be_killed(UNITS["ga2"], counting, top) == {1}
    survived = [verdict(["a_x"], number=number) for number in range(2, 41)] + [verdict()]
    assert Score(UNITS["ga2"], survived, {1}).short() == ["ga2: alive and may not be: mutants 1"]


def test_there_are_enough_mutants() -> None:
    assert EACH >= 50
    assert EACH * len(UNITS) >= 600


def test_a_contradiction_is_told_first() -> None:
    verdicts = [*[verdict(["a_x"])] * 19, verdict(difference="cycle 1: q is 1 and not 0", miter=EQUIVALENT, number=7)]
    short = Score(UNITS["sram"], verdicts).short()
    assert short == ["sram: mutant 7 is killed by co-simulation and proved equivalent: the test or the miter is wrong"]


def test_what_is_kept_survives_a_line_cut_off(tmp_path: Path) -> None:
    store = Store(tmp_path / "unit.jsonl")
    store.add(phase="miter", mutant=1, verdict=DIFFERS)
    with store.file.open("a") as file:
        file.write('\n{"phase": "miter", "mut')
    again = Store(store.file)
    assert again.mutants("miter").keys() == {1}
    assert not again.ended("miter")
    again.add(phase="miter", mutant=2, verdict=EQUIVALENT)
    again.add(phase="miter", end=True)
    last = Store(store.file)
    assert last.mutants("miter").keys() == {1, 2}
    assert last.ended("miter")


def test_other_content_has_another_name(tmp_path: Path) -> None:
    (tmp_path / "a.v").write_text("module a; endmodule")
    one = fingerprint(["x"], [tmp_path / "a.v"])
    assert fingerprint(["x"], [tmp_path / "a.v"]) == one
    assert fingerprint(["y"], [tmp_path / "a.v"]) != one
    (tmp_path / "a.v").write_text("module a; wire b; endmodule")
    assert fingerprint(["x"], [tmp_path / "a.v"]) != one


PART = Part(
    "dma", "$paramod\\dma\\WORDS=s32'1", {"WORDS": 1}, {}, {}, {"$paramod\\inner\\W=2": ("inner", {"W": 2})}, RTL, RTL
)


def test_a_list_of_yosys_is_read() -> None:
    options = (
        "-mode cnot1 -module $paramod\\dma\\WORDS=s32'1 -cell $add$dma.v:54$39 -port Y -portbit 14 -ctrlbit 9 "
        "-wire next_row -wirebit 14 -src dma.v:54.17-54.25 -src dma.v:61.28-61.42"
    )
    (mutant,) = parse(f"mutate {options}\n", [PART])
    assert mutant.where == "dma.v:61 cnot1 by bit 9 of Y[14] of $add$39 (next_row[14])"
    assert mutant.lines == [54, 61]
    assert mutant.command(6) == (
        "mutate -mode cnot1 -module $paramod\\dma\\WORDS=s32'1 -cell $add$dma.v:54$39 -port Y -portbit 14 -ctrlbit 9"
        " -ctrl mutant_select 6 1"
    )


def test_what_is_there_for_observation_only_is_found() -> None:
    assert observed("a\n`ifdef FORMAL\nb\n`endif\nc\n") == {2, 3, 4}


def test_a_netlist_takes_the_place_of_its_source() -> None:
    text = (
        "module \\$paramod\\dma\\WORDS=s32'1 (clk, q, mutant_select);\n  input clk;\n  input [5:0] mutant_select;\n"
        "  wire [5:0] mutant_select;\n  \\$paramod\\inner\\W=2  \\row[0].inner_i  (\n"
        "    .clk(clk),\n    .f_x(x)\n  );\nendmodule\n"
    )
    made = selected(text, PART, 6)
    assert made.startswith("module dma #(parameter WORDS = 1) (clk, q);\n  reg [5:0] mutant_select;\n")
    assert '$value$plusargs("mutant=%d", mutant_select)' in made
    assert "input [5:0]" not in made
    assert "  inner #(.W(2)) \\row[0].inner_i  (\n    .clk(clk)\n  );" in made


def test_a_waveform_has_every_port_in_every_cycle() -> None:
    trace = {"start": [0, 1, 0], "q": [0, 3, 3], "gate_q": [0, 3, 2]}
    text = vcd(trace, "dma 1")
    assert "$var wire 2 # gate_q $end" in text
    assert text.endswith('#10\nb1 !\nb11 "\nb11 #\n#20\nb0 !\nb10 #\n#30\n')
    assert told(trace, ["q"]) == "q 0x3, mutant 0x2"


def test_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (["dam"], "no unit is called dam; the units are sram"),
        (["--limit", "0"], "1 … 1000"),
        (["--seconds", "0"], "more than 0"),
        (["--json", "."], "'.' is a folder"),
        (["--json", "/proc/none.json"], "cannot write '/proc/none.json'"),
    ):
        with pytest.raises(SystemExit) as ended:
            command.main(arguments)
        assert ended.value.code == 2
        assert said in capsys.readouterr().err


def test_a_unit_named_twice_is_tried_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "harnessed", lambda name: False)
    assert command.main(["dma", "dma"]) == 1
    assert capsys.readouterr().out.count("dma: formal/dma.sby is not there") == 1


def test_a_unit_without_a_harness_falls_short(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "harnessed", lambda name: False)
    assert command.main(["dma", "--json", str(tmp_path / "score.json")]) == 1
    assert "dma: formal/dma.sby is not there" in capsys.readouterr().out
    written = json.loads((tmp_path / "score.json").read_text())
    assert written["ok"] is False
    assert written["short"] == ["dma: formal/dma.sby is not there"]


def test_a_folder_in_place_of_the_file_is_told_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(["dma", "--json", str(tmp_path)])
    assert f"'{tmp_path}' is a folder; give the name of a file" in capsys.readouterr().err


def test_an_interrupted_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_run", interrupted)
    assert command.main(["dma"]) == 130
    assert "goes on from here" in capsys.readouterr().out
