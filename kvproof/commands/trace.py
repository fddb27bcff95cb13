# SPDX-License-Identifier: Apache-2.0
"""`kvproof trace`: one decode step on the Verilog, as a waveform for a viewer."""

import argparse

from kvproof.arguments import Subparsers, add_seed, command, non_negative_int, output_file, positive_int
from kvproof.cli import FAILED, FINE
from kvproof.commands.decode import token, windows
from kvproof.errors import UsageError

MOST_WAITS = 255


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof trace`."""
    from impl.studies.decode import MODELS

    parser = command(
        subparsers,
        "trace",
        "Decodes on the model of the chip up to a step, runs the program of that step on the Verilog in Icarus, and "
        "writes every signal of the chip to a VCD file, for GTKWave, Surfer or any other viewer. One time unit is half "
        "a cycle. The program is printed beside it.",
        "kvproof trace --step 9 --window 8 --vcd step9.vcd",
    )
    parser.add_argument("--step", type=positive_int, required=True, metavar="N", help="the step, from 1")
    parser.add_argument("--vcd", type=output_file, required=True, metavar="FILE", help="the file to write")
    parser.add_argument("--model", choices=MODELS, default="structured", help="the language model (structured)")
    parser.add_argument("--window", type=windows, default=(None,), metavar="W", help="tokens a step sees (all)")
    parser.add_argument("--start", type=token, default=0, metavar="T", help="the first token, 0 … 15 (0)")
    parser.add_argument(
        "--waits", type=non_negative_int, default=0, metavar="W", help="of 256 cycles, W are wait states (0)"
    )
    add_seed(parser)


def run(args: argparse.Namespace) -> int:
    """Decode, run the step on the Verilog, and tell where the waveform is."""
    from impl.chip.config import DEFAULT
    from impl.chip.cosim import Record, waveform
    from impl.chip.place import CompileError
    from impl.chip.simulators import SimulatorMissing
    from impl.host import Host, PlainRows, Programs
    from impl.lm.quantise import quantise
    from impl.studies.decode import model_named
    from kvproof.ui import say

    if len(args.window) > 1:
        raise UsageError("a trace is of one window; give one with --window")
    if args.waits > MOST_WAITS:
        raise UsageError(f"{args.waits} of 256 cycles would leave none for a word; --waits is at most {MOST_WAITS}")
    window = args.window[0]
    programs = Programs(quantise(model_named(args.model, args.seed), window), DEFAULT)
    rows = PlainRows()
    rows.new(0)
    try:
        step = Host(programs, rows, window).greedy(0, args.start, args.step)[-1]
        outcome = waveform(DEFAULT, Record(step.image, step.result), args.vcd, args.waits)
    except CompileError as error:
        raise UsageError(f"step {args.step}: {error}; use a smaller --window or --step") from None
    except SimulatorMissing as error:
        raise UsageError(str(error)) from None
    say(f"step {step.number}: token {step.token}, {step.context} tokens seen, next token {step.following}", "bold")
    say(programs[step.context].listing())
    say(f"\n{outcome.line}\nwritten to {args.vcd}")
    return FINE if outcome.passed else FAILED
