# SPDX-License-Identifier: Apache-2.0
"""What happens once in the life of a request of 4,096 rows: prefill, fork, trim, release."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from kvproof.bench.case import Case
from kvproof.bench.setup import pages_for, plain_of, table_of
from kvproof.bench.timing import Effort, Measured, Work, contest

T = TypeVar("T")

ROWS, KEPT = 4096, 256

REQUESTS = 16
"""Calls in each repeat, each on a request of its own."""

PAGES = pages_for([ROWS] * REQUESTS, 0)


def prefill(effort: Effort) -> Measured:
    """An append of 4,096 rows to an empty request."""
    rows = tuple(range(ROWS))

    def ours() -> Callable[[], object]:
        table, handles = table_of([0] * REQUESTS, PAGES)
        return _each(lambda handle: table.append(handle, ROWS), handles.tolist())

    def plain() -> Callable[[], object]:
        cache, names = plain_of([0] * REQUESTS, PAGES)
        return _each(lambda name: cache.append(name, rows), names)

    return contest(effort, Work(ours, REQUESTS), Work(plain, REQUESTS))


def fork(effort: Effort) -> Measured:
    """A second request that shares the 256 pages of the first."""

    def ours() -> Callable[[], object]:
        table, handles = table_of([ROWS], PAGES)
        return _each(table.fork, handles.tolist() * REQUESTS)

    def plain() -> Callable[[], object]:
        cache, names = plain_of([ROWS], PAGES)
        return _each(lambda name: cache.fork(names[0], name), [f"fork {index}" for index in range(REQUESTS)])

    return contest(effort, Work(ours, REQUESTS), Work(plain, REQUESTS))


def trim(effort: Effort) -> Measured:
    """The release of all pages but the last 16."""

    def ours() -> Callable[[], object]:
        table, handles = table_of([ROWS] * REQUESTS, PAGES)
        return _each(lambda handle: table.trim(handle, ROWS - KEPT), handles.tolist())

    def plain() -> Callable[[], object]:
        cache, names = plain_of([ROWS] * REQUESTS, PAGES)
        return _each(lambda name: cache.trim(name, ROWS - KEPT), names)

    return contest(effort, Work(ours, REQUESTS), Work(plain, REQUESTS))


def release(effort: Effort) -> Measured:
    """The end of a request that holds 256 pages."""

    def ours() -> Callable[[], object]:
        table, handles = table_of([ROWS] * REQUESTS, PAGES)
        return _each(table.close, handles.tolist())

    def plain() -> Callable[[], object]:
        cache, names = plain_of([ROWS] * REQUESTS, PAGES)
        return _each(cache.release, names)

    return contest(effort, Work(ours, REQUESTS), Work(plain, REQUESTS))


def _each(call: Callable[[T], object], arguments: Iterable[T]) -> Callable[[], object]:
    def calls() -> None:
        for argument in arguments:
            call(argument)

    return calls


CASES = [
    Case("request", "prefill", "prefill of 4,096 rows", prefill, limit=30.0),
    Case("request", "fork", "fork of 4,096 rows", fork),
    Case("request", "trim", "trim of 240 pages", trim),
    Case("request", "release", "release of 256 pages", release),
]
