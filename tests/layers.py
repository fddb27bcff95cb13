# SPDX-License-Identifier: Apache-2.0
"""The layers of checks, each as a function of one mistake: what it says about the code with the mistake in it.

A law, the claims that fail, or the first line of what went wrong; nothing when the layer sees no difference. Some run
in this process with the function replaced, the others in a folder of their own with the source changed.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from impl.cache import PagedCache
from kvproof.targets.find import find
from proofs import decoding
from proofs.catalogue import claims
from proofs.explore.scope import Scope
from proofs.explore.search import search
from proofs.mistakes import Mistake, applied, patched
from spec.conformance.histories import HISTORIES, run_history
from spec.conformance.hunt import hunt
from tests.by_hand import EXAMPLES

ROOT = Path(__file__).resolve().parent.parent

HUNTED, ROUNDS = 25, 20
SCOPE = Scope(3, 2, 2, 4, (0, 1))

LONGEST = 100


def examples() -> str:
    """Worked by hand, or recorded."""
    return next(filter(None, (first_line(example) for example in EXAMPLES)), "")


def histories() -> str:
    """The named histories."""
    target = find("kvproof")
    for history in HISTORIES:
        failure = run_history(target.factory, history, target.capabilities)
        if failure is not None:
            return f"{failure.violation.law}: {history.name}"
    return ""


def state_machine() -> str:
    """Random histories."""
    caught = hunt(find("kvproof").factory, HUNTED)
    return caught.violation.law if caught else ""


def laws_of_decoding() -> str:
    """Random windows, float steps and host steps against the spec."""
    caught = decoding.hunt(0, ROUNDS)
    return caught.broken.law if caught else ""


def exploration() -> str:
    """Every state of a small scope."""
    return search(PagedCache, SCOPE, processes=1).told.partition(":")[0]


def proofs(folder: Path) -> str:
    """Every quick claim that is proved. They are about the window's formulas alone, and asked once for each text."""
    text = (folder / "impl" / "window.py").read_text(encoding="utf-8")
    if text not in _proved:
        asked = [f"--only={id}" for id, (_, claim) in claims().items() if claim.quick and not claim.exclusive]
        ran = in_folder(folder, "proofs", *asked, "--json=found.json")
        assert (folder / "found.json").exists(), ran.stderr
        found = json.loads((folder / "found.json").read_text(encoding="utf-8"))["results"]
        assert len(found) == len(asked)
        _proved[text] = " ".join(each["id"] for each in found if each["short"])
    return _proved[text]


_proved: dict[str, str] = {}


def co_simulation(folder: Path) -> str:
    """Decoding with three windows, pages against lists and formulas, every program on the Verilog."""
    ran = in_folder(folder, "kvproof", "decode", "--window=none,8,4", "--steps=16", "--sim=icarus")
    if ran.returncode == 0:
        assert ran.stdout.count("PASS programs=") == 3
        return ""
    failed = [line for line in ran.stdout.splitlines() if "FAIL" in line]
    return failed[0] if failed else last_line(ran)


HERE: dict[str, Callable[[], str]] = {
    "examples": examples,
    "named histories": histories,
    "state machine": state_machine,
    "laws of decoding": laws_of_decoding,
    "exploration": exploration,
}
"""The layers that run in this process."""

APART: dict[str, Callable[[Path], str]] = {"proofs": proofs, "co-simulation": co_simulation}
"""The layers that run in a folder with the changed source."""

LAYERS = (*HERE, *APART)


def said(layer: str, mistake: Mistake | None) -> str:
    """What a layer says about a mistake, or about the code as it is."""
    if layer in APART:
        with copy_with(mistake) as folder:
            return shortened(APART[layer](folder))
    if mistake is None:
        return first_line(HERE[layer])
    with applied(mistake):
        return first_line(HERE[layer])


def first_line(check: Callable[[], str]) -> str:
    """What a check says; what it raises, it says."""
    try:
        return shortened(check())
    except Exception as error:  # whatever a mistake leads to
        return shortened(f"{type(error).__name__}: {error}")


def shortened(text: str) -> str:
    """The first line, cut."""
    return text.partition("\n")[0][:LONGEST]


@contextmanager
def copy_with(mistake: Mistake | None) -> Iterator[Path]:
    """A folder with the project in it, and the mistake in its source."""
    with tempfile.TemporaryDirectory(prefix="kvproof-") as name:
        folder = Path(name)
        for package in ("spec", "impl", "proofs", "kvproof"):
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        for kept in ("rtl", "build"):
            (ROOT / kept).mkdir(exist_ok=True)
            (folder / kept).symlink_to(ROOT / kept)
        if mistake is not None:
            module, text = patched(mistake)
            (folder / module.replace(".", "/")).with_suffix(".py").write_text(text, encoding="utf-8")
        yield folder


def in_folder(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of the copy."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def last_line(ran: subprocess.CompletedProcess[str]) -> str:
    """What a program that failed said last."""
    assert ran.returncode not in (0, 2), ran.stderr
    return (ran.stderr or ran.stdout).strip().rpartition("\n")[2]
