# SPDX-License-Identifier: Apache-2.0
"""Runs mutmut on some files, from a clean state, and its time-outs a second time, alone."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from kvproof.errors import UsageError
from kvproof.mutation.results import FOLDER, TIMED_OUT, pattern, read

LOG = Path("out") / "mutmut.log"


def run(files: Sequence[str], processes: int) -> float:
    """Test all mutants of these files, `processes` at a time; the seconds that it took.

    Results of earlier runs are not used again: mutmut notices changed functions, but not changed tests. A mutant that
    times out is tested once more, with nothing beside it, so that a busy machine makes no time-outs. UsageError when
    mutmut is missing or fails.
    """
    if find_spec("mutmut") is None:
        raise UsageError("mutmut is not installed; run make set-up, or pip install 'kvproof[dev]'")
    start = time.monotonic()
    shutil.rmtree(FOLDER, ignore_errors=True)
    _mutmut([pattern(file) for file in files], processes, "w")
    late = [mutant.name for mutant in read(files) if mutant.status == TIMED_OUT]
    if late:
        _mutmut(late, 1, "a")
    return time.monotonic() - start


def _mutmut(names: Sequence[str], processes: int, mode: str) -> None:
    """`mutmut run`, its output on standard error when that is a terminal, else in a log."""
    command = [str(Path(sys.executable).with_name("mutmut")), "run", "--max-children", str(processes), *names]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    if sys.stderr.isatty():
        ended = subprocess.run(command, stdout=sys.stderr, env=environment, check=False).returncode
        where = "above"
    else:
        LOG.parent.mkdir(exist_ok=True)
        with LOG.open(mode) as log:
            ended = subprocess.run(command, stdout=log, stderr=log, env=environment, check=False).returncode
        where = f"in {LOG}"
    if ended:
        raise UsageError(f"mutmut ended with exit status {ended}; what it says is {where}")
