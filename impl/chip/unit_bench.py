# SPDX-License-Identifier: Apache-2.0
"""Runs one unit of the Verilog by itself: given inputs in every cycle, expected outputs in every cycle.

Inputs are applied while the clock is low; outputs are compared once they have settled, just before the edge: so what is
expected of a cycle is what the unit shows in it, given its state and the inputs of that same cycle.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from impl.chip.simulators import BuildFailed, captured, icarus, sources, temporary

Values = Mapping[str, int]

EVERY_BIT = -1
"""The mask of an output of which everything matters, however wide it is."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """One cycle: inputs (0 when not given), the outputs that matter, and `masks` for those of which only some bits do.

    Negative values are two's complement.
    """

    inputs: Values
    expected: Values
    masks: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bench:
    """A unit with its parameters, the widths of its ports, and what happens in each cycle."""

    unit: str
    parameters: Values
    inputs: Values
    outputs: Values
    cycles: Sequence[Cycle]
    clocked: bool = True


def run(bench: Bench, replaced: Mapping[str, str] | None = None) -> str | None:
    """The first difference, such as `cycle 3: q is 5 and not 6`, or None.

    `replaced` gives other text for some files of the Verilog. Raises SimulatorMissing and BuildFailed.
    """
    with temporary(f"unit-{bench.unit}") as folder:
        build(bench, folder, replaced or {})
        return simulate(bench, folder)


def build(bench: Bench, folder: Path, replaced: Mapping[str, str]) -> None:
    """Compile a bench in an empty folder, to be run any number of times. Raises SimulatorMissing and BuildFailed."""
    texts = {file.name: file.read_text() for file in sources()} | dict(replaced)
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "bench.v").write_text(_text(bench))
    (folder / "vectors.txt").write_text("\n".join(_vector(bench, cycle) for cycle in bench.cycles) + "\n")
    command = [icarus("iverilog"), "-g2005-sv", "-s", "bench", "-o", "bench.vvp", "bench.v", *texts]
    made = captured(command, folder)
    if made.returncode:
        raise BuildFailed(f"iverilog failed:\n{made.stdout}{made.stderr}")


def simulate(bench: Bench, folder: Path, *arguments: str) -> str | None:
    """The first difference that a bench built in a folder shows, or None; arguments are those of the Verilog."""
    return _verdict(bench, captured([icarus("vvp"), "-n", "bench.vvp", *arguments], folder).stdout)


def _verdict(bench: Bench, output: str) -> str | None:
    if f"DONE {len(bench.cycles)}" in output:
        return None
    found = re.search(r"^DIFFERS (\d+) ([01xz]+)$", output, re.MULTILINE)
    if found is None:
        raise BuildFailed(f"the bench of {bench.unit} gave no verdict:\n{output}")
    at, bits = int(found[1]), found[2]
    cycle = bench.cycles[at]
    masks = _masks(cycle)
    for name, width in reversed(list(bench.outputs.items())):
        mine, bits = bits[:width], bits[width:]
        wanted, mask = (f"{values.get(name, 0) % (1 << width):0{width}b}" for values in (cycle.expected, masks))
        if any(mask[bit] == "1" and mine[bit] != wanted[bit] for bit in range(width)):
            return f"cycle {at}: {name} is {_shown(mine)} and not {_shown(wanted)}"
    raise BuildFailed(f"the bench of {bench.unit} differs without a difference:\n{output}")


def _shown(bits: str) -> str:
    return f"{int(bits, 2):#x}" if set(bits) <= {"0", "1"} else f"0b{bits}"


def _masks(cycle: Cycle) -> dict[str, int]:
    return {name: cycle.masks.get(name, EVERY_BIT) for name in cycle.expected}


def _vector(bench: Bench, cycle: Cycle) -> str:
    """Inputs, expected outputs and a mask of those that matter, in hexadecimal; the first port is lowest."""
    for given, known in ((cycle.inputs, bench.inputs), (cycle.expected, bench.outputs)):
        if unknown := given.keys() - known.keys():
            raise KeyError(f"{bench.unit} has no {sorted(unknown)}")
    mask = _packed(bench.outputs, _masks(cycle))
    wanted = _packed(bench.outputs, cycle.expected) & mask
    return f"{_packed(bench.inputs, cycle.inputs):x} {wanted:x} {mask:x}"


def _packed(widths: Values, values: Values) -> int:
    packed, at = 0, 0
    for name, width in widths.items():
        packed |= values.get(name, 0) % (1 << width) << at
        at += width
    return packed


def _text(bench: Bench) -> str:
    given, shown = sum(bench.inputs.values()), sum(bench.outputs.values())
    ports = [".clk(clk)"] if bench.clocked else []
    for wires, widths in (("given", bench.inputs), ("shown", bench.outputs)):
        at = 0
        for name, width in widths.items():
            ports.append(f".{name}({wires}[{at} +: {width}])")
            at += width
    parameters = ", ".join(f".{name}({value})" for name, value in bench.parameters.items())
    return f"""`default_nettype none
module bench;
    reg clk = 1'b0;
    reg [{given - 1}:0] given;
    wire [{shown - 1}:0] shown;
    reg [{shown - 1}:0] wanted, mask;
    integer file, at, got;

    {bench.unit} {f"#({parameters}) " if parameters else ""}unit_i ({", ".join(ports)});

    initial begin
        file = $fopen("vectors.txt", "r");
        for (at = 0; at < {len(bench.cycles)}; at = at + 1) begin
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
