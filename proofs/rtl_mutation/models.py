# SPDX-License-Identifier: Apache-2.0
"""The SMT models: a design with all mutants behind a select input, and the same design with a part next to its mutants.

The steps are those of the task's script and of SymbiYosys for `smtbmc`, so that what is solved here is what
`formal/UNIT.sby` proves.
"""

from collections.abc import Sequence
from pathlib import Path

from proofs.rtl_mutation.designs import Design, Part
from proofs.rtl_mutation.mutants import SELECT, Mutant, width
from proofs.rtl_mutation.yosys import above, yosys

PREPARE = (
    "hierarchy -smtcheck",
    "rename -witness",
    "memory_nordff",
    "async2sync",
    "chformal -assume -early",
    "opt_clean",
    "formalff -setundef -clk2ff -ff2anyinit -hierarchy",
    "chformal -live -fair -cover -remove",
    "opt_clean",
    "setundef -undriven -anyseq",
    "opt -fast",
    "opt_clean",
    "hierarchy -smtcheck",
    "delete */t:$print",
    "formalff -assume",
    "dffunmap",
)


def mutated(design: Design, parts: Sequence[Part], mutants: Sequence[Mutant], file: Path) -> None:
    """Write the model of a design whose top module has the select input; without mutants it has none. Raises
    YosysFailed."""
    inside = [part for part in parts if design.has(part)]
    names = {part.name for part in inside}
    bits = width(mutants)
    commands = [
        *design.reads,
        f"hierarchy -top {design.top}",
        "proc",
        *(f"read_rtlil -overwrite {above(part.rtlil, design.source)}" for part in inside),
        *(mutant.command(bits) for mutant in mutants if mutant.part in names),
        design.prep,
        *design.after,
        *PREPARE,
        f"write_smt2 -wires {above(file, design.source)}",
    ]
    yosys(design.source, commands, f"mutated_{file.stem}")


def paired(design: Design, part: Part, mutants: Sequence[Mutant], file: Path) -> None:
    """Write the model of a design in which a part runs next to a mutant of it, on the same inputs.

    The original drives the surroundings. What the task asserts is assumed: it is proved of the original. The pair stays
    a module of its own, so nothing is flattened: wires of the harness that would be some inside the unit are free then,
    and less is assumed. The wire `differs_PORT` of the pair says in which outputs the two differ. Raises YosysFailed.
    """
    pair = file.with_suffix(".v")
    pair.write_text(_pair(part, width(mutants)), encoding="utf-8")
    gate = file.with_suffix(".il")
    alone = [
        *(f"read_rtlil -overwrite {above(one, gate.parent)}" for one in (part.around, part.rtlil)),
        *(mutant.command(width(mutants)) for mutant in mutants if mutant.part == part.name),
        f"rename {part.module} {GATE}",
        f"select ={GATE}",
        f"write_rtlil -selected {gate.name}",
    ]
    yosys(gate.parent, alone, f"gate_{file.stem}")
    commands = [
        *design.reads,
        f"hierarchy -top {design.top}",
        "proc",
        f"read_rtlil {above(gate, design.source)}",
        f"rename {part.module} {ORIGINAL}",
        f"read_verilog -formal {above(pair, design.source)}",
        f"rename {PAIR} {part.module}",
        f"hierarchy -top {design.top}",
        f"prep -top {design.top}",
        *(line for line in design.after if line.startswith(("select ", "chformal "))),
        "chformal -assert2assume",
        *PREPARE,
        f"write_smt2 -wires {above(file, design.source)}",
    ]
    yosys(design.source, commands, f"paired_{file.stem}")


PAIR, GATE, ORIGINAL = "mutation_pair", "mutation_gate", "mutation_original"


def _pair(part: Part, bits: int) -> str:
    """The Verilog of the pair: the ports of the part, the original as `gold`, the mutant as `gate`."""
    ports = [f"    input wire [{wide - 1}:0] {name}" for name, wide in part.inputs.items()]
    ports += [f"    output wire [{wide - 1}:0] {name}" for name, wide in part.outputs.items()]
    inputs = ", ".join(f".{name}({name})" for name in part.inputs)
    lines = [f"module {PAIR} (", ",\n".join(ports), ");", f"    (* anyconst, keep *) wire [{bits - 1}:0] {SELECT};"]
    for name, wide in part.outputs.items():
        lines += [
            f"    (* keep *) wire [{wide - 1}:0] gold_{name};",
            f"    (* keep *) wire [{wide - 1}:0] gate_{name};",
            f"    (* keep *) wire differs_{name} = gold_{name} != gate_{name};",
            f"    assign {name} = gold_{name};",
        ]
    for copy, chosen in (("gold", f"{bits}'d0"), ("gate", SELECT)):
        outputs = ", ".join(f".{name}({copy}_{name})" for name in part.outputs)
        lines.append(f"    {GATE} {copy} ({inputs}, {outputs}, .{SELECT}({chosen}));")
    return "\n".join([*lines, "endmodule", ""])
