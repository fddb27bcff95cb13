# SPDX-License-Identifier: Apache-2.0
"""The catalogue of a unit, `formal/UNIT.toml`: what is claimed of it, the wrong variants, the assumptions.

`load` checks it against the .sby file, the harness and the source, so that none of them can say what the others do not.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from proofs.evidence import BOUNDED, PROVED
from proofs.rtl.sbyfile import SbyFile, UnitError, labels, read_sby

T = TypeVar("T", str, int, list[Any])


@dataclass(frozen=True, slots=True)
class Place:
    """Where the harnesses, the sources of the chip and the results are."""

    formal: Path
    rtl: Path
    out: Path


@dataclass(frozen=True, slots=True)
class UnitClaim:
    """One claim: a sentence, the labels that together say it, the task that proves them, the covers of its premises."""

    id: str
    statement: str
    task: str
    properties: tuple[str, ...]
    strength: str
    covers: tuple[str, ...]
    because: str = ""


@dataclass(frozen=True, slots=True)
class Bug:
    """A wrong variant: one replacement in one file, and the labels that fail within `depth` cycles of the task."""

    what: str
    breaks: tuple[str, ...]
    file: str
    old: str
    new: str
    task: str
    depth: int


@dataclass(frozen=True, slots=True)
class Assumption:
    """What a harness assumes, and why the surroundings of the unit guarantee it."""

    label: tuple[str, ...]
    says: str
    because: str


@dataclass(frozen=True, slots=True)
class Unit:
    """All of a unit. `harnesses` are the files of `formal/` that its tasks read, without the generated ones."""

    name: str
    sources: tuple[str, ...]
    claims: tuple[UnitClaim, ...]
    bugs: tuple[Bug, ...]
    assumptions: tuple[Assumption, ...]
    holes: tuple[str, ...]
    sby: SbyFile
    harnesses: tuple[Path, ...]

    def tasks(self) -> list[str]:
        """The tasks that prove something or reach covers, in the order of the .sby file."""
        return list(self.sby.tasks)


def names(place: Place) -> list[str]:
    """The units there are, by name: those with a catalogue."""
    return sorted(path.stem for path in place.formal.glob("*.toml"))


def load(place: Place, name: str) -> Unit:
    """Read a unit and check it. Raises UnitError with everything that is wrong."""
    try:
        path = place.formal / f"{name}.toml"
        unit, faults = _read(place, name, tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise UnitError(f"{name}.toml: {error}") from None
    except OSError as error:
        raise UnitError(f"{error.filename and Path(error.filename).name}: {error.strerror}") from None
    if not faults:
        faults = [*_faults_of_tasks(unit), *_faults_of_labels(unit), *_faults_of_bugs(unit)]
    if faults:
        raise UnitError("; ".join(faults))
    return unit


class _Table:
    """A table of a toml file, read key by key; what is missing, wrong or left over becomes a fault."""

    def __init__(self, where: str, data: Mapping[str, Any], faults: list[str]) -> None:
        self.where, self.data, self.faults, self.seen = where, data, faults, set[str]()

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        self.seen.add(key)
        value = self.data.get(key, default)
        if isinstance(value, kind) and (value or value == default) and not isinstance(value, bool):
            return value
        wanted = {str: "a text", int: "a number", list: "a list"}[kind]
        self.faults.append(f"{self.where}: {key} is missing or not {wanted}")
        return kind()

    def texts(self, key: str, default: list[str] | None = None) -> tuple[str, ...]:
        found = self.get(key, list, default)
        if not all(isinstance(item, str) for item in found):
            self.faults.append(f"{self.where}: {key} is not a list of texts")
        return tuple(map(str, found))

    def tables(self, key: str) -> "list[_Table]":
        found = self.get(key, list, [])
        return [
            _Table(f"{self.where} [[{key}]] {number}", item if isinstance(item, dict) else {}, self.faults)
            for number, item in enumerate(found, 1)
        ]

    def end(self) -> None:
        if unknown := ", ".join(sorted(self.data.keys() - self.seen)):
            self.faults.append(f"{self.where}: unknown: {unknown}")


def _read(place: Place, name: str, data: Mapping[str, Any]) -> tuple[Unit, list[str]]:
    faults: list[str] = []
    top = _Table(f"{name}.toml", data, faults)
    if top.get("unit", str) != name:
        faults.append(f"{name}.toml: unit is not {name}")
    claims, bugs, assumptions = [], [], []
    for table in top.tables("claim"):
        id, statement, task = table.get("id", str), table.get("statement", str), table.get("task", str)
        properties, strength = table.texts("properties"), table.get("strength", str)
        covers, because = table.texts("covers"), table.get("because", str, "")
        claims.append(UnitClaim(id, statement, task, properties, strength, covers, because))
        table.end()
    for table in top.tables("bug"):
        what, breaks, file = table.get("what", str), table.texts("breaks"), table.get("file", str)
        old, new = table.get("old", str), table.get("new", str, "")
        bugs.append(Bug(what, breaks, file, old, new, table.get("task", str), table.get("depth", int)))
        table.end()
    for table in top.tables("assumption"):
        label = table.data.get("label")
        many = table.texts("label") if isinstance(label, list) else (table.get("label", str),)
        assumptions.append(Assumption(many, table.get("says", str), table.get("because", str)))
        table.end()
    sources, holes = top.texts("sources"), top.texts("holes", [])
    top.end()
    sby = read_sby(place.formal / f"{name}.sby")
    files = {source for task in sby.tasks for source in sby.files(task).values()}
    harnesses = tuple(sorted(place.formal / file for file in files if "/" not in file))
    if missing := [file for file in sorted(files) if not (place.formal / file).is_file()]:
        faults.append(f"{name}.sby: there is no {', '.join(missing)}")
    if {Path(file).name for file in files if (place.formal / file).parent.resolve() == place.rtl.resolve()} != {
        *sources
    }:
        faults.append(f"{name}.toml: sources are not the files of rtl/ that {name}.sby names")
    unit = Unit(name, sources, tuple(claims), tuple(bugs), tuple(assumptions), holes, sby, harnesses)
    return unit, faults


def _faults_of_tasks(unit: Unit) -> list[str]:
    faults = []
    claimed = {claim.task for claim in unit.claims}
    for task in unit.sby.tasks:
        options, engine = unit.sby.options(task), unit.sby.engine(task)
        mode = options.get("mode", "")
        if is_cover(task) != (mode == "cover") or mode not in ("prove", "bmc", "cover"):
            faults.append(f"{unit.name}.sby: task {task} has mode {mode}; cover… has cover, others prove or bmc")
        if not is_cover(task) and task not in claimed:
            faults.append(f"{unit.name}.sby: task {task} is in no claim")
        faults += [f"{unit.name}.sby: task {task} has no {key}" for key in ("depth", "timeout") if key not in options]
        if "--nopresat" in engine or "expect" in options:
            faults.append(f"{unit.name}.sby: task {task} switches off presat, or expects something else than a pass")
    if not any(map(is_cover, unit.sby.tasks)):
        faults.append(f"{unit.name}.sby has no task cover")
    for claim in unit.claims:
        word = claim.strength.split(" ", 1)[0]
        if word not in (PROVED, BOUNDED) or (word == BOUNDED) != bool(claim.because):
            faults.append(f"{claim.id}: strength is PROVED …, or BOUNDED … with a because")
        if word == BOUNDED and not re.search(r"\d", claim.strength):
            faults.append(f"{claim.id}: BOUNDED to how many cycles?")
        if not re.fullmatch(re.escape(unit.name) + r"\.\w+", claim.id):
            faults.append(f"{claim.id}: an id is {unit.name}.WORD")
    ids = [claim.id for claim in unit.claims]
    faults += [f"two claims are called {id}" for id in sorted({id for id in ids if ids.count(id) > 1})]
    users = [(claim.id, claim.task) for claim in unit.claims] + [(f"bug '{bug.what}'", bug.task) for bug in unit.bugs]
    faults += [f"{who}: there is no task {task}" for who, task in users if is_cover(task) or task not in unit.sby.tasks]
    return faults


def _faults_of_labels(unit: Unit) -> list[str]:
    home: dict[str, str] = {}
    kinds: dict[str, str] = {}
    faults = []
    for path in unit.harnesses:
        for label, kind in labels(path).items():
            if home.setdefault(label, path.name) != path.name:
                faults.append(f"{label} is in {home[label]} and in {path.name}")
            kinds[label] = kind
    said = {
        "assert": [label for claim in unit.claims for label in claim.properties],
        "cover": [label for claim in unit.claims for label in claim.covers],
        "assume": [label for assumption in unit.assumptions for label in assumption.label],
    }
    for kind, listed in said.items():
        there = {label for label, of in kinds.items() if of == kind}
        if extra := sorted(set(listed) - there):
            faults.append(f"{unit.name}.toml: no harness has an {kind} {', '.join(extra)}")
        if forgotten := sorted(there - set(listed)):
            faults.append(f"{unit.name}.toml: the {kind} {', '.join(forgotten)} is in no entry")
    pairs = [(claim.task, label) for claim in unit.claims for label in claim.properties]
    twice = sorted({pair for pair in pairs if pairs.count(pair) > 1})
    faults += [f"{label} is in two claims of task {task}" for task, label in twice]
    return faults


def _faults_of_bugs(unit: Unit) -> list[str]:
    faults = []
    for bug in unit.bugs:
        where = f"{unit.name}.toml, bug '{bug.what}'"
        if bug.file not in unit.sources:
            faults.append(f"{where}: {bug.file} is not in sources")
        if bug.old == bug.new or bug.depth < 1:
            faults.append(f"{where}: it changes nothing")
        known = {label for claim in unit.claims if claim.task == bug.task for label in claim.properties}
        if strange := sorted(set(bug.breaks) - known):
            faults.append(f"{where}: {', '.join(strange)} is in no claim of task {bug.task}")
    broken = {label for bug in unit.bugs for label in bug.breaks}
    for claim in unit.claims:
        if whole := [label for label in claim.properties if label.startswith("a_") and label not in broken]:
            faults.append(f"{claim.id}: no bug breaks {', '.join(whole)}")
        if broken.isdisjoint(claim.properties):
            faults.append(f"{claim.id} has no bug")
    return faults


def unfit(place: Place, bug: Bug) -> str:
    """Why a bug does not fit into its source as that is now, or nothing. Raises OSError.

    No fault of the catalogue: the source may be what is wrong, and then its properties have to be tried.
    """
    count = (place.rtl / bug.file).read_text(encoding="utf-8").count(bug.old)
    return "" if count == 1 else f"{bug.old!r} occurs {count} times in {bug.file}, not once"


def is_cover(task: str) -> bool:
    """Whether a task reaches covers instead of proving something."""
    return task.startswith("cover")
