# SPDX-License-Identifier: Apache-2.0
"""The command line: finds the command, runs it, and turns what can go wrong into a message and an exit status.

Exit status: 0 fine · 1 a check failed · 2 bad usage, or a file that cannot be read or written · 130 interrupted ·
141 nobody reads the output any more.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from kvproof import __version__
from kvproof.commands import COMMANDS
from kvproof.errors import UsageError

FINE, FAILED, BAD_USAGE, INTERRUPTED, NO_READER = 0, 1, 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (that of this process when none is given); returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        _keep_out_of_the_folder()
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # None when it is closed
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        status = _run(words)
        sys.stdout.flush()
        return status
    except UsageError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        print("\nkvproof: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()
        return NO_READER
    except OSError as error:
        _close_output()
        where = f"'{error.filename}': " if error.filename else ""
        return _complain(f"{where}{error.strerror or error}")


def _run(words: list[str]) -> int:
    names = [command.name for command in COMMANDS]
    if not words:
        _parser("").print_help(sys.stderr)
        return BAD_USAGE
    name = words[0]
    if not name.startswith("-") and name not in names:
        from difflib import get_close_matches  # only for the message

        close = get_close_matches(name, names, 1)
        hint = f"did you mean '{close[0]}'?" if close else f"the commands are {', '.join(names)}"
        raise UsageError(f"there is no command '{name}'; {hint}")
    try:
        args = _parser(name).parse_args(words)
    except SystemExit as end:  # argparse has printed its help, the version or what is wrong
        return BAD_USAGE if end.code else FINE
    try:
        status: int = _module(name).run(args)
    except SystemExit as end:  # no command ends like this: code of somebody else that it runs did
        print(f"kvproof: {name} was ended from within by SystemExit({end.code!r})", file=sys.stderr)
        return FAILED
    return status


class _Help(argparse.HelpFormatter):
    """Makes room for the longest command: argparse forgets that commands are indented once more."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 2 * self._indent_increment + max(len(command.name) for command in COMMANDS)


def _module(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"kvproof.commands.{name.replace('-', '_')}")


def _parser(chosen: str) -> argparse.ArgumentParser:
    """The parser of all commands, with the arguments of the chosen one only: the others are not imported."""
    parser = argparse.ArgumentParser(
        prog="kvproof",
        description="A paged key/value cache, and the evidence that it is right.",
        epilog="'kvproof COMMAND --help' tells more about one command, with an example.",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"kvproof {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    for command in COMMANDS:
        if command.name == chosen:
            _module(chosen).add_parser(subparsers)
        else:
            subparsers.add_parser(command.name, help=command.summary)
    return parser


def _keep_out_of_the_folder() -> None:
    """Let Hypothesis keep what it stores in the user's cache, not in whatever folder the command is called from."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", os.path.join(cache, "kvproof", "hypothesis"))


def _complain(message: str) -> int:
    print(f"kvproof: {message}", file=sys.stderr)
    return BAD_USAGE


def _close_output() -> None:
    """Let what is still in the buffer of standard output go nowhere, so that Python does not fail on it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
