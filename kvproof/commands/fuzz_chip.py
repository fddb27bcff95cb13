# SPDX-License-Identifier: Apache-2.0
"""`kvproof fuzz-chip`: random programs through the model of the chip and the Verilog in a simulator."""

import argparse
from dataclasses import asdict

from kvproof.arguments import Subparsers, add_json, add_seed, command, non_negative_int, positive_int
from kvproof.cli import FAILED, FINE
from kvproof.errors import UsageError

MOST_WAITS = 255


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof fuzz-chip`."""
    parser = command(
        subparsers,
        "fuzz-chip",
        "Runs random programs on the chip, legal ones and every fifth with an illegal instruction: the Verilog has to "
        "leave the memory, the error flag and all five counters of the Python model. A failing program is printed. The "
        "same seed gives the same programs.",
        "kvproof fuzz-chip --n 20000 --seed 7\nkvproof fuzz-chip --sim icarus --small --n 200 --waits 90",
    )
    parser.add_argument("--n", type=positive_int, default=2000, metavar="N", help="programs (2000)")
    parser.add_argument("--sim", choices=("verilator", "icarus"), default="verilator", help="the simulator (verilator)")
    parser.add_argument("--small", action="store_true", help="a chip of 8 lanes instead of 16, quick in Icarus")
    parser.add_argument(
        "--waits", type=non_negative_int, default=0, metavar="W", help="of 256 cycles, W are wait states (0)"
    )
    add_seed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Run the programs and tell what came of it."""
    from impl.chip.config import DEFAULT, SMALL
    from impl.chip.fuzz import fuzz
    from impl.chip.simulators import SimulatorMissing
    from kvproof.ui import progress, say, write_json

    if args.waits > MOST_WAITS:
        raise UsageError(f"{args.waits} of 256 cycles would leave none for a word; --waits is at most {MOST_WAITS}")
    config = SMALL if args.small else DEFAULT
    try:
        with progress("fuzzing", args.n) as advance:
            done = fuzz(args.sim, config, args.n, args.seed, args.waits, lambda n: advance(n))
    except SimulatorMissing as error:
        raise UsageError(str(error)) from None
    say(f"{done.programs:,} programs, {done.instructions:,} instructions, {done.errors:,} of them end in an error")
    if args.json:
        write_json(args.json, {"seed": args.seed, "simulator": args.sim, "waits_of_256": args.waits, **asdict(done)})
    if done.failed is not None:
        say(f"FAILED: program {done.failed} of seed {args.seed}: {done.line}\n\n{done.listing}", "red")
        return FAILED
    say(f"PASS: {args.sim} agrees with the model, {done.cycles:,} cycles, {done.waits:,} of them waits")
    return FINE
