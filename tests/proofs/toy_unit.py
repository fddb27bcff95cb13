# SPDX-License-Identifier: Apache-2.0
"""A unit of a few lines with a harness that leaves one output out, to try the mutation score on.

`step` counts; `turn` is one bit of two that goes round, so that `both` never happens and `q` is always the count. The
harness watches `q`; `flag` it does not look at. `late` comes later than a trace may be long.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from proofs.rtl_mutation.designs import Design, Part
from proofs.rtl_mutation.mutants import Mutant
from proofs.rtl_mutation.units import OUT, Unit

UNIT = Unit("toy", ("toy",), 6)

TOY = """`default_nettype none
module toy (
    input wire clk, input wire rst, input wire step,
    output wire [3:0] q, output wire flag, output wire late, output wire [1:0] f_turn
);
    reg [3:0] count;
    reg [1:0] turn;
    wire both = turn[0] && turn[1];
    assign q = both ? 4'd9 : count;
    assign flag = count == 4'd2;
    assign late = count == 4'd12;
    assign f_turn = turn;
    always @(posedge clk)
        if (rst) begin
            count <= 4'd0;
            turn <= 2'd1;
        end else if (step) begin
            count <= count + 4'd1;
            turn <= {turn[0], turn[1]};
        end
endmodule
`default_nettype wire
"""

HARNESS = """`default_nettype none
module toy_harness (input wire clk, input wire rst, input wire step);
    wire [3:0] q;
    wire flag, late;
    wire [1:0] f_turn;
    toy unit (.clk(clk), .rst(rst), .step(step), .q(q), .flag(flag), .late(late), .f_turn(f_turn));
    reg seen = 1'b0;
    reg [3:0] counted;
    always @(posedge clk) begin
        seen <= 1'b1;
        if (rst) counted <= 4'd0;
        else if (step) counted <= counted + 4'd1;
        m_reset: assume (seen || rst);
    end
    always @(posedge clk) if (seen) begin
        a_count: assert (q == counted);
        a_late: assert (late == (counted == 4'd12));
        i_turn: assert (f_turn == 2'd1 || f_turn == 2'd2);
    end
endmodule
`default_nettype wire
"""

SBY = """[tasks]
prove

[options]
mode prove
depth 3

[engines]
smtbmc yices

[script]
read -formal toy.v toy_harness.sv
prep -top toy_harness

[files]
toy.v
toy_harness.sv
"""


@contextmanager
def folder(harness: str = HARNESS, sby: str = SBY, name: str = "toy", source: str = TOY) -> Iterator[Path]:
    """A folder with the toy and its harness; yosys sees nothing outside of the project."""
    place = OUT / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for name, text in (("toy.v", source), ("toy_harness.sv", harness), ("toy.sby", sby)):
        (place / name).write_text(text, encoding="utf-8")
    yield place
    shutil.rmtree(place)


def mutant(number: int, design: Design, part: Part, mode: str, wire: str) -> Mutant:
    """A mutant of the cell that drives bit 0 of a wire."""
    about = design.modules[part.module]
    bit = about["netnames"][wire]["bits"][0]
    for name, cell in about["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output" and bit in bits:
                options = f"-mode {mode} -module {part.module} -cell {name} -port {port} -portbit {bits.index(bit)}"
                return Mutant(number, part.name, options)
    raise ValueError(f"nothing drives {wire}")
