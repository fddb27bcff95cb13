# SPDX-License-Identifier: Apache-2.0
"""`kvproof check`: hold a cache against the spec, with the named histories and the state machine."""

import argparse
from typing import TYPE_CHECKING, Any

from kvproof.arguments import Subparsers, add_json, add_seed, command, positive_int
from kvproof.cli import FAILED, FINE, INTERRUPTED
from kvproof.errors import UsageError

if TYPE_CHECKING:
    from kvproof.targets.find import Found
    from spec.conformance.check import Verdict

EXAMPLES, STEPS = 200, 50


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof check`."""
    parser = command(
        subparsers,
        "check",
        "Holds a cache against the spec: every result, every refusal and every law, in named histories and in random "
        "ones. TARGET is kvproof, kvproof-batch or plain, or your own as module:factory: factory(pages, page_size) "
        "gives an object with new, append, rows and release, and 'capabilities' says what else it can do. Prints what "
        "was covered, and the shortest history that breaks a law. Exit status 1 when one does, or when something that "
        "the target declares was never exercised.",
        "kvproof check kvproof\nkvproof check mymodule:MyCache --examples 1000 --seed 7",
    )
    parser.add_argument("target", metavar="TARGET", help="kvproof, kvproof-batch, plain, or module:factory")
    parser.add_argument(
        "--examples", type=positive_int, default=EXAMPLES, metavar="N", help=f"random histories ({EXAMPLES})"
    )
    parser.add_argument(
        "--steps", type=positive_int, default=STEPS, metavar="N", help=f"most operations in one of them ({STEPS})"
    )
    add_seed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Check, tell what came of it, and write it as JSON when asked to."""
    from kvproof.targets.find import find
    from kvproof.ui import progress, write_json
    from spec.conformance.check import check
    from spec.conformance.target import TargetError

    found = find(args.target)
    try:
        with progress(f"checking {found.name}", args.examples) as advance:
            verdict = check(found.factory, args.examples, args.steps, args.seed, advance)
    except TargetError as error:
        raise UsageError(f"{found.name}: {error}") from None
    show(verdict, found, args.seed)
    if args.json:
        write_json(args.json, as_data(verdict, found, args))
    if verdict.interrupted:
        return INTERRUPTED
    return FINE if verdict.held() else FAILED


def show(verdict: "Verdict", found: "Found", seed: int) -> None:
    """What was covered, what was found, and the verdict as the last line."""
    from kvproof.conformance_report import show_coverage, show_failure
    from kvproof.ui import say

    report = verdict.report
    say(f"{found.name} against the spec (seed {seed})", style="bold")
    if verdict.failure is not None:
        if verdict.failed_history:
            say(f"the history '{verdict.failed_history}' failed; the shortest one that does:")
        show_failure(verdict.failure, found)
    elif not verdict.unsteady:
        show_coverage(report, verdict.histories)
    held = sum(outcome == "held" for outcome in verdict.histories.values())
    amount = f"{held} named histories, {report.histories:,} random ones, {report.operations:,} operations"
    if verdict.interrupted:
        say(f"INTERRUPTED, nothing found so far: {amount}", style="bold yellow")
    elif verdict.held():
        say(f"HOLDS: {amount}", style="bold green")
    elif verdict.failure is not None:
        say(f"\nFAILED: {verdict.failure.violation.law}, after {amount}", style="bold red")
    else:
        say(f"FAILED: {verdict}", style="bold red")


def as_data(verdict: "Verdict", found: "Found", args: argparse.Namespace) -> dict[str, Any]:
    """The verdict as plain data."""
    from kvproof.conformance_report import coverage_data, failure_data

    return {
        "target": found.name,
        "seed": args.seed,
        "examples": args.examples,
        "steps": args.steps,
        "verdict": "INTERRUPTED" if verdict.interrupted else "HOLDS" if verdict.held() else "FAILED",
        "named_histories": verdict.histories,
        "failed_history": verdict.failed_history or None,
        "failure": failure_data(verdict.failure, found) if verdict.failure is not None else None,
        "unsteady": verdict.unsteady or None,
        "never_exercised": verdict.report.never_exercised(),
        "covered": coverage_data(verdict.report),
    }
