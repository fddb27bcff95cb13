# SPDX-License-Identifier: Apache-2.0
"""Runs mutmut on some files, and its time-outs a second time, alone. A run that was stopped goes on."""

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

from kvproof.errors import UsageError
from kvproof.mutation.results import FOLDER, TIMED_OUT, forget, pattern, read, tested, untested
from kvproof.mutation.targets import files as every_file
from kvproof.ui import say
from proofs.rtl_mutation.store import fingerprint

LOG = Path("out") / "mutmut.log"
STAMP, READY = FOLDER / "fingerprint", FOLDER / "mutmut-stats.json"
"""What the results in the folder are results of; and what mutmut writes when all mutants have been made."""

USED = ("impl", "spec", "proofs", "kvproof", "rtl", "tests")


def run(files: Sequence[str], processes: int) -> tuple[float, int]:
    """Test all mutants of these files, `processes` at a time; the seconds that it took, and how many were tested.

    Results of earlier runs are not used again: mutmut notices changed functions, but not changed tests. Only a run that
    was stopped goes on, when nothing has changed since, and what is known of other files stays. A mutant that times out
    is tested once more, with nothing beside it, so that a busy machine makes no time-outs. UsageError when mutmut is
    missing or fails, or when another run is going on in this folder.
    """
    if find_spec("mutmut") is None:
        raise UsageError("mutmut is not installed; run make set-up, or pip install 'kvproof[dev]'")
    with _alone() as lock:
        return _run(files, processes, lock)


def doubt() -> str:
    """Why the results may not be those of now; nothing when they are of this source, these tests and packages."""
    if not STAMP.exists():
        return f"nothing in '{FOLDER}/' says which source and tests these mutants are of; run them with make mutate"
    if STAMP.read_text() != _everything_used():
        return "the source, the tests or the packages have changed since these mutants were tested"
    return ""


@contextmanager
def _alone() -> Iterator[int]:
    """Only one run at a time: a second one would take the files away from under the tests of the first, which fail then
    and look like kills. The lock is of the folder; mutmut holds it too, so it outlives a run that was killed."""
    folder = os.open(".", os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError("mutants are being tested in this folder already; wait until that has ended") from None
        yield folder
    finally:
        os.close(folder)


def _run(files: Sequence[str], processes: int, lock: int) -> tuple[float, int]:
    start = time.monotonic()
    now = _everything_used()
    unchanged = _unchanged(now)
    left = untested(files) if unchanged else []
    if left:
        done = tested(files)
        if done:
            say(f"going on with the {len(left):,} mutants that are left of a run that was stopped")
        names = _together(left, done)
    else:
        if unchanged:
            forget(files)
        else:
            shutil.rmtree(FOLDER, ignore_errors=True)
            FOLDER.mkdir()
            STAMP.write_text(now)
        names = [pattern(file) for file in files]
    _mutmut(names, processes, "w", lock)
    mutants = read(files)
    late = [mutant.name for mutant in mutants if mutant.status == TIMED_OUT]
    if late and _everything_used() == now:
        _mutmut(late, 1, "a", lock)
    return time.monotonic() - start, len(left) or len(mutants)


def _unchanged(now: str) -> bool:
    """Whether the folder holds what a run of everything that is used `now` knows, of every file: a run that was killed
    while it wrote about one begins anew."""
    if not (READY.exists() and STAMP.exists() and STAMP.read_text() == now):
        return False
    try:
        untested(every_file())
    except UsageError:
        return False
    return True


def _everything_used() -> str:
    """A name for the mutants, the tests, all that they use, and what runs them."""
    paths = [path for folder in USED for path in sorted(Path(folder).rglob("*")) if "__pycache__" not in path.parts]
    used = [path for path in (*paths, Path("setup.cfg")) if path.is_file()]
    programs = [sys.version, *sorted(f"{each.name} {each.version}" for each in distributions())]
    return fingerprint([*programs, *map(str, used)], used)


def _together(left: Sequence[str], other: Sequence[str]) -> list[str]:
    """Few patterns for these mutants: one for each function of which no `other` mutant is."""
    begun = set(map(_function, other))
    names = (name if _function(name) in begun else f"{_function(name)}__mutmut_*" for name in left)
    return list(dict.fromkeys(names))


def _function(name: str) -> str:
    return name.partition("__mutmut_")[0]


def _mutmut(names: Sequence[str], processes: int, mode: str, lock: int) -> None:
    """`mutmut run`, its output on standard error when that is a terminal, else in a log."""
    command = [str(Path(sys.executable).with_name("mutmut")), "run", "--max-children", str(processes), *names]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    if sys.stderr.isatty():
        ended = subprocess.run(command, stdout=sys.stderr, env=environment, pass_fds=[lock], check=False).returncode
        where = "above"
    else:
        LOG.parent.mkdir(exist_ok=True)
        with LOG.open(mode) as log:
            ended = subprocess.run(
                command, stdout=log, stderr=log, env=environment, pass_fds=[lock], check=False
            ).returncode
        where = f"in {LOG}"
    if ended:
        raise UsageError(f"mutmut ended with exit status {ended}; what it says is {where}")
