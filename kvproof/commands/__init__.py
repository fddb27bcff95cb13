# SPDX-License-Identifier: Apache-2.0
"""The commands, in the order of the help.

Command NAME lives in `kvproof/commands/NAME.py` (a - in the name is a _ there), which has `add_parser(subparsers)`
and `run(args) -> int`, the exit status. A new command is one more line here; its module is imported only when it is
called, so that `kvproof --help` stays quick.
"""

from typing import NamedTuple


class Command(NamedTuple):
    """A command and the line about it in `kvproof --help`."""

    name: str
    summary: str


COMMANDS = (
    Command("verify", "check everything here and now, on one screen"),
    Command("check", "hold a cache, ours or yours, against the spec"),
    Command("soak", "the same at full speed, for minutes or hours"),
    Command("replay", "run a trace of real requests through the cache"),
    Command("example", "print the worked examples and their figures"),
    Command("decode", "decode on the chip over a paged cache, and count its cycles"),
    Command("fuzz-chip", "run random programs on the chip in a simulator"),
    Command("trace", "a waveform of one decode step on the chip"),
    Command("study", "run an experiment on the cache or the chip"),
    Command("figures", "draw the pictures of the system"),
    Command("bench", "measure the speed of the cache against a plain one"),
)
