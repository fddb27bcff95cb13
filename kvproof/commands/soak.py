# SPDX-License-Identifier: Apache-2.0
"""`kvproof soak`: the operations and laws of `kvproof check` at full speed, for as long as wanted."""

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kvproof.arguments import Subparsers, add_json, add_seed, command, non_negative_int, positive_float, positive_int
from kvproof.cli import FAILED, FINE, INTERRUPTED

if TYPE_CHECKING:
    from kvproof.soak_workers import Plan, Soaked
    from kvproof.targets.find import Found
    from spec.conformance.failure import Failure

MINUTES = 1.0
LEAST_MINUTES, MOST_MINUTES = 0.0001, 1e6
MOST_ROUND = 10**15
MOST_PROCESSES = 1024


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof soak`."""
    parser = command(
        subparsers,
        "soak",
        "Runs random operations on a cache and on the spec at full speed: every result is compared, everything "
        "visible after every 16th operation and after each refusal. A run is a seed and consists of rounds, each a "
        "function of the seed and its number: a failing round can be run again by itself, and a run can be gone on "
        "with. The first failing round is made a shortest history. Ctrl-C prints what was done so far.",
        "kvproof soak kvproof --minutes 10\n"
        "kvproof soak mymodule:MyCache --seed 7 --processes 4\n"
        "kvproof soak mymodule:MyCache --seed 7 --first-round 1234 --rounds 1",
    )
    parser.add_argument("target", metavar="TARGET", help="kvproof, kvproof-batch, plain, or module:factory")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=_minutes, metavar="M", help=f"how long ({MINUTES:g})")
    length.add_argument(
        "--rounds",
        type=_at_most(positive_int, MOST_ROUND),
        metavar="N",
        help="this many rounds, however long they take",
    )
    parser.add_argument(
        "--first-round", type=_at_most(non_negative_int, MOST_ROUND), default=0, metavar="R", help="where to begin (0)"
    )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parser.add_argument(
        "--processes",
        type=_at_most(positive_int, MOST_PROCESSES),
        default=cores,
        metavar="N",
        help=f"worker processes (one a core: {cores})",
    )
    add_seed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Soak, tell what came of it, and write it as JSON when asked to."""
    from kvproof.soak_workers import Plan, soak
    from kvproof.targets.find import find
    from kvproof.ui import progress, say, write_json
    from spec.conformance.soak import minimal

    found = find(args.target)
    seconds = None if args.rounds else 60 * (args.minutes or MINUTES)
    plan = Plan(args.target, args.seed, args.first_round, args.rounds, seconds, args.processes)
    say(f"soaking {plan.target} (seed {plan.seed}, from round {plan.first}, {plan.processes} processes)", style="bold")
    with progress("soaking", args.rounds or round(seconds or 0)) as advance:
        soaked = soak(plan, _Bar(advance, plan).told)
    failure = minimal(found.factory, soaked.broken) if soaked.broken is not None else None
    show(soaked, plan, found, failure)
    if args.json:
        write_json(args.json, as_data(soaked, plan, found, failure))
    if soaked.broken is not None or soaked.died:
        return FAILED
    if soaked.interrupted:
        return INTERRUPTED
    return FAILED if too_little(soaked) else FINE


def too_little(soaked: "Soaked") -> str:
    """Why what was run is not enough to say that anything holds; empty when it is."""
    if not soaked.report.histories:
        return "no round was run"
    idle = soaked.report.never_exercised()
    return f"declared and never exercised: {', '.join(idle)}" if idle else ""


def _at_most(kind: Callable[[str], int], most: int) -> Callable[[str], int]:
    def limited(text: str) -> int:
        value = kind(text)
        if value > most:
            raise argparse.ArgumentTypeError(f"'{text}' is more than {most}")
        return value

    return limited


def _minutes(text: str) -> float:
    value = positive_float(text)
    if not LEAST_MINUTES <= value <= MOST_MINUTES:
        raise argparse.ArgumentTypeError(f"'{text}' is not from {LEAST_MINUTES:g} to {MOST_MINUTES:g} minutes")
    return value


class _Bar:
    """Moves a progress bar by rounds when their number is known, else by seconds."""

    def __init__(self, advance: Any, plan: "Plan") -> None:
        self._advance = advance
        self._by_rounds = plan.rounds is not None
        self._shown = 0

    def told(self, soaked: "Soaked") -> None:
        report = soaked.report
        now = report.histories if self._by_rounds else int(soaked.seconds)
        self._advance(now - self._shown, f"{report.operations:,} operations")
        self._shown = now


def show(soaked: "Soaked", plan: "Plan", found: "Found", failure: "Failure | None") -> None:
    """What was done, what was found, and the verdict as the last line."""
    from kvproof.conformance_report import show_events, show_failure
    from kvproof.ui import say

    report = soaked.report
    if soaked.broken is not None:
        number = soaked.broken.round
        if failure is not None:
            show_failure(failure, found)
        else:
            say("a law was broken once, and not again by the same operations; the target is not steady:")
            say(soaked.broken.violation)
        say(f"\nthe round again: kvproof soak {plan.target} --seed {plan.seed} --first-round {number} --rounds 1\n")
    elif not soaked.died:
        show_events(report, "seen in every 16th round")
        say(f"to go on: kvproof soak {plan.target} --seed {plan.seed} --first-round {soaked.next_round}")
    amount = f"{report.operations:,} operations in {report.histories:,} rounds, {soaked.seconds:.1f} s"
    rate = f"{report.operations / soaked.seconds:,.0f} operations a second in {plan.processes} processes"
    if soaked.died:
        say(f"FAILED: {soaked.died}; {amount}", style="bold red")
    elif soaked.broken is not None:
        say(f"FAILED: a law is broken in round {soaked.broken.round}; {amount}", style="bold red")
    elif not soaked.interrupted and too_little(soaked):
        say(f"INCOMPLETE: {too_little(soaked)}; {amount}", style="bold red")
    else:
        word = "INTERRUPTED, nothing found so far" if soaked.interrupted else "HOLDS"
        say(f"{word}: {amount}; {rate}", style="bold yellow" if soaked.interrupted else "bold green")


def as_data(soaked: "Soaked", plan: "Plan", found: "Found", failure: "Failure | None") -> dict[str, Any]:
    """The outcome as plain data."""
    from kvproof.conformance_report import coverage_data, failure_data

    bad = soaked.broken is not None or bool(soaked.died)
    good = "INCOMPLETE" if too_little(soaked) else "HOLDS"
    return {
        "target": plan.target,
        "seed": plan.seed,
        "first_round": plan.first,
        "next_round": soaked.next_round,
        "processes": plan.processes,
        "verdict": "FAILED" if bad else "INTERRUPTED" if soaked.interrupted else good,
        "seconds": round(soaked.seconds, 3),
        "operations_per_second": round(soaked.report.operations / soaked.seconds),
        "failed_round": soaked.broken.round if soaked.broken is not None else None,
        "failure": failure_data(failure, found) if failure is not None else None,
        "violation": soaked.broken.violation if soaked.broken is not None else None,
        "died": soaked.died or None,
        "covered": coverage_data(soaked.report),
    }
