# SPDX-License-Identifier: Apache-2.0
"""A theorem as a Python function that must return True under hypotheses, which are Python expressions too."""

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import TypeVar

from impl import window
from proofs.source import Function, source_of

F = TypeVar("F", bound=Function)


@dataclass(frozen=True, slots=True)
class Statement:
    """A theorem or a lemma: what it says in words, under which hypotheses, and as a function."""

    id: str
    sentence: str
    given: tuple[str, ...]
    function: Function

    @property
    def parameters(self) -> dict[str, str]:
        """The kind of each parameter, "int" or "bool", in order."""
        return {argument.arg: ast.unparse(argument.annotation or ast.Name("?")) for argument in self._arguments}

    @property
    def _arguments(self) -> list[ast.arg]:
        return source_of(self.function).node.args.args

    @property
    def about(self) -> str:
        """The functions of `impl/window.py` that the statement calls, itself or through a helper of its own module."""
        named = _names(self.function) | {name for line in self.given for name in _words(line, self.function)}
        return ", ".join(name for name in shipped() if name in named) or "spec/window.py"


THEOREMS: dict[str, Statement] = {}
LEMMAS: dict[str, Statement] = {}


def theorem(name: str, *given: str) -> Callable[[F], F]:
    """Registers a function as the theorem `name` under these hypotheses. ValueError when the name is taken."""
    return _register(THEOREMS, name, given)


def lemma(name: str, *given: str) -> Callable[[F], F]:
    """Registers a function as a lemma, a statement that only serves to prove theorems."""
    return _register(LEMMAS, name, given)


def shipped() -> dict[str, Function]:
    """The functions of `impl/window.py`, in the order of the file."""
    members = inspect.getmembers(window, inspect.isfunction)
    own = [(name, function) for name, function in members if function.__module__ == window.__name__]
    return dict(sorted(own, key=lambda member: member[1].__code__.co_firstlineno))


def _register(register: dict[str, Statement], name: str, given: tuple[str, ...]) -> Callable[[F], F]:
    def add(function: F) -> F:
        if name in register:
            raise ValueError(f"two statements have the name {name}")
        register[name] = Statement(name, " ".join((function.__doc__ or "").split()), given, function)
        return function

    return add


def _names(function: Function) -> set[str]:
    """The global names that a function uses, and those that its helpers use: the functions of the same module."""
    assert isinstance(function, FunctionType)
    return _with_helpers(_code_names(function.__code__), function)


def _words(expression: str, function: Function) -> set[str]:
    tree = ast.parse(expression, mode="eval")
    return _with_helpers({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}, function)


def _with_helpers(names: set[str], function: Function) -> set[str]:
    assert isinstance(function, FunctionType)
    found = set(names)
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value.__module__ == function.__module__:
            found |= _names(value)
    return found


def _code_names(code: CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*(_code_names(part) for part in inner))
