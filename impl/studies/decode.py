# SPDX-License-Identifier: Apache-2.0
"""A decode run as plain data: tokens, pages, programs and cycles, with paged and plain rows held against each other."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from impl import window as formulas
from impl.cache import PagedCache
from impl.chip.config import DEFAULT, Config
from impl.host import ROW, Host, PlainRows, Programs, Step
from impl.lm.model import Model, random_model, structured, successor
from impl.lm.quantise import quantise

MODELS = ("structured", "random")


def model_named(name: str, seed: int) -> Model:
    """The model of a name of `MODELS`; the seed matters for the random one only."""
    return structured() if name == "structured" else random_model(seed)


def decode(
    model: Model, window: int | None, page: int, steps: int, start: int, config: Config = DEFAULT
) -> tuple[list[Step], list[Step], int]:
    """Greedy decoding from `start`, over pages and over lists: the steps of both, and how many programs it took.

    The pool has just the pages that one request can need. Raises CompileError when a context is too large for the chip.
    """
    programs = Programs(quantise(model, window, steps), config)
    pages = formulas.peak_pages(formulas.window_or_all(window, steps), page)
    runs = []
    for rows in (PagedCache(pages, page, ROW, np.int8), PlainRows()):
        rows.new("r")
        runs.append(Host(programs, rows, window).greedy("r", start, steps))
    return runs[0], runs[1], len(programs)


def figures(
    window: int | None, page: int, paged: Sequence[Step], plain: Sequence[Step], programs: int
) -> dict[str, Any]:
    """A run of `decode` in figures. "failures" says what is not as it has to be, and is empty when all is well."""
    cycles = sum(step.result.counters.total for step in paged)
    words = sum(step.data_words for step in paged)
    return {
        "window": window,
        "page": page,
        "steps": [
            {
                "step": step.number,
                "token": step.token,
                "next": step.following,
                "context": step.context,
                "pages": step.pages,
                **asdict(step.result.counters),
                "data_words": step.data_words,
            }
            for step in paged
        ],
        "pages_peak": max(step.pages_left for step in paged),
        "pages_peak_within_step": max(step.most_pages for step in paged),
        "programs": programs,
        "cycles": cycles,
        "data_words": words,
        "cycles_per_data_word": round(cycles / words, 3),
        "failures": failures(window, page, paged, plain, programs),
    }


def failures(window: int | None, page: int, paged: Sequence[Step], plain: Sequence[Step], programs: int) -> list[str]:
    """Where pages change an integer, the page or program count is not that of the formula, or a window is not flat."""
    found = []
    for step, other in zip(paged, plain, strict=True):
        if step.integers() != other.integers():
            found.append(f"step {step.number}: pages and lists give different integers")
        expected = formulas.pages_in_use(step.number, formulas.window_or_all(window, step.number), page)
        if step.pages != expected:
            found.append(f"step {step.number}: {step.pages} pages in use, the formula says {expected}")
    reach = formulas.window_or_all(window, len(paged))
    if programs != formulas.programs(len(paged), reach):
        found.append(f"{programs} programs, the formula says {formulas.programs(len(paged), reach)}")
    counters = [step.result.counters.values() for step in paged[reach - 1 :]]
    if len(set(counters)) > 1:
        found.append(f"the cycles are not the same from step {reach} on")
    return found


def strays(steps: Sequence[Step]) -> list[str]:
    """Where the structured model does not follow its function."""
    return [
        f"step {step.number}: {step.following} follows {step.token}, the structured model says {successor(step.token)}"
        for step in steps
        if step.following != successor(step.token)
    ]
