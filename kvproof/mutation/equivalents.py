# SPDX-License-Identifier: Apache-2.0
"""The mutants that make no difference, as `tests/equivalent_mutants.toml` lists them, held against a finished run.

An entry names a file, a function, the changed lines, and one kind of evidence:

* `proof = "z3"`: both versions are lifted from their source and equal for all arguments that the contract allows;
* `differential = "tests/mutation/NAME.py"`: that script compares both on every input up to a size, or on 100,000;
* `argument = "…"`: in writing, for at most 2 % of the mutants of a file.

An entry that fits no mutant any more is stale, and so is one whose mutant a test does notice after all, or whose file
is gone.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kvproof.errors import UsageError
from kvproof.mutation.results import CRASHED, KILLED, Mutant, changed_lines, diff_of
from kvproof.mutation.targets import files

LIST = Path("tests") / "equivalent_mutants.toml"
EVIDENCE = ("proof", "differential", "argument")
MOST_ARGUED = 0.02
"""Of the mutants of a file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list. `evidence` is one of EVIDENCE, `text` what the entry says for it."""

    file: str
    function: str
    diff: str
    evidence: str
    text: str

    def __str__(self) -> str:
        return f"{self.file} {self.function}: {self.diff.splitlines()[0]}"


@dataclass(frozen=True, slots=True)
class Matched:
    """The names of the mutants that are equivalent, with their entries, and what is wrong with the list."""

    entries: dict[str, Entry]
    faults: list[str]


def load(path: Path = LIST) -> list[Entry]:
    """The entries. UsageError when the file cannot be read or an entry is not as above."""
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"'{path}' is no TOML: {error}") from None
    entries = listed.pop("mutant", [])
    if listed or not isinstance(entries, list):
        raise UsageError(f"'{path}' has to consist of entries that are called [[mutant]], and of nothing else")
    return [_entry(path, raw) for raw in entries]


def _entry(path: Path, raw: Any) -> Entry:
    given = [kind for kind in EVIDENCE if isinstance(raw, dict) and kind in raw]
    if len(given) != 1 or set(raw) != {"file", "function", "diff", *given} or not all(map(_is_text, raw.values())):
        raise UsageError(
            f"'{path}': the entry {raw} needs file, function, diff and one of {', '.join(EVIDENCE)}, all of them texts"
        )
    diff = changed_lines(raw["diff"])
    if not diff:
        raise UsageError(f"'{path}': the diff of an entry of {raw['file']} has no line that begins with - or +")
    return Entry(raw["file"], raw["function"], diff, given[0], raw[given[0]].strip())


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def match(entries: Sequence[Entry], mutants: Sequence[Mutant]) -> Matched:
    """Which of the mutants are in the list. Entries of other files are not looked at, but for whether those exist."""
    here, every = {mutant.file for mutant in mutants}, files()
    looked_at = [entry for entry in entries if entry.file in here]
    functions = {(entry.file, entry.function) for entry in looked_at}
    by_change: dict[tuple[str, str, str], list[Mutant]] = {}
    for mutant in mutants:
        if (mutant.file, mutant.function) in functions:
            key = mutant.file, mutant.function, changed_lines(diff_of(mutant))
            by_change.setdefault(key, []).append(mutant)
    found: dict[str, Entry] = {}
    faults = [f"stale: there is no file of {entry}" for entry in entries if entry.file not in every]
    for entry in looked_at:
        fitting = by_change.get((entry.file, entry.function, entry.diff), [])
        if not fitting:
            faults.append(f"stale: no mutant is {entry}")
        for mutant in fitting:
            if mutant.name in found:
                faults.append(f"twice in the list: {entry}")
            if mutant.status in (KILLED, CRASHED):
                faults.append(f"stale: a test notices {entry}")
            else:
                found[mutant.name] = entry
    return Matched(found, faults + _argued_too_often(found.values(), mutants))


def _argued_too_often(entries: Iterable[Entry], mutants: Sequence[Mutant]) -> list[str]:
    made = Counter(mutant.file for mutant in mutants)
    argued = Counter(entry.file for entry in entries if entry.evidence == "argument")
    return [
        f"{file}: {count} of {made[file]} mutants are equivalent by argument, which is more than 2 %"
        for file, count in argued.items()
        if count > MOST_ARGUED * made[file]
    ]
