# SPDX-License-Identifier: Apache-2.0
"""An obligation together with its wrong variants."""

from collections.abc import Callable
from dataclasses import dataclass

from proofs.transitions.obligations import Obligation
from proofs.transitions.operation import Operation


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong variant of an obligation, and what is wrong with it."""

    wrong: str
    obligation: Obligation


@dataclass(frozen=True, slots=True)
class Task:
    """An obligation and its wrong variants."""

    right: Obligation
    wrong: tuple[Wrong, ...]


def task(shown: Callable[..., Obligation], right: Operation, wrongs: dict[str, Operation]) -> Task:
    """An obligation about one operation, with wrong operations."""
    return Task(shown(right), tuple(Wrong(name, shown(operation)) for name, operation in wrongs.items()))
