# SPDX-License-Identifier: Apache-2.0
"""The lifted term is what Python computes: for each construct, and for every function that is proved about."""

import inspect
import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from proofs.lift import Lifter
from proofs.prover import Proof, query
from proofs.source import source_of
from proofs.statements import THEOREMS, shipped
from proofs.values import LiftError, Maybe, Members, all_of
from proofs.window import STATED
from spec import window as spec_window

LIMIT = 7


def arithmetic(a: int, b: int, c: int) -> int:
    return (a + b) * c - a * -b + 3


def floors(a: int, b: int, c: int) -> int:
    return a // b - b % c


def extremes(a: int, b: int, c: int) -> int:
    return min(a, b, c) + max(a, b) - min(b, c)


def chained(a: int, b: int, c: int) -> bool:
    return a < b <= c != a or not (c >= a > b == c)


def guarded(a: int, b: int, c: int) -> bool:
    return b != 0 and a // b > c and (c == 0 or a % c >= 0)


def chosen(a: int, b: int, c: int) -> int:
    return a // b if b != 0 else LIMIT if c > 0 else -c


def early(a: int, b: int, c: int) -> int:
    if a < b:
        return c
    low, high = b, a
    if c > LIMIT:
        low += 1
        if low == high:
            return low * c
    elif c == 0:
        high = low
    total: int = low + high
    return total


def nested(a: int, b: int, c: int) -> int:
    def twice(x: int, more: int) -> int:
        return 2 * x + more + c

    return twice(a, 1) + twice(b, more=arithmetic(c, 1, 2))


def truth(a: int, b: int, c: int) -> bool:
    yes = a > b
    return yes == (b > c) if yes or c > 0 else True


CONSTRUCTS = (arithmetic, floors, extremes, chained, guarded, chosen, early, nested, truth)


def lifted(function: Callable[..., Any], arguments: Mapping[str, int | bool | None]) -> tuple[Any, bool]:
    """The lifted value at these arguments, and whether what it owes holds there."""
    lifter = Lifter()
    terms: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        term = z3.Bool(name) if parameter.annotation is bool else z3.Int(name)
        terms[name] = Maybe(z3.Bool(f"no {name}"), term) if parameter.annotation == int | None else term
    value = lifter.call(function, list(terms.values()))
    known: list[tuple[Any, Any]] = []
    for name, term in terms.items():
        argument = arguments[name]
        if isinstance(term, Maybe):
            known.append((term.is_none, z3.BoolVal(argument is None)))
            term, argument = term.value, argument or 0
        known.append((term, z3.BoolVal(argument) if isinstance(argument, bool) else z3.IntVal(argument or 0)))
    if isinstance(value, Maybe):
        assert z3.is_false(z3.simplify(z3.substitute(value.is_none, *known)))
        value = value.value
    owed = z3.simplify(z3.substitute(all_of(lifter.obligations), *known))
    found = z3.simplify(z3.substitute(value, *known))
    return (found.as_long() if z3.is_int_value(found) else z3.is_true(found)), z3.is_true(owed)


@pytest.mark.parametrize("function", CONSTRUCTS)
@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9))
def test_each_construct_means_what_python_computes(function: Callable[..., Any], a: int, b: int, c: int) -> None:
    value, defined = lifted(function, {"a": a, "b": b, "c": c})
    try:
        expected = function(a, b, c)
    except ZeroDivisionError:
        assert not defined
    else:
        assert defined
        assert value == expected
        assert type(value) is type(expected)


@pytest.mark.parametrize("name", list(shipped()))
@given(st.randoms(use_true_random=False))
def test_every_shipped_function_means_what_python_computes(name: str, chance: random.Random) -> None:
    function = shipped()[name]
    arguments: dict[str, int | bool | None] = {}
    for parameter in inspect.signature(function).parameters.values():
        number = chance.choice((chance.randint(-3, 12), chance.randint(-(10**12), 10**12)))
        arguments[parameter.name] = chance.random() < 0.5 if parameter.annotation is bool else number
        if parameter.annotation == int | None and chance.random() < 0.3:
            arguments[parameter.name] = None
    within = all(
        eval(line.partition("pre:")[2], {**source_of(function).names, **arguments})
        for line in (function.__doc__ or "").splitlines()
        if "pre:" in line
    )
    value, defined = lifted(function, arguments)
    assert defined == within, "what a lifted call owes is the contract of the function, no less and no more"
    if within:
        assert value == function(**arguments)


def test_the_native_division_is_used_where_the_divisor_is_known_to_be_positive() -> None:
    a, b = z3.Ints("a b")
    known = Lifter([b >= 1])
    assert known.divide(a, b, z3.BoolVal(True)).eq(a / b)
    assert known.modulo(a, b, z3.BoolVal(True)).eq(a % b)
    for unknown in (Lifter(), Lifter([b >= 0])):
        assert not unknown.divide(a, b, z3.BoolVal(True)).eq(a / b)
        assert unknown.divide(a, b, b > 0).eq(a / b)


SETS: dict[str, tuple[tuple[int, ...], ...]] = {
    "rows_read": tuple((step, window, sinks) for step in (1, 2, 5) for window in (1, 2, 4) for sinks in range(window)),
    "rows_readable_later": ((1, 1, 0), (3, 2, 0), (4, 3, 1), (5, 2, 1)),
    "pages_released": ((5, 0, 5, 2), (6, 3, 6, 2), (4, 0, 3, 1), (0, 0, 0, 2)),
}


def cases() -> Iterator[tuple[str, tuple[int, ...]]]:
    for name, choices in SETS.items():
        yield from ((name, choice) for choice in choices)


@pytest.mark.parametrize(("name", "arguments"), list(cases()))
def test_the_sets_of_the_spec_have_the_members_that_python_finds(name: str, arguments: tuple[int, ...]) -> None:
    function = getattr(spec_window, name)
    expected = function(*arguments)
    for item in range(-1, 8):
        lifter = Lifter(witnesses=[z3.IntVal(value) for value in range(-1, 12)])
        members = lifter.call(function, [z3.IntVal(argument) for argument in arguments])
        assert isinstance(members, Members)
        member = members.contains(z3.IntVal(item), z3.BoolVal(True))
        solver = z3.Solver()
        solver.add(*lifter.facts, member != (item in expected))
        assert solver.check() == z3.unsat, f"{item} in {name}{arguments}"
        owed = z3.Solver()
        owed.add(z3.Not(all_of(lifter.obligations)))
        assert owed.check() == z3.unsat


def test_a_quantifier_without_its_witness_is_not_proved_by_chance() -> None:
    statement = THEOREMS["W1.d"]
    without = query(statement, Proof())
    solver = z3.Solver()
    solver.add(*without.given, *without.facts, z3.Not(without.conclusion))
    assert solver.check() == z3.sat


def uses_a_float(a: int) -> int:
    return a + 1.5  # type: ignore[return-value]


def uses_a_loop(a: int) -> int:
    while a > 0:
        a -= 1
    return a


def uses_an_int_as_a_condition(a: int) -> int:
    return 1 if a else 2


def falls_off(a: int) -> int:  # type: ignore[return]
    if a > 0:
        return a


def true_division(a: int) -> bool:
    return a / 2 > 1


def recursive(a: int) -> int:
    return recursive(a - 1) if a > 0 else a


def mixed(a: int) -> int:
    return a if a > 0 else a > 1


def bool_in_arithmetic(a: int) -> int:
    return a + (a > 0)


def attribute(a: int) -> int:
    return a.bit_length()


def other_call(a: int) -> int:
    return len(range(a))


def starred(*a: int) -> int:
    return a[0]


def over_a_list(a: int) -> bool:
    return any(x > a for x in [1, 2])


def unknown_name(a: int) -> int:
    return a + nowhere  # type: ignore[name-defined,no-any-return] # noqa: F821


REFUSED = {
    uses_a_float: "an expression of kind Constant has no translation",
    uses_a_loop: "a statement of kind While has no translation",
    uses_an_int_as_a_condition: "a condition that is not a bool",
    falls_off: "falls_off can end without a return",
    true_division: "the operator Div has no translation",
    recursive: "recursive is recursive",
    mixed: "the two branches are not both ints or both bools",
    bool_in_arithmetic: "an operand that is not an int",
    attribute: "a call that is not of a plain name with plain arguments",
    other_call: "a call of len has no translation",
    starred: "starred has parameters that are not plain",
    over_a_list: "an expression of kind List has no translation",
    unknown_name: "nowhere is not known",
}


@pytest.mark.parametrize("function", list(REFUSED))
def test_everything_else_is_refused_with_file_line_and_reason(function: Callable[..., Any]) -> None:
    first = function.__code__.co_firstlineno
    with pytest.raises(LiftError, match=re.escape(REFUSED[function])) as raised:
        Lifter().call(function, [z3.Int("a")])
    file, line = str(raised.value).split(":")[:2]
    assert file == __file__
    assert first <= int(line) <= first + 3


def test_something_that_has_no_source_is_refused() -> None:
    with pytest.raises(LiftError, match="is not a plain function"):
        Lifter().call(len, [z3.Int("a")])


def test_a_call_with_other_arguments_is_refused() -> None:
    with pytest.raises(LiftError, match="is called with other arguments than it takes"):
        Lifter().call(arithmetic, [z3.Int("a")])


def test_what_the_theorems_say_is_all_lifted() -> None:
    assert len(THEOREMS) == sum(text.count("@theorem(") for text in map(inspect.getsource, STATED))
    for statement in THEOREMS.values():
        assert query(statement).parameters
