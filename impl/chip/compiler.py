# SPDX-License-Identifier: Apache-2.0
"""Compiles a graph into a program and the layout of its image.

The image is the code, then the loaded tensors in order of creation, then the stored ones. Instructions follow the order
of the graph, stores come last. Loads and stores that are neighbours in both memories become one burst.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from impl.chip.config import Config
from impl.chip.graph import Graph, Node
from impl.chip.integers import Int8
from impl.chip.isa import Instruction, Op, encode
from impl.chip.machine import Words
from impl.chip.place import DoesNotFit, place

OPS = {
    "matmul": Op.MATMUL,
    "matmul_t": Op.MATMUL_T,
    "softmax": Op.SOFTMAX,
    "add": Op.ADD,
    "argmax": Op.ARGMAX,
}


@dataclass(frozen=True, slots=True)
class Region:
    """A named piece of the external memory, in words."""

    address: int
    words: int


@dataclass(frozen=True, slots=True)
class Program:
    """Code, where its inputs and outputs lie, and how many words of memory they take together."""

    config: Config
    code: tuple[Instruction, ...]
    inputs: Mapping[str, Region]
    outputs: Mapping[str, Region]
    words: int

    @property
    def data_words(self) -> int:
        """Words of data that the program has to move; its own words do not count."""
        return sum(region.words for region in (*self.inputs.values(), *self.outputs.values()))

    def image(self, tensors: Mapping[str, ArrayLike]) -> Words:
        """The external memory to start from: code and inputs, each given as int8 of its region's size.

        Of another type, such as the rows of a cache of int64, they are converted. Raises ValueError when an input is
        missing, unknown or of another size.
        """
        if tensors.keys() != self.inputs.keys():
            raise ValueError(f"the program loads {sorted(self.inputs)}, given were {sorted(tensors)}")
        image = np.zeros(self.words, dtype=np.uint32)
        code = [word for instruction in self.code for word in encode(instruction)]
        image[: len(code)] = code
        for name, region in self.inputs.items():
            data = np.asarray(tensors[name], dtype=np.int8).ravel()
            if data.size != 4 * region.words:
                raise ValueError(f"{name} takes {4 * region.words} int8, given were {data.size}")
            image[region.address : region.address + region.words] = data.view("<u4")
        return image

    def output(self, memory: Words, name: str) -> Int8:
        """An output, as int8."""
        region = self.outputs[name]
        return memory[region.address : region.address + region.words].astype("<u4").view(np.int8)

    def listing(self) -> str:
        """The program in assembly, one instruction a line."""
        return "\n".join(map(str, self.code))


def compile_graph(graph: Graph, config: Config) -> Program:
    """The program of a graph. O(nodes). Raises CompileError, and DoesNotFit with the words missing."""
    if graph.lanes != config.lanes:
        raise ValueError(f"a graph for {graph.lanes} lanes on a chip of {config.lanes}")
    beyond = [node.tensor.length - config.max_context for node in graph.nodes if node.kind == "softmax"]
    if any(elements > 0 for elements in beyond):
        raise DoesNotFit({"the softmax unit (elements)": max(beyond)})
    rows = place(graph, config)
    loads = [node for node in graph.nodes if node.kind == "load"]
    sizes = {node.name: node.tensor.rows * config.row_words for node in loads}
    sizes |= {output.name: output.words for output in graph.outputs}
    code = _emit(graph, rows, _regions(sizes, 0), config)
    start = sum(len(encode(instruction)) for instruction in code)
    regions = _regions(sizes, start)
    words = start + sum(sizes.values())
    if words > config.external_words:
        raise DoesNotFit({"the external memory (words)": words - config.external_words})
    inputs = {node.name: regions[node.name] for node in loads}
    outputs = {output.name: regions[output.name] for output in graph.outputs}
    return Program(config, tuple(_emit(graph, rows, regions, config)), inputs, outputs, words)


def _regions(sizes: Mapping[str, int], start: int) -> dict[str, Region]:
    regions = {}
    for name, words in sizes.items():
        regions[name] = Region(start, words)
        start += words
    return regions


def _emit(graph: Graph, rows: Mapping[int, int], regions: Mapping[str, Region], config: Config) -> list[Instruction]:
    code: list[Instruction] = []
    for node in graph.nodes:
        if node.kind == "load":
            region = regions[node.name]
            _burst(code, Instruction(Op.LOAD, d=rows[node.tensor.index], a=region.address, length=region.words), config)
        elif node.kind != "stack":
            code.append(_operation(node, rows))
    for output in graph.outputs:
        region = regions[output.name]
        store = Instruction(Op.STORE, d=region.address, a=rows[output.tensor.index], length=region.words)
        _burst(code, store, config)
    code.append(Instruction(Op.HALT))
    return code


def _operation(node: Node, rows: Mapping[int, int]) -> Instruction:
    a, *rest = (rows[tensor.index] for tensor in node.inputs)
    length = {"matmul_t": node.tensor.length, "add": node.tensor.rows}
    instruction = Instruction(
        OPS[node.kind],
        d=rows[node.tensor.index],
        a=a,
        b=rest[0] if rest else 0,
        length=length.get(node.kind, node.inputs[0].length),
    )
    if node.scale is None:
        return instruction
    return replace(instruction, multiplier=node.scale.multiplier, shift=node.scale.shift)


def _burst(code: list[Instruction], new: Instruction, config: Config) -> None:
    """Append a LOAD or STORE, or lengthen the last one when this is its continuation in both memories."""
    if code and code[-1].op == new.op:
        last = code[-1]
        whole, rest = divmod(last.length, config.row_words)
        chip, chip_next, external, external_next = (
            (last.d, new.d, last.a, new.a) if new.op == Op.LOAD else (last.a, new.a, last.d, new.d)
        )
        if rest == 0 and chip + whole == chip_next and external + last.length == external_next:
            code[-1] = replace(last, length=last.length + new.length)
            return
    code.append(new)
