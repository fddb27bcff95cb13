# SPDX-License-Identifier: Apache-2.0
"""What a bench of a unit is made of, and what its output says, without a simulator."""

from dataclasses import replace
from pathlib import Path

import pytest

from impl.chip.simulators import BuildFailed, SimulatorMissing, sources
from impl.chip.unit_bench import Bench, Cycle, build, run, simulate
from tests.chip.conftest import Programs

CYCLES = [
    Cycle({"load": 1, "d": 0x5, "to": 2}, {}),
    Cycle({"d": -1}, {"q": 0x2, "full": 1, "at": 2}),
    Cycle({}, {"q": -3}, {"q": 0x6}),
]
BENCH = Bench("fifo", {"DEPTH": 4, "W": 4}, {"load": 1, "d": 4, "to": 2}, {"full": 1, "q": 4, "at": 2}, CYCLES)

TEXT = """`default_nettype none
module bench;
    reg clk = 1'b0;
    reg [6:0] given;
    wire [6:0] shown;
    reg [6:0] wanted, mask;
    integer file, at, got;

    fifo #(.DEPTH(4), .W(4)) unit_i (.clk(clk), .load(given[0 +: 1]), .d(given[1 +: 4]), .to(given[5 +: 2]), \
.full(shown[0 +: 1]), .q(shown[1 +: 4]), .at(shown[5 +: 2]));

    initial begin
        file = $fopen("vectors.txt", "r");
        for (at = 0; at < 3; at = at + 1) begin
            got = $fscanf(file, "%h %h %h", given, wanted, mask);
            #1;
            if ((shown & mask) !== wanted) begin
                $display("DIFFERS %0d %b", at, shown);
                $finish;
            end
            clk = 1'b1;
            #1;
            clk = 1'b0;
        end
        $display("DONE %0d", at);
        $finish;
    end
endmodule
"""

VECTORS = """4b 0 0
1e 45 7f
0 8 c
"""
"""Inputs, what is expected, and which of it matters: the first port is the lowest bit."""


def said(programs: Programs, bench: Bench, *lines: str) -> str | None:
    """What a bench makes of the output of its simulation."""
    programs.add("vvp", "\n".join(f"echo '{line}'" for line in lines))
    return simulate(bench, programs.folder)


def test_the_files_of_a_bench(programs: Programs, tmp_path: Path) -> None:
    programs.add("iverilog")
    texts = {file.name: file.read_text() for file in sources()}
    build(BENCH, tmp_path, {"mul.v": "another", "pe.v": ""})
    ((program, folder, arguments),) = programs.calls()
    assert (program, folder) == ("iverilog", tmp_path)
    assert arguments == ["-g2005-sv", "-s", "bench", "-o", "bench.vvp", "bench.v", *texts]
    made = {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()}
    assert made == {**texts, "mul.v": "another", "pe.v": "", "bench.v": TEXT, "vectors.txt": VECTORS}


def test_a_unit_without_a_clock_and_without_parameters(programs: Programs, tmp_path: Path) -> None:
    programs.add("iverilog")
    build(replace(BENCH, parameters={}, clocked=False), tmp_path, {})
    line = next(line for line in (tmp_path / "bench.v").read_text().splitlines() if "unit_i" in line)
    assert line.startswith("    fifo unit_i (.load(given[0 +: 1]), .d(")


@pytest.mark.parametrize(
    ("cycle", "message"),
    [
        (Cycle({"load": 1, "x": 1, "a": 2}, {}), "fifo has no ['a', 'x']"),
        (Cycle({}, {"d": 0}), "fifo has no ['d']"),
    ],
)
def test_a_port_that_is_not_there(programs: Programs, tmp_path: Path, cycle: Cycle, message: str) -> None:
    programs.add("iverilog")
    with pytest.raises(KeyError) as caught:
        build(replace(BENCH, cycles=[cycle]), tmp_path, {})
    assert caught.value.args == (message,)


def test_a_bench_is_built_and_run_in_a_folder_of_its_own(programs: Programs) -> None:
    programs.add("iverilog", 'read text < mul.v; echo "$text" > bench.vvp')
    programs.add("vvp", 'read text < "$2"; [ "$text" = another ] && echo DONE 3')
    assert run(BENCH, {"mul.v": "another\n"}) is None
    (_, one, _), (_, other, arguments) = programs.calls()
    assert one == other
    assert one.parent == programs.build
    assert one.name.startswith("unit-fifo-")
    assert not one.exists()
    assert arguments == ["-n", "bench.vvp"]
    programs.add("vvp", "echo DONE 3")
    assert run(BENCH) is None


def test_arguments_of_the_verilog(programs: Programs) -> None:
    programs.add("vvp", "echo DONE 3")
    assert simulate(BENCH, programs.folder, "+mutant=3", "+more") is None
    assert programs.calls() == [("vvp", programs.folder, ["-n", "bench.vvp", "+mutant=3", "+more"])]


def test_without_icarus(programs: Programs, tmp_path: Path) -> None:
    for name in ("iverilog", "vvp"):
        with pytest.raises(SimulatorMissing) as caught:
            run(BENCH)
        assert str(caught.value) == f"{name} is not installed. Install it with: apt-get install -y iverilog"
        programs.add(name)


def test_a_unit_that_icarus_refuses(programs: Programs, tmp_path: Path) -> None:
    programs.add("iverilog", "echo bench.v:9; echo syntax error >&2; exit 2")
    with pytest.raises(BuildFailed) as caught:
        build(BENCH, tmp_path, {})
    assert str(caught.value) == "iverilog failed:\nbench.v:9\nsyntax error\n"


def test_all_cycles_as_expected(programs: Programs) -> None:
    assert said(programs, BENCH, "DONE 3") is None


@pytest.mark.parametrize(
    ("line", "difference"),
    [
        # From the left: at, q, full. All are expected in cycle 1, and the leftmost that is wrong is told.
        ("DIFFERS 1 1100100", "cycle 1: at is 0x3 and not 0x2"),
        ("DIFFERS 1 1001101", "cycle 1: q is 0x6 and not 0x2"),
        ("DIFFERS 1 1000100", "cycle 1: full is 0x0 and not 0x1"),
        ("DIFFERS 1 1001100", "cycle 1: q is 0x6 and not 0x2"),
        ("DIFFERS 1 100x101", "cycle 1: q is 0b0x10 and not 0x2"),
        ("DIFFERS 1 100010z", "cycle 1: full is 0bz and not 0x1"),
        # In cycle 2 the two bits in the middle of q matter, which are 10, and full does not.
        ("DIFFERS 2 0x11111", "cycle 2: q is 0xf and not 0xd"),
        ("DIFFERS 2 0x00010", "cycle 2: q is 0x1 and not 0xd"),
        ("DIFFERS 2 0x1xx10", "cycle 2: q is 0b1xx1 and not 0xd"),
    ],
)
def test_a_difference(programs: Programs, line: str, difference: str) -> None:
    assert said(programs, BENCH, "VCD info", line, "bench.v:27: $finish called") == difference


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("DIFFERS 1 1000101", "the bench of fifo differs without a difference"),
        # Bits that do not matter may be anything; a port that is not expected is not looked at.
        ("DIFFERS 2 0xz10x1", "the bench of fifo differs without a difference"),
        ("DIFFERS 0 0xxxxxx", "the bench of fifo differs without a difference"),
        ("DIFFERS 0 0x11111", "the bench of fifo differs without a difference"),
        ("DONE 2", "the bench of fifo gave no verdict"),
        ("it DIFFERS 1 1001101", "the bench of fifo gave no verdict"),
        ("DIFFERS 1 100110?", "the bench of fifo gave no verdict"),
    ],
)
def test_no_verdict(programs: Programs, line: str, message: str) -> None:
    with pytest.raises(BuildFailed) as caught:
        said(programs, BENCH, line)
    assert str(caught.value) == f"{message}:\n{line}\n"
