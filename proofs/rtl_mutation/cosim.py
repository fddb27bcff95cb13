# SPDX-License-Identifier: Apache-2.0
"""Which mutants co-simulation finds: the benches of the units, and random programs for the top of the chip.

A part is written as Verilog with all its mutants inside, chosen by `+mutant=N` when the simulation starts, and put in
the place of its source file: one build for all, one short run for each. Mutant 0 is the original and has to pass. The
benches belong to the tests, which a proof does not import: they are asked for in a process of their own.
"""

import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from impl.chip import cosim, fuzz
from impl.chip.config import Config
from impl.chip.isa import Instruction, Op, encode
from impl.chip.random_programs import illegal_instruction, seeded
from impl.chip.simulators import find, sources
from impl.chip.unit_bench import Bench, build, simulate
from impl.chip.verilog import RTL
from proofs.rtl_mutation.designs import Part
from proofs.rtl_mutation.mutants import SELECT, Mutant, width
from proofs.rtl_mutation.units import ROOT
from proofs.rtl_mutation.yosys import run, yosys

CHIP = ("N", "SRAM_ROWS", "ROWMEM_ROWS", "EXTERNAL_WORDS", "MAX_CONTEXT")
PROGRAMS, ILLEGAL, WAITS = 12, 15, 60


class OriginalFails(RuntimeError):
    """The netlist without a mutation does not pass: the simulation says nothing about mutants."""


def verilog(part: Part, mutants: Sequence[Mutant], folder: Path) -> str:
    """The text of `rtl/PART.v` with all mutants of that part. Raises YosysFailed."""
    bits = width(mutants)
    commands = [mutant.command(bits) for mutant in mutants if mutant.part == part.name]
    reads = [f"read_rtlil -overwrite {file.name}" for file in (part.around, part.rtlil)]
    write = [f"select -module {part.module} *", f"write_verilog -noattr -selected {part.name}_mutants.v"]
    yosys(folder, [*reads, *commands, *write], f"verilog_{part.name}")
    return selected((folder / f"{part.name}_mutants.v").read_text(encoding="utf-8"), part, bits)


def selected(text: str, part: Part, bits: int) -> str:
    """A module as yosys wrote it, under its own name, with its parameters and the choice read at the start.

    Ports f_… of modules inside are left out: their sources have them only for proofs.
    """
    head = re.search(r"^module \S+\s*\((.*?)\);", text, re.MULTILINE | re.DOTALL)
    if head is None:
        raise ValueError(f"no module in the Verilog of {part.name}")
    ports = ", ".join(port for port in re.split(r",\s*", head[1]) if port.strip() != SELECT)
    parameters = ", ".join(f"parameter {name} = {value}" for name, value in part.parameters.items())
    opened = f"module {part.name} {f'#({parameters}) ' if parameters else ''}({ports});"
    opened += f"\n  reg [{bits - 1}:0] {SELECT};"
    opened += f'\n  initial if (!$value$plusargs("mutant=%d", {SELECT})) {SELECT} = 0;'
    text = text[: head.start()] + opened + text[head.end() :]
    text = re.sub(rf"^  (?:input|wire) (?:\[[\d:]+\] )?{SELECT};\n", "", text, flags=re.MULTILINE)
    for module, (name, values) in part.children.items():
        given = ", ".join(f".{parameter}({value})" for parameter, value in values.items())
        child = f"  {name} {f'#({given})' if given else ''}"
        escaped = "\\" + module if module.startswith("$") else module
        instance = rf"^  {re.escape(escaped)}\s+(?=\S+\s+\()"
        text = re.sub(instance, f"{child} ", text, flags=re.MULTILINE)
    text = re.sub(r"^    \.f_\w+\(.*\),?\n", "", text, flags=re.MULTILINE)
    return text.replace("),\n  );", ")\n  );")


def benches(part: Part, folder: Path) -> list[Bench]:
    """The tests' benches of a part at its size. Raises YosysFailed when the tests refuse."""
    file = folder / f"{part.name}.benches"
    given = [f"{name}={value}" for name, value in part.parameters.items()]
    run([sys.executable, "-m", "tests.chip.sized_benches", str(file), part.name, *given], ROOT)
    found: list[Bench] = pickle.loads(file.read_bytes())
    return found


@dataclass(frozen=True, slots=True)
class Simulation:
    """A build with mutants inside: a bench of a unit, or (`bench` is None) programs on the chip; for which parts."""

    folder: Path
    bench: Bench | None
    parts: tuple[str, ...]

    def difference(self, mutant: int) -> str | None:
        """The first difference that a mutant shows, or None."""
        chosen = f"+mutant={mutant}"
        if self.bench is not None:
            return simulate(self.bench, self.folder, chosen)
        command = [find(("vvp",), "apt-get install -y iverilog"), "-n", "chip.vvp", f"+waits={WAITS}", chosen]
        ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        outcome = cosim.parse("icarus", ran.stdout)
        if outcome is None:
            raise cosim.SimulatorError(f"mutant {mutant} on the chip gave no verdict:\n{ran.stdout}{ran.stderr}")
        return None if outcome.passed else outcome.line


def simulations(parts: Sequence[Part], mutants: Sequence[Mutant], folder: Path) -> list[Simulation]:
    """Build every simulation of a unit. Raises OriginalFails, YosysFailed, SimulatorMissing and BuildFailed."""
    folder = folder / "cosim"
    texts = {f"{part.name}.v": verilog(part, mutants, part.rtlil.parent) for part in parts}
    made = []
    for part in parts:
        if part.name == "ga2":
            made.append(_chip(part, texts, [p for p in parts if _fits(p, part)], _empty(folder / "chip")))
        for number, bench in enumerate(benches(part, part.rtlil.parent)):
            place = _empty(folder / f"{part.name}{number}")
            build(bench, place, texts)
            made.append(Simulation(place, bench, tuple(p.name for p in parts[parts.index(part) :])))
    for simulation in made:
        if found := simulation.difference(0):
            raise OriginalFails(f"{simulation.folder.name}: the netlist without a mutation differs: {found}")
    return made


def records(config: Config) -> list[cosim.Record]:
    """Random programs, illegal instructions alone and in programs, and one that runs out of the memory."""
    images = [fuzz.program(1, number, config) for number in range(PROGRAMS)]
    illegal = [illegal_instruction(seeded(number), config) for number in range(ILLEGAL)]
    images += [np.array(encode(instruction), dtype=np.uint32) for instruction in illegal]
    copies = encode(Instruction(Op.COPY, d=1, a=0, length=1)) * (config.external_words // 3)
    images.append(np.array(copies, dtype=np.uint32))
    return [cosim.record(image, config) for image in images]


def _fits(part: Part, top: Part) -> bool:
    """Whether a part has the size that the top of the chip gives it."""
    return all(top.parameters[name] == value for name, value in part.parameters.items())


def _chip(part: Part, texts: dict[str, str], inside: Sequence[Part], folder: Path) -> Simulation:
    names = [f"{one.name}.v" for one in inside]
    config = Config(*(part.parameters[name] for name in CHIP))
    cosim.write(folder / "records.txt", records(config))
    testbench = [RTL / "tb" / "icarus.v", RTL / "tb" / "replay.v"]
    for file in [*testbench, *sources()]:
        text = texts[file.name] if file.name in names else file.read_text(encoding="utf-8")
        (folder / file.name).write_text(text, encoding="utf-8")
    compiler = find(("iverilog",), "apt-get install -y iverilog")
    given = [f"-Picarus.{name}={part.parameters[name]}" for name in CHIP]
    files = [file.name for file in [*testbench, *sources()]]
    run([compiler, "-g2005-sv", "-s", "icarus", *given, "-o", "chip.vvp", *files], folder)
    return Simulation(folder, None, tuple(one.name for one in inside))


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
