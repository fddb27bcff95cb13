# SPDX-License-Identifier: Apache-2.0
"""The catalogues of the chip's units as they are: in order, complete, and assuming what is asserted elsewhere."""

import re
from pathlib import Path

from proofs.rtl import group
from proofs.rtl.sbyfile import labels
from proofs.rtl.units import unfit

UNITS = group.CATALOGUE.units


def test_every_catalogue_is_in_order() -> None:
    assert group.CATALOGUE.wrong == {}


def test_every_bug_fits() -> None:
    bugs = [bug for unit in UNITS.values() for bug in unit.bugs]
    assert {bug.what: unfit(group.PLACE, bug) for bug in bugs if unfit(group.PLACE, bug)} == {}
    assert len(bugs) > 100


def test_every_sby_file_has_a_catalogue() -> None:
    assert {path.stem for path in group.PLACE.formal.glob("*.sby")} == set(UNITS)


def test_every_source_is_in_a_catalogue() -> None:
    proved = {source for unit in UNITS.values() for source in unit.sources}
    assert {path.name for path in group.PLACE.rtl.glob("*.v")} == proved


def test_what_is_said_to_be_asserted_is_asserted_in_a_proof() -> None:
    """An assumption names the assertions that guarantee it, and the harness or unit that has them if not its own."""
    proved = {path.name: asserted(path) for unit in UNITS.values() for path in unit.harnesses}
    named = 0
    for unit in UNITS.values():
        for assumption in unit.assumptions:
            files = re.findall(r"\w+\.sv\b", assumption.because)
            assert set(files) <= proved.keys(), f"{unit.name}, {assumption.label}: no unit has {files}"
            others = [UNITS[word] for word in re.findall(r"\w+", assumption.because) if word in UNITS]
            files += [path.name for other in (unit, *others) for path in other.harnesses]
            there = [proved[file] for file in files]
            for label in re.findall(r"\b[ai]_\w+", assumption.because):
                assert label in set().union(*there), f"{unit.name}, {assumption.label}: {label} is not asserted"
                named += 1
    assert named > 0


def asserted(path: Path) -> set[str]:
    """The labels that a harness asserts."""
    return {label for label, kind in labels(path).items() if kind == "assert"}
