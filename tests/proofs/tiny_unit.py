# SPDX-License-Identifier: Apache-2.0
"""A tiny unit to prove things of, a counter that stops at nine, written into a folder with the changes of a test."""

from collections.abc import Mapping
from pathlib import Path

from proofs.evidence import Options, Result, judged
from proofs.rtl.group import Catalogue, read
from proofs.rtl.units import Place

FILES = {
    "rtl/tiny.v": """module tiny (input wire clk, input wire rst, input wire go, output reg [3:0] n);
    always @(posedge clk)
        if (rst) n <= 4'd0;
        else if (go && n != 4'd9) n <= n + 4'd1;
endmodule
""",
    "formal/tiny_harness.sv": """// a_nothing: assert (0) in a comment is no assertion
module part (input clk, input ready, input [3:0] n);
    always @(posedge clk) if (ready) a_not_twelve: assert (n != 4'd12);
endmodule
module tiny_harness (input clk, input rst, input go);
    wire [3:0] n;
    tiny tiny_i (.clk(clk), .rst(rst), .go(go), .n(n));
    reg ready = 0;
    always @(posedge clk) begin
        ready <= 1;
        if (!ready) m_reset: assume (rst);
        if (ready) begin
            a_small: assert (n <= 4'd9);
            c_two: cover (n == 4'd2);
        end
    end
    genvar i;
    generate for (i = 0; i < 2; i = i + 1) begin : each
        part part_i (.clk(clk), .ready(ready), .n(n));
    end endgenerate
endmodule
""",
    "formal/tiny.sby": """# SPDX-License-Identifier: Apache-2.0
[tasks]
prove both
cover

[options]
both: mode prove
~both: mode cover
cover:
depth 6
--
prove:
depth 4
--
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
""",
    "formal/tiny.toml": """unit = "tiny"
sources = ["tiny.v"]
holes = ["nobody has looked at the counter"]
[[claim]]
id = "tiny.small"
statement = "The counter never passes nine."
task = "prove"
properties = ["a_small"]
strength = "PROVED for four bits"
covers = ["c_two"]
[[claim]]
id = "tiny.twelve"
statement = "The counter is never twelve."
task = "prove"
properties = ["a_not_twelve"]
strength = "PROVED"
covers = ["c_two"]
[[bug]]
what = "it does not stop"
breaks = ["a_small", "a_not_twelve"]
file = "tiny.v"
old = "n != 4'd9"
new = "n != 4'd14"
task = "prove"
depth = 16
[[assumption]]
label = "m_reset"
says = "the first cycle is a reset"
because = "the test says so"
""",
}


def write(folder: Path, changes: Mapping[str, tuple[str, str]] | None = None) -> Place:
    """Write the unit; `changes` has for the end of a file's name what to replace once, and by what."""
    for name, text in FILES.items():
        for file, (old, new) in (changes or {}).items():
            if name.endswith(file):
                assert text.count(old) == 1, (file, old)
                text = text.replace(old, new)
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return Place(folder / "formal", folder / "rtl", folder / "out")


def proved(place: Place, force: bool = False, only: str = "") -> tuple[dict[str, Result], list[str]]:
    """What becomes of every claim of the unit, by the last word of its id, and what was said on the way."""
    catalogue: Catalogue = read(place)
    claims = {claim.id: claim for claim in catalogue.claims() if claim.id.endswith(only)}
    options = Options(force=force)
    results: list[Result] = []
    said: list[str] = []
    catalogue.prove(list(claims.values()), options, results.append, said.append)
    return {found.id.split(".")[-1]: judged(claims[found.id], found, options) for found in results}, said
