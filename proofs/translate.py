# SPDX-License-Identifier: Apache-2.0
"""The syntax that can be lifted: goes through a function's tree, one call at a time. Its meaning is in `lift.py`."""

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Protocol

import z3

from proofs.source import Source, source_of
from proofs.values import TRUE, LiftError, Maybe, Members, Span, all_of, any_of, constant


class Meaning(Protocol):
    """What going through the syntax asks of the lifter."""

    def apply(
        self,
        source: Source,
        positional: Sequence[Any],
        named: Mapping[str, Any],
        path: z3.BoolRef,
        outer: Mapping[str, Any] | None = None,
    ) -> Any:
        """The value of a call."""
        ...

    def oblige(self, condition: z3.BoolRef, path: z3.BoolRef) -> None:
        """Note what must hold where `path` does."""
        ...

    def exists(self, span: Span, body: Callable[[Any, z3.BoolRef], z3.BoolRef], path: z3.BoolRef) -> z3.BoolRef:
        """Whether `body` holds of some value in the span."""
        ...

    def divide(self, a: z3.ArithRef, b: z3.ArithRef, path: z3.BoolRef) -> z3.ArithRef:
        """Python's a // b."""
        ...

    def modulo(self, a: z3.ArithRef, b: z3.ArithRef, path: z3.BoolRef) -> z3.ArithRef:
        """Python's a % b."""
        ...


def expression(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text.strip(), mode="eval").body


class Frame:
    """One call in progress: the names it can see, and where it stands for error messages."""

    def __init__(self, lifter: Meaning, source: Source, names: dict[str, Any]) -> None:
        self.lifter = lifter
        self.source = source
        self.names = names

    def refuse(self, node: ast.AST, reason: str) -> LiftError:
        return LiftError(f"{self.source.file}:{self.source.line(node)}: {reason}")

    def run(self, body: Sequence[ast.stmt], path: z3.BoolRef) -> Any:
        """The value returned by these statements."""
        if not body:
            raise self.refuse(self.source.node, f"{self.source.node.name} can end without a return")
        first, rest = body[0], body[1:]
        match first:
            case ast.Expr(value=ast.Constant(value=str())):
                return self.run(rest, path)
            case ast.Return(value=ast.expr() as value):
                return self.value(value, path)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._with(name, self.value(value, path)).run(rest, path)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
                frame = self
                for name_node, part in zip(names, values, strict=True):
                    if not isinstance(name_node, ast.Name):
                        raise self.refuse(first, "an assignment to something that is not a name")
                    frame = frame._with(name_node.id, self.value(part, path))
                return frame.run(rest, path)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                return self._with(name, self.value(value, path)).run(rest, path)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                operation = ast.copy_location(ast.BinOp(ast.copy_location(ast.Name(name), first), op, value), first)
                return self._with(name, self.value(operation, path)).run(rest, path)
            case ast.FunctionDef(name=name):
                return self._with(name, first).run(rest, path)
            case ast.If(test=test, body=then, orelse=other):
                condition = self.truth(test, path)
                return self.choose(
                    first,
                    condition,
                    self._with().run([*then, *rest], z3.And(path, condition)),
                    self._with().run([*other, *rest], z3.And(path, z3.Not(condition))),
                )
        raise self.refuse(first, f"a statement of kind {type(first).__name__} has no translation")

    def _with(self, name: str | None = None, value: Any = None) -> "Frame":
        return Frame(self.lifter, self.source, self.names if name is None else {**self.names, name: value})

    def choose(self, node: ast.AST, condition: z3.BoolRef, then: Any, other: Any) -> Any:
        if z3.is_expr(then) and z3.is_expr(other) and then.sort() == other.sort():
            return z3.If(condition, then, other)
        if isinstance(then, Maybe) or isinstance(other, Maybe):
            a, b = (part if isinstance(part, Maybe) else Maybe(z3.BoolVal(False), part) for part in (then, other))
            if z3.is_int(a.value) and z3.is_int(b.value):
                return Maybe(z3.If(condition, a.is_none, b.is_none), z3.If(condition, a.value, b.value))
        raise self.refuse(node, "the two branches are not both ints or both bools")

    def truth(self, node: ast.expr, path: z3.BoolRef) -> z3.BoolRef:
        """The value of a condition, which must be a bool: an int used as one is refused."""
        value = self.value(node, path)
        if z3.is_bool(value):
            return value
        raise self.refuse(node, "a condition that is not a bool")

    def number(self, node: ast.expr, path: z3.BoolRef) -> z3.ArithRef:
        """The value of an int; an `int | None` is owed not to be None."""
        value = self.value(node, path)
        if isinstance(value, Maybe):
            self.lifter.oblige(z3.Not(value.is_none), path)
            return value.value
        if z3.is_int(value):
            return value
        raise self.refuse(node, "an operand that is not an int")

    def value(self, node: ast.expr, path: z3.BoolRef) -> Any:
        """The value of an expression, evaluated where `path` holds."""
        match node:
            case ast.Constant(value=None | bool() | int() as value):
                return constant(value)
            case ast.Name(id=name):
                return self.named(node, name)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(node, op, self.number(left, path), self.number(right, path), path)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.number(operand, path)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return z3.Not(self.truth(operand, path))
            case ast.BoolOp(op=op, values=values):
                return self.connective(isinstance(op, ast.And), values, path)
            case ast.IfExp(test=test, body=then, orelse=other):
                condition = self.truth(test, path)
                return self.choose(
                    node,
                    condition,
                    self.value(then, z3.And(path, condition)),
                    self.value(other, z3.And(path, z3.Not(condition))),
                )
            case ast.Compare():
                return self.chain(node, path)
            case ast.Call(func=function, args=arguments, keywords=keywords):
                return self.called(node, function, arguments, keywords, path)
            case ast.SetComp(elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=target)) as one]):
                if name == target:
                    return self.comprehension(one, path)
        raise self.refuse(node, f"an expression of kind {type(node).__name__} has no translation")

    def named(self, node: ast.expr, name: str) -> Any:
        if name in self.names:
            return self.names[name]
        if name in self.source.names:
            found = self.source.names[name]
            if isinstance(found, bool | int | FunctionType):
                return constant(found)
            raise self.refuse(node, f"{name} is neither an int, a bool nor a function")
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise self.refuse(node, f"{name} is not known")

    def binary(self, node: ast.expr, op: ast.operator, a: z3.ArithRef, b: z3.ArithRef, path: z3.BoolRef) -> Any:
        match op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.FloorDiv():
                return self.lifter.divide(a, b, path)
            case ast.Mod():
                return self.lifter.modulo(a, b, path)
        raise self.refuse(node, f"the operator {type(op).__name__} has no translation")

    def connective(self, conjunction: bool, operands: Sequence[ast.expr], path: z3.BoolRef) -> z3.BoolRef:
        """and/or: each operand is evaluated only where the ones before it leave the answer open."""
        values: list[z3.BoolRef] = []
        for operand in operands:
            value = self.truth(operand, path)
            values.append(value)
            path = z3.And(path, value if conjunction else z3.Not(value))
        return all_of(values) if conjunction else any_of(values)

    def chain(self, node: ast.Compare, path: z3.BoolRef) -> z3.BoolRef:
        """a < b ≤ c: each operand evaluated once, and only where the comparisons before it hold."""
        parts: list[z3.BoolRef] = []
        left: Any = self.value(node.left, path)
        for op, right in zip(node.ops, node.comparators, strict=True):
            value = self.value(right, path)
            part = self.comparison(node, op, left, value, path)
            parts.append(part)
            path = z3.And(path, part)
            left = value
        return all_of(parts)

    def comparison(self, node: ast.Compare, op: ast.cmpop, left: Any, right: Any, path: z3.BoolRef) -> z3.BoolRef:
        if isinstance(op, ast.In | ast.NotIn):
            inside = self.membership(node, left, right, path)
            return inside if isinstance(op, ast.In) else z3.Not(inside)
        if isinstance(op, ast.Is | ast.IsNot):
            if isinstance(left, Maybe) and isinstance(right, Maybe) and z3.eq(right.is_none, TRUE):
                return left.is_none if isinstance(op, ast.Is) else z3.Not(left.is_none)
            raise self.refuse(node, "`is` is taken only in `is None`, of a value that may be None")
        if isinstance(op, ast.Eq | ast.NotEq):
            same = self.equal(node, left, right)
            return same if isinstance(op, ast.Eq) else z3.Not(same)
        a, b = (self._operand(node, value, path) for value in (left, right))
        match op:
            case ast.Lt():
                return a < b
            case ast.LtE():
                return a <= b
            case ast.Gt():
                return a > b
        return a >= b

    def _operand(self, node: ast.AST, value: Any, path: z3.BoolRef) -> z3.ArithRef:
        if isinstance(value, Maybe):
            self.lifter.oblige(z3.Not(value.is_none), path)
            return value.value
        if z3.is_int(value):
            return value
        raise self.refuse(node, "an order between values that are not ints")

    def equal(self, node: ast.AST, left: Any, right: Any) -> z3.BoolRef:
        a, b = (value if isinstance(value, Maybe) else Maybe(z3.BoolVal(False), value) for value in (left, right))
        if z3.is_expr(a.value) and z3.is_expr(b.value) and a.value.sort() == b.value.sort():
            if not isinstance(left, Maybe) and not isinstance(right, Maybe):
                return left == right
            return z3.If(z3.Or(a.is_none, b.is_none), a.is_none == b.is_none, a.value == b.value)
        raise self.refuse(node, "an equation between values of different kinds")

    def membership(self, node: ast.AST, item: Any, container: Any, path: z3.BoolRef) -> z3.BoolRef:
        if isinstance(container, Span) and z3.is_int(item):
            return z3.And(container.low <= item, item < container.high)
        if isinstance(container, Members) and z3.is_int(item):
            return container.contains(item, path)
        raise self.refuse(node, "`in` is taken only for an int in a range or a set comprehension")

    def span(self, node: ast.expr, path: z3.BoolRef) -> Span:
        value = self.value(node, path)
        if isinstance(value, Span):
            return value
        raise self.refuse(node, "only a range can be gone through")

    def comprehension(self, one: ast.comprehension, path: z3.BoolRef) -> Members:
        """{x for x in range(…) if …}."""
        assert isinstance(one.target, ast.Name)
        span, name = self.span(one.iter, path), one.target.id

        def contains(item: Any, path: z3.BoolRef) -> z3.BoolRef:
            inside = z3.And(span.low <= item, item < span.high)
            return z3.And(inside, self._with(name, item).connective(True, one.ifs, z3.And(path, inside)))

        return Members(contains)

    def quantifier(self, node: ast.expr, exists: bool, argument: ast.expr, path: z3.BoolRef) -> z3.BoolRef:
        """any(… for x in range(…) if …), and all(…) as not any(not …)."""
        match argument:
            case ast.GeneratorExp(elt=element, generators=[ast.comprehension(target=ast.Name(id=name)) as one]):
                span = self.span(one.iter, path)
            case _:
                raise self.refuse(node, "any and all are taken only over one `for … in range(…)`")

        def body(item: Any, path: z3.BoolRef) -> z3.BoolRef:
            frame = self._with(name, item)
            chosen = frame.connective(True, one.ifs, path)
            holds = frame.truth(element, z3.And(path, chosen))
            return z3.And(chosen, holds if exists else z3.Not(holds))

        some = self.lifter.exists(span, body, path)
        return some if exists else z3.Not(some)

    def called(
        self,
        node: ast.expr,
        function: ast.expr,
        arguments: Sequence[ast.expr],
        keywords: Sequence[ast.keyword],
        path: z3.BoolRef,
    ) -> Any:
        if not isinstance(function, ast.Name) or any(keyword.arg is None for keyword in keywords):
            raise self.refuse(node, "a call that is not of a plain name with plain arguments")
        target = self.named(function, function.id)
        if target in (any, all) and len(arguments) == 1 and not keywords:
            return self.quantifier(node, target is any, arguments[0], path)
        if target in (min, max) and len(arguments) >= 2 and not keywords:
            return self.extreme(target is min, [self.number(argument, path) for argument in arguments])
        if target is range and len(arguments) in (1, 2) and not keywords:
            bounds = [self.number(argument, path) for argument in arguments]
            return Span(z3.IntVal(0) if len(bounds) == 1 else bounds[0], bounds[-1])
        values = [self.value(argument, path) for argument in arguments]
        named = {str(keyword.arg): self.value(keyword.value, path) for keyword in keywords}
        if isinstance(target, ast.FunctionDef):
            local = Source(target, self.source.file, self.source.shift, self.source.names)
            return self.lifter.apply(local, values, named, path, self.names)
        if isinstance(target, FunctionType):
            return self.lifter.apply(source_of(target), values, named, path)
        raise self.refuse(node, f"a call of {function.id} has no translation")

    def extreme(self, least: bool, values: Sequence[z3.ArithRef]) -> z3.ArithRef:
        best = values[0]
        for value in values[1:]:
            best = z3.If(value < best if least else value > best, value, best)
        return best
