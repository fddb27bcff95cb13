# SPDX-License-Identifier: Apache-2.0
"""One decode step of the tiny language model as a graph, and the tensors that it loads."""

from impl.chip.compiler import Program, compile_graph
from impl.chip.config import Config
from impl.chip.graph import Graph
from impl.chip.integers import Int8
from impl.lm.model import WIDTH
from impl.lm.quantise import Quantised

MATRICES = ("query", "key", "value", "output", "unembedding")


def decode_program(model: Quantised, context: int, config: Config) -> Program:
    """The program of a step that sees `context` tokens: the new one and context − 1 cached rows.

    It loads x, the five matrices and, unless the context is 1, kc and vc; it stores k, v, logits and token. Only the
    requantisation scales of the model go into the code, the weights are data.
    """
    graph = Graph(config.lanes)
    x = graph.load("x", 1)
    wq, wk, wv, wo, u = (graph.load(name, WIDTH) for name in MATRICES)
    query = graph.matmul(x, wq, model.to_query)
    key = graph.matmul(x, wk, model.to_key)
    value = graph.matmul(x, wv, model.to_value)
    cached = [] if context == 1 else [(graph.load("kc", context - 1), graph.load("vc", context - 1))]
    keys = graph.stack([*(kc for kc, _ in cached), key])
    values = graph.stack([*(vc for _, vc in cached), value])
    weights = graph.softmax(graph.matmul_t(query, keys, model.to_scores))
    mixed = graph.matmul(weights, values, model.to_mixed)
    hidden = graph.add(x, graph.matmul(mixed, wo, model.to_output))
    logits = graph.matmul(hidden, u, model.to_logits)
    token = graph.argmax(logits)
    graph.store("k", key)
    graph.store("v", value)
    graph.store("logits", logits)
    graph.store("token", token)
    return compile_graph(graph, config)


def decode_inputs(model: Quantised, token: int, keys: Int8, values: Int8) -> dict[str, Int8]:
    """What the program of context n + 1 loads for a token and n cached rows, int8 (n, 16) each."""
    inputs: dict[str, Int8] = {"x": model.embedding[token]}
    inputs |= {name: getattr(model, name) for name in MATRICES}
    if len(keys):
        inputs |= {"kc": keys, "vc": values}
    return inputs
