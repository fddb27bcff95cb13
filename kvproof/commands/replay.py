# SPDX-License-Identifier: Apache-2.0
"""`kvproof replay`: a trace of real requests through the page table, or through the cache in lockstep with the spec."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kvproof.arguments import Subparsers, add_json, command, non_negative_int, positive_int
from kvproof.cli import FAILED, FINE, INTERRUPTED
from kvproof.data import EMBEDDED_PAGES, embedded_trace
from kvproof.errors import UsageError

if TYPE_CHECKING:
    from impl.studies.replay import Settings, Summary
    from kvproof.ui import Advance

PAGES = 16_384
PAGE_SIZE = 16
LOCKSTEP_EVERY = 1_000
EMBEDDED = "the embedded trace"


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof replay`."""
    parser = command(
        subparsers,
        "replay",
        "Replays a trace of requests: admits them in order while pages suffice, fills in their prompts, decodes all "
        "running requests in batches, trims for the window, and releases them. When decoding runs out of pages the "
        "youngest request goes back to the line, once; the second time it has failed. Reads JSON lines with "
        "input_length and output_length (Mooncake) and CSV with ContextTokens and GeneratedTokens (Azure), told apart "
        "by their content. Timestamps are ignored. Exit status 1 when an invariant is broken.",
        "kvproof replay\n"
        "kvproof replay --lockstep --window 64 --sinks 4\n"
        "kvproof replay trace.jsonl --pages 16384 --limit 1000 --json figures.json\n"
        "zcat trace.csv.gz | kvproof replay -",
    )
    parser.add_argument("trace", nargs="?", metavar="TRACE", help=f"a file, or - for standard input ({EMBEDDED})")
    parser.add_argument(
        "--pages",
        type=positive_int,
        metavar="N",
        help=f"pages in the pool ({PAGES:,}; for {EMBEDDED} {EMBEDDED_PAGES})",
    )
    parser.add_argument("--page-size", type=positive_int, default=PAGE_SIZE, metavar="P", help=f"rows ({PAGE_SIZE})")
    parser.add_argument(
        "--window", type=positive_int, metavar="W", help="tokens that a step sees, its own included (all)"
    )
    parser.add_argument("--sinks", type=non_negative_int, default=0, metavar="S", help="first rows, never trimmed (0)")
    parser.add_argument("--limit", type=positive_int, metavar="N", help="replay the first N requests only")
    parser.add_argument("--skip-bad", action="store_true", help="count malformed lines and pass over them")
    parser.add_argument("--lockstep", action="store_true", help="hold every operation against the spec")
    parser.add_argument(
        "--check-every",
        type=positive_int,
        metavar="K",
        help=f"check all invariants after every K steps (only at the end), in lockstep after every K operations "
        f"({LOCKSTEP_EVERY:,})",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replay, print the figures, and write them as JSON when asked to."""
    from impl.studies.traces import TraceError, TraceReader
    from kvproof.replay.report import as_json, show
    from kvproof.replay.run import Lockstep, replay
    from kvproof.ui import progress, write_json

    _refuse_names(args)
    settings = _settings(args)
    lockstep = Lockstep(args.check_every or LOCKSTEP_EVERY) if args.lockstep else None
    name = EMBEDDED if args.trace is None else args.trace
    try:
        total = _count(args)
        with _opened(args.trace) as stream, progress(Path(name).name, total) as advance:
            trace = TraceReader(stream, args.skip_bad)
            bar = _Bar(advance)
            report = replay(islice(trace, args.limit), settings, lockstep, bar.step)
    except TraceError as error:
        hint = "; --skip-bad passes over malformed lines" if error.line and not args.skip_bad else ""
        raise UsageError(f"{name}: {error}{hint}") from None
    show(report, name, trace)
    if args.json:
        write_json(args.json, as_json(report, name, trace))
    if report.failure:
        return FAILED
    return INTERRUPTED if report.interrupted else FINE


def _refuse_names(args: argparse.Namespace) -> None:
    """UsageError for an empty name, and for figures that would take the place of the trace."""
    if args.trace == "":
        raise UsageError("the name of the trace is empty; leave it out for the embedded one")
    if args.trace is None or args.json is None or not args.json.is_file():
        return
    if Path(args.trace).is_file() and args.json.samefile(args.trace):
        raise UsageError(f"cannot write '{args.json}': it is the trace itself")


class _Bar:
    """Moves a progress bar by requests that are over."""

    def __init__(self, advance: "Advance") -> None:
        self._advance = advance
        self._shown = 0

    def step(self, summary: "Summary") -> None:
        if summary.settled > self._shown:
            self._advance(summary.settled - self._shown, f"{summary.settled:,} requests")
            self._shown = summary.settled


def _settings(args: argparse.Namespace) -> "Settings":
    from impl.studies.replay import Settings

    pages = args.pages or (EMBEDDED_PAGES if args.trace is None else PAGES)
    every = 0 if args.lockstep else args.check_every or 0
    try:
        return Settings(pages, args.page_size, args.window, args.sinks, every)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _count(args: argparse.Namespace) -> int | None:
    """The requests to replay, None when they can be read but once. Finds a malformed line before any work is done."""
    from impl.studies.traces import TraceReader

    if args.trace == "-" or (args.trace is not None and not Path(args.trace).is_file()):
        return None
    with _opened(args.trace) as stream:
        return sum(1 for _ in islice(TraceReader(stream, args.skip_bad), args.limit))


@contextmanager
def _opened(trace: str | None) -> Iterator[IO[bytes]]:
    from impl.studies.traces import open_trace

    if trace == "-":
        if sys.stdin is None:
            raise UsageError("cannot read '-': standard input is closed")
        yield sys.stdin.buffer
    elif trace is not None:
        with open_trace(Path(trace)) as stream:
            yield stream
    else:
        with embedded_trace().open("rb") as stream:
            yield stream
