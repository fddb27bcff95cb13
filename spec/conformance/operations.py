# SPDX-License-Identifier: Apache-2.0
"""The operations as values. Each prints as the Python call that makes it, so that a history can be pasted back.

An append says how many rows it writes, not which: whoever runs it numbers them, so that every row is unique.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Operation:
    """One call: its kind is the name of the method of the target, its arguments are those of the maker below."""

    kind: str
    arguments: tuple[object, ...]

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(map(repr, self.arguments))})"

    __str__ = __repr__


def new(request: str, sinks: int = 0) -> Operation:
    """Start a request."""
    return Operation("new", (request, sinks) if sinks else (request,))


def append(request: str, count: int) -> Operation:
    """Write `count` rows at the end."""
    return Operation("append", (request, count))


def append_batch(requests: Sequence[str], counts: Sequence[int]) -> Operation:
    """Write `counts[i]` rows at the end of `requests[i]`, in order, all or nothing."""
    return Operation("append_batch", (tuple(requests), tuple(counts)))


def fork(source: str, request: str) -> Operation:
    """Start a request that shares every page of `source`."""
    return Operation("fork", (source, request))


def trim(request: str, keep_from: int) -> Operation:
    """Release the whole pages before row `keep_from`."""
    return Operation("trim", (request, keep_from))


def trim_batch(requests: Sequence[str], keep_froms: Sequence[int]) -> Operation:
    """Trim `requests[i]` at `keep_froms[i]`, in order, all or nothing."""
    return Operation("trim_batch", (tuple(requests), tuple(keep_froms)))


def truncate(request: str, length: int) -> Operation:
    """Forget the rows from `length` on."""
    return Operation("truncate", (request, length))


def rows(request: str, low: int, high: int) -> Operation:
    """Read the rows low ≤ i < high."""
    return Operation("rows", (request, low, high))


def release(request: str) -> Operation:
    """End a request."""
    return Operation("release", (request,))


def length(request: str) -> Operation:
    """Ask for the number of rows."""
    return Operation("length", (request,))


def pages_needed(request: str, count: int) -> Operation:
    """Ask how many pages an append of `count` rows would take."""
    return Operation("pages_needed", (request, count))


def pages_held(request: str) -> Operation:
    """Ask how many pages a request holds."""
    return Operation("pages_held", (request,))


def table(request: str) -> Operation:
    """Ask for the physical page of each logical page."""
    return Operation("table", (request,))


NEEDS = {
    "new": None,
    "append": None,
    "rows": None,
    "release": None,
    "append_batch": "batch",
    "trim_batch": "batch",
    "fork": "fork",
    "trim": "trim",
    "truncate": "truncate",
    "length": "length",
    "pages_needed": "pages_needed",
    "pages_held": "pages_held",
    "table": "table",
}
"""Every kind of operation, and the capability that it needs (None: every target has it)."""


def capabilities_needed(operations: Sequence[Operation]) -> frozenset[str]:
    """The capabilities that a target must have to run these operations."""
    needed = {NEEDS[operation.kind] for operation in operations}
    if any(operation.kind == "new" and len(operation.arguments) > 1 for operation in operations):
        needed.add("sinks")
    return frozenset(name for name in needed if name is not None)
