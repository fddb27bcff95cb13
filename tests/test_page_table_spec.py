# SPDX-License-Identifier: Apache-2.0
"""Random histories of the cache held against the spec: rows, holes, page counts, refusals that change nothing."""

import random
from collections.abc import Callable
from itertools import count

import pytest

from impl.cache import PagedCache
from impl.errors import CacheError
from spec import block_table as spec

NAMES = "abcde"

Step = tuple[Callable[[], object], Callable[[spec.State], tuple[spec.State, object]]]


class History:
    """A cache and the spec's state, driven by one source of chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.pages, self.page_size = self.chance.randint(1, 20), self.chance.randint(1, 5)
        self.cache = PagedCache(self.pages, self.page_size)
        self.state = spec.State(self.pages, self.page_size)
        self.next_row = count()

    def rows(self) -> tuple[int, ...]:
        number = self.chance.choice([0, 1, 1, 1, 2, self.page_size + 1, 3 * self.page_size])
        return tuple(next(self.next_row) for _ in range(number))

    def length(self, name: str) -> int:
        return len(self.state.requests[name].rows) if name in self.state.requests else 2

    def draw(self) -> Step:
        """One call, and the same for the spec."""
        cache, chance = self.cache, self.chance
        kinds = ["new", "fork", "trim", "trim", "truncate", "rows", "release"]
        kind = chance.choice([*kinds, "append", "append", "append", "append_batch", "append_batch", "trim_batch"])
        name, other = chance.choice(NAMES), chance.choice(NAMES)
        length = self.length(name)
        names = [chance.choice(NAMES) for _ in range(chance.randint(0, 5))]
        arguments: tuple[int, ...] = ()
        if kind == "append":
            rows = self.rows()
            return lambda: cache.append(name, rows), lambda state: spec.append(state, name, rows)
        if kind == "fork":
            return lambda: cache.fork(name, other), lambda state: spec.fork(state, name, other)
        if kind == "append_batch":
            many = [self.rows() for _ in names]
            appends = [lambda state, n=n, r=r: spec.append(state, n, r) for n, r in zip(names, many, strict=True)]
            return lambda: cache.append_batch(names, many), lambda state: spec.in_order(state, appends)
        if kind == "trim_batch":
            keeps = [chance.randint(0, self.length(n)) for n in names]
            trims = [lambda state, n=n, k=k: spec.trim(state, n, k) for n, k in zip(names, keeps, strict=True)]
            return lambda: cache.trim_batch(names, keeps), lambda state: spec.in_order(state, trims)
        if kind == "rows":
            low = chance.randint(0, length)
            high = chance.randint(low, length + 1)
            return lambda: cache.rows(name, low, high), lambda state: spec.rows(state, name, low, high)
        if kind == "new":
            arguments = (chance.choice([0, 0, 1, 5]),)
        elif kind == "trim":
            arguments = (chance.randint(-1, length + 1),)
        elif kind == "truncate":
            arguments = (chance.choice([0, 5, chance.randint(length - 3 * self.page_size, length + 1)]),)
        return lambda: getattr(cache, kind)(name, *arguments), lambda state: getattr(spec, kind)(
            state, name, *arguments
        )

    def step(self) -> None:
        operation, of_spec = self.draw()
        before = self.cache.snapshot()
        self.state, expected = of_spec(self.state)
        if isinstance(expected, spec.Refusal):
            with pytest.raises(CacheError) as caught:
                operation()
            assert caught.type.__name__ == expected.value
            assert self.cache.snapshot() == before
        else:
            got = operation()
            assert got is None or tuple(got.tolist()) == expected  # type: ignore[attr-defined]
        self.compare()

    def compare(self) -> None:
        cache, state = self.cache, self.state
        cache.check()
        assert cache.free_pages() == len(spec.free_pages(state))
        for name, request in state.requests.items():
            first, end = spec.hole(state, request)
            assert cache.length(name) == len(request.rows)
            assert cache.pages_held(name) == spec.pages_held(request)
            assert [page is None for page in cache.table(name)] == [page is None for page in request.pages]
            assert cache.page_table.hole(cache.handle(name)) == (first, end)
            assert tuple(cache.rows(name, 0, first).tolist()) == request.rows[:first]
            assert tuple(cache.rows(name, end, len(request.rows)).tolist()) == request.rows[end:]
            for number in (0, 1, self.page_size, 2 * self.page_size + 1):
                assert cache.pages_needed(name, number) == spec.pages_needed(state, name, number)[1]
            for index, page in enumerate(cache.table(name)):
                spec_page = request.pages[index]
                if page is not None and spec_page is not None:
                    assert cache.owners(page) == spec.owners(state, index, spec_page)


@pytest.mark.parametrize("seed", range(40))
def test_a_random_history(seed: int) -> None:
    history = History(seed)
    for _ in range(150):
        history.step()
    for name in list(history.state.requests):
        history.cache.release(name)
    assert history.cache.free_pages() == history.pages
