# SPDX-License-Identifier: Apache-2.0
"""The Verilog that is generated from Python definitions: the table of the exponential.

`python -m impl.chip.verilog` writes it into `rtl/`; a test fails when the file there is stale.
"""

from pathlib import Path

from impl.chip.integers import EXP_TABLE, SCORE_STEPS

RTL = Path(__file__).resolve().parents[2] / "rtl"


def exp_lut() -> str:
    """The text of `rtl/exp_lut.v`."""
    entries = "\n".join(
        f"            8'd{index}: value = 8'd{value};" for index, value in enumerate(EXP_TABLE.tolist()) if value
    )
    return f"""// SPDX-License-Identifier: Apache-2.0
// exp_lut: round(255·exp(−index/{SCORE_STEPS})).
// Generated from impl/chip/integers.py by python -m impl.chip.verilog: do not edit.
//
// Ports     index (0 … 255) → value (0 … 255)
// Latency   none, combinational
// Reset     nothing
`default_nettype none

module exp_lut (
    input  wire [7:0] index,
    output reg  [7:0] value
);
    always @* begin
        case (index)
{entries}
            default: value = 8'd0;
        endcase
    end
endmodule

`default_nettype wire
"""


def main() -> None:
    """Write the generated files, with the same bytes on every system."""
    (RTL / "exp_lut.v").write_bytes(exp_lut().encode())


if __name__ == "__main__":
    main()
