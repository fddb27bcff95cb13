# SPDX-License-Identifier: Apache-2.0
"""Laws of decoding with a window, each held against the spec step by step: of the closed forms, of the float reference,
and of the host with its cache. No tolerance is wider than rounding.

A property is a generator that draws one case and yields after each step that it has checked. It raises Broken when a
law is.
"""

import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from impl import window as formulas
from impl.cache import PagedCache
from impl.chip.compiler import Program
from impl.chip.integers import Int8
from impl.host import ROW, Host, Programs, Step
from impl.lm.model import VOCABULARY, WIDTH, Model, random_model
from impl.lm.quantise import quantise
from impl.lm.reference import float_forced
from spec import attention
from spec import window as spec
from spec.conformance.drawing import Chooser, RandomChooser

LAWS = {
    "rows": "step L reads the rows of the window and attends to one token more, and the trim keeps what is read later",
    "reference": "the float reference is attention over the tokens that the window shows, recomputed from them",
    "context": "step L runs the program of as many tokens as it attends to",
    "gather": "the rows gathered for step L are those that it reads",
    "inputs": "the chip loads the keys of those rows as keys and their values as values, oldest first",
    "pages": "after a step a request holds the pages of rows that are read later, and the last one while it has room",
}
"""The laws by name."""

ROUNDING = 1e-9
"""How far two ways to add up the same few dozen numbers may be apart; a row more or less is far beyond it."""

LONGEST = 16


class Broken(AssertionError):
    """A law is broken: which one, and what shows it."""

    def __init__(self, law: str, told: str) -> None:
        assert law in LAWS, law
        self.law = law
        super().__init__(f"{law}: {told} (the law: {LAWS[law]})")


def closed_forms(chooser: Chooser) -> Iterator[None]:
    """The formulas that the host and the float reference go by, against the sets of rows, for one window."""
    window = chooser.integer(1, 9)
    for step in range(1, LONGEST + 1):
        read, later = spec.rows_read(step, window), spec.rows_readable_later(step, window)
        _same("rows", f"context({step}, {window})", formulas.context(step, window), len(read) + 1)
        first, keep = formulas.first_row(step, window), formulas.keep_from(step, window)
        _same("rows", f"rows from first_row({step}, {window})", set(range(first, step - 1)), read)
        _same("rows", f"rows from keep_from({step}, {window})", set(range(keep, step)), later)
        yield


def reference(chooser: Chooser) -> Iterator[None]:
    """The float reference along random tokens of a random model, against the recomputation."""
    model = random_model(chooser.integer(0, 999))
    window = chooser.integer(1, 6)
    tokens = [chooser.integer(0, VOCABULARY - 1) for _ in range(chooser.integer(1, 10))]
    weights = as_weights(model)
    for number, step in enumerate(float_forced(model, tokens, window), 1):
        visible = attention.visible_tokens(tokens, number, window)
        asked = f"step {number} with a window of {window}"
        _same("reference", f"tokens attended to in {asked}", len(step.weights), len(visible))
        furthest = float(np.abs(step.logits - np.array(attention.attend(weights, visible))).max())
        if not furthest < ROUNDING:
            raise Broken("reference", f"the logits of {asked} are off by {furthest:.2g}")
        yield


def host(chooser: Chooser) -> Iterator[None]:
    """Decoding of two requests in turns over one cache, the second a fork of the first, every step watched."""
    page, window = chooser.integer(1, 5), chooser.choice((1, 2, 3, 4, 5, 6, 7, 8, None))
    watched = Watched(chooser.integer(0, 3), page, window)
    prompt = chooser.integer(0, LONGEST // 2)
    watched.cache.new("a")
    for _ in range(prompt):
        watched.step("a", chooser.integer(0, VOCABULARY - 1))
        yield
    watched.cache.fork("a", "b")
    for _ in range(chooser.integer(1, LONGEST // 2)):
        for request in ("a", "b"):
            watched.step(request, chooser.integer(0, VOCABULARY - 1))
            yield


PROPERTIES: dict[str, Callable[[Chooser], Iterator[None]]] = {
    "closed forms": closed_forms,
    "reference": reference,
    "host": host,
}


@dataclass(frozen=True, slots=True)
class Caught:
    """The first law that was broken, the steps up to it and with it, and the seconds that it took."""

    broken: Broken
    operations: int
    seconds: float


def hunt(seed: int, rounds: int = 200) -> Caught | None:
    """Draw one case of each property after the other, so many rounds, until a law is broken; None when none is.

    The same seed draws the same cases.
    """
    began, operations = time.perf_counter(), 0
    for number in range(rounds):
        for name, of_cases in PROPERTIES.items():
            operations += 1
            try:
                for _ in of_cases(RandomChooser(f"{name}/{seed}/{number}")):
                    operations += 1
            except Broken as broken:
                return Caught(broken, operations, time.perf_counter() - began)
            operations -= 1
    return None


def as_weights(model: Model) -> attention.Weights:
    """The same numbers as plain tuples."""
    matrices = (model.embedding, model.query, model.key, model.value, model.output, model.unembedding)
    return attention.Weights(*(tuple(map(tuple, matrix.tolist())) for matrix in matrices))


class _Cache(PagedCache):
    """A cache that looks at each range of rows that it is asked for, and remembers the rows appended."""

    def __init__(self, pages: int, page: int, window: int | None) -> None:
        super().__init__(pages, page, ROW, np.int8)
        self.window = window
        self.written: dict[Hashable, list[Int8]] = {}

    def new(self, request: Hashable, sinks: int = 0) -> None:
        super().new(request, sinks)
        self.written[request] = []

    def fork(self, source: Hashable, request: Hashable) -> None:
        super().fork(source, request)
        self.written[request] = list(self.written[source])

    def append(self, request: Hashable, rows: Int8) -> None:  # type: ignore[override]
        super().append(request, rows)
        self.written[request].extend(rows)

    def rows(self, request: Hashable, low: int, high: int) -> Int8:
        step = len(self.written[request]) + 1
        asked = f"rows asked for in step {step}, {_told(self.window)}"
        _same("gather", asked, set(range(low, high)), rows_read(step, self.window))
        return super().rows(request, low, high)


class _Programs(Programs):
    """Programs of which only the one of the expected context is asked for."""

    expected, asked = 0, ""

    def __getitem__(self, context: int) -> Program:
        _same("context", f"the context of {self.asked}", context, self.expected)
        return super().__getitem__(context)


class Watched:
    """A host whose steps are held against the spec, one by one. Raises Broken."""

    def __init__(self, seed: int, page: int, window: int | None) -> None:
        self.page, self.window = page, window
        self.cache = _Cache(4 * LONGEST, page, window)
        self.programs = _Programs(quantise(random_model(seed), window, 2))
        self.host = Host(self.programs, self.cache, window)

    def step(self, request: Hashable, token: int) -> Step:
        """One step, all of whose laws hold."""
        number = len(self.cache.written[request]) + 1
        read = sorted(rows_read(number, self.window))
        before = [self.cache.written[request][row] for row in read]
        asked = f"step {number}, {_told(self.window)}, pages of {self.page} rows"
        self.programs.expected, self.programs.asked = len(read) + 1, asked
        step = self.host.step(request, token)
        if before:
            loaded = np.stack([self._loaded(step, name, len(read)) for name in ("kc", "vc")], axis=1)
            if not np.array_equal(loaded, np.stack(before)):
                raise Broken("inputs", f"{asked}: the rows loaded as kc and vc are not the keys and values of {read}")
        pages = {index for index, page in enumerate(self.cache.table(request)) if page is not None}
        _same("pages", f"logical pages after {asked}", pages, self._needed(number))
        return step

    def _loaded(self, step: Step, name: str, rows: int) -> Int8:
        region = self.programs[step.context].inputs[name]
        words = step.image[region.address : region.address + region.words]
        return words.view(np.int8).reshape(-1, WIDTH)[:rows]

    def _needed(self, step: int) -> set[int]:
        """The pages after step `step`: of rows that are read later, and the last one while rows still fit into it."""
        if self.window is None:
            return spec.pages_holding(set(range(step)), self.page)
        later = spec.pages_holding(spec.rows_readable_later(step, self.window), self.page)
        return later | ({(step - 1) // self.page} if step % self.page else set())


def rows_read(step: int, window: int | None) -> set[int]:
    """The cached rows that a step reads; without a window all of them."""
    return set(range(step - 1)) if window is None else spec.rows_read(step, window)


def _told(window: int | None) -> str:
    return "no window" if window is None else f"a window of {window}"


def _same(law: str, asked: str, got: object, expected: object) -> None:
    if got != expected:
        raise Broken(law, f"{asked}: expected {expected}, got {got}")
