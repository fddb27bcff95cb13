# SPDX-License-Identifier: Apache-2.0
"""Places the tensors of a graph in the two on-chip memories.

The operands of the units say which memory a tensor must be in: what is streamed or scored lies in sram, what is read
by columns in rowmem. Everything else goes to sram while there is room and then to rowmem. The parts of a stack lie in
it one after another. Loaded tensors are placed first and in order, so that neighbours can share a burst.
"""

from collections.abc import Mapping, Sequence

from impl.chip.config import Config
from impl.chip.graph import Graph, Node, Tensor
from impl.chip.isa import ROWMEM


class CompileError(ValueError):
    """The graph can't be compiled for this chip; the message says why."""


class DoesNotFit(CompileError):
    """Something is too small. `missing` counts the 32-bit words that lack, by memory; for a softmax the elements."""

    def __init__(self, missing: dict[str, int]) -> None:
        super().__init__("does not fit: " + ", ".join(f"{what} lacks {count}" for what, count in missing.items()))
        self.missing = missing


NEEDS = {
    "load": "*",
    "stack": "*",
    "matmul": "*s*",
    "matmul_t": "ssr",
    "softmax": "ss",
    "add": "***",
    "argmax": "**",
}
"""Where each kind of node needs its result and then its inputs: s sram, r rowmem, * either. A stack is its parts."""


def place(graph: Graph, config: Config) -> dict[int, int]:
    """The row address of every tensor, by its index. O(nodes).

    Raises DoesNotFit with the words missing, and CompileError for a tensor needed in both memories or stacked twice.
    """
    parents = _parents(graph.nodes)

    def root(tensor: Tensor) -> int:
        index = tensor.index
        while index in parents:
            index = parents[index]
        return index

    needed: dict[int, set[str]] = {root(node.tensor): set() for node in graph.nodes}
    for node in graph.nodes:
        tensors = (node.tensor, *node.inputs)
        for at, need in enumerate(NEEDS[node.kind]):
            if need != "*":
                needed[root(tensors[at])].add(need)
    for index, places in needed.items():
        if len(places) > 1:
            raise CompileError(f"tensor {index} ({graph.nodes[index].kind}) is needed in sram and in rowmem")

    loaded = {root(node.tensor) for node in graph.nodes if node.kind == "load"}
    order = sorted(needed, key=lambda index: (index not in loaded, index))
    rows = {index: graph.nodes[index].tensor.rows for index in order}
    addresses: dict[int, int] = {}
    free = {"s": 0, "r": ROWMEM}
    for index, memory in _memories(rows, needed, config).items():
        addresses[index] = free[memory]
        free[memory] += rows[index]
    _place_parts(graph.nodes, addresses)
    return addresses


def _parents(nodes: Sequence[Node]) -> dict[int, int]:
    """The stack that each part lies in."""
    parents: dict[int, int] = {}
    for node in nodes:
        for part in node.inputs if node.kind == "stack" else ():
            if part.index in parents:
                raise CompileError(f"tensor {part.index} is part of two stacks")
            parents[part.index] = node.tensor.index
    return parents


def _memories(rows: Mapping[int, int], needed: Mapping[int, set[str]], config: Config) -> dict[int, str]:
    """The memory of each region of so many rows: where it must be, else sram while that has room."""
    size = {"s": config.sram_rows, "r": config.rowmem_rows}
    used = {memory: sum(count for index, count in rows.items() if memory in needed[index]) for memory in size}
    memories = {}
    for index, count in rows.items():
        if needed[index]:
            (memories[index],) = needed[index]
        else:
            memory = "r" if used["s"] + count > size["s"] and used["r"] + count <= size["r"] else "s"
            used[memory] += count
            memories[index] = memory
    names = {"s": "sram (words)", "r": "rowmem (words)"}
    missing = {names[m]: (used[m] - size[m]) * config.row_words for m in size if used[m] > size[m]}
    if missing:
        raise DoesNotFit(missing)
    return memories


def _place_parts(nodes: Sequence[Node], addresses: dict[int, int]) -> None:
    """The parts of every stack, outer stacks before inner ones."""
    for node in reversed(nodes):
        if node.kind == "stack":
            address = addresses[node.tensor.index]
            for part in node.inputs:
                addresses[part.index] = address
                address += part.rows
