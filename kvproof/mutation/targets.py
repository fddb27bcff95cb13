# SPDX-License-Identifier: Apache-2.0
"""Which files are mutated, and what share of their mutants, the equivalent ones apart, has to be killed."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath

from kvproof.errors import UsageError

SOURCE = "impl"

CORE, OTHERS = "impl/*.py", ("impl/export.py", "impl/lm/*.py", "impl/chip/*.py")
"""Patterns of files. Core is what a cache is right or wrong by, without the exports: nothing of it may survive."""

CORE_TARGET, OTHERS_TARGET, OVERALL_TARGET = 100.0, 98.0, 95.0
"""Per cent: of each core file, of all the others together, of everything that is mutated."""


def is_core(file: str) -> bool:
    """Whether every mutant of the file has to be killed. Its folder is `impl` itself: `*` matches no further one."""
    return PurePath(file).match(CORE) and file not in OTHERS


def files() -> list[str]:
    """Every file that is mutated, relative to the folder of the project, which is the current one."""
    return sorted(path.as_posix() for path in Path(SOURCE).rglob("*.py"))


def known(names: list[str]) -> list[str]:
    """These files, each once. UsageError when one is not mutated."""
    every = files()
    for name in names:
        if name not in every:
            raise UsageError(f"'{name}' is not mutated; give files of {SOURCE}/, like impl/window.py, from the project")
    return list(dict.fromkeys(names))


def not_mutated(names: Iterable[str]) -> list[str]:
    """The functions in these files that mutmut leaves as they are, because they have a decorator: "file function"."""
    return [f"{name} {function}" for name in names for function in _decorated(ast.parse(Path(name).read_text()).body)]


def _decorated(body: Sequence[ast.stmt], prefix: str = "") -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _decorated(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef) and not set(map(ast.unparse, node.decorator_list)) <= _MUTATED:
            yield f"{prefix}{node.name}"


_MUTATED = {"staticmethod", "classmethod"}
