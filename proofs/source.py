# SPDX-License-Identifier: Apache-2.0
"""The source of a function as a syntax tree, and variants of a module with one place in its source changed in memory.

A variant is how a wrong rule is shown to be refuted: the text of the shipped file with one change, compiled apart,
never written to disk. Functions of a variant can be lifted like any other.
"""

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Source:
    """A function definition, where it stands (`shift` is added to the tree's line numbers), the names it can see."""

    node: ast.FunctionDef
    file: str
    shift: int
    names: Mapping[str, Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def line(self, node: ast.AST) -> int:
        """The line of `node` in the file."""
        return getattr(node, "lineno", 1) + self.shift


_read: dict[CodeType, tuple[ast.FunctionDef, int]] = {}


def source_of(function: Function) -> Source:
    """The source of a plain function. Raises TypeError when it is none, OSError when there is no source."""
    if not isinstance(function, FunctionType):
        raise TypeError(f"{function!r} is not a plain function")
    code = function.__code__
    if code not in _read:
        lines, first = inspect.getsourcelines(code)
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise TypeError(f"{function.__qualname__} is not defined by def")
        _read[code] = tree, first - 1
    node, shift = _read[code]
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }
    return Source(node, code.co_filename, shift, function.__globals__, defaults)


def variant_module(module: ModuleType, old: str, new: str) -> ModuleType:
    """The module with the one occurrence of `old` in its source replaced. ValueError unless there is exactly one."""
    text = inspect.getsource(module)
    return _compiled(module.__name__, _replaced(text, old, new, module.__name__), {})


def variant_function(function: Function, old: str, new: str) -> Function:
    """The function, without its decorators, with the one occurrence of `old` in its source replaced."""
    assert isinstance(function, FunctionType)
    text = textwrap.dedent(inspect.getsource(function.__code__))
    text = text[text.index("def ") :] if text.startswith("def ") else text[text.index("\ndef ") + 1 :]
    changed = _replaced(text, old, new, function.__name__)
    return cast(Function, getattr(_compiled(function.__name__, changed, function.__globals__), function.__name__))


def with_names(function: Function, names: Mapping[str, Any]) -> Function:
    """The same function seeing other values for some global names, as do the functions of its module it calls."""
    assert isinstance(function, FunctionType)
    seen = {**function.__globals__, **names}
    for name, value in function.__globals__.items():
        if isinstance(value, FunctionType) and value.__globals__ is function.__globals__ and name not in names:
            seen[name] = _rebound(value, seen)
    return _rebound(function, seen)


def _rebound(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__annotations__ = function.__annotations__
    copy.__doc__ = function.__doc__
    return copy


def _replaced(text: str, old: str, new: str, where: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"{old!r} occurs {text.count(old)} times in {where}, not once")
    return text.replace(old, new)


def _compiled(name: str, text: str, names: Mapping[str, Any]) -> ModuleType:
    file = f"<variant {abs(hash(text)):x} of {name}>"
    module = ModuleType(name)
    module.__dict__.update(names)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), module.__dict__)
    return module
