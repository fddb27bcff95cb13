# SPDX-License-Identifier: Apache-2.0
"""The command line: finding commands, exit statuses, messages instead of tracebacks, a quick start."""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from kvproof import __version__, arguments, cli
from kvproof.commands import COMMANDS, Command
from kvproof.errors import UsageError

NAMES = [command.name for command in COMMANDS]


def run_python(code: str, stdout: int | None = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """Run code in another Python, in the folder of the project, with output buffered as usual."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent.parent,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[argparse.Namespace], int]], None]:
    """Puts a command `fake`, with `--json`, `--seed` and `--pages`, in the place of all others."""

    def put(run: Callable[[argparse.Namespace], int]) -> None:
        def add_parser(subparsers: arguments.Subparsers) -> None:
            parser = arguments.command(subparsers, "fake", "Does nothing.", "kvproof fake")
            parser.add_argument("--pages", type=arguments.positive_int, default=1)
            parser.add_argument("--rate", type=arguments.positive_float, default=1.0)
            arguments.add_seed(parser)
            arguments.add_json(parser)

        module = ModuleType("kvproof.commands.fake")
        module.__dict__.update(add_parser=add_parser, run=run)
        monkeypatch.setitem(sys.modules, "kvproof.commands.fake", module)
        monkeypatch.setattr(cli, "COMMANDS", (Command("fake", "does nothing"),))

    return put


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--help"]) == cli.FINE
    printed = capsys.readouterr().out
    assert f"example:\n  kvproof {name}" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_help_lists_every_command_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == cli.FINE
    lines = capsys.readouterr().out.splitlines()
    assert all(f"    {command.name:10} {command.summary}" in lines for command in COMMANDS)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == cli.FINE
    assert capsys.readouterr().out == f"kvproof {__version__}\n"


def test_no_command_shows_the_help_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == cli.BAD_USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("usage: kvproof ")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("verfy", "there is no command 'verfy'; did you mean 'verify'?"),
        ("xyzzy", f"there is no command 'xyzzy'; the commands are {', '.join(NAMES)}"),
        ("", f"there is no command ''; the commands are {', '.join(NAMES)}"),
    ],
)
def test_unknown_command(word: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([word]) == cli.BAD_USAGE
    assert capsys.readouterr().err == f"kvproof: {message}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pages", "0"], "argument --pages: '0' is not a whole number of at least 1"),
        (["--pages", "2.5"], "argument --pages: '2.5' is not a whole number of at least 1"),
        (["--seed", "-1"], "argument --seed: '-1' is not a whole number of at least 0"),
        (["--rate", "0"], "argument --rate: '0' is not a number above 0"),
        (["--rate", "inf"], "argument --rate: 'inf' is not a number above 0"),
        (["--rate", "nan"], "argument --rate: 'nan' is not a number above 0"),
        (["--rate", "fast"], "argument --rate: 'fast' is not a number above 0"),
        (["--page", "3"], "unrecognized arguments: --page 3"),
        (["--json", "/absent/x"], "cannot write '/absent/x': there is no folder '/absent'"),
        (["--json", "/"], "cannot write '/': it is a folder; give the name of a file"),
    ],
)
def test_bad_arguments_end_before_the_command_starts(
    words: list[str],
    message: str,
    fake: Callable[[Callable[[argparse.Namespace], int]], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    fake(lambda args: pytest.fail("the command was started"))
    assert cli.main(["fake", *words]) == cli.BAD_USAGE
    assert capsys.readouterr().err.endswith(f": {message}\n")


def test_arguments_arrive(fake: Callable[[Callable[[argparse.Namespace], int]], None], tmp_path: Path) -> None:
    seen: list[argparse.Namespace] = []

    def run(args: argparse.Namespace) -> int:
        seen.append(args)
        return cli.FAILED

    fake(run)
    words = f"--pages 7 --rate 0.5 --seed 3 --json {tmp_path / 'out'}"
    assert cli.main(["fake", *words.split()]) == cli.FAILED
    args = seen[0]
    assert (args.pages, args.rate, args.seed) == (7, 0.5, 3)
    assert args.json == tmp_path / "out"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (UsageError("no such target"), cli.BAD_USAGE, "kvproof: no such target\n"),
        (KeyboardInterrupt(), cli.INTERRUPTED, "\nkvproof: interrupted\n"),
        (PermissionError(13, "Permission denied", "f"), cli.BAD_USAGE, "kvproof: 'f': Permission denied\n"),
    ],
)
def test_errors_become_messages(
    error: BaseException,
    status: int,
    message: str,
    fake: Callable[[Callable[[argparse.Namespace], int]], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    def run(args: argparse.Namespace) -> int:
        raise error

    fake(run)
    assert cli.main(["fake"]) == status
    assert capfd.readouterr().err == message


def test_a_mistake_of_ours_keeps_its_traceback(fake: Callable[[Callable[[argparse.Namespace], int]], None]) -> None:
    fake(lambda args: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        cli.main(["fake"])


MUCH = """
import sys, types
from kvproof import cli, commands, ui
def run(args):
    for number in range(20_000):
        print(f"line {number}")
    for number in range(300):
        ui.say("text " * 2_000)
    return 0
def add_parser(subparsers):
    subparsers.add_parser("much")
sys.modules["kvproof.commands.much"] = module = types.ModuleType("much")
module.run, module.add_parser = run, add_parser
cli.COMMANDS = (commands.Command("much", "prints much"),)
sys.exit(cli.main(["much"]))
"""


@pytest.mark.parametrize("lines", [0, 1, 20_010])
def test_a_reader_that_goes_away(lines: int) -> None:
    """The reader of a pipe stops early, before anything, amid plain lines or in what rich prints."""
    with subprocess.Popen(
        [sys.executable, "-c", MUCH],
        cwd=Path(__file__).parent.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(lines):
            process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == cli.NO_READER


LITTLE = MUCH.replace("20_000", "1").replace("300", "0")


@pytest.mark.parametrize("code", [LITTLE, MUCH], ids=["little", "much"])
def test_a_full_disk(code: str) -> None:
    """It shows at the end, when the buffer is flushed, or on the way."""
    with open("/dev/full", "w") as full:
        done = run_python(code, full.fileno())
    assert done.stderr == "kvproof: No space left on device\n"
    assert done.returncode == cli.BAD_USAGE


def test_text_that_the_terminal_cannot_show() -> None:
    code = "import sys; sys.stdout.reconfigure(encoding='ascii')\n" + MUCH.replace("line {number}", "№ {number}")
    done = run_python(code)
    assert done.stderr == ""
    assert done.stdout.startswith("? 0\n")


def test_help_and_version_load_nothing_heavy() -> None:
    code = """
import sys
from kvproof.cli import main
main(["--help"]), main(["--version"]), main(["nonsense"]), main(["verify", "--help"])
print("loaded:", sorted({"numpy", "hypothesis", "rich", "z3", "spec", "impl", "proofs"} & set(sys.modules)))
"""
    assert run_python(code).stdout.splitlines()[-1] == "loaded: []"


def test_nothing_is_left_in_the_folder(tmp_path: Path) -> None:
    folder, cache = tmp_path / "folder", tmp_path / "cache"
    folder.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), "XDG_CACHE_HOME": str(cache)}
    subprocess.run(
        [sys.executable, "-m", "kvproof", "check", "plain", "--examples", "20"],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    assert list(folder.iterdir()) == []


def test_module_and_command_are_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kvproof", "--version"], cwd=Path(__file__).parent.parent, capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == (f"kvproof {__version__}\n", cli.FINE)
