# SPDX-License-Identifier: Apache-2.0
"""A model that yosys wrote for SMT solvers, unrolled step by step in one process of yices.

The comments `; yosys-smt2-…` of the model say which modules, instances, registers and assertions there are. In the text
of a term every state is named: `s0`, `s1`, … are those of the top module, and an instance's state is a term over them.
"""

import os
import re
import selectors
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from proofs.rtl.tools import program


class OutOfTime(RuntimeError):
    """A question was not answered in time; the solver is gone."""


class Stopped(RuntimeError):
    """Somebody asked all solvers to stop."""


STOP = threading.Event()
"""Set to end every question of every thread at once."""


class SolverFailed(RuntimeError):
    """The solver refused something; the message is what it said."""


@dataclass(slots=True)
class Module:
    """A module: the types of its instances, the widths of ports and registers, labels of assertions, functions of
    free values (in every cycle), of registers without an initial value, and of memories."""

    cells: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, int] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)
    registers: dict[str, int] = field(default_factory=dict)
    wires: dict[str, int] = field(default_factory=dict)
    memories: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    asserts: dict[str, str] = field(default_factory=dict)
    free: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Model:
    """The text of a model, its modules and its top module."""

    text: str
    modules: dict[str, Module]
    top: str

    def instances(self, module: str) -> Iterator[tuple[str, str]]:
        """Every instance in a module, at any depth: the path of cells, and the module's type."""
        for cell, kind in self.modules[module].cells.items():
            yield cell, kind
            for path, inner in self.instances(kind):
                yield f"{cell}\n{path}", inner

    def state(self, path: str, state: str, module: str | None = None) -> str:
        """The state of an instance, given by its path, of a state of the top module (or of `module`)."""
        module = module or self.top
        for cell in path.split("\n") if path else ():
            state, module = f"(|{module}_h {cell}| {state})", self.modules[module].cells[cell]
        return state


KINDS = {"input": "inputs", "output": "outputs", "register": "registers", "wire": "wires"}


def parse(text: str) -> Model:
    """The model with what its comments say. Raises ValueError when it has no top module."""
    modules: dict[str, Module] = {}
    top, module = "", Module()
    for line in text.splitlines():
        if array := re.match(r"\(declare-fun \|([^|]+)\| \(\S+\) \(Array ", line):
            module.memories.append(array[1])
        if not line.startswith("; yosys-smt2-"):
            continue
        kind, *words = line.removeprefix("; yosys-smt2-").split(" ")
        if kind == "module":
            module = modules.setdefault(words[0], Module())
        elif kind == "topmod":
            top = words[0]
        elif kind == "cell":
            module.cells[words[1]] = words[0]
        elif kind in KINDS:
            getattr(module, KINDS[kind])[words[0]] = int(words[1])
        elif kind == "assert":
            module.asserts[words[0]] = " ".join(words[1:])
        elif kind == "anyinit":
            module.states.append(words[0])
        elif kind in ("anyseq", "anyconst"):
            module.free.append(words[0])
    if not top:
        raise ValueError("the model has no top module")
    return Model(text, modules, top)


class Solver:
    """A model in yices. Use as a context; `seconds` of the solver's own time, for all questions together.

    So what is found hardly depends on what else the machine does. Without /proc it is time on the clock.
    """

    def __init__(self, model: Model, seconds: float) -> None:
        self.model, self.seconds = model, seconds
        self.steps = 0

    def spent(self) -> float:
        """Seconds of processor time that the solver has used."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return time.monotonic() - self._begin
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self) -> Self:
        self._begin = time.monotonic()
        self._process = subprocess.Popen(
            [program("yices-smt2"), "--incremental"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.say("(set-option :produce-models true)\n(set-logic QF_AUFBV)\n" + self.model.text)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def say(self, text: str) -> None:
        """Give commands that have no answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise SolverFailed(self._heard()) from None

    def add(self, term: str) -> None:
        """Assert a term."""
        self.say(f"(assert {term})")

    def step(self, initial: bool) -> str:
        """One more state of the top module, after the last one; the first is the initial one or any state."""
        name, top = f"s{self.steps}", self.model.top
        self.say(f"(declare-fun {name} () |{top}_s|)")
        self.add(f"(|{top}_u| {name})")
        self.add(f"(|{top}_h| {name})")
        begins = f"(|{top}_is| {name})"
        if self.steps == 0 and initial:
            self.add(f"(|{top}_i| {name})")
            self.add(begins)
        else:
            self.add(f"(not {begins})")
        if self.steps:
            self.add(f"(|{top}_t| s{self.steps - 1} {name})")
        self.steps += 1
        return name

    def satisfiable(self, *terms: str) -> bool:
        """Whether these terms can hold together with all that was asserted. The model stays until `forget`.

        Raises OutOfTime and SolverFailed.
        """
        self.say("(push 1)")
        for term in terms:
            self.add(term)
        self.say("(check-sat)")
        answer = self._answer().strip()
        if answer not in ("sat", "unsat"):
            raise SolverFailed(answer)
        if answer == "unsat":
            self.forget()
        return answer == "sat"

    def forget(self) -> None:
        """Leave the model that `satisfiable` found."""
        self.say("(pop 1)")

    def values(self, terms: list[str]) -> list[int]:
        """The values of Bool and bit-vector terms in the model."""
        if not terms:
            return []
        self.say(f"(get-value ({' '.join(terms)}))")
        answer = self._answer()
        values = re.findall(r"(true|false|#b[01]+|#x[0-9a-f]+)\s*\)", answer)
        if len(values) != len(terms):
            raise SolverFailed(answer[:2000])
        return [_number(value) for value in values]

    def _answer(self) -> str:
        """What the solver says next: a word or a term in balanced parentheses."""
        assert self._process.stdout is not None
        selector = selectors.DefaultSelector()
        selector.register(self._process.stdout, selectors.EVENT_READ)
        heard, depth, bars = b"", 0, False
        while True:
            if STOP.is_set():
                raise Stopped
            if self.spent() >= self.seconds:
                raise OutOfTime
            if not selector.select(0.2):
                continue
            chunk = os.read(self._process.stdout.fileno(), 65536)
            if not chunk:
                raise SolverFailed(heard.decode() or "the solver ended")
            heard += chunk
            for byte in chunk:
                if byte == ord("|"):
                    bars = not bars
                elif not bars:
                    depth += (byte == ord("(")) - (byte == ord(")"))
            if heard.endswith(b"\n") and depth == 0 and not bars and heard.strip():
                text = heard.decode()
                if text.lstrip().startswith("(error"):
                    raise SolverFailed(text)
                return text

    def _heard(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.read().decode() or "the solver ended"


def _number(value: str) -> int:
    if value in ("true", "false"):
        return int(value == "true")
    return int(value[2:], 2 if value[1] == "b" else 16)
