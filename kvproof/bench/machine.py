# SPDX-License-Identifier: Apache-2.0
"""What the figures were measured on."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, slots=True)
class Machine:
    """The processor, how many of its cores this process may use, and the versions that matter."""

    cpu: str
    cores: int
    python: str
    numpy: str

    def __str__(self) -> str:
        return f"{self.cpu}, {self.cores} cores, Python {self.python}, numpy {self.numpy}"


def machine() -> Machine:
    """This machine."""
    return Machine(_cpu(), _cores(), platform.python_version(), np.__version__)


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return value.strip()
    except OSError:  # not on Linux
        pass
    return platform.processor() or platform.machine() or "unknown processor"


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
