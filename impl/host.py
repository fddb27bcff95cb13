# SPDX-License-Identifier: Apache-2.0
"""The host: decodes on the chip, one program per step, with the rows of k and v in a cache of its own.

In step L of a request it gathers the cached rows that the window shows, runs the program of that context, appends the
new row and trims what no later step reads. The chip sees contiguous rows and never a page.

There is one decode loop and two strategies for the rows: a `PagedCache` with rows of the shape `ROW` and dtype int8,
and `PlainRows`, which keeps every row in a list. Many requests share one strategy and one set of programs; they decode
turn by turn, and a prompt is shared by `fork`.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from impl import window as formulas
from impl.arguments import integer
from impl.chip.compiler import Program
from impl.chip.config import DEFAULT, Config
from impl.chip.decode import decode_inputs, decode_program
from impl.chip.integers import Int8
from impl.chip.machine import Result, Words, run
from impl.errors import OutOfPages
from impl.lm.model import WIDTH
from impl.lm.quantise import Quantised

ROW = (2, WIDTH)
"""Shape of a row, int8: k, then v."""


class ChipError(RuntimeError):
    """A compiled program ended with the error flag of the chip."""


class Rows(Protocol):
    """What the host needs of a cache. `PagedCache` has it; the refusals are its."""

    def new(self, request: Hashable) -> None:
        """Start an empty request."""

    def fork(self, source: Hashable, request: Hashable) -> None:
        """Start a request with the rows of another."""

    def release(self, request: Hashable) -> None:
        """End a request."""

    def append(self, request: Hashable, rows: Int8) -> None:
        """Write rows, [n, *ROW], at the end, all or none."""

    def rows(self, request: Hashable, low: int, high: int) -> Int8:
        """The rows low ≤ i < high, [high − low, *ROW]."""

    def trim(self, request: Hashable, keep_from: int) -> None:
        """Rows before `keep_from` are not needed any more."""

    def length(self, request: Hashable) -> int:
        """Rows appended so far."""

    def pages_held(self, request: Hashable) -> int:
        """Pages that the request holds."""


class PlainRows:
    """Every row of every request in a list: no pages, nothing shared, nothing released before the end."""

    def __init__(self) -> None:
        self._rows: dict[Hashable, list[Int8]] = {}

    def new(self, request: Hashable) -> None:
        """Start an empty request."""
        self._rows[request] = []

    def fork(self, source: Hashable, request: Hashable) -> None:
        """Start a request with a copy of the rows of another. O(rows)."""
        self._rows[request] = list(self._rows[source])

    def release(self, request: Hashable) -> None:
        """End a request."""
        del self._rows[request]

    def append(self, request: Hashable, rows: Int8) -> None:
        """Write rows at the end."""
        self._rows[request].extend(rows)

    def rows(self, request: Hashable, low: int, high: int) -> Int8:
        """The rows low ≤ i < high."""
        return np.array(self._rows[request][low:high], dtype=np.int8).reshape(high - low, *ROW)

    def trim(self, request: Hashable, keep_from: int) -> None:
        """Keeps everything."""

    def length(self, request: Hashable) -> int:
        """Rows appended so far."""
        return len(self._rows[request])

    def pages_held(self, request: Hashable) -> int:
        """Always 0."""
        return 0


class Programs:
    """The compiled programs of a model: one for each context that was really used."""

    def __init__(self, model: Quantised, config: Config = DEFAULT) -> None:
        self.model, self.config = model, config
        self._by_context: dict[int, Program] = {}

    def __len__(self) -> int:
        return len(self._by_context)

    def __getitem__(self, context: int) -> Program:
        """The program of a context, compiled at its first use. Raises CompileError."""
        if context not in self._by_context:
            self._by_context[context] = decode_program(self.model, context, self.config)
        return self._by_context[context]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step of one request. `number` and `context` count the new token; rows and logits are int8.

    `pages` were held when it started, `most_pages` between its append and its trim, `pages_left` after the trim.
    `image` is what the chip started from and `result` what it left.
    """

    number: int
    context: int
    token: int
    following: int
    logits: tuple[int, ...]
    row: Int8
    pages: int
    most_pages: int
    pages_left: int
    data_words: int
    image: Words
    result: Result

    def integers(self) -> tuple[object, ...]:
        """Everything that the chip gave back, to compare."""
        return self.number, self.context, self.token, self.following, self.logits, tuple(self.row.ravel().tolist())


@dataclass(slots=True)
class Stream:
    """What a request has come to: its steps, and why it ended early, if it did."""

    steps: list[Step] = field(default_factory=list)
    error: str = ""


class Host:
    """Decodes requests on one chip over one cache, each with the same window (None: everything stays visible)."""

    def __init__(self, programs: Programs, rows: Rows, window: int | None = None) -> None:
        """Raises BadArgument when the window is no integer of at least 1."""
        self.programs, self.rows = programs, rows
        self.window = None if window is None else integer(window, "the window", least=1)

    def step(self, request: Hashable, token: int) -> Step:
        """One step of a request that the cache knows. O(W·P).

        Raises OutOfPages, with the request as it was before; CompileError when the context is too large for the chip;
        ChipError.
        """
        number = self.rows.length(request) + 1
        window = formulas.window_or_all(self.window, number)
        context = formulas.context(number, window)
        program = self.programs[context]
        pages = self.rows.pages_held(request)
        gathered = self.rows.rows(request, formulas.first_row(number, window), number - 1)
        image = program.image(decode_inputs(self.programs.model, token, gathered[:, 0], gathered[:, 1]))
        result = run(image, program.config)
        if result.error is not None:
            raise ChipError(f"step {number} of request {request!r}: {result.error}")
        key, value, logits = (program.output(result.memory, name) for name in ("k", "v", "logits"))
        row = np.stack([key, value])
        self.rows.append(request, row[np.newaxis])
        most_pages = self.rows.pages_held(request)
        self.rows.trim(request, formulas.keep_from(number, window))
        return Step(
            number=number,
            context=context,
            token=token,
            following=int(program.output(result.memory, "token").view("<u4")[0]),
            logits=tuple(logits.tolist()),
            row=row,
            pages=pages,
            most_pages=most_pages,
            pages_left=self.rows.pages_held(request),
            data_words=program.data_words,
            image=image,
            result=result,
        )

    def forced(self, request: Hashable, tokens: Sequence[int]) -> list[Step]:
        """One step for each given token, whatever the chip would choose. Raises as `step`."""
        return [self.step(request, token) for token in tokens]

    def greedy(self, request: Hashable, token: int, steps: int) -> list[Step]:
        """`steps` steps from `token` on, each with the token that the chip chose in the last one. Raises as `step`."""
        done: list[Step] = []
        for _ in range(steps):
            done.append(self.step(request, done[-1].following if done else token))
        return done

    def turns(self, tokens: Mapping[Hashable, int], steps: int) -> dict[Hashable, Stream]:
        """Greedy decoding of many requests, turn by turn: one step of each, in order, `steps` times.

        `tokens` says with which token each goes on. A request that runs out of pages is released and its stream says
        so; the others go on, also with its pages.
        """
        streams = {request: Stream() for request in tokens}
        for _ in range(steps):
            for request, stream in streams.items():
                if stream.error:
                    continue
                token = stream.steps[-1].following if stream.steps else tokens[request]
                try:
                    stream.steps.append(self.step(request, token))
                except OutOfPages as error:
                    stream.error = f"request {request!r} ended after {len(stream.steps)} steps: {error}"
                    self.rows.release(request)
        return streams
