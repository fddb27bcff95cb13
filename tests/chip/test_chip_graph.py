# SPDX-License-Identifier: Apache-2.0
"""Graphs: what they consist of, the shapes they accept, and where their tensors are placed."""

from dataclasses import replace

import pytest

from impl.chip.compiler import compile_graph
from impl.chip.config import DEFAULT, Config
from impl.chip.graph import Graph, Node, Output, Tensor
from impl.chip.integers import Scale
from impl.chip.isa import ROWMEM
from impl.chip.place import CompileError, DoesNotFit, place

HALF = Scale(2**15, 16)
R = ROWMEM


def test_what_a_graph_consists_of() -> None:
    graph = Graph(4)
    x, w = graph.load("x", 1), graph.load("w", 4)
    product = graph.matmul(x, w, HALF)
    five = graph.stack([w, product])
    scores = graph.matmul_t(x, five, Scale(3, 4))
    weights = graph.softmax(scores)
    total = graph.add(weights, scores)
    best = graph.argmax(total)
    graph.store("total", total)
    graph.store("best", best)
    assert (x, w, product) == (Tensor(0, 1, 4), Tensor(1, 4, 16), Tensor(2, 1, 4))
    assert (five, scores, weights) == (Tensor(3, 5, 20), Tensor(4, 2, 5), Tensor(5, 2, 5))
    assert (total, best) == (Tensor(6, 2, 5), Tensor(7, 1, 4))
    assert graph.nodes == [
        Node("load", x, name="x"),
        Node("load", w, name="w"),
        Node("matmul", product, (x, w), HALF),
        Node("stack", five, (w, product)),
        Node("matmul_t", scores, (x, five), Scale(3, 4)),
        Node("softmax", weights, (scores,)),
        Node("add", total, (weights, scores)),
        Node("argmax", best, (total,)),
    ]
    assert graph.outputs == [Output("total", total, 2), Output("best", best, 1)]


def test_shapes_are_checked() -> None:
    graph = Graph(16)
    row, matrix, two = graph.load("row", 1), graph.load("matrix", 16), graph.load("two", 2)
    with pytest.raises(ValueError, match=r"^a row of 16 times a matrix of 2 rows$"):
        graph.matmul(row, two, HALF)
    with pytest.raises(ValueError, match=r"^a row of 32 times columns of 16$"):
        graph.matmul_t(two, matrix, HALF)
    with pytest.raises(ValueError, match=r"^a sum of 16 and 32 elements$"):
        graph.add(row, two)
    with pytest.raises(ValueError, match=r"^there are two tensors called row$"):
        graph.load("row", 1)
    graph.store("out", row)
    with pytest.raises(ValueError, match=r"^there are two tensors called out$"):
        graph.store("out", two)
    with pytest.raises(ValueError, match=r"^a load of no rows$"):
        graph.load("none", 0)
    with pytest.raises(ValueError, match=r"^a graph for 16 lanes on a chip of 4$"):
        compile_graph(graph, replace(DEFAULT, lanes=4))


def test_a_tensor_has_one_place() -> None:
    graph = Graph(16)
    row = graph.load("row", 1)
    weights = graph.softmax(row)
    graph.matmul_t(row, row, HALF)
    with pytest.raises(CompileError, match=r"^tensor 0 \(load\) is needed in sram and in rowmem$"):
        compile_graph(graph, DEFAULT)
    graph = Graph(16)
    row = graph.load("row", 1)
    graph.stack([row])
    graph.stack([row])
    with pytest.raises(CompileError, match=r"^tensor 0 is part of two stacks$"):
        compile_graph(graph, DEFAULT)
    assert weights.rows == 1


def places(graph: Graph, sram: int, rowmem: int) -> list[int]:
    """The addresses of the tensors of a graph on a chip of 4 lanes, in order of creation."""
    addresses = place(graph, Config(lanes=4, sram_rows=sram, rowmem_rows=rowmem))
    return [addresses[node.tensor.index] for node in graph.nodes]


def test_loaded_tensors_come_first_and_in_order() -> None:
    graph = Graph(4)
    x = graph.load("x", 1)
    product = graph.matmul(x, graph.load("w", 4), HALF)
    graph.add(product, graph.load("y", 1))
    # x, w, the product, y, the sum: y, the third that is loaded, lies before the product.
    assert places(graph, 8, 1) == [0, 1, 6, 5, 7]


def test_what_may_lie_anywhere_moves_to_rowmem_when_sram_is_full() -> None:
    graph = Graph(4)
    x = graph.load("x", 1)
    w = graph.load("w", 4)
    y = graph.matmul(x, w, HALF)
    graph.matmul(y, w, HALF)
    assert places(graph, 7, 4) == [0, 1, 5, 6], "everything fits into sram, to the last row"
    assert places(graph, 6, 4) == [0, 1, 5, R], "the last product does not"
    assert places(graph, 5, 5) == [0, R, 1, 2], "w does not, and fits into rowmem"
    assert places(graph, 5, 4) == [0, R, 1, 2], "and fits there to the last row"
    with pytest.raises(DoesNotFit, match=r"^does not fit: sram \(words\) lacks 1$"):
        places(graph, 5, 3)


def test_columns_are_read_from_rowmem_and_its_room_is_kept() -> None:
    graph = Graph(4)
    a = graph.load("a", 1)
    keys = graph.load("keys", 2)
    free = graph.load("free", 2)
    graph.matmul_t(a, keys, HALF)
    graph.argmax(free)
    assert places(graph, 3, 4) == [0, R, R | 2, 1, 2], "two rows of rowmem are left for `free`, which needs them"
    with pytest.raises(DoesNotFit) as caught:
        places(graph, 2, 2)
    assert caught.value.missing == {"sram (words)": 3}
    with pytest.raises(DoesNotFit) as caught:
        places(graph, 1, 1)
    assert caught.value.missing == {"sram (words)": 4, "rowmem (words)": 1}


def test_parts_lie_in_their_stack() -> None:
    graph = Graph(4)
    a, b, c = graph.load("a", 2), graph.load("b", 1), graph.load("c", 3)
    inner = graph.stack([a, b])
    outer = graph.stack([c, inner])
    graph.matmul_t(b, graph.load("d", 1), HALF)
    assert outer.rows == 6
    assert places(graph, 9, 1) == [3, 5, 0, 3, 0, R, 6], "b is streamed, so all of the stack lies in sram"
