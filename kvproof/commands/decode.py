# SPDX-License-Identifier: Apache-2.0
"""`kvproof decode`: a tiny language model decodes on the chip, over a paged cache, and what every step costs."""

import argparse
from typing import TYPE_CHECKING, Any

from kvproof.arguments import Subparsers, add_json, add_plot, add_seed, command, positive_int
from kvproof.cli import FAILED, FINE
from kvproof.errors import UsageError

if TYPE_CHECKING:
    from impl.host import Step

SIMULATORS = {"none": (), "icarus": ("icarus",), "verilator": ("verilator",), "both": ("icarus", "verilator")}


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof decode`."""
    from impl.studies.decode import MODELS

    parser = command(
        subparsers,
        "decode",
        "Decodes greedily on the model of the chip, with the rows in pages and again in lists, and shows the pages and "
        "the five cycle counters of every step. With --sim every program runs again on the Verilog, where memory and "
        "counters have to be the same. Exit status 1 when pages change an integer, a count is not that of its formula, "
        "or the Verilog differs.",
        "kvproof decode --window 8 --steps 12\nkvproof decode --window none,8,4 --sim both --plot cycles.svg",
    )
    parser.add_argument("--model", choices=MODELS, default="structured", help="the language model (structured)")
    parser.add_argument(
        "--window", type=windows, default=(None,), metavar="W", help="tokens a step sees, or none; several: none,8,4"
    )
    parser.add_argument("--page", type=positive_int, default=4, metavar="P", help="rows of a page (4)")
    parser.add_argument("--steps", type=positive_int, default=32, metavar="N", help="steps (32)")
    parser.add_argument("--start", type=token, default=0, metavar="T", help="the first token, 0 … 15 (0)")
    parser.add_argument("--sim", choices=SIMULATORS, default="none", help="run the programs on the Verilog too (none)")
    add_seed(parser)
    add_plot(parser, "draw cycles per step into this file")
    add_json(parser)


def windows(text: str) -> tuple[int | None, ...]:
    """One or more windows, separated by commas, each a whole number from 1 or none."""
    found = tuple(None if word.strip() == "none" else positive_int(word) for word in text.split(","))
    if len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(f"'{text}' names a window twice")
    return found


def token(text: str) -> int:
    """A token of the model."""
    if not text.isdecimal() or int(text) > 15:
        raise argparse.ArgumentTypeError(f"'{text}' is not a token; they are 0 … 15")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Decode with each window, print, replay, and write what was asked for."""
    from impl.chip.place import CompileError
    from impl.studies.decode import decode, figures, model_named, strays
    from kvproof.ui import write_json

    model = model_named(args.model, args.seed)
    runs: list[dict[str, Any]] = []
    steps: list[list[Step]] = []
    for window in args.window:
        try:
            paged, plain, programs = decode(model, window, args.page, args.steps, args.start)
        except CompileError as error:
            raise UsageError(f"{error}; use fewer steps or a smaller window") from None
        run_ = figures(window, args.page, paged, plain, programs)
        if args.model == "structured":
            run_["failures"] += strays(paged)
        runs.append(run_)
        steps.append(paged)
    for run_ in runs:
        show(run_)
    summarise(runs)
    replayed = simulate(args.sim, args.window, steps)
    report = {
        "model": args.model,
        "seed": args.seed,
        "start": args.start,
        "runs": runs,
        "simulators": replayed,
    }
    if args.json:
        write_json(args.json, report)
    if args.plot:
        from kvproof.figures.canvas import save
        from kvproof.figures.cycles import draw

        save(draw(runs), args.plot)
    return verdict(runs, replayed)


def show(run: dict[str, Any]) -> None:
    """Print the tokens and the steps of one window."""
    from kvproof.ui import say, table

    steps = run["steps"]
    say(f"Window {named(run['window'])}, pages of {run['page']} rows", style="bold")
    tokens = [steps[0]["token"], *(step["next"] for step in steps)]
    for at in range(0, len(tokens), 24):
        say(("  tokens " if at == 0 else "         ") + " ".join(map(str, tokens[at : at + 24])))
    columns = ("step", "token", "next", "context", "pages", "total", "dma", "mm", "sm", "vec")
    table(
        (*columns, "/ word"),
        [(*(step[column] for column in columns), f"{step['total'] / step['data_words']:.2f}") for step in steps],
    )


def summarise(runs: list[dict[str, Any]]) -> None:
    """Print one line for each window, and what is wrong."""
    from kvproof.ui import say, table

    table(
        ("window", "steps", "programs", "pages", "first step", "last", "all", "/ word"),
        [
            (
                named(run["window"]),
                len(run["steps"]),
                run["programs"],
                run["pages_peak"],
                run["steps"][0]["total"],
                run["steps"][-1]["total"],
                run["cycles"],
                f"{run['cycles_per_data_word']:.2f}",
            )
            for run in runs
        ],
        title="Most pages held after a step; cycles; cycles for each word of data moved",
    )
    for run in runs:
        for failure in run["failures"]:
            say(f"FAIL window {named(run['window'])}: {failure}", style="bold red")
    if not any(run["failures"] for run in runs):
        say("PASS same integers from pages and lists; counts of pages and programs as stated")


def simulate(sim: str, windows: tuple[int | None, ...], steps: "list[list[Step]]") -> list[dict[str, Any]]:
    """Run every program on the Verilog, print a line for each simulator and window, and give them as data."""
    if sim == "none":
        return []
    from impl.chip.config import DEFAULT
    from impl.chip.cosim import Record, SimulatorError, replay
    from impl.chip.simulators import SIMULATORS as BUILDS
    from impl.chip.simulators import BuildFailed, SimulatorMissing
    from kvproof.ui import progress, say

    lines = []
    for name in SIMULATORS[sim]:
        try:
            with progress(f"{name}: building the chip, up to a minute the first time"):
                BUILDS[name].build(DEFAULT)
            with progress(f"{name}: running", len(windows)) as advance:
                for window, taken in zip(windows, steps, strict=True):
                    outcome = replay(name, DEFAULT, [Record(step.image, step.result) for step in taken])
                    advance()
                    say(f"{name}, window {named(window)}: {outcome.line}", style="" if outcome.passed else "bold red")
                    lines.append({"simulator": name, "window": window, "passed": outcome.passed, "line": outcome.line})
        except (SimulatorMissing, BuildFailed, SimulatorError) as error:
            raise UsageError(str(error)) from None
    return lines


def verdict(runs: list[dict[str, Any]], replayed: list[dict[str, Any]]) -> int:
    """The exit status."""
    good = not any(run["failures"] for run in runs) and all(line["passed"] for line in replayed)
    return FINE if good else FAILED


def named(window: int | None) -> str:
    """A window as the command line names it."""
    return "none" if window is None else str(window)
