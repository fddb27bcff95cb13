# SPDX-License-Identifier: Apache-2.0
"""Translates the source of a pure function on integers into a z3 term that means what Python computes.

Taken: int and bool parameters (`int | None` too), + − *, // and % with Python's floor meaning for every sign, unary −,
min, max, comparisons (chained too), and/or/not, if-expressions, if statements with early returns, local assignments,
nested functions, calls to other such functions; membership in `range` and in a set comprehension; any/all over `range`.
Everything else is refused with file, line and reason.

A term is the function's value only where Python computes one. What that takes (no division by zero, no call outside the
callee's `pre:` contract, no arithmetic on None) is collected in `obligations`, to be proved with the theorem.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from proofs import translate
from proofs.source import Function, Source, source_of
from proofs.values import TRUE, LiftError, Span, constant, contracts


class Lifter:
    """One translation. `assumptions` hold throughout (they decide which divisors are known to be positive);
    quantifiers become fresh booleans with `facts` that are true of them: an instance at each of `witnesses`, and one
    unnamed value. That is weaker than the quantifier, so what is proved with it holds, and needs no quantifier."""

    def __init__(self, assumptions: Sequence[z3.BoolRef] = (), witnesses: Sequence[z3.ArithRef] = ()) -> None:
        self.obligations: list[z3.BoolRef] = []
        self.facts: list[z3.BoolRef] = []
        self.witnesses = list(witnesses)
        self._running: list[str] = []
        self._solver = z3.Solver()
        self._positive: dict[tuple[int, int], tuple[bool, Any]] = {}
        self.assume(*assumptions)

    def assume(self, *assumptions: z3.BoolRef) -> None:
        """Let more hold throughout."""
        self._solver.add(*assumptions)

    def call(self, function: Function, arguments: Sequence[Any], path: z3.BoolRef = TRUE) -> Any:
        """The value of `function` at z3 terms, where `path` holds. Raises LiftError."""
        try:
            source = source_of(function)
        except (TypeError, OSError) as error:
            raise LiftError(f"{getattr(function, '__qualname__', function)}: {error}") from None
        return self.apply(source, arguments, {}, path)

    def expression(self, text: str, source: Source, names: Mapping[str, Any], path: z3.BoolRef = TRUE) -> Any:
        """The value of an expression written in the scope of `source`, e.g. a contract from its docstring."""
        return translate.Frame(self, source, dict(names)).value(translate.expression(text), path)

    def apply(
        self,
        source: Source,
        positional: Sequence[Any],
        named: Mapping[str, Any],
        path: z3.BoolRef,
        outer: Mapping[str, Any] | None = None,
    ) -> Any:
        """The value of the function in `source` at these arguments; `outer` are the locals that a nested one sees."""
        node = source.node
        place = f"{source.file}:{source.line(node)}"
        where = f"{place}: {node.name}"
        spec = node.args
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs:
            raise LiftError(f"{where} has parameters that are not plain")
        if place in self._running:
            raise LiftError(f"{where} is recursive")
        names = [argument.arg for argument in spec.args]
        values = {name: constant(value) for name, value in source.defaults.items()}
        values.update(zip(names, positional, strict=False))
        values.update(named)
        if len(positional) > len(names) or set(values) != set(names):
            raise LiftError(f"{where} is called with other arguments than it takes")
        frame = translate.Frame(self, source, {**(outer or {}), **values})
        self._running.append(place)
        try:
            for contract in contracts(node, "pre"):
                self.oblige(self.expression(contract, source, values, path), path)
            return frame.run(node.body, path)
        finally:
            self._running.pop()

    def oblige(self, condition: z3.BoolRef, path: z3.BoolRef) -> None:
        """Note what must hold where `path` does."""
        self.obligations.append(z3.Implies(path, condition))

    def exists(self, span: Span, body: Callable[[Any, z3.BoolRef], z3.BoolRef], path: z3.BoolRef) -> z3.BoolRef:
        """Whether `body` holds of some value in the span; what `body` needs to be defined is owed for all of them."""
        some = z3.FreshBool("some")
        each = z3.FreshInt("each")
        body(each, z3.And(path, span.low <= each, each < span.high))

        def at(value: z3.ArithRef) -> z3.BoolRef:
            inside = z3.And(span.low <= value, value < span.high)
            owed = len(self.obligations)
            holds = body(value, z3.And(path, inside))
            del self.obligations[owed:]
            return z3.And(inside, holds)

        self.facts.append(z3.Implies(some, at(z3.FreshInt("one"))))
        self.facts.extend(z3.Implies(at(witness), some) for witness in self.witnesses)
        return some

    def divide(self, a: z3.ArithRef, b: z3.ArithRef, path: z3.BoolRef) -> z3.ArithRef:
        """Python's a // b. z3's own `div` equals it for b > 0, and ⌊a/b⌋ = ⌊−a/−b⌋ for the rest; b = 0 is owed away."""
        self.oblige(b != 0, path)
        return a / b if self._is_positive(b, path) else z3.If(b > 0, a / b, (-a) / (-b))

    def modulo(self, a: z3.ArithRef, b: z3.ArithRef, path: z3.BoolRef) -> z3.ArithRef:
        """Python's a % b, which has the sign of b."""
        self.oblige(b != 0, path)
        return a % b if self._is_positive(b, path) else z3.If(b > 0, a % b, -((-a) % (-b)))

    def _is_positive(self, term: z3.ArithRef, path: z3.BoolRef) -> bool:
        key = term.get_id(), path.get_id()
        if key not in self._positive:
            answer = self._solver.check(path, term <= 0) == z3.unsat
            self._positive[key] = answer, (term, path)  # the terms are kept, so that their ids stay theirs
        return self._positive[key][0]
