# SPDX-License-Identifier: Apache-2.0
"""The designs that the harness of a unit proves, and in them the modules that are mutated.

A design is a task of `formal/UNIT.sby`: its sources in a folder, the commands of yosys up to the hierarchy, the top
module, and what its script does after that. A part is one module of the unit with the parameters that one design gives
it, kept as RTLIL after `proc`: that fixes the names of its cells, so that a mutant is the same in every design, in the
simulation and in the miter.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs.rtl.sbyfile import read_sby
from proofs.rtl_mutation.units import FORMAL, Unit
from proofs.rtl_mutation.yosys import YosysFailed, above, sby, yosys


@dataclass(frozen=True, slots=True)
class Design:
    """A task: its mode and depth, its folder of sources, the commands of its script before `prep`, this line, the top
    module in it and the commands after it, and every module in it (JSON)."""

    task: str
    mode: str
    depth: int
    source: Path
    reads: tuple[str, ...]
    prep: str
    top: str
    after: tuple[str, ...]
    modules: dict[str, Any]

    def has(self, part: "Part") -> bool:
        """Whether the part is in it, and not something else under its name."""
        return any(module == part.module for module, _ in instances(self, part.name))


@dataclass(frozen=True, slots=True)
class Part:
    """A module that is mutated: its name in `rtl/`, its name in the design, its parameters and ports, its RTLIL."""

    name: str
    module: str
    parameters: dict[str, int]
    inputs: dict[str, int]
    outputs: dict[str, int]
    children: dict[str, tuple[str, dict[str, int]]]
    """For every module that this one instantiates, by its name in the design: the name in `rtl/` and the parameters."""
    rtlil: Path
    around: Path
    """RTLIL of what it instantiates, as boxes: without it yosys takes an input of a box for an output."""


def designs(unit: Unit, folder: Path) -> list[Design]:
    """The designs of a unit, one for each script. `folder` is filled. Raises YosysFailed and ToolMissing."""
    folder.mkdir(parents=True, exist_ok=True)
    file = f"{unit.name}.sby"
    tasks = json.loads(sby(FORMAL, ["--dumptaskinfo", file]))
    found: dict[tuple[str, ...], Design] = {}
    for task, about in tasks.items():
        script = tuple(line.strip() for line in about["script"] if line.strip())
        if about["mode"] not in ("prove", "bmc") or script in found:
            continue
        prefix = above(folder / "task", FORMAL)
        sby(FORMAL, ["--setup", "-f", "--prefix", prefix, file, task])
        source = folder / f"task_{task}" / "src"
        at, top = _prepared(script, file)
        reads = script[:at]
        modules = _elaborated(source, reads, top)
        if smaller := _smaller(unit, reads, modules[top]):
            reads = _sized(reads, f"chparam {smaller} {top}")
            modules = _elaborated(source, reads, top)
        depth = int(read_sby(FORMAL / file).options(task)["depth"])
        found[script] = Design(task, about["mode"], depth, source, reads, script[at], top, script[at + 1 :], modules)
    return list(found.values())


def _elaborated(source: Path, reads: Sequence[str], top: str) -> dict[str, Any]:
    yosys(source, [*reads, f"hierarchy -top {top}", "proc", "opt_clean", "write_json ../design.json"], "elaborate")
    modules: dict[str, Any] = json.loads((source.parent / "design.json").read_text())["modules"]
    return modules


def _smaller(unit: Unit, reads: Sequence[str], top: dict[str, Any]) -> str:
    """The options of `chparam` that make a harness smaller; nothing when its task chose its size or it has none."""
    if any(line.startswith("chparam") for line in reads):
        return ""
    given = _parameters(top)
    return " ".join(f"-set {name} {value}" for name, value in unit.sizes.items() if given.get(name, 0) > value)


def _sized(reads: Sequence[str], command: str) -> tuple[str, ...]:
    """These commands with one that chooses the size, which comes before the first that elaborates."""
    at = next((at for at, line in enumerate(reads) if line.startswith("hierarchy")), len(reads))
    return (*reads[:at], command, *reads[at:])


def _prepared(script: Sequence[str], file: str) -> tuple[int, str]:
    """Which command is `prep -top MODULE`, and the module."""
    for at, line in enumerate(script):
        if prep := re.fullmatch(r"prep\b.*-top (\S+)", line):
            return at, prep[1]
    raise YosysFailed(f"the script of {file} has no line prep -top MODULE")


def parts(unit: Unit, found: Sequence[Design], folder: Path) -> list[Part]:
    """The parts of a unit. Raises YosysFailed when one is nowhere.

    Each is as the first harness has it that instantiates it, in the task where it is smallest.
    """
    chosen = []
    for name in unit.parts:
        places = [(len(m["cells"]), at, module) for at, d in enumerate(found) for module, m in instances(d, name)]
        if not places:
            raise YosysFailed(f"no task of {unit.name}.sby instantiates {name}")
        harness = found[min(at for _, at, _ in places)].top
        _, at, module = min(place for place in places if found[place[1]].top == harness)
        chosen.append(_part(name, module, found[at], folder))
    return chosen


def instances(design: Design, name: str) -> list[tuple[str, Any]]:
    """The modules of a design that come from `rtl/NAME.v`, by their names in the design."""
    return [
        (module, about)
        for module, about in design.modules.items()
        if about["attributes"].get("hdlname", module) == name
        and Path(about["attributes"].get("src", "").split(":")[0]).name == f"{name}.v"
    ]


def _part(name: str, module: str, design: Design, folder: Path) -> Part:
    rtlil, around = folder / f"{name}.il", folder / f"{name}_around.il"
    about = design.modules[module]
    kinds = sorted({cell["type"] for cell in about["cells"].values()} & design.modules.keys())
    write = [f"select -module {module} *", f"write_rtlil -selected {above(rtlil, design.source)}", "select -clear"]
    boxes = [f"blackbox ={kind}" for kind in kinds]
    kept = [f"select -none; {'; '.join(f'select -add ={kind}' for kind in kinds)}" if kinds else "select -none"]
    boxes += [*kept, f"write_rtlil -selected {above(around, design.source)}"]
    reads = [*design.reads, f"hierarchy -top {design.top}", "proc", "opt_clean"]
    yosys(design.source, [*reads, *write, *boxes], f"part_{name}")
    ports = about["ports"].items()
    return Part(
        name,
        module,
        _parameters(about),
        {port: len(how["bits"]) for port, how in ports if how["direction"] == "input"},
        {port: len(how["bits"]) for port, how in ports if how["direction"] == "output"},
        {kind: (_plain(kind, design), _parameters(design.modules[kind])) for kind in kinds},
        rtlil,
        around,
    )


def _plain(module: str, design: Design) -> str:
    return str(design.modules[module]["attributes"].get("hdlname", module))


def _parameters(about: dict[str, Any]) -> dict[str, int]:
    return {name: int(bits, 2) for name, bits in about.get("parameter_default_values", {}).items()}
