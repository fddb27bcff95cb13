# SPDX-License-Identifier: Apache-2.0
"""The compiler: layout, bursts, refusals, and the shapes that a graph accepts."""

from dataclasses import replace

import numpy as np
import pytest

from impl.chip.compiler import Region, compile_graph
from impl.chip.config import DEFAULT, Config
from impl.chip.decode import decode_program
from impl.chip.graph import Graph
from impl.chip.integers import Scale
from impl.chip.isa import ROWMEM, Instruction, Op
from impl.chip.legal import fault
from impl.chip.machine import run
from impl.chip.place import DoesNotFit
from impl.lm.model import structured
from impl.lm.quantise import quantise

HALF = Scale(2**15, 16)
MODEL = quantise(structured(), None, 4)


def small_graph() -> Graph:
    """A product, a sum and an argmax."""
    graph = Graph(16)
    x, w = graph.load("x", 1), graph.load("w", 16)
    y = graph.add(graph.matmul(x, w, HALF), x)
    graph.store("y", y)
    graph.store("best", graph.argmax(y))
    return graph


def test_layout_and_bursts() -> None:
    program = compile_graph(small_graph(), DEFAULT)
    assert program.inputs == {"x": Region(18, 4), "w": Region(22, 64)}
    assert program.outputs == {"y": Region(86, 4), "best": Region(90, 1)}
    assert program.words == 91
    assert program.data_words == 73
    assert program.listing().splitlines() == [
        "LOAD d=s0 a=18 length=68",
        "MATMUL d=s17 a=s0 b=s1 length=16 multiplier=32768 shift=16",
        "ADD d=s18 a=s17 b=s0 length=1",
        "ARGMAX d=s19 a=s18 length=16",
        "STORE d=86 a=s18 length=5",
        "HALT",
    ]


def test_image_and_outputs() -> None:
    program = compile_graph(small_graph(), DEFAULT)
    x = np.arange(16, dtype=np.int8)
    image = program.image({"x": x, "w": np.eye(16, dtype=np.int8) * 2})
    result = run(image, DEFAULT)
    assert program.output(result.memory, "y").tolist() == (2 * x).tolist()
    assert program.output(result.memory, "best").tolist() == [15, 0, 0, 0]
    with pytest.raises(ValueError, match=r"^the program loads \['w', 'x'\], given were \['x'\]$"):
        program.image({"x": x})
    with pytest.raises(ValueError, match="x takes 16 int8, given were 4"):
        program.image({"x": x[:4], "w": np.eye(16, dtype=np.int8)})


def test_an_image_is_words_of_little_endian_bytes() -> None:
    """However the tensors lie in memory, and also those of a wider type."""
    program = compile_graph(small_graph(), DEFAULT)
    w = np.arange(-128, 128, dtype=np.int8).reshape(16, 16)
    image = program.image({"x": np.arange(-1, 15, dtype=np.int8), "w": np.asfortranarray(w)})
    x = np.arange(-1, 15, dtype=np.int64)
    assert program.image({"x": x, "w": w.astype(np.float32)}).tolist() == image.tolist()
    assert image.dtype == np.uint32
    assert image[18:20].tolist() == [0x020100FF, 0x06050403]
    assert image[22:86].view(np.int8).tolist() == w.reshape(-1).tolist()
    assert program.config == DEFAULT
    memory = np.full(91, 0x80FF0102, dtype=np.uint32)
    assert program.output(memory, "best").dtype == np.int8
    assert program.output(memory, "best").tolist() == [2, 1, -1, -128]


@pytest.mark.parametrize("context", [*range(1, 35), 47, 48, 49, 63, 64])
def test_every_context_compiles_to_legal_code(context: int) -> None:
    program = decode_program(MODEL, context, DEFAULT)
    assert all(fault(instruction, DEFAULT) is None for instruction in program.code)
    assert program.data_words == 337 + 8 * (context - 1)
    assert len(program.code) == (15 if context == 1 else 17)


def test_values_move_to_rowmem_when_sram_is_full() -> None:
    bases = [code.b for code in decode_program(MODEL, 20, DEFAULT).code if code.op == Op.MATMUL and code.length == 20]
    assert bases == [81]
    bases = [code.b for code in decode_program(MODEL, 64, DEFAULT).code if code.op == Op.MATMUL and code.length == 64]
    assert bases == [ROWMEM | 64]


def test_bursts_are_not_joined_across_a_gap() -> None:
    graph = Graph(16)
    a, b = graph.load("a", 1), graph.load("b", 1)
    t = graph.matmul_t(a, b, HALF)
    graph.store("t", t)
    graph.store("a_again", a)
    code = compile_graph(graph, DEFAULT).code
    assert code[:2] == (Instruction(Op.LOAD, d=0, a=18, length=4), Instruction(Op.LOAD, d=ROWMEM, a=22, length=4))
    assert [instruction.op for instruction in code[3:]] == [Op.STORE, Op.STORE, Op.HALT]


@pytest.mark.parametrize(
    ("config", "missing"),
    [
        (replace(DEFAULT, max_context=7), {"the softmax unit (elements)": 1}),
        (replace(DEFAULT, rowmem_rows=6), {"rowmem (words)": 8}),
        (replace(DEFAULT, sram_rows=90, rowmem_rows=10), {"sram (words)": 20}),
        (replace(DEFAULT, external_words=443), {"the external memory (words)": 1}),
        (replace(DEFAULT, sram_rows=1, rowmem_rows=1), {"sram (words)": 384, "rowmem (words)": 28}),
    ],
)
def test_what_does_not_fit_is_refused_with_what_is_missing(config: Config, missing: dict[str, int]) -> None:
    with pytest.raises(DoesNotFit) as caught:
        decode_program(MODEL, 8, config)
    assert caught.value.missing == missing
    assert str(caught.value) == "does not fit: " + ", ".join(f"{what} lacks {count}" for what, count in missing.items())


def test_what_is_lacking_is_said_up_to_the_last_address_of_an_instruction() -> None:
    """The data alone take the words 0 … 65535, each of which an instruction can name."""
    graph = Graph(16)
    graph.load("many", 16382)
    best = graph.argmax(graph.load("row", 1))
    for name in "abcd":
        graph.store(name, best)
    with pytest.raises(DoesNotFit) as caught:
        compile_graph(graph, replace(DEFAULT, sram_rows=2**14))
    code = 2 + 4 + 1
    assert caught.value.missing == {"the external memory (words)": 3 * code + 2**16 - DEFAULT.external_words}


def test_the_smallest_chip_that_fits() -> None:
    # x, 5 · 16 rows of weights, 8 values and 8 single rows in sram; 8 keys in rowmem.
    decode_program(MODEL, 8, replace(DEFAULT, max_context=8, rowmem_rows=8, sram_rows=97, external_words=444))


def test_stacks_nest() -> None:
    graph = Graph(16)
    a, b, c = (graph.load(name, 1) for name in "abc")
    inner = graph.stack([a, b])
    outer = graph.stack([inner, c])
    graph.store("all", outer)
    program = compile_graph(graph, DEFAULT)
    rows = {name: np.full(16, i, dtype=np.int8) for i, name in enumerate("abc")}
    memory = run(program.image(rows), DEFAULT).memory
    assert program.output(memory, "all").reshape(3, 16)[:, 0].tolist() == [0, 1, 2]
    assert [str(i) for i in program.code] == ["LOAD d=s0 a=9 length=12", "STORE d=21 a=s0 length=12", "HALT"]


def test_a_word_stored_twice_is_two_bursts() -> None:
    """One word from a row and the same word again: neighbours outside, the same place inside."""
    graph = Graph(16)
    best = graph.argmax(graph.load("row", 1))
    graph.store("first", best)
    graph.store("second", best)
    program = compile_graph(graph, DEFAULT)
    result = run(program.image({"row": np.arange(16, dtype=np.int8)}), DEFAULT)
    assert [program.output(result.memory, name)[0] for name in ("first", "second")] == [15, 15]
    assert [instruction.op for instruction in program.code].count(Op.STORE) == 2
