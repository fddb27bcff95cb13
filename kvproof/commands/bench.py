# SPDX-License-Identifier: Apache-2.0
"""`kvproof bench`: how fast the page table, the gather and the exports are, against plain lists and against memcpy."""

import argparse
import time

from kvproof.arguments import Subparsers, add_json, command
from kvproof.cli import FINE, INTERRUPTED


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof bench`."""
    from kvproof.bench.case import GROUPS

    parser = command(
        subparsers,
        "bench",
        "Measures the page table against a plain one of lists in the same process, the gather against memcpy, and "
        "shows each figure beside its target. Times are no assertions: the exit status is 0 whatever they are.",
        "kvproof bench\nkvproof bench --only decode --json figures.json",
    )
    parser.add_argument("--quick", action="store_true", help="few repeats: a look, no measurement")
    parser.add_argument("--only", choices=GROUPS, metavar="NAME", help=f"one group of figures: {', '.join(GROUPS)}")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure, show the screen, and write it as JSON when asked to."""
    from kvproof.bench.cases import cases
    from kvproof.bench.machine import machine
    from kvproof.bench.report import report, show
    from kvproof.bench.run import measured
    from kvproof.bench.timing import FULL, QUICK
    from kvproof.ui import write_json

    effort = QUICK if args.quick else FULL
    start = time.perf_counter()
    figures, interrupted = measured(cases(args.only), effort)
    seconds = time.perf_counter() - start
    show(figures, machine(), effort, seconds)
    if args.json:
        write_json(args.json, report(figures, machine(), effort, seconds))
    return INTERRUPTED if interrupted else FINE
