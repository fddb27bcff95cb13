# SPDX-License-Identifier: Apache-2.0
"""Reads what a .sby file says for one task: its options, engines, script and files. And labels in a harness.

`sby` writes the file as it read it for a task into the work folder; a run whose file differs from this reading fails.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LABELLED = re.compile(r"\b(\w+)\s*:\s*(assert|assume|cover)\b")
UNLABELLED = re.compile(r"\b(assert|assume|cover)\b\s*(?:property\s*)?\([^\n]*")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
KINDS = {"a": "assert", "i": "assert", "c": "cover", "m": "assume"}


class UnitError(ValueError):
    """A unit of `formal/` is not as it has to be: what, in one sentence for each fault."""


@dataclass(frozen=True, slots=True)
class SbyFile:
    """A .sby file: its text, and the tags of each task."""

    text: str
    tasks: dict[str, frozenset[str]]

    def section(self, name: str, task: str) -> list[str]:
        """The lines of a section as they hold for the task, without comments and blank ones."""
        return [line for section, line in self._lines(task) if section == name]

    def options(self, task: str) -> dict[str, str]:
        """The options of a task by name."""
        return dict(_pair(line) for line in self.section("options", task))

    def files(self, task: str) -> dict[str, str]:
        """The files of a task: where they come from, relative to the .sby file, by the name they get."""
        pairs = (line.split() for line in self.section("files", task))
        return {(words[0] if len(words) > 1 else Path(words[0]).name): words[-1] for words in pairs}

    def engine(self, task: str) -> str:
        """The engines of a task in one line."""
        return ", ".join(self.section("engines", task))

    def _lines(self, task: str) -> Iterator[tuple[str, str]]:
        active = self.tasks[task] | {task}
        tags = {tag for name, others in self.tasks.items() for tag in (name, *others)}
        section, within, wanted = "", False, True
        for line in self.text.splitlines():
            if within and line.strip() == "--":
                within, wanted = False, True
                continue
            tag, colon, rest = line.partition(":")
            name = tag.removeprefix("~")
            if section != "tasks" and colon and name in tags:
                holds = (name in active) != tag.startswith("~")
                if not rest.strip():
                    within, wanted = True, holds
                    continue
                if not holds:
                    continue
                line = rest
            if not wanted:
                continue
            if line.startswith("["):
                section = line.strip()[1:-1].strip()
            elif line.strip() and not line.strip().startswith("#"):
                yield section, line.strip()


def read_sby(path: Path) -> SbyFile:
    """Read a .sby file. Raises UnitError, OSError."""
    text = path.read_text(encoding="utf-8")
    if "--pycode-begin--" in text:
        raise UnitError(f"{path.name} has Python in it")
    head = re.search(r"^\[tasks\]\n(.*?)(?=^\[)", text, re.MULTILINE | re.DOTALL)
    tasks: dict[str, frozenset[str]] = {}
    for line in head[1].splitlines() if head else []:
        names = line.replace(":", " ").split()
        if names and not line.startswith("#"):
            tasks[names[0]] = frozenset(names[1:]) - {"default"}
    if not tasks:
        raise UnitError(f"{path.name} has no [tasks]")
    return SbyFile(text, tasks)


def labels(path: Path) -> dict[str, str]:
    """What each label of a harness is (assert, assume, cover). Raises UnitError for one that is none of ours."""
    text = COMMENT.sub(" ", path.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for label, kind in LABELLED.findall(text):
        if KINDS.get(label.partition("_")[0]) != kind:
            raise UnitError(f"{path.name}: {label} is the label of an {kind}; a_ and i_ assert, c_ cover, m_ assume")
        found[label] = kind
    if bare := UNLABELLED.search(LABELLED.sub("", text)):
        raise UnitError(f"{path.name}: without a label: {bare[0]}")
    return found


def _pair(line: str) -> tuple[str, str]:
    name, _, value = line.partition(" ")
    return name, value.strip()


def as_bug(sby: SbyFile, task: str, files: Sequence[str], labels: Sequence[str], depth: int) -> str:
    """The text of a .sby file that looks for a failure of each of `labels` within `depth` cycles, and of nothing else.

    `files` are the lines of its section [files].
    """
    engine = next((line for line in sby.section("engines", task) if line.startswith("smtbmc ")), "smtbmc yices")
    engine = re.sub(r" --(basecase|induction|keep-going)\b", "", engine)
    options = {**sby.options(task), "mode": "bmc", "depth": str(depth)}
    for name in ("expect", "skip"):
        options.pop(name, None)
    named = " ".join(f"*/{label} */*.{label}" for label in labels)
    sections = {
        "options": [f"{name} {value}" for name, value in options.items()],
        "engines": [engine.replace("smtbmc ", "smtbmc --keep-going ", 1)],
        "script": [
            *sby.section("script", task),
            f"select -set named {named} %%",
            "chformal -assert -remove * @named %d",
            "chformal -cover -remove",
        ],
        "files": files,
    }
    return "\n".join(line for name, lines in sections.items() for line in (f"[{name}]", *lines, ""))
