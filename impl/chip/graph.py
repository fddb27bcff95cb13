# SPDX-License-Identifier: Apache-2.0
"""The small graph that the compiler turns into a program: tensors made by loads and operations, in order of creation.

A tensor is `length` int8 packed into rows of N lanes, or `rows` full rows of N. Each operation checks its shapes and
raises ValueError; whether everything fits into a chip is the compiler's business.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from impl.chip.integers import Scale


@dataclass(frozen=True, slots=True)
class Tensor:
    """A value: its index in the graph, how many rows it takes, and how many int8 of them are meant."""

    index: int
    rows: int
    length: int


@dataclass(frozen=True, slots=True)
class Node:
    """How a tensor is made: kind (load, stack, matmul, matmul_t, softmax, add, argmax), inputs, scale or name."""

    kind: str
    tensor: Tensor
    inputs: tuple[Tensor, ...] = ()
    scale: Scale | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """A tensor that the program stores under a name: its first `words` words."""

    name: str
    tensor: Tensor
    words: int


@dataclass(slots=True)
class Graph:
    """A graph for a chip of `lanes` lanes, under construction."""

    lanes: int
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)

    def load(self, name: str, rows: int) -> Tensor:
        """`rows` rows from the external memory."""
        self._fresh(name)
        return self._add("load", rows, rows * self.lanes, name=name)

    def stack(self, parts: Sequence[Tensor]) -> Tensor:
        """The rows of all parts, one after another. Costs nothing: the parts are placed that way."""
        rows = sum(part.rows for part in parts)
        return self._add("stack", rows, rows * self.lanes, tuple(parts))

    def matmul(self, a: Tensor, b: Tensor, scale: Scale) -> Tensor:
        """Requant of a · b: `a` has as many elements as `b` has rows."""
        if a.length != b.rows:
            raise ValueError(f"a row of {a.length} times a matrix of {b.rows} rows")
        return self._add("matmul", 1, self.lanes, (a, b), scale)

    def matmul_t(self, a: Tensor, b: Tensor, scale: Scale) -> Tensor:
        """Requant of a · bᵀ: one result for every row of `b`."""
        if a.length != self.lanes:
            raise ValueError(f"a row of {a.length} times columns of {self.lanes}")
        return self._add("matmul_t", self._packed(b.rows), b.rows, (a, b), scale)

    def softmax(self, a: Tensor) -> Tensor:
        """Weights in 127ths."""
        return self._add("softmax", a.rows, a.length, (a,))

    def add(self, a: Tensor, b: Tensor) -> Tensor:
        """Saturating sum."""
        if a.length != b.length:
            raise ValueError(f"a sum of {a.length} and {b.length} elements")
        return self._add("add", a.rows, a.length, (a, b))

    def argmax(self, a: Tensor) -> Tensor:
        """The first index of the largest, as one 32-bit word."""
        return self._add("argmax", 1, 4, (a,))

    def store(self, name: str, tensor: Tensor) -> None:
        """Write a tensor to the external memory: as many words as its elements take."""
        self._fresh(name)
        self.outputs.append(Output(name, tensor, -(-tensor.length // 4)))

    def _packed(self, elements: int) -> int:
        return -(-elements // self.lanes)

    def _fresh(self, name: str) -> None:
        if name in {node.name for node in self.nodes if node.name} | {output.name for output in self.outputs}:
            raise ValueError(f"there are two tensors called {name}")

    def _add(
        self,
        kind: str,
        rows: int,
        length: int,
        inputs: tuple[Tensor, ...] = (),
        scale: Scale | None = None,
        name: str = "",
    ) -> Tensor:
        if rows < 1:
            raise ValueError(f"a {kind} of no rows")
        tensor = Tensor(len(self.nodes), rows, length)
        self.nodes.append(Node(kind, tensor, inputs, scale, name))
        return tensor
