# SPDX-License-Identifier: Apache-2.0
"""A history that breaks a law: how it is run again, and how it is told."""

from collections.abc import Sequence
from dataclasses import dataclass

from spec.block_table import Refusal
from spec.conformance.lockstep import FIRST_ROW, Outcome, start
from spec.conformance.operations import Operation
from spec.conformance.target import Factory
from spec.conformance.violation import LAWS, Violation


@dataclass(frozen=True, slots=True)
class Failure:
    """A pool, the operations up to the one that broke a law, what each came to by the spec, and the violation.

    The last operation has no outcome; there is none at all when the new pool was already wrong. Everything was compared
    after every `every`-th operation.
    """

    pages: int
    page_size: int
    operations: tuple[Operation, ...]
    outcomes: tuple[Outcome, ...]
    violation: Violation
    every: int = 1


def attempt(
    factory: Factory, pages: int, page_size: int, operations: Sequence[Operation], every: int = 1
) -> Failure | None:
    """Run a history on a new target; None when every law holds. Operations that became meaningless are just refused."""
    outcomes: list[Outcome] = []
    try:
        lockstep = start(factory, pages, page_size)
        for number, operation in enumerate(operations, 1):
            outcome = lockstep.run(operation)
            if number % every == 0 or number == len(operations):
                lockstep.check_all(operation)
            outcomes.append(outcome)
    except Violation as violation:
        run = len(outcomes) + (violation.operation is not None)
        return Failure(pages, page_size, tuple(operations[:run]), tuple(outcomes), violation, every)
    return None


def story(failure: Failure) -> str:
    """The history as a numbered list, what each operation came to, the law it broke, expected and got."""
    lines = [f"a pool of {_counted(failure.pages, 'page')} of {_counted(failure.page_size, 'row')}"]
    row = FIRST_ROW
    width = max((len(str(operation)) for operation in failure.operations), default=0)
    for number, operation in enumerate(failure.operations, 1):
        said = []
        count = rows_written(operation)
        if count:
            said.append(f"rows {row} … {row + count - 1}" if count > 1 else f"row {row}")
            row += count
        if number <= len(failure.outcomes):
            said += _outcome(operation, failure.outcomes[number - 1])
        lines.append(f"{number:4}. {operation!s:{width}}  {', '.join(said)}".rstrip())
    violation = failure.violation
    lines += [
        f"breaks the law of {violation.law}: {LAWS[violation.law]}",
        f"      asked     {violation.asked}",
        f"      expected  {violation.expected}",
        f"      got       {violation.got}",
    ]
    return "\n".join(lines)


def reproduction(failure: Failure, imports: str, factory: str) -> str:
    """Python that runs the history again and raises the violation: `factory` is an expression, `imports` its import."""
    kinds = sorted({operation.kind for operation in failure.operations})
    lines = [imports, "from spec.conformance.lockstep import replay"]
    if kinds:
        lines.append(f"from spec.conformance.operations import {', '.join(kinds)}")
    lines += ["", f"replay({factory}, pages={failure.pages}, page_size={failure.page_size}, operations=["]
    lines += [f"    {operation}," for operation in failure.operations]
    lines.append("])" if failure.every == 1 else f"], every={failure.every})")
    return "\n".join(lines)


def rows_written(operation: Operation) -> int:
    """How many rows an operation offers."""
    if operation.kind == "append":
        count = operation.arguments[1]
        assert isinstance(count, int)
        return count
    if operation.kind == "append_batch":
        counts = operation.arguments[1]
        assert isinstance(counts, tuple)
        return sum(counts)
    return 0


def _outcome(operation: Operation, outcome: Outcome) -> list[str]:
    if isinstance(outcome, Refusal):
        return [f"refused: {outcome.value}"]
    if outcome is None or operation.kind == "table":
        return []
    return [f"{list(outcome)}" if isinstance(outcome, tuple) else f"{outcome}"]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
