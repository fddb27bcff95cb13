# SPDX-License-Identifier: Apache-2.0
"""`kvproof example`: the worked examples, computed on the real cache, and their figures."""

import argparse
from collections.abc import Sequence
from typing import Any

from kvproof.arguments import Subparsers, add_json, command
from kvproof.cli import FINE


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof example`."""
    parser = command(
        subparsers,
        "example",
        "Prints a worked example. a: a block table at work, step by step, with a window, a fork and its copy-on-write. "
        "b: what pages buy: requests held in a small pool, pages saved by sharing a prompt, what a window costs on "
        "random models, and the largest batch with and without a window. Everything is computed on the spot by the "
        "real cache. The JSON of b leaves out what depends on random models; 'kvproof study sinks' writes that.",
        "kvproof example a\nkvproof example b --json figures.json",
    )
    parser.add_argument("which", choices=("a", "b"), help="the example")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Compute the example, print it, and write it as JSON when asked to."""
    from kvproof.ui import write_json

    if args.which == "a":
        from impl.studies.example_a import example_a

        figures = example_a()
        show_a(figures)
    else:
        from impl.studies.example_b import example_b
        from impl.studies.window_cost import window_cost

        figures = example_b()
        show_b(figures, window_cost())
    if args.json:
        write_json(args.json, figures)
    return FINE


def show_a(figures: dict[str, Any]) -> None:
    """Print example A."""
    from kvproof.ui import say, table

    setup = figures["setup"]
    say(f"Example A: a pool of {setup['pages']} pages of {setup['page_rows']} rows", style="bold")
    say("Free pages are a stack: a new pool hands out page 0 first, and a freed page is\nthe next one handed out.\n")
    table(
        ("step", "reads rows", "writes", "table", "dropped", "free pages"),
        [
            (
                line["step"],
                _span(line["gathered"]),
                line["step"] - 1,
                _list(line["table"]),
                line["dropped"],
                _list(line["free"]),
            )
            for line in figures["window_log"]
        ],
        title=f"1. One request with a window of {setup['window']} tokens",
    )
    log = figures["fork_log"]
    events = [
        ("A has 10 rows", "before_fork"),
        ("B is forked from A", "after_fork"),
        ("B appends row 100", "after_B_appends_100"),
        ("B is released", "after_release_B"),
    ]
    table(
        ("event", "table of A", "table of B", "owners of each page"),
        [
            (event, _list(log[key].get("A", ())), _list(log[key].get("B", ())), _owners(log[key]["refcounts"]))
            for event, key in events
        ],
        title="2. A fork, and the copy that its first write makes",
    )
    appended = log["after_B_appends_100"]
    say(f"A reads {_list(appended['A_rows'])}")
    say(f"B reads {_list(appended['B_rows'])}")
    say(f"Free after the release: {_list(log['after_release_B']['free'])}")


def show_b(figures: dict[str, Any], cost: dict[str, Any]) -> None:
    """Print parts 1, 2 and 4 of example B, and part 3, which is `cost`."""
    from kvproof.ui import say, table

    lengths = figures["lengths"]
    say("Example B: what pages buy", style="bold")
    say("Request lengths in rows: " + lengths["generator"].replace(" of ", " of\n  ", 1))
    say(f"  mean {lengths['mean']}, median {lengths['median']}, longest {lengths['max']}\n")
    table(
        ("scheme", "rows a piece", "requests held", "rows used", "rows reserved", "waste"),
        [
            (
                line["scheme"],
                line.get("reserve", line.get("page")),
                line["held"],
                line["rows_used"],
                line["rows_reserved"],
                f"{1 - line['rows_used'] / line['rows_reserved']:.1%}",
            )
            for line in figures["admission"]
        ],
        title=f"1. Requests admitted in order into {figures['pool_rows']:,} rows, until one does not fit",
    )
    table(
        ("prompt", "page", "requests", "own rows", "pages copied", "pages shared", "copies"),
        [tuple(line.values()) for line in figures["prefix_sharing"]],
        title="2. One prompt for all: copied for each request, or shared by forks (copies on write)",
    )
    table(
        ("window", "same token", "of steps", "mean error"),
        [(line["window"], line["agreed"], line["steps"], f"{line['error']:.2%}") for line in cost["lines"]],
        title=f"3. What a window costs: {cost['models']} random models, {cost['starts']} starts, "
        f"{cost['steps']} steps along the whole context",
    )
    serving = figures["serving_arithmetic"]
    given = serving["assumptions"]
    window = given["window"]
    table(
        ("context", "GiB a request", "largest batch", f"GiB, window {window:,}", "largest batch"),
        [
            (
                line["context"],
                f"{line['kv_gib_full']:.1f}",
                line["max_batch_full"],
                f"{line[f'kv_gib_window_{window}']:.1f}",
                line["max_batch_window"],
            )
            for line in serving["rows"]
        ],
        title=f"4. Cache and batch on a chip of {given['chip_bytes'] / 1e9:.0f} GB with weights of "
        f"{given['weight_bytes'] / 1e9:.0f} GB, {given['kv_bytes_per_token'] // 1024} KiB a token",
    )


def _span(rows: Sequence[int]) -> str:
    """Consecutive rows as first … last."""
    return "–" if not rows else f"{rows[0]}" if len(rows) == 1 else f"{rows[0]} … {rows[-1]}"


def _list(items: Sequence[int]) -> str:
    return " ".join(map(str, items))


def _owners(counts: dict[str, int]) -> str:
    return "  ".join(f"{page}: {count}" for page, count in counts.items())
