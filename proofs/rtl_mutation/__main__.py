# SPDX-License-Identifier: Apache-2.0
"""`python -m proofs.rtl_mutation`: the mutation score of the harnesses of the Verilog.

Exit 0 when every unit reaches what it must, 1 when one falls short, 2 for bad usage, 130 when interrupted.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from impl.chip.cosim import SimulatorError
from impl.chip.simulators import BuildFailed, SimulatorMissing
from proofs.output import output_file
from proofs.rtl.tools import ToolMissing
from proofs.rtl_mutation import induction, report, smt
from proofs.rtl_mutation.cosim import OriginalFails
from proofs.rtl_mutation.trial import PHASES, Busy, Trial, prepare
from proofs.rtl_mutation.units import EACH, UNITS, harnessed
from proofs.rtl_mutation.yosys import YosysFailed

FAILURES = (
    Busy,
    SimulatorError,
    BuildFailed,
    SimulatorMissing,
    ToolMissing,
    OriginalFails,
    YosysFailed,
    induction.NotProved,
    smt.SolverFailed,
    OSError,
)
PROCESSES = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; returns the exit code."""
    parser = _parser()
    args = parser.parse_args(arguments)
    names = list(dict.fromkeys(args.units)) or list(UNITS)
    if unknown := [name for name in names if name not in UNITS]:
        parser.error(f"no unit is called {', '.join(unknown)}; the units are {', '.join(UNITS)}")
    if not 1 <= args.limit <= 1000:
        parser.error(f"--limit is {args.limit}; a unit has 1 … 1000 mutants")
    if not args.seconds > 0:
        parser.error(f"--seconds is {args.seconds}; it has to be more than 0")
    console = Console(width=None if sys.stdout.isatty() else report.WIDTH)
    missing = [f"{name}: formal/{name}.sby is not there" for name in names if not harnessed(name)]
    present = [name for name in names if harnessed(name)]
    begin = time.perf_counter()
    trials: dict[str, Trial] = {}
    smt.STOP.clear()
    with _bar(len(present) * args.limit * len(PHASES)) as bar:
        try:
            problems = _run(present, args, bar, trials)
        except KeyboardInterrupt:
            smt.STOP.set()
            problems = None
    seconds = time.perf_counter() - begin
    try:
        return report.finish(console, list(trials.values()), missing, problems, args.seed, seconds, args.json)
    except OSError as error:
        print(f"{error.strerror}: {error.filename}", file=sys.stderr)
        return 1


def _run(names: Sequence[str], args: argparse.Namespace, bar: Progress, trials: dict[str, Trial]) -> list[str]:
    """Try all units in two threads that wait for other programs; returns what went wrong otherwise than by a score."""
    task = bar.tasks[0].id
    problems: list[str] = []

    def advance(more: int) -> None:
        bar.advance(task, more)

    def begin(name: str) -> None:
        trials[name] = prepare(UNITS[name], args.limit, args.seed, args.seconds, advance)

    def search(name: str) -> None:
        trials[name].compare()
        trials[name].prove()

    with ThreadPoolExecutor(PROCESSES) as pool:
        running: dict[Future[None], tuple[str, str]] = {pool.submit(begin, name): (name, "begin") for name in names}
        try:
            while running:
                done, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
                for future in done:
                    name, what = running.pop(future)
                    error = future.exception()
                    if isinstance(error, FAILURES):
                        problems.append(f"{name}: {error}")
                    elif error is not None:
                        raise error
                    elif what == "begin":
                        running[pool.submit(trials[name].cosimulate)] = (name, "simulate")
                        running[pool.submit(search, name)] = (name, "search")
        except BaseException:
            smt.STOP.set()
            for future in running:
                future.cancel()
            raise
    return problems


def _bar(total: int) -> Progress:
    columns = (TextColumn("mutants × ways to kill them"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    bar.add_task("", total=total)
    return bar


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m proofs.rtl_mutation",
        description="Mutation score of the harnesses in formal/: how many small changes of the Verilog they notice.",
        epilog="What was found is kept under out/: the same run again goes on where it was stopped.",
    )
    parser.add_argument("units", nargs="*", metavar="UNIT", help=f"only these of {', '.join(UNITS)}")
    parser.add_argument("--seed", type=int, default=1, help="of the list of mutants (default 1)")
    parser.add_argument("--limit", type=int, default=EACH, metavar="N", help=f"mutants of a unit (default {EACH})")
    parser.add_argument(
        "--seconds", type=float, default=60.0, metavar="S", help="of the solver's time, for one search (default 60)"
    )
    parser.add_argument("--json", type=output_file, metavar="FILE", help="write everything there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
