# SPDX-License-Identifier: Apache-2.0
"""`kvproof bench`: how fast the page table, the gather and the exports are, against plain lists and against memcpy;
with `--detect` how soon the checks find a mistake."""

import argparse
import time

from kvproof.arguments import Subparsers, add_json, add_seed, command
from kvproof.cli import FAILED, FINE, INTERRUPTED
from kvproof.errors import UsageError


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof bench`."""
    from kvproof.bench.case import GROUPS

    parser = command(
        subparsers,
        "bench",
        "Measures the page table against a plain one of lists in the same process, the gather against memcpy, and "
        "shows each figure beside its target. Times are no assertions: the exit status is 0 whatever they are. With "
        "--detect it plants eighteen mistakes in the cache, the window and the host, one at a time, and measures how "
        "soon the checks find each; the exit status is 1 when one is not found, or not as soon as it should be.",
        "kvproof bench\nkvproof bench --only decode --json figures.json\nkvproof bench --detect",
    )
    parser.add_argument("--quick", action="store_true", help="few repeats: a look, no measurement")
    parser.add_argument("--only", choices=GROUPS, metavar="NAME", help=f"one group of figures: {', '.join(GROUPS)}")
    parser.add_argument("--detect", action="store_true", help="how soon mistakes are found, instead of speed")
    add_seed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure, show the screen, and write it as JSON when asked to."""
    if args.detect:
        return _detect(args)
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


def _detect(args: argparse.Namespace) -> int:
    from kvproof.bench.detect import FEW_SEEDS, SEEDS, detections, report, show
    from kvproof.bench.machine import machine
    from kvproof.ui import write_json

    if args.only:
        raise UsageError("--only chooses figures of speed and --detect measures none; leave one of them out")
    seeds = range(args.seed, args.seed + (FEW_SEEDS if args.quick else SEEDS))
    start = time.perf_counter()
    done, interrupted = detections(seeds)
    seconds = time.perf_counter() - start
    show(done, machine(), seeds, seconds)
    if args.json:
        write_json(args.json, report(done, machine(), seeds, seconds))
    if interrupted:
        return INTERRUPTED
    return FAILED if any(each.missed() for each in done) else FINE
