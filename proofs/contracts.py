# SPDX-License-Identifier: Apache-2.0
"""The contracts in the docstrings of `impl/window.py`: where each condition stands, and wrong variants of them."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType


@dataclass(frozen=True, slots=True)
class Condition:
    """One `post:` line: its function, its line in the file, its expression."""

    function: str
    line: int
    text: str


def conditions(module: ModuleType) -> list[Condition]:
    """Every post-condition of the module, in the order of the file."""
    return list(_conditions(inspect.getsource(module)))


def modules_with_conditions(folder: Path) -> list[str]:
    """The names of the modules in a package's folder that have a post-condition somewhere."""
    files = sorted(folder.glob("*.py"))
    return [f"{folder.name}.{file.stem}" for file in files if any(_conditions(file.read_text(encoding="utf-8")))]


def with_wrong_copies(module: ModuleType) -> tuple[str, list[Condition]]:
    """The module's source with a copy of each function whose post-conditions are made stricter, and those conditions.

    The copies are named wrong_NAME and call the functions that are right, so that each stands alone.
    """
    text = inspect.getsource(module)
    lines = text.splitlines()
    copies: list[str] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            copy = lines[node.lineno - 1 : node.end_lineno]
            copy[0] = copy[0].replace(f"def {node.name}(", f"def wrong_{node.name}(")
            copies += ["", "", *map(_stricter_line, copy)]
    text = "\n".join([*lines, *copies]) + "\n"
    return text, [condition for condition in _conditions(text) if condition.function.startswith("wrong_")]


def stricter(text: str) -> str:
    """The condition with its first comparison made stricter: ≤ becomes <, ≥ becomes >, and = becomes ≠."""
    found = [(text.index(old), old, new) for old, new in ((" <= ", " < "), (" >= ", " > ")) if old in text]
    if not found:
        found = [(text.index(" == "), " == ", " != ")]
    _, old, new = min(found)
    return text.replace(old, new, 1)


def _conditions(text: str) -> Iterator[Condition]:
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[0], ast.Expr):
            docstring = node.body[0]
            for line in range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1):
                stripped = lines[line - 1].strip()
                if stripped.startswith("post:"):
                    yield Condition(node.name, line, stripped.removeprefix("post:").strip())


def _stricter_line(line: str) -> str:
    indent, keyword, condition = line.partition("post:")
    return f"{indent}post:{stricter(condition)}" if keyword and not indent.strip() else line
