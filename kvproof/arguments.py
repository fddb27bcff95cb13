# SPDX-License-Identifier: Apache-2.0
"""The arguments that commands have in common: their types, and the parser of a command with its example.

A type function takes the text from the command line and raises `argparse.ArgumentTypeError`; argparse then names the
argument and exits with status 2.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Subparsers = object
"""What `add_parser(subparsers)` of a command module is given."""


LARGEST = 2**62
"""Largest integer that any argument may be: sums of two of them stay in 64 bits. The same as that of the cache."""


def command(subparsers: Subparsers, name: str, summary: str, example: str) -> argparse.ArgumentParser:
    """The parser of one command. `summary` is one sentence or more, `example` one command line or several."""
    return subparsers.add_parser(
        name,
        description=summary,
        epilog="example:\n" + "\n".join("  " + line for line in example.strip().splitlines()),
        formatter_class=_Help,
        allow_abbrev=False,
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json FILE`. Whether the file can be written is checked while the command line is read, before any work."""
    parser.add_argument("--json", type=output_file, metavar="FILE", help="also write the figures to this file, as JSON")


def add_seed(parser: argparse.ArgumentParser, default: int = 0) -> None:
    """`--seed N`: the same seed gives the same run."""
    parser.add_argument(
        "--seed", type=non_negative_int, default=default, metavar="N", help=f"seed of everything random ({default})"
    )


def add_plot(parser: argparse.ArgumentParser, what: str = "also draw the figures into this file") -> None:
    """`--plot FILE`. The kind of picture follows from the name; it is checked like that of `--json`."""
    parser.add_argument("--plot", type=picture_file, metavar="FILE", help=f"{what}: .svg or .png")


def positive_int(text: str) -> int:
    """A whole number from 1 to LARGEST."""
    return _whole(text, 1)


def non_negative_int(text: str) -> int:
    """A whole number from 0 to LARGEST."""
    return _whole(text, 0)


def positive_float(text: str) -> float:
    """A finite number above 0."""
    return _number(text, lambda value: 0 < value < float("inf"), "a number above 0")


def output_file(text: str) -> Path:
    """A file that can be written: tried out in its folder, without touching the file itself."""
    from kvproof.output import writable  # not needed by most command lines

    return writable(Path(text))


def picture_file(text: str) -> Path:
    """A file that can be written and is called .svg or .png."""
    if Path(text).suffix not in (".svg", ".png"):
        raise argparse.ArgumentTypeError(f"'{text}' is no picture that can be drawn; call it .svg or .png")
    return output_file(text)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of the example as they are, and wraps the description."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("example:"):
            return super()._fill_text(text, width, indent)
        return argparse.HelpFormatter._fill_text(self, text, width, indent)


def _whole(text: str, least: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least {least}")
    if value > LARGEST:
        raise argparse.ArgumentTypeError(f"the number is too large; give one of at most {LARGEST}")
    return value


def _number(text: str, fits: Callable[[float], bool], wanted: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not fits(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not {wanted}")
    return value
