# SPDX-License-Identifier: Apache-2.0
"""A project of one mutated file, as mutmut leaves it: five of six mutants were not killed, each in its own way."""

import json
from collections.abc import Sequence
from pathlib import Path

NAMES = [f"impl.toy.x_add__mutmut_{number}" for number in range(1, 7)]
MUTATED = """\
def x_add__mutmut_orig(a, b):
    if a > 9:
        raise ValueError("too large")
    return a + b
"""
CHANGES = [
    ("a > 9", "a >= 9"),
    ("a + b", "a - b"),
    ("too large", "XXtoo largeXX"),
    ("> 9", "> 10"),
    ("a + b", "b"),
    ("if a", "if b"),
]
CODES = [0, 1, 0, -24, 33, 3]


def make(folder: Path) -> None:
    """A folder with one mutated file, as mutmut leaves it: five mutants were not killed, each in its own way."""
    (folder / "impl").mkdir()
    (folder / "impl" / "toy.py").write_text("")
    (folder / "setup.cfg").write_text("")
    (folder / "tests").mkdir()
    (folder / "tests" / "equivalent_mutants.toml").write_text("")
    text, spans = MUTATED, {"x_add__mutmut_orig": [1, 4]}
    for number, (old, new) in enumerate(CHANGES, 1):
        assert old in MUTATED
        name = f"x_add__mutmut_{number}"
        text += MUTATED.replace(old, new).replace("x_add__mutmut_orig", name)
        spans[name] = [4 * number + 1, 4 * number + 4]
    mutants = folder / "mutants" / "impl"
    mutants.mkdir(parents=True)
    (mutants / "toy.py").write_text(text)
    (mutants / "toy.py.spans").write_text(json.dumps({"version": 1, "spans": spans}))
    write_results(folder, CODES)


def write_results(project: Path, codes: Sequence[int | None]) -> None:
    """How the tests of each mutant ended."""
    meta = {"exit_code_by_key": dict(zip(NAMES, codes, strict=True)), "durations_by_key": dict.fromkeys(NAMES, 0.5)}
    (project / "mutants" / "impl" / "toy.py.meta").write_text(json.dumps(meta))
