# SPDX-License-Identifier: Apache-2.0
"""The units whose harnesses are scored, what each must reach, and the programs that are needed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMAL = ROOT / "formal"
OUT = ROOT / "out" / "rtl_mutation"
EACH = 55
"""Mutants of a unit; with eleven units more than 600 in all."""

KILLED = 0.95
KILLED_BY_FORMAL = 0.85


@dataclass(frozen=True, slots=True)
class Unit:
    """A harness and the modules of `rtl/` that are mutated under it.

    `depth`: how many cycles a failing trace may have; `complete`: every mutant that is not equivalent has to be killed;
    `sizes`: parameters of harnesses that are made smaller for the search, where the task itself gives none.
    """

    name: str
    parts: tuple[str, ...]
    depth: int = 40
    complete: bool = False
    sizes: Mapping[str, int] = field(default_factory=dict)


UNITS = {
    unit.name: unit
    for unit in (
        Unit("sram", ("sram",), 8),
        Unit("rowmem", ("rowmem",), 8, sizes={"N": 8, "ROWS": 16}),
        Unit("dma", ("dma",), 24, complete=True),
        Unit("systolic", ("systolic", "pe", "mul"), 20),
        Unit("requant", ("requant",), 8),
        Unit("exp_lut", ("exp_lut",), 3),
        Unit("divu", ("divu",), 30, sizes={"W": 8}),
        Unit("ga2_vec", ("ga2_vec",), 24, sizes={"N": 8}),
        Unit("ga2_sm", ("ga2_sm",), 70, sizes={"N": 4}),
        Unit("ga2_mm", ("ga2_mm",), 48),
        Unit("ga2", ("ga2", "ga2_decode"), 40),
    )
}


def harnessed(name: str) -> bool:
    """Whether `formal/` has a harness of this unit."""
    return (FORMAL / f"{name}.sby").is_file()
