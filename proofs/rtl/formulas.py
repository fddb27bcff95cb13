# SPDX-License-Identifier: Apache-2.0
"""Translates the cost formulas of `impl/chip/cost.py` into SystemVerilog functions, from their source.

Taken: functions of one `return`, + and *, integers, parameters, `config.lanes`, `config.rows_for(…)`, the ceiling of a
quotient `-(-a // b)`, and module constants that are integers. Everything else is refused with file, line and reason.
All arithmetic of the result is unsigned with 32 bits; a test holds it against Python below 2^16.
"""

import ast
from collections.abc import Mapping
from pathlib import Path


class FormulaError(ValueError):
    """A formula has no translation: file, line and reason."""


def functions(path: Path, names: tuple[str, ...], constants: Mapping[str, int]) -> list[str]:
    """The functions `names` (`Class.name` for methods) of a file as SystemVerilog functions `cost_NAME`.

    `constants` are the module constants they may use. Raises FormulaError, OSError.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: dict[str, ast.FunctionDef] = {}
    for node in tree.body:
        holder = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for item in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(item, ast.FunctionDef):
                found[holder + item.name] = item
    missing = [name for name in names if name not in found]
    if missing:
        raise FormulaError(f"{path.name} has no function {', '.join(missing)}")
    return [_Formula(path.name, found[name], constants).text() for name in names]


class _Formula:
    def __init__(self, file: str, node: ast.FunctionDef, constants: Mapping[str, int]) -> None:
        self.file = file
        self.node = node
        self.constants = constants
        names = [argument.arg for argument in node.args.args]
        self.config = next((name for name in names if name in ("self", "config")), None)
        self.parameters = [name for name in names if name != self.config]

    def text(self) -> str:
        spec = self.node.args
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs or spec.defaults or not self.parameters:
            raise self.refusal(self.node, "parameters that are not plain")
        *before, last = self.node.body
        if not isinstance(last, ast.Return) or last.value is None or not all(_is_docstring(item) for item in before):
            raise self.refusal(self.node, "more than one return")
        name = f"cost_{self.node.name}"
        arguments = ", ".join(f"input [31:0] {parameter}" for parameter in self.parameters)
        return f"function [31:0] {name}({arguments});\n    {name} = {self.value(last.value)};\nendfunction\n"

    def value(self, node: ast.expr) -> str:
        match node:
            case ast.BinOp(left=a, op=ast.Add(), right=b):
                return f"({self.value(a)} + {self.value(b)})"
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return f"({self.value(a)} * {self.value(b)})"
            case ast.UnaryOp(
                op=ast.USub(),
                operand=ast.BinOp(left=ast.UnaryOp(op=ast.USub(), operand=a), op=ast.FloorDiv(), right=b),
            ):
                divisor = self.value(b)
                return f"(({self.value(a)} + {divisor} - 32'd1) / {divisor})"
            case ast.Constant(value=int() as number) if not isinstance(number, bool) and number < 2**32:
                return f"32'd{number}"
            case ast.Name(id=name) if name in self.parameters:
                return name
            case ast.Name(id=name) if name in self.constants:
                return f"32'd{self.constants[name]}"
            case ast.Attribute(value=ast.Name(id=holder), attr="lanes") if holder == self.config:
                return "COST_LANES"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=holder), attr="rows_for"), args=[rows], keywords=[]) if (
                holder == self.config
            ):
                return f"cost_rows_for({self.value(rows)})"
        raise self.refusal(node, f"{ast.unparse(node)} has no translation")

    def refusal(self, node: ast.stmt | ast.expr, reason: str) -> FormulaError:
        return FormulaError(f"{self.file}:{node.lineno}: {self.node.name}: {reason}")


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
