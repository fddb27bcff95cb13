# SPDX-License-Identifier: Apache-2.0
"""`kvproof study`: experiments on the cache and the chip, each computed on the spot and printed as a table."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kvproof.arguments import Subparsers, add_json, add_plot, add_seed, command
from kvproof.cli import FINE

if TYPE_CHECKING:
    from impl.cache import PagedCache

EXAMPLES, STEPS = 20, 30
"""Random histories, and their length, by which the spec judges a wasteful cache."""


@dataclass(frozen=True, slots=True)
class Study:
    """What it asks, how it is computed from a seed, the columns of its table, and the function that draws it."""

    question: str
    compute: Callable[[int], dict[str, Any]]
    columns: tuple[tuple[str, Callable[[dict[str, Any]], object]], ...]
    picture: str


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof study`."""
    parser = command(
        subparsers,
        "study",
        "Runs an experiment. "
        + " ".join(f"{name}: {study.question}" for name, study in STUDIES.items())
        + " The seed is that of the random models and histories.",
        "kvproof study page-size\nkvproof study sinks --seed 7 --json sinks.json --plot sinks.svg",
    )
    parser.add_argument("name", choices=STUDIES, metavar="NAME", help=", ".join(STUDIES))
    add_seed(parser)
    add_plot(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Compute the study, print it, and write it as JSON and as a picture when asked to."""
    from kvproof.ui import progress, say, table, write_json

    study = STUDIES[args.name]
    with progress(args.name):
        figures = study.compute(args.seed)
    say(study.question, style="bold")
    say("  " + ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in figures.items() if key != "lines") + "\n")
    table(
        [heading for heading, _ in study.columns],
        [[cell(line) for _, cell in study.columns] for line in figures["lines"]],
    )
    if args.json:
        write_json(args.json, figures)
    if args.plot:
        from importlib import import_module

        from kvproof.figures.canvas import save

        module, name = study.picture.split(":")
        save(getattr(import_module(f"kvproof.figures.{module}"), name)(figures), args.plot)
    return FINE


def page_size(seed: int) -> dict[str, Any]:
    """The study of page sizes; nothing in it is random."""
    from impl.studies.page_size import page_size

    return page_size()


def admission(seed: int) -> dict[str, Any]:
    """The study of admission; the requests are those of example B."""
    from impl.studies.admission import admission

    return admission()


def sinks(seed: int) -> dict[str, Any]:
    """The study of sinks on random models."""
    from impl.studies.window_cost import sinks

    return sinks(seed)


def alignment(seed: int) -> dict[str, Any]:
    """The study of alignment; nothing in it is random."""
    from impl.studies.alignment import alignment

    return alignment()


def wasteful(seed: int) -> dict[str, Any]:
    """The study of wasteful mistakes, judged by the spec in random histories."""
    from impl.studies.wasteful import wasteful
    from spec.conformance.check import check

    def judge(cache: "type[PagedCache]") -> str:
        failure = check(cache, EXAMPLES, STEPS, seed).failure
        return "" if failure is None else failure.violation.law

    return wasteful(judge)


def accuracy(seed: int) -> dict[str, Any]:
    """The study of accuracy on random models."""
    from impl.studies.accuracy import accuracy

    return accuracy(seed)


def _key(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda line: line[name]


def _decimal(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda line: f"{line[name]:.2f}"


def _percent(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda line: f"{100 * line[name]:.1f}%"


def _seen(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda line: "seen" if line[name] else "–"


def _window(line: dict[str, Any]) -> object:
    return "none" if line["window"] is None else line["window"]


def _agreed(line: dict[str, Any]) -> object:
    return f"{line['agreed']:,} of {line['steps']:,}"


STUDIES = {
    "page-size": Study(
        "How large should a page be?",
        page_size,
        (
            ("page", _key("page")),
            ("rows reserved", _key("rows_reserved")),
            ("at most", _key("most_rows_reserved")),
            ("pages held", _key("pages_held")),
            ("table length", _key("table_length")),
            ("gathers a step", _decimal("gathers_mean")),
            ("at most", _key("gathers_most")),
        ),
        "studies:draw_page_size",
    ),
    "admission": Study(
        "When should a request be taken in?",
        admission,
        (
            ("taken in when", _key("policy")),
            ("held", lambda line: f"{line['held_mean']:.1f}"),
            ("most", _key("held_most")),
            ("out of pages", _key("out_of_pages")),
            ("turns", _key("turns")),
            ("pool used", _percent("pages_used")),
        ),
        "studies:draw_admission",
    ),
    "sinks": Study(
        "What does a window cost, and what do sinks give back?",
        sinks,
        (
            ("window", _key("window")),
            ("sinks in it", _key("sinks")),
            ("same token", _agreed),
            ("mean error", _percent("error")),
        ),
        "window_cost:draw",
    ),
    "alignment": Study(
        "Does it pay to pad a shared prompt to whole pages?",
        alignment,
        (
            ("prompt", _key("prompt")),
            ("page", _key("page")),
            ("padding", _key("padding")),
            ("pages shared", _key("pages_shared")),
            ("padded", _key("pages_padded")),
            ("saved", _key("pages_saved")),
            ("copies", _key("copies_shared")),
            ("padded", _key("copies_padded")),
        ),
        "studies:draw_alignment",
    ),
    "wasteful": Study(
        "Which check sees a mistake that is only wasteful?",
        wasteful,
        (
            ("mistake", _key("mistake")),
            ("integers", _seen("integers")),
            ("bound", _seen("bound")),
            ("exact count", _seen("exact_count")),
            ("order", _seen("order")),
            ("law", lambda line: line["law"] or "–"),
        ),
        "studies:draw_wasteful",
    ),
    "accuracy": Study(
        "How close is the int8 chip to the float model?",
        accuracy,
        (
            ("window", _window),
            ("mean error", _percent("mean")),
            ("95 % are below", _percent("p95")),
            ("largest", _percent("most")),
            ("same token", _agreed),
        ),
        "studies:draw_accuracy",
    ),
}
