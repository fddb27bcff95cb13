# SPDX-License-Identifier: Apache-2.0
"""What a run of sby came to: its verdict, how it ran, and what became of each label."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from proofs.rtl.sbyfile import SbyFile

PASS, FAIL, UNKNOWN = "PASS", "FAIL", "UNKNOWN"
SECTIONS = ("options", "engines", "script", "files")
LIVE = re.compile(r"jsonl: (\{.*\})\s*$")
LAST_NAME = re.compile(r"(\w+)\s*$")


@dataclass(frozen=True, slots=True)
class Found:
    """What became of one label: PASS, FAIL or UNKNOWN, the cycle, and the trace if there is one (relative to formal/).

    A label in several instances has passed when it did in all, and has failed when it did in one.
    """

    status: str
    kind: str
    cycle: int = 0
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run of sby: its verdict (PASS, FAIL, UNKNOWN, ERROR, TIMEOUT), how it ran, and what it found for each label."""

    verdict: str
    mode: str = ""
    depth: int = 0
    engine: str = ""
    inductive: bool = False
    labels: Mapping[str, Found] = field(default_factory=dict)
    seconds: float = 0.0
    said: str = ""
    unchanged: bool = False


def outcome_of(sby: SbyFile, task: str | None, folder: Path, said: str, seconds: float) -> Outcome:
    """What a run of sby in `folder` came to, from its files and from what it said.

    For a task of a .sby file, what sby took its file to say must be what we read in it.
    """
    try:
        verdict = (folder / "status").read_text(encoding="utf-8").split()[0]
        config = (folder / "config.sby").read_text(encoding="utf-8")
    except (OSError, IndexError):
        return Outcome("ERROR", seconds=seconds, said=_complaint(said))
    sections = _sections(config)
    options = dict(line.split(None, 1) for line in sections["options"])
    outcome = Outcome(
        verdict,
        options.get("mode", ""),
        int(options.get("depth", "0")),
        ", ".join(sections["engines"]),
        "successful proof by k-induction" in said,
        _labels(said),
        seconds,
        "" if verdict in (PASS, FAIL, UNKNOWN) else _complaint(said),
    )
    if task is not None and any(sections.get(name, []) != sby.section(name, task) for name in SECTIONS):
        return replace(outcome, verdict="ERROR", said="the .sby file means something else to sby than to us")
    return outcome


def _labels(said: str) -> dict[str, Found]:
    """The last word on each label, from sby's live report; a failed induction step is no counterexample: UNKNOWN."""
    instances: dict[tuple[str, str], Found] = {}
    for line in said.splitlines():
        if match := LIVE.search(line):
            row: dict[str, Any] = json.loads(match[1])
            name, status = str(row["name"]), str(row["status"])
            last, trace = LAST_NAME.search(name), str(row.get("trace", ""))
            if "_induct" in Path(trace).name:
                status = UNKNOWN
            found = Found(status, str(row["kind"]).lower(), int(row.get("depth", 0)), trace)
            place = (last[1] if last else name, name)
            before = instances.get(place, found)
            if _rank(found) > _rank(before) or place not in instances:
                instances[place] = found
    labels: dict[str, Found] = {}
    for (label, _), found in instances.items():
        before = labels.get(label, found)
        order = (PASS, UNKNOWN, FAIL) if found.kind == "assert" else (PASS, FAIL, UNKNOWN)
        worse = order.index(found.status) > order.index(before.status)
        labels[label] = found if worse or label not in labels else before
    return labels


def _rank(found: Found) -> tuple[int, bool, bool]:
    """What replaces what when sby reports one property several times: any verdict an unknown, a VCD a witness file."""
    decided = (UNKNOWN, PASS, FAIL).index(found.status)
    return decided, bool(found.trace), found.trace.endswith(".vcd")


def _sections(config: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    name = ""
    for line in config.splitlines():
        if line.startswith("["):
            name = line.strip()[1:-1].strip()
            sections[name] = []
        elif line.strip() and not line.strip().startswith("#"):
            sections[name].append(line.strip())
    return sections


def _complaint(said: str) -> str:
    """What sby says went wrong, in a line."""
    lines = [re.sub(r"^SBY +[0-9:]+ \[[^]]*\] ", "", line) for line in said.splitlines() if "jsonl:" not in line]
    telling = [line for line in lines if re.search(r"ERROR|nsatisfiable|TIMEOUT|Reached TIMEOUT", line)]
    return (telling or [line for line in lines if line.strip()] or ["sby said nothing"])[0].strip()
