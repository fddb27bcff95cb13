# SPDX-License-Identifier: Apache-2.0
"""`python -m proofs`: prove everything and print the evidence table. Exit 0 when all holds, 1 when anything is short,
2 for bad usage, 130 when interrupted."""

import argparse
import math
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from proofs import readme, report
from proofs.again import Again, again
from proofs.again import short as again_short
from proofs.catalogue import claims
from proofs.evidence import Options, Result
from proofs.output import output_file, output_folder, write, write_json
from proofs.rtl import group
from proofs.stable import SEEDS, Sweep, sweep
from proofs.workers import Job, prove_all

SECONDS_FOR_CVC5 = 10.0
WIDTH_OF_A_FILE = 160
LEFT_OUT = "--again and --stable leave out exploration, which asks no solver, and the Verilog, which does not ask z3"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; returns the exit code."""
    parser = _parser()
    args = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C: what runs for it is ended too
    try:
        if args.readme_table:
            readme.renew(report.ROOT / "README.md")
            return 0
        try:
            jobs = chosen(args.only, args.unit, args.quick, args.again or args.stable)
        except Unknown as error:
            parser.error(str(error))
        if not jobs:
            parser.error(f"no claim is left: --quick runs quick claims only, {LEFT_OUT}")
        return _run(args, jobs)
    except readme.NoMarkers as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.strerror}: {error.filename}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _run(args: argparse.Namespace, jobs: Sequence[Job]) -> int:
    console = Console(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH_OF_A_FILE)
    options = Options(args.seed, args.quick, args.budget, args.timeout, args.out / "smt", args.force)
    if args.again or args.stable:
        console.print(LEFT_OUT)
    if args.stable:
        return _stable(console, jobs, options, args.json)
    begin = time.perf_counter()
    with _Bar(console, len(jobs)) as bar:
        try:
            results = prove_all(jobs, options, bar.result, bar.say)
        except KeyboardInterrupt:
            bar.progress.stop()
            report.screen(console, bar.results)
            console.print(f"interrupted after {len(bar.results)} of {len(jobs)} claims")
            return 130
    seconds = time.perf_counter() - begin
    report.screen(console, results)
    data = report.as_json(results, options)
    shorts = [result.id for result in results if result.short]
    complete = not (args.only or args.unit or args.quick or args.again)
    if complete and (stale := readme.stale(report.ROOT / "README.md")):
        console.print(f"[red]{stale}[/]")
        shorts.append(stale)
        data["ok"] = False
    if args.again:
        with _Bar(console, sum(bool(result.files) for result in results)) as bar:
            found = again(results, args.out / "smt", SECONDS_FOR_CVC5, bar.again)
        data["again"] = [asdict(item) for item in found]
        shorts += _print_again(console, found)
    if complete:
        write(args.out / "proofs.md", report.markdown(results))
        write_json(args.out / "proofs.json", data)
    if args.json:
        write_json(args.json, data)
    console.print(f"{seconds:.1f} s", highlight=False)
    return 1 if shorts else 0


class Unknown(ValueError):
    """There is no such claim or no such unit; the message lists what there is."""


def chosen(only: Sequence[str], units: Sequence[str], quick: bool, solver: bool = False) -> list[Job]:
    """The claims to run, in the order of the table; with `solver` only those that ask z3. Raises Unknown.

    A name in `only` is an id, or else the part of ids before a point, or else what ids begin with.
    """
    there = claims()
    if units:
        there = {claim.id: (group.__name__, claim) for claim in group.CLAIMS}
        names = {group.unit_of(claim) for claim in group.CLAIMS}
        if unknown := [name for name in units if name not in names]:
            raise Unknown(f"no unit is called {', '.join(unknown)}; the units are {', '.join(sorted(names))}")
        there = {id: job for id, job in there.items() if group.unit_of(job[1]) in units}
    wanted = set() if only else set(there)
    for name in only:
        meant = [id for id in there if id == name] or [id for id in there if id.startswith(f"{name}.")]
        meant = meant or [id for id in there if id.startswith(name)]
        if not meant or not name:
            raise Unknown(f"no claim is called '{name}'; the ids are {', '.join(there)}")
        wanted.update(meant)
    return [
        (module, claim)
        for id, (module, claim) in there.items()
        if id in wanted and (claim.quick or not quick) and not (solver and claim.exclusive)
    ]


def _stable(console: Console, jobs: Sequence[Job], options: Options, file: Path | None) -> int:
    with _Bar(console, len(SEEDS) * sum(not claim.exclusive for _, claim in jobs)) as bar:
        found = sweep(jobs, options, bar.result)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("id", f"with seeds {', '.join(map(str, SEEDS))}", "least s", "most s"):
        table.add_column(heading, justify="right" if heading.endswith(" s") else "left")
    for item in found:
        table.add_row(item.id, _strengths(item), f"{item.least:.2f}", f"{item.most:.2f}")
    console.print(table)
    loose = [item.id for item in found if not item.stable]
    verdict = f"{len(loose)} of {len(found)} hang on the seed or fall short: {', '.join(loose)}"
    console.print(verdict if loose else f"all {len(found)} claims hold with each of {len(SEEDS)} seeds")
    if file:
        write_json(file, {"seeds": SEEDS, "ok": not loose, "claims": [asdict(item) for item in found]})
    return 1 if loose else 0


def _strengths(item: Sweep) -> str:
    if item.stable:
        return item.strengths[0]
    return "[red]" + ", ".join(f"{s} ({short})" for s, short in zip(item.strengths, item.shorts, strict=True)) + "[/]"


def _print_again(console: Console, found: Sequence[Again]) -> list[str]:
    for item in found:
        if item.detail:
            console.print(f"{item.id} {item.verdict}: {item.detail}", highlight=False)
    agreed = sum(item.verdict == "agrees" for item in found)
    short = again_short(found)
    console.print(f"cvc5 re-checked {agreed} of {len(found)} claims" + (f": {short}" if short else ""))
    return [short] if short else []


class _Bar:
    """A progress bar on a terminal, nothing elsewhere."""

    def __init__(self, console: Console, total: int) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.task = self.progress.add_task("proving", total=total)
        self.results: list[Result] = []

    def __enter__(self) -> "_Bar":
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def result(self, found: Result) -> None:
        """One more claim is done."""
        self.results.append(found)
        self.progress.update(self.task, advance=1, description=found.id)

    def again(self, found: Again) -> None:
        """One more claim is re-checked."""
        self.progress.update(self.task, advance=1, description=f"cvc5 {found.id}")

    def say(self, text: str) -> None:
        """What a long proof is at."""
        self.progress.update(self.task, description=text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m proofs",
        description="Prove everything, print the evidence table.",
        epilog="examples: python -m proofs --only W3      the claims W3.a, W3.b, …\n"
        "          python -m proofs --unit dma     what is proved about rtl/dma.v\n"
        "exit codes: 0 everything holds, 1 something falls short,\n"
        "            2 bad usage, 130 interrupted",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID", help="only this claim, or those that begin so (repeatable)"
    )
    parser.add_argument(
        "--unit", action="append", default=[], metavar="UNIT", help="only this unit of the chip (repeatable)"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="prove units of the chip again that have not changed since",
    )
    parser.add_argument("--quick", action="store_true", help="only the part that takes a few seconds")
    parser.add_argument(
        "--again", action="store_true", help="prove what a solver proves, then ask cvc5 the same questions"
    )
    parser.add_argument("--stable", action="store_true", help=f"run with {len(SEEDS)} solver seeds instead of one")
    parser.add_argument("--readme-table", action="store_true", help="renew the proofs in README.md and stop")
    parser.add_argument("--json", type=output_file, metavar="FILE", help="also write the results as JSON")
    parser.add_argument("--out", type=output_folder, default=Path("out"), metavar="DIR", help="where reports go (out)")
    parser.add_argument("--budget", type=_positive, default=1.0, metavar="X", help="sizes of bounded parts (1)")
    parser.add_argument("--timeout", type=_positive, default=20.0, metavar="S", help="seconds per query (20)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the solver (0)")
    return parser


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


if __name__ == "__main__":
    sys.exit(main())
