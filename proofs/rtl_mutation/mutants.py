# SPDX-License-Identifier: Apache-2.0
"""The mutants of a unit, drawn by yosys with a seed, and the commands that put all of them into one netlist.

Mutant m acts when the input `mutant_select` is m; with 0 the netlist is the original.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from impl.chip.verilog import RTL
from proofs.rtl_mutation.designs import Part
from proofs.rtl_mutation.yosys import YosysFailed, above, yosys

SELECT = "mutant_select"
CLOCK = "clk"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutant: its number from 1, its options as yosys wrote them, and the part that it changes."""

    number: int
    part: str
    options: str

    @property
    def where(self) -> str:
        """What is changed, for people: `dma.v:54 const0 of Y[3] of $add (next_row[3])`."""
        lines = re.findall(r"-src \S*?([\w.]+:\d+)\.", self.options)
        given = dict(re.findall(r"-(mode|cell|port|portbit|ctrlbit|wire|wirebit) (\S+)", self.options))
        cell = re.sub(r"\$[\w./]*:\d+", "", given["cell"])
        control = f" by bit {given['ctrlbit']}" if "ctrlbit" in given else ""
        wire = f" ({given['wire']}[{given.get('wirebit', 0)}])" if "wire" in given else ""
        place = lines[-1] if lines else self.part
        return f"{place} {given['mode']}{control} of {given['port']}[{given['portbit']}] of {cell}{wire}"

    @property
    def lines(self) -> list[int]:
        """The lines of the part's source that the changed cell comes from."""
        return [int(line) for line in re.findall(rf"-src \S*\b{self.part}\.v:(\d+)\.", self.options)]

    def command(self, width: int) -> str:
        """The command that puts this mutant behind the select input."""
        kept = re.sub(r" -(?:src|wire|wirebit) \S+", "", self.options)
        return f"mutate {kept} -ctrl {SELECT} {width} {self.number}"


def draw(parts: Sequence[Part], count: int, seed: int, folder: Path) -> list[Mutant]:
    """`count` mutants of these parts, the same for the same seed, RTLIL and yosys. Raises YosysFailed, also when there
    are fewer.

    Of a longer list of yosys the first ones that change no clock, and nothing that is only there for observation
    (`ifdef FORMAL`, ports f_…).
    """
    reads = [f"read_rtlil -overwrite {above(part.around, folder)}" for part in parts]
    reads += [f"read_rtlil -overwrite {above(part.rtlil, folder)}" for part in parts]
    yosys(folder, [*reads, f"mutate -list {2 * count + 10} -seed {seed} -o mutants.txt"], "draw")
    hidden = {part.name: observed((RTL / f"{part.name}.v").read_text(encoding="utf-8")) for part in parts}
    found = [
        one for one in parse((folder / "mutants.txt").read_text(encoding="utf-8"), parts) if not _hidden(one, hidden)
    ]
    if len(found) < count:
        raise YosysFailed(f"yosys finds {len(found)} mutants and not {count}: ask for fewer with --limit")
    return [replace(mutant, number=number) for number, mutant in enumerate(found[:count], 1)]


def _hidden(mutant: Mutant, hidden: Mapping[str, Collection[int]]) -> bool:
    port = re.search(r"-port (\S+)", mutant.options)
    if port is not None and (port[1].lower() == CLOCK or port[1].startswith("f_")):
        return True
    return bool(mutant.lines) and mutant.lines[-1] in hidden[mutant.part]


def observed(text: str) -> set[int]:
    """The lines of a source between `ifdef FORMAL` and `endif`, from 1."""
    found, inside = set(), False
    for number, line in enumerate(text.splitlines(), 1):
        inside = inside or line.strip() == "`ifdef FORMAL"
        if inside:
            found.add(number)
        inside = inside and line.strip() != "`endif"
    return found


def parse(text: str, parts: Sequence[Part]) -> list[Mutant]:
    """The mutants of a list that yosys wrote."""
    names = {part.module.removeprefix("\\"): part.name for part in parts}
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        options = line.removeprefix("mutate ").strip()
        module = re.search(r"-module (\S+)", options)
        if module is None:
            raise ValueError(f"no mutant: {line}")
        found.append(Mutant(number, names[module[1].removeprefix("\\")], options))
    return found


def width(mutants: Sequence[Mutant]) -> int:
    """Bits of the select input. At least two: of a single bit yosys makes a Bool, which is compared with no number."""
    return max([2, *(mutant.number.bit_length() for mutant in mutants)])
