# SPDX-License-Identifier: Apache-2.0
"""`python -m kvproof.mutation`: runs the mutants and reports. Exit status as for `kvproof`; 1 below a target."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from kvproof.arguments import output_file, picture_file, positive_int
from kvproof.cli import BAD_USAGE, FAILED, FINE, INTERRUPTED
from kvproof.errors import UsageError
from kvproof.mutation.report import figures, report, show
from kvproof.mutation.run import doubt, run
from kvproof.mutation.targets import SOURCE, files, is_core, known
from kvproof.ui import say, write_json


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit status."""
    try:
        return _main(_parser().parse_args(argv))
    except SystemExit as end:  # argparse has printed its help or what is wrong
        return BAD_USAGE if end.code else FINE
    except UsageError as error:
        print(f"kvproof.mutation: {error}", file=sys.stderr)
        return BAD_USAGE
    except OSError as error:
        where = f"'{error.filename}': " if error.filename else ""
        print(f"kvproof.mutation: {where}{error.strerror or error}", file=sys.stderr)
        return BAD_USAGE
    except KeyboardInterrupt:
        print("\nkvproof.mutation: interrupted", file=sys.stderr)
        return INTERRUPTED


def _main(args: argparse.Namespace) -> int:
    if not Path("setup.cfg").is_file() or not Path(SOURCE).is_dir():
        raise UsageError("the mutants are made from the source of the project; call this in its folder")
    chosen = known(args.files) or [file for file in files() if is_core(file) or not args.core]
    ran = None if args.report else run(chosen, args.processes)
    done = report(chosen)
    if why := doubt():
        done.wrong.append(why)
    show(done, all_functions=bool(args.files))
    if ran:
        seconds, tested = ran
        say(f"{tested:,} mutants in {seconds:.0f} s, {tested / seconds:.1f} a second, {args.processes} at a time")
    if args.json:
        write_json(args.json, figures(done, ran[0] if ran else None))
    if args.plot:
        from kvproof.figures.canvas import save
        from kvproof.mutation.picture import draw

        save(draw(done.files), args.plot)
    return FAILED if done.wrong else FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m kvproof.mutation",
        description="Makes every small change of the source that mutmut knows\nand tells which ones the tests notice.",
        epilog="example:\n  python -m kvproof.mutation impl/window.py --plot out/window.svg",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("files", nargs="*", default=[], metavar="FILE", help=f"only these files (all of {SOURCE}/)")
    which.add_argument("--core", action="store_true", help="only the files of which every mutant has to be killed")
    parser.add_argument("--report", action="store_true", help="report on the last run again instead of running")
    processes = os.cpu_count() or 1
    parser.add_argument(
        "--processes", type=positive_int, default=processes, metavar="N", help=f"mutants at a time ({processes})"
    )
    parser.add_argument("--json", type=output_file, metavar="FILE", help="also write the figures to this file, as JSON")
    parser.add_argument("--plot", type=picture_file, metavar="FILE", help="also draw the scores: .svg or .png")
    return parser


if __name__ == "__main__":
    sys.exit(main())
