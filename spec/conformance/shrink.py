# SPDX-License-Identifier: Apache-2.0
"""A long history that breaks a law, made short: operations left out, numbers made smaller, while some law breaks.

Every candidate is run in lockstep on a new target. Any violation counts, not only the first one: the shortest
history is wanted, and each is a mistake of the target.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations

from spec.conformance.failure import Failure, attempt
from spec.conformance.operations import Operation, append, trim
from spec.conformance.target import Factory

Candidate = tuple[int, int, tuple[Operation, ...]]

_SHORT = 16
"""The longest history of which combinations of changes are tried."""


def shrink(factory: Factory, failure: Failure, budget: int = 5_000) -> Failure:
    """The simplest failing history found in at most `budget` runs; the given one when none is simpler.

    Deterministic. Each run costs as much as the history that is tried.
    """
    best = [failure]
    # Ctrl-C ends the shrinking, not the finding.
    with suppress(KeyboardInterrupt):
        _shrink(factory, best, budget)
    return best[0]


def _shrink(factory: Factory, best_so_far: list[Failure], budget: int) -> None:
    """Put simpler failures into the one place of `best_so_far` as they are found."""
    failure = best = best_so_far[0]
    if failure.every > 1:
        # A failure that needs rarer checks than after every operation is kept as it is found.
        best = attempt(factory, failure.pages, failure.page_size, failure.operations) or failure
        best_so_far[0] = best
    improved = True
    while improved:
        improved = False
        for candidates in _PASSES:
            found = True
            while found:
                found = False
                for pages, page_size, operations in candidates(best):
                    if budget == 0:
                        return
                    if _weight(pages, page_size, operations) >= _weight(best.pages, best.page_size, best.operations):
                        continue
                    budget -= 1
                    broken = attempt(factory, pages, page_size, operations, best.every)
                    if broken is not None:
                        best_so_far[0] = best = broken
                        found = improved = True
                        break


def _shorter(failure: Failure) -> Iterator[Candidate]:
    """Without a run of operations: long runs first, late ones first."""
    operations = failure.operations
    size = len(operations) // 2
    while size >= 1:
        for end in range(len(operations), size - 1, -size):
            yield failure.pages, failure.page_size, operations[: end - size] + operations[end:]
        size //= 2


def _appends_joined(failure: Failure) -> Iterator[Candidate]:
    """With two appends to one request made one, at the place of either, also where that takes more pages."""
    operations = failure.operations
    appends = [place for place, operation in enumerate(operations) if operation.kind == "append"]
    for i, j in combinations(appends, 2):
        (name, first), (other, second) = operations[i].arguments, operations[j].arguments
        if name == other and isinstance(first, int) and isinstance(second, int):
            both = append(str(name), first + second)
            early = (*operations[:i], both, *operations[i + 1 : j], *operations[j + 1 :])
            late = (*operations[:i], *operations[i + 1 : j], both, *operations[j + 1 :])
            for pages in (failure.pages, failure.pages + 1, 2 * failure.pages):
                yield pages, failure.page_size, early
                yield pages, failure.page_size, late


def _pairs_left_out(failure: Failure) -> Iterator[Candidate]:
    """Without any two operations, for what is undone by another one, also with two names swapped from there on."""
    operations = failure.operations
    if len(operations) > _SHORT:
        return
    names = list(dict.fromkeys(name for operation in operations for name in _names(operation)))
    for i, j in combinations(range(len(operations)), 2):
        before, after = operations[:i], operations[i + 1 : j] + operations[j + 1 :]
        yield failure.pages, failure.page_size, before + after
        for one, other in combinations(names, 2):
            swapped = tuple(_renamed(operation, {one: other, other: one}) for operation in after)
            yield failure.pages, failure.page_size, before + swapped


def _smaller_pool(failure: Failure) -> Iterator[Candidate]:
    """In fewer pages, in smaller pages, there also with every number scaled down."""
    for pages in range(1, failure.pages):
        yield pages, failure.page_size, failure.operations
    for page_size in range(1, failure.page_size):
        yield failure.pages, page_size, failure.operations
        scaled = tuple(_scaled(operation, page_size, failure.page_size) for operation in failure.operations)
        yield failure.pages, page_size, scaled


def _less_room(failure: Failure) -> Iterator[Candidate]:
    """In fewer pages with an operation less or a simpler one: for what needs a pool that is nearly full."""
    operations, size = failure.operations, failure.page_size
    for pages in range(1, failure.pages):
        for place, operation in enumerate(operations):
            count = operation.arguments[1] if operation.kind == "append" else 0
            less = (failure.pages - pages) * size
            if isinstance(count, int) and count > less:
                shorter = append(str(operation.arguments[0]), count - less)
                yield pages, size, (*operations[:place], shorter, *operations[place + 1 :])
        if len(operations) <= _SHORT:
            for candidates in (_shorter, _simpler_operations):
                yield from ((pages, size, changed) for _, _, changed in candidates(failure))


def _more_at_the_end(failure: Failure) -> Iterator[Candidate]:
    """Without an operation, and the last append of more rows than the pool has: for what needs a refusal."""
    if not failure.operations:
        return
    *operations, last = failure.operations
    if last.kind == "append" and len(operations) <= _SHORT:
        more = append(str(last.arguments[0]), failure.pages * failure.page_size + 1)
        for place in range(len(operations)):
            yield failure.pages, failure.page_size, (*operations[:place], *operations[place + 1 :], more)


def _simpler_operations(failure: Failure) -> Iterator[Candidate]:
    """With the names in order, with one operation simpler."""
    operations = failure.operations
    names = list(dict.fromkeys(name for operation in operations for name in _names(operation)))
    in_order = dict(zip(names, "abcdefghijklmnopqrstuvwxyz", strict=False))
    yield failure.pages, failure.page_size, tuple(_renamed(operation, in_order) for operation in operations)
    for later, earlier in combinations(reversed(names), 2):
        merged = tuple(_renamed(operation, {later: earlier}) for operation in operations)
        yield failure.pages, failure.page_size, merged
    for place, operation in enumerate(operations):
        for simpler in _simpler(operation):
            yield failure.pages, failure.page_size, (*operations[:place], simpler, *operations[place + 1 :])


_PASSES = (
    _shorter,
    _appends_joined,
    _smaller_pool,
    _simpler_operations,
    _less_room,
    _more_at_the_end,
    _pairs_left_out,
)
"""What is tried, in this order, again and again until nothing makes the history simpler."""


def _simpler(operation: Operation) -> Iterator[Operation]:
    if operation.kind in ("append_batch", "trim_batch"):
        yield from _simpler_batch(operation)
        return
    for place, argument in enumerate(operation.arguments):
        if isinstance(argument, int):
            for number in _smaller(argument):
                arguments = (*operation.arguments[:place], number, *operation.arguments[place + 1 :])
                yield replace(operation, arguments=arguments)
    if operation.kind == "new" and len(operation.arguments) > 1:
        yield replace(operation, arguments=operation.arguments[:1])
    if operation.kind == "rows":
        # Both ends together: a range of the same length nearer to the beginning.
        name, low, high = operation.arguments
        assert isinstance(low, int)
        assert isinstance(high, int)
        if low > 0:
            yield replace(operation, arguments=(name, low - 1, high - 1))


def _simpler_batch(operation: Operation) -> Iterator[Operation]:
    names, numbers = operation.arguments
    assert isinstance(names, tuple)
    assert isinstance(numbers, tuple)
    if len(names) == 1:
        yield (append if operation.kind == "append_batch" else trim)(names[0], numbers[0])
    for place, number in enumerate(numbers):
        yield replace(operation, arguments=(_without(names, place), _without(numbers, place)))
        for smaller in _smaller(number):
            changed = (*numbers[:place], smaller, *numbers[place + 1 :])
            yield replace(operation, arguments=(names, changed))


def _without(values: tuple[object, ...], place: int) -> tuple[object, ...]:
    return values[:place] + values[place + 1 :]


def _smaller(number: int) -> list[int]:
    """Numbers nearer to 0, the nearest first; never across it."""
    if number <= 0:
        return [-1] if number < -1 else []
    return sorted({0, 1, number // 2, number - 1} - {number})


def _scaled(operation: Operation, numerator: int, denominator: int) -> Operation:
    def scaled(argument: object) -> object:
        if isinstance(argument, tuple):
            return tuple(scaled(one) for one in argument)
        if isinstance(argument, int) and argument > 0:
            return -(-argument * numerator // denominator)
        return argument

    return replace(operation, arguments=tuple(scaled(argument) for argument in operation.arguments))


def _names(operation: Operation) -> list[str]:
    names: list[str] = []
    for argument in operation.arguments:
        names += [one for one in (argument if isinstance(argument, tuple) else (argument,)) if isinstance(one, str)]
    return names


def _renamed(operation: Operation, names: dict[str, str]) -> Operation:
    def renamed(argument: object) -> object:
        if isinstance(argument, tuple):
            return tuple(renamed(one) for one in argument)
        return names.get(argument, argument) if isinstance(argument, str) else argument

    return replace(operation, arguments=tuple(renamed(argument) for argument in operation.arguments))


def _weight(pages: int, page_size: int, operations: tuple[Operation, ...]) -> tuple[int, int, int, int, str]:
    """What is to be made small: every step of the shrinker lowers it, so it ends."""
    numbers = 0
    for operation in operations:
        for argument in operation.arguments:
            for one in argument if isinstance(argument, tuple) else (argument,):
                numbers += abs(one) if isinstance(one, int) else 0
    batches = sum(operation.kind.endswith("_batch") for operation in operations)
    return len(operations), batches, pages + page_size, numbers, str(operations)
