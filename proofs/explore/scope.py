# SPDX-License-Identifier: Apache-2.0
"""The small scopes that are exhausted: sizes, every operation tried in a state, and when two states count as one."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

from spec.block_table import Request, State
from spec.conformance import operations as op
from spec.conformance.operations import Operation

NAMES = "abcdefgh"
STRANGER = "z"
"""A request that never exists."""

Key = tuple[tuple[int, int, tuple[int, ...]], ...]
"""Per request: rows, sinks, and its pages by logical index, numbered by first appearance; -1 where released."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A pool of `pages` pages of `page_size` rows with up to `requests` requests of up to `longest` rows each.

    `sinks` are the numbers of sink rows that a request may start with. With `batches` every pair of requests (also
    twice the same) is appended to and trimmed in one batch, besides the operations one by one.
    """

    pages: int
    page_size: int
    requests: int
    longest: int
    sinks: tuple[int, ...] = (0,)
    batches: bool = False

    def __str__(self) -> str:
        sinks = f", sinks {' or '.join(map(str, self.sinks))}" if self.sinks != (0,) else ""
        batches = ", batches of two" if self.batches else ""
        return (
            f"{self.pages} pages of {self.page_size} rows, {self.requests} requests of up to {self.longest} rows"
            f"{sinks}{batches}"
        )

    def operations(self, state: State) -> Iterator[Operation]:
        """Every operation that is tried in `state`: all that succeed within the scope, and refusals of every kind."""
        live = sorted(str(name) for name in state.requests)
        vacant = [name for name in NAMES[: self.requests] if name not in state.requests]
        yield from self._of_strangers(live)
        if vacant:
            for sinks in self.sinks:
                yield op.new(vacant[0], sinks)
        for name in live:
            yield from self._of_one(state, name)
            yield op.fork(name, name)
            yield op.fork(name, vacant[0] if vacant else live[live.index(name) - 1])
        if self.batches:
            yield from self._of_two(state, live)

    def _of_strangers(self, live: list[str]) -> Iterator[Operation]:
        yield op.append(STRANGER, 1)
        yield op.trim(STRANGER, 0)
        yield op.release(STRANGER)
        for name in live:
            yield op.fork(STRANGER, name)
            yield op.new(name)

    def _of_one(self, state: State, name: str) -> Iterator[Operation]:
        length = len(state.requests[name].rows)
        for count in range(self.longest - length + 1):
            yield op.append(name, count)
        # One row more than the whole pool takes, so it is refused whatever is free.
        yield op.append(name, state.page_count * state.page_size + 1)
        for number in range(-1, length + 2):
            yield op.trim(name, number)
            yield op.truncate(name, number)
            yield op.pages_needed(name, number)
        yield op.rows(name, 0, length)
        yield op.rows(name, length, length + 1)
        yield op.release(name)

    def _of_two(self, state: State, live: list[str]) -> Iterator[Operation]:
        for pair in product(live, repeat=2):
            rows = {name: len(state.requests[name].rows) for name in pair}
            for counts in ((1, 1), (0, 2), (2, 1)):
                after = dict(rows)
                for name, count in zip(pair, counts, strict=True):
                    after[name] += count
                if max(after.values()) <= self.longest:
                    yield op.append_batch(pair, counts)
            yield op.trim_batch(pair, (rows[pair[0]], rows[pair[1]] // 2))
        for name in live:
            yield op.append_batch((name, STRANGER), (1, 1))
            yield op.trim_batch((name, name), (0, len(state.requests[name].rows) + 1))


def key(state: State) -> Key:
    """The same for states that differ only by the names of pages and requests and by the contents of rows.

    O(r! · pages) for r requests that have the same length, sinks and hole.
    """
    shapes = sorted(((_shape(request), request.pages) for request in state.requests.values()), key=lambda pair: pair[0])
    groups: list[list[tuple[tuple[int, int, int], tuple[int | None, ...]]]] = []
    for pair in shapes:
        if groups and groups[-1][0][0] == pair[0]:
            groups[-1].append(pair)
        else:
            groups.append([pair])
    if len(groups) == len(shapes):
        return _numbered(shapes)
    orders = product(*(permutations(group) for group in groups))
    return min(_numbered([pair for group in order for pair in group]) for order in orders)


def _shape(request: Request) -> tuple[int, int, int]:
    """What does not depend on names; the number of released pages is enough, as the hole is after the sinks."""
    return len(request.rows), request.sinks, request.pages.count(None)


def _numbered(requests: list[tuple[tuple[int, int, int], tuple[int | None, ...]]]) -> Key:
    numbers: dict[int | None, int] = {None: -1}
    return tuple(
        (shape[0], shape[1], tuple(numbers.setdefault(page, len(numbers) - 1) for page in pages))
        for shape, pages in requests
    )
