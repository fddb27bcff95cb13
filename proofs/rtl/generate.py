# SPDX-License-Identifier: Apache-2.0
"""The pieces of the RTL harnesses that come from Python: the cost formulas and the table of the exponential.

`python -m proofs.rtl.generate` writes them into `formal/generated/`; a test fails when a file there is stale.
"""

import sys
from pathlib import Path

from impl.chip import cost
from impl.chip.integers import DIVISION_BITS, EXP_TABLE, SCORE_STEPS
from proofs.output import write
from proofs.report import ROOT
from proofs.rtl.formulas import FormulaError, functions

FOLDER = ROOT / "formal" / "generated"
COST = ROOT / "impl" / "chip" / "cost.py"
CONFIG = ROOT / "impl" / "chip" / "config.py"
FORMULAS = ("load", "store", "matmul", "softmax", "add", "copy", "argmax")


def cost_svh(source: Path = COST, config: Path = CONFIG) -> str:
    """The text of `cost.svh`: the formulas as they stand in these two files. Raises FormulaError."""
    constants = {"DIVISION_BITS": DIVISION_BITS}
    made = functions(config, ("Config.rows_for",), {}) + functions(source, FORMULAS, constants)
    return f"""// SPDX-License-Identifier: Apache-2.0
// How long everything takes, in cycles. To be included in a module with a parameter N, the number of lanes.
// Generated from impl/chip/cost.py by python -m proofs.rtl.generate: do not edit.
localparam [31:0] COST_LANES = N;
localparam [31:0] COST_FETCH = 32'd{cost.FETCH};
localparam [31:0] COST_DECODE = 32'd{cost.DECODE};
localparam [31:0] COST_FETCH_OUTSIDE = 32'd{cost.FETCH_OUTSIDE};

{chr(10).join(made)}"""


def exp_table_svh() -> str:
    """The text of `exp_table.svh`."""
    entries = "\n".join(
        f"        8'd{index}: exp_table = 8'd{value};" for index, value in enumerate(EXP_TABLE.tolist())
    )
    return f"""// SPDX-License-Identifier: Apache-2.0
// round(255·exp(−i/{SCORE_STEPS})) for every i.
// Generated from impl/chip/integers.py by python -m proofs.rtl.generate: do not edit.
function [7:0] exp_table(input [7:0] i);
    case (i)
{entries}
    endcase
endfunction
"""


def generated() -> dict[str, str]:
    """The text of every generated file, by name. Raises FormulaError."""
    return {"cost.svh": cost_svh(), "exp_table.svh": exp_table_svh()}


def stale(folder: Path = FOLDER) -> list[str]:
    """The names of the files that do not say what the Python definitions say, or are not there."""
    return [
        name
        for name, text in generated().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def main() -> int:
    """Write the generated files; returns the exit code."""
    try:
        for name, text in generated().items():
            write(FOLDER / name, text)
    except FormulaError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
