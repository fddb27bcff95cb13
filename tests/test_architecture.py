# SPDX-License-Identifier: Apache-2.0
"""Who may import whom, how large the spec may get, and what no file may contain.

The rules are functions of a folder, so that each is also shown to find a breach planted in a folder of its own.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("spec", "impl", "proofs", "kvproof", "tests")
OTHER_TEXTS = ("Makefile", "setup.cfg", "ruff.toml", "pyproject.toml", "requirements.lock", "README.md", ".ci/run")

OURS = {
    "spec": {"spec"},
    "impl": {"impl"},
    "proofs": {"proofs", "spec", "impl"},
    "kvproof": {"kvproof", "proofs", "spec", "impl"},
    "tests": {*PACKAGES},
}
"""The packages of ours that each package may import."""

LICENCE = "# SPDX-License-Identifier: Apache-2.0"
LONGEST_SPEC, LONGEST_FILE = 400, 400

UNWANTED = {
    # Each has a letter in brackets, so that this file does not contain what it looks for.
    "unfinished": r"\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b",
    "a mutation switched off": r"pragma:\s*no\s*mutat[e]",
    "a test that does not run": r"\b(skip[i]f|skip[(]|xfail[(]|importor[s]kip)",
    "a path of some machine": r"/(?:wor[k]|roo[t]|hom[e])/|\.\./share[d]",
    "a registry host": r"(?:pypi|npmjs|pythonhosted|debian)\.or[g]",
}


def sources(root: Path) -> Iterator[Path]:
    """Every Python file of ours, relative to `root`."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            yield path.relative_to(root)


def imported(code: str) -> Iterator[tuple[int, str]]:
    """The line and the full name of every module that the code imports, also through `import_module("name")`."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield node.lineno, module
            yield from ((node.lineno, f"{module}.{name.name}") for name in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from ((node.lineno, str(name.value)) for name in node.args[:1] if isinstance(name, ast.Constant))


def forbidden(path: Path, module: str) -> bool:
    """Whether the file may not import the module."""
    package, top = path.parts[0], module.split(".")[0]
    in_conformance = path.parts[:2] == ("spec", "conformance")
    if not top:
        return True  # relative: the mutation tool matches modules by their full names
    if top in PACKAGES:
        inwards = package == "spec" and not in_conformance and module.startswith("spec.conformance")
        return top not in OURS[package] or inwards
    if package == "spec":
        return top not in sys.stdlib_module_names and not (in_conformance and top == "hypothesis")
    return False


def breaches(root: Path) -> list[str]:
    """Every import that the rules forbid: "file:line imports module"."""
    return [
        f"{path}:{line} imports {module}"
        for path in sources(root)
        for line, module in imported((root / path).read_text())
        if forbidden(path, module)
    ]


def spec_lines(root: Path) -> int:
    """How many lines a reader of the spec has to check by eye."""
    return sum(
        len((root / path).read_text().splitlines())
        for path in sources(root)
        if path.parts[0] == "spec" and path.parts[1] != "conformance"
    )


def faults(root: Path) -> list[str]:
    """Sources without a licence line or too long, and whatever contains what nothing may contain."""
    found = []
    for path in sources(root):
        text = (root / path).read_text()
        if text.strip() and path.name != "__init__.py" and not text.startswith(LICENCE):
            found.append(f"{path} has no licence line")
        if len(text.splitlines()) > LONGEST_FILE:
            found.append(f"{path} has more than {LONGEST_FILE} lines")
    for path in (*sources(root), *(Path(name) for name in OTHER_TEXTS if (root / name).exists())):
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            found += [f"{path}:{number} {what}" for what, pattern in UNWANTED.items() if re.search(pattern, line)]
    return found


def test_imports() -> None:
    assert len(list(sources(ROOT))) > 20
    assert breaches(ROOT) == []


def test_the_spec_is_small() -> None:
    assert 100 < spec_lines(ROOT) <= LONGEST_SPEC


def test_no_file_contains_what_it_should_not() -> None:
    assert faults(ROOT) == []


@pytest.mark.parametrize(
    ("path", "line", "module"),
    [
        ("spec/a.py", "import impl", "impl"),
        ("spec/a.py", "from impl.window import keep_from", "impl.window"),
        ("spec/a.py", "import numpy as np", "numpy"),
        ("spec/a.py", "import hypothesis", "hypothesis"),
        ("spec/a.py", "from spec import conformance", "spec.conformance"),
        ("spec/conformance/a.py", "import numpy", "numpy"),
        ("spec/conformance/a.py", "from impl import cache", "impl"),
        ("spec/conformance/a.py", "from kvproof import ui", "kvproof"),
        ("impl/a.py", "def late():\n    import spec.window", "spec.window"),
        ("impl/studies/a.py", "from spec.window import reads", "spec.window"),
        ("impl/a.py", "import_module('proofs.lift')", "proofs.lift"),
        ("proofs/a.py", "import kvproof.ui", "kvproof.ui"),
        ("proofs/a.py", "from . import lift", "."),
        ("kvproof/a.py", "from tests import helpers", "tests"),
    ],
)
def test_a_planted_import_is_found(tmp_path: Path, path: str, line: str, module: str) -> None:
    plant(tmp_path, path, f"import os\n{line}\n")
    assert any(breach.endswith(f" imports {module}") and breach.startswith(f"{path}:") for breach in breaches(tmp_path))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("spec/a.py", "from collections.abc import Sequence"),
        ("spec/conformance/a.py", "from hypothesis import strategies\nfrom spec.window import reads"),
        ("impl/a.py", "import numpy\nfrom impl import window"),
        ("proofs/a.py", "import z3\nfrom impl import window\nfrom spec import window as definition"),
        ("kvproof/a.py", "import spec, impl, proofs, rich"),
        ("tests/a.py", "import spec, impl, proofs, kvproof"),
    ],
)
def test_a_permitted_import_is_not(tmp_path: Path, path: str, line: str) -> None:
    plant(tmp_path, path, line)
    assert breaches(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x = 1", "spec/a.py has no licence line"),
        (LICENCE + "\nx = 1" * 400, "spec/a.py has more than 400 lines"),
        (LICENCE + "\n# TO~DO: later", "spec/a.py:2 unfinished"),
        (LICENCE + "\n# pragma: no mut~ate", "spec/a.py:2 a mutation switched off"),
        (LICENCE + "\nx = '/wo~rk/main'", "spec/a.py:2 a path of some machine"),
        (LICENCE + "\n# pypi.o~rg", "spec/a.py:2 a registry host"),
        (LICENCE + "\n@pytest.mark.skip~if", "spec/a.py:2 a test that does not run"),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, text: str, fault: str) -> None:
    plant(tmp_path, "spec/a.py", text.replace("~", ""))
    assert faults(tmp_path) == [fault]


def test_lines_of_the_spec_are_counted_without_conformance(tmp_path: Path) -> None:
    plant(tmp_path, "spec/a.py", "x = 1\n" * 7)
    plant(tmp_path, "spec/conformance/b.py", "x = 1\n" * 5)
    assert spec_lines(tmp_path) == 7


def plant(root: Path, path: str, text: str) -> None:
    """Make a file in a folder of its own."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)
