# SPDX-License-Identifier: Apache-2.0
"""Programs that stand in for compilers, simulators and yosys: what is asked of them is written down."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from impl.chip import simulators


@dataclass(frozen=True, slots=True)
class Programs:
    """Everything that can be started: at first nothing. `build` is where builds and temporary folders belong."""

    folder: Path
    build: Path

    def add(self, name: str, script: str = "") -> str:
        """A program that notes its call and then does what a shell script says, without further programs."""
        file = self.folder / name
        note = f"""IFS='|'; echo "${{0##*/}}|$(pwd)|$*" >> '{self.folder}/calls'; unset IFS"""
        file.write_text(f"#!/bin/sh\n{note}\n{script}\n")
        file.chmod(0o755)
        return str(file)

    def calls(self) -> list[tuple[str, Path, list[str]]]:
        """Program, folder and arguments of each call so far."""
        file = self.folder / "calls"
        lines = [line.split("|") for line in file.read_text().splitlines()] if file.exists() else []
        return [(program, Path(folder), arguments) for program, folder, *arguments in lines]


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Programs:
    """No program but those that the test adds, and a folder for builds of its own, which is not there yet."""
    folder = tmp_path / "programs"
    folder.mkdir()
    made = Programs(folder, tmp_path / "build" / "cosim")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setattr(simulators, "BUILD", made.build)
    return made
