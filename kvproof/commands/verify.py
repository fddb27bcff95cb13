# SPDX-License-Identifier: Apache-2.0
"""`kvproof verify`: one screen that says what was checked just now, how, on how much, and the verdict."""

import argparse
import time
from dataclasses import asdict
from typing import Any

from kvproof import __version__
from kvproof.arguments import Subparsers, add_json, add_seed, command
from kvproof.cli import FAILED, FINE, INTERRUPTED
from kvproof.verify.rows import Check, Row, judged


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof verify`."""
    parser = command(
        subparsers,
        "verify",
        "Checks the cache against its spec, the worked examples against the recorded figures, and the quick part of "
        "the proofs, on data that ships with the package. Takes well under a minute. Exit status 0 when everything "
        "holds, 1 when anything does not.",
        "kvproof verify\nkvproof verify --seed 7 --json verdict.json",
    )
    add_seed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Run every check, show the screen, and write it as JSON when asked to."""
    from kvproof.ui import write_json
    from kvproof.verify.checks import CHECKS

    start = time.perf_counter()
    rows, interrupted = checked(CHECKS, args.seed)
    seconds = time.perf_counter() - start
    show(rows, len(CHECKS), args.seed, seconds)
    if args.json:
        write_json(args.json, report(rows, len(CHECKS), args.seed, seconds))
    if interrupted:
        return INTERRUPTED
    return FINE if verdict(rows, len(CHECKS)) == "VERIFIED" else FAILED


def checked(checks: tuple[Check, ...], seed: int) -> tuple[list[Row], bool]:
    """The rows of all checks, in order, and whether Ctrl-C ended them early."""
    from kvproof.ui import progress

    rows: list[Row] = []
    try:
        for check in checks:
            with progress(check.what) as advance:
                rows.append(judged(check, seed, advance))
    except KeyboardInterrupt:
        return rows, True
    return rows, False


def verdict(rows: list[Row], count: int) -> str:
    """VERIFIED when each of `count` checks was made and holds, FAILED when one does not, else INCOMPLETE."""
    if not all(row.ok for row in rows):
        return "FAILED"
    return "VERIFIED" if rows and len(rows) == count else "INCOMPLETE"


def show(rows: list[Row], count: int, seed: int, seconds: float) -> None:
    """Print the screen: the table, what is wrong in full, and the verdict as the last line."""
    from rich.text import Text

    from kvproof.ui import say, table

    say(f"kvproof {__version__}: what was checked just now (seed {seed})", style="bold")
    words = {True: Text("ok", style="green"), False: Text("FAILED", style="bold red")}
    table(
        ("what", "how", "on how much", "time", "verdict"),
        [(row.what, row.how, row.amount, f"{row.seconds:.1f} s", words[row.ok]) for row in rows],
    )
    for row in rows:
        if not row.ok:
            say(f"{row.what}:", style="bold red")
            say("\n".join("  " + line for line in row.detail.splitlines()) + "\n")
    word = verdict(rows, count)
    good = sum(row.ok for row in rows)
    say(
        f"{word}: {good} of {count} checks hold, {seconds:.1f} s",
        style="bold green" if word == "VERIFIED" else "bold red",
    )


def report(rows: list[Row], count: int, seed: int, seconds: float) -> dict[str, Any]:
    """The screen as plain data."""
    return {
        "version": __version__,
        "seed": seed,
        "verdict": verdict(rows, count),
        "seconds": round(seconds, 3),
        "checks": [{**asdict(row), "seconds": round(row.seconds, 3)} for row in rows],
    }
