# SPDX-License-Identifier: Apache-2.0
"""The benches of a unit at other sizes than those of the tests, for whoever runs them on a changed unit.

`python -m tests.chip.sized_benches FILE UNIT NAME=VALUE …` writes them as a pickled list; the names are those of the
Verilog's parameters.
"""

import pickle
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from impl.chip.config import Config
from impl.chip.unit_bench import Bench
from tests.chip import unit_benches, unit_sequences


def benches(unit: str, size: Mapping[str, int]) -> list[Bench]:
    """All benches of a unit of this size; none when there are none of that size."""
    made = _made(unit, size)
    return [bench for bench in made if all(size.get(name, value) == value for name, value in bench.parameters.items())]


def _made(unit: str, size: Mapping[str, int]) -> list[Bench]:
    lanes = size.get("N", unit_sequences.N)
    if unit in ("ga2_vec", "ga2_sm", "ga2_mm"):
        unit_sequences.N, unit_sequences.CONFIG = lanes, Config(lanes=lanes)
        unit_sequences.LONGEST = size.get("MAX_CONTEXT", unit_sequences.LONGEST)
    made = {
        "mul": lambda: [unit_benches.mul(), unit_benches.mul_wide()],
        "pe": lambda: [unit_benches.pe()],
        "systolic": lambda: [unit_benches.systolic(lanes)],
        "requant": lambda: [unit_benches.requant_bench()],
        "exp_lut": lambda: [unit_benches.exp_lut()],
        "divu": lambda: [unit_benches.divu(size.get("W", 24))],
        "sram": lambda: [unit_benches.sram(size.get("ROWS", 16), size.get("WORDS", 2))],
        "rowmem": lambda: [unit_benches.rowmem(size.get("ROWS", 32), lanes)],
        "dma": lambda: [unit_sequences.dma(size.get("WORDS", 2))],
        "ga2_vec": lambda: [unit_sequences.ga2_vec()],
        "ga2_sm": lambda: [unit_sequences.ga2_sm()],
        "ga2_mm": lambda: [unit_sequences.ga2_mm()],
        "ga2_decode": lambda: [unit_benches.ga2_decode(chip(size))],
    }
    return made[unit]() if unit in made else []


def chip(size: Mapping[str, int]) -> Config:
    """The chip with these parameters."""
    names = {
        "N": "lanes",
        "SRAM_ROWS": "sram_rows",
        "ROWMEM_ROWS": "rowmem_rows",
        "EXTERNAL_WORDS": "external_words",
        "MAX_CONTEXT": "max_context",
    }
    return Config(**{names[name]: value for name, value in size.items()})


def main(arguments: Sequence[str]) -> None:
    """Write the benches that the arguments ask for."""
    file, unit, *given = arguments
    size = {name: int(value) for name, value in (text.split("=") for text in given)}
    Path(file).write_bytes(pickle.dumps(benches(unit, size)))


if __name__ == "__main__":
    main(sys.argv[1:])
