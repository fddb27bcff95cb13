# SPDX-License-Identifier: Apache-2.0
"""Whole decode steps on the model: integers against plain Python, cycles against the targets, logits against floats."""

import numpy as np
import pytest

from impl.chip.config import DEFAULT
from impl.chip.decode import decode_inputs, decode_program
from impl.chip.machine import run
from impl.lm.model import random_model, structured, successor
from impl.lm.quantise import Quantised, quantise
from impl.lm.reference import float_forced, float_generate
from tests.chip.plain_step import plain_step


class Decoder:
    """Decodes with the chip's model, keeping the rows in lists."""

    def __init__(self, model: Quantised, window: int | None) -> None:
        self.model, self.window = model, window
        self.keys: list[np.ndarray] = []
        self.values: list[np.ndarray] = []
        self.cycles: list[int] = []

    def step(self, token: int) -> tuple[list[int], int]:
        """Logits and next token."""
        first = 0 if self.window is None else max(0, len(self.keys) + 1 - self.window)
        keys, values = np.array(self.keys[first:]), np.array(self.values[first:])
        program = decode_program(self.model, len(keys) + 1, DEFAULT)
        result = run(program.image(decode_inputs(self.model, token, keys, values)), DEFAULT)
        assert result.error is None
        self.keys.append(program.output(result.memory, "k"))
        self.values.append(program.output(result.memory, "v"))
        self.cycles.append(result.counters.total)
        logits, best = (program.output(result.memory, name).tolist() for name in ("logits", "token"))
        return logits, int.from_bytes(bytes(best), "little")


@pytest.mark.parametrize("window", [None, 5])
def test_decode_steps_equal_plain_integers(window: int | None) -> None:
    for seed in range(2):
        model = quantise(random_model(seed), window, 8)
        decoder = Decoder(model, window)
        keys: list[list[int]] = []
        values: list[list[int]] = []
        token = seed
        for _ in range(36):
            expected = plain_step(model, token, keys, values)
            assert decoder.step(token) == expected
            assert [decoder.keys[-1].tolist(), decoder.values[-1].tolist()] == [keys[-1], values[-1]]
            if window is not None and len(keys) == window:
                del keys[0], values[0]
            token = expected[1]


@pytest.mark.parametrize("window", [None, 8, 4])
def test_the_structured_model_follows_its_function_and_a_window_is_flat(window: int | None) -> None:
    decoder = Decoder(quantise(structured(), window), window)
    token = 0
    for _ in range(32):
        _, following = decoder.step(token)
        assert following == successor(token)
        token = following
    if window is None:
        assert decoder.cycles == sorted(set(decoder.cycles))
    else:
        assert decoder.cycles[:window] == sorted(set(decoder.cycles[:window]))
        assert set(decoder.cycles[window - 1 :]) == {decoder.cycles[window - 1]}


def test_cycles_per_context() -> None:
    decoder = Decoder(quantise(structured(), None), None)
    for context in range(1, 33):
        decoder.step(0)
        assert decoder.cycles[-1] <= 900 + 14 * (context - 1)
    assert decoder.cycles[0] == 704
    assert decoder.cycles[31] == 1057
    assert decoder.cycles[0] / 337 <= 2.1
    assert decoder.cycles[31] / 585 <= 1.82


@pytest.mark.parametrize("window", [None, 4])
def test_logits_stay_close_to_the_float_reference(window: int | None) -> None:
    errors = []
    for seed in range(3):
        model = random_model(seed)
        int8 = quantise(model, window)
        for start in range(16):
            tokens, _ = float_generate(model, start, 32)
            decoder = Decoder(int8, window)
            for token, step in zip(tokens, float_forced(model, tokens, window), strict=True):
                logits = np.array(decoder.step(token)[0]) * int8.logit_unit
                errors.append(float(np.linalg.norm(logits - step.logits) / np.linalg.norm(step.logits)))
    assert max(errors) < 0.15
    assert sum(errors) / len(errors) < 0.05
