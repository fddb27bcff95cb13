# SPDX-License-Identifier: Apache-2.0
"""The mutants of a finished run, as mutmut left them in `mutants/`: where each is, what it changes, what became of
it."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

from kvproof.errors import UsageError
from kvproof.output import write_json

KILLED, SURVIVED, TIMED_OUT, CRASHED = "killed", "survived", "timed out", "crashed"
"""Killed: a test failed. Survived: all passed, or no test reaches it. Crashed: the tests ended in some other way."""

FOLDER = Path("mutants")
_KILLS, _SURVIVALS = (1,), (0, 5, 33)
_TIME_OUTS = (-24, 24, 36, 152, 255, -9)


@dataclass(frozen=True, slots=True)
class Mutant:
    """`name` is mutmut's, `function` the dotted name in the file; `tests` says whether any test reaches it."""

    name: str
    file: str
    function: str
    status: str
    tests: bool
    seconds: float


def outcome(exit_code: int) -> str:
    """What the exit status of the tests of a mutant means. Whatever is none of the known ones is no kill."""
    if exit_code in _KILLS:
        return KILLED
    if exit_code in _SURVIVALS:
        return SURVIVED
    return TIMED_OUT if exit_code in _TIME_OUTS else CRASHED


def function_of(name: str) -> str:
    """`Store.grow` for `impl.store.xǁStoreǁgrow__mutmut_3`, `ceil_div` for `impl.window.x_ceil_div__mutmut_1`."""
    mangled = name.partition("__mutmut_")[0].rpartition(".")[2]
    if "ǁ" in mangled:
        return mangled.removeprefix("xǁ").replace("ǁ", ".")
    return mangled.removeprefix("x_")


def pattern(file: str) -> str:
    """What mutmut calls all mutants of a file: `impl.window.x*`, which is not also those of a folder of that name."""
    return f"{file.removesuffix('.py').replace('/', '.')}.x*"


def read(files: Iterable[str]) -> list[Mutant]:
    """The mutants of these files, in order. UsageError when nothing is known of a file, or some were not tested."""
    return [mutant for file in files for mutant in _of_file(file)]


def untested(files: Iterable[str]) -> list[str]:
    """The names of the mutants of these files that have no result yet."""
    return [name for file in files for name, code in _meta(file)["exit_code_by_key"].items() if code is None]


def tested(files: Iterable[str]) -> list[str]:
    """The names of the mutants of these files that have a result."""
    return [name for file in files for name, code in _meta(file)["exit_code_by_key"].items() if code is not None]


def forget(files: Iterable[str]) -> None:
    """Make the mutants of these files untested. What is known of other files stays."""
    for file in files:
        meta = _meta(file)
        if meta["exit_code_by_key"]:
            write_json(FOLDER / f"{file}.meta", meta | {"exit_code_by_key": dict.fromkeys(meta["exit_code_by_key"])})


def _meta(file: str) -> dict[str, Any]:
    """What mutmut keeps about a file. UsageError when that is nothing, or was cut off by a crash."""
    try:
        found: dict[str, Any] = json.loads((FOLDER / f"{file}.meta").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there are no tested mutants of '{file}' in '{FOLDER}/'; run them first") from None
    except ValueError:
        raise UsageError(f"what '{FOLDER}/' holds about '{file}' was cut off; run the mutants again") from None
    return found


def _of_file(file: str) -> Iterator[Mutant]:
    meta = _meta(file)
    for name, code in meta["exit_code_by_key"].items():
        if code is None:
            raise UsageError(f"mutant {name} was not tested: the run ended too early; run it again")
        seconds = meta["durations_by_key"].get(name, 0.0)
        yield Mutant(name, file, function_of(name), outcome(code), code not in (5, 33), seconds)


def diff_of(mutant: Mutant) -> str:
    """What the mutant changes, as a unified diff with its context, without the names of the files."""
    from libcst import Module
    from mutmut.mutation.diff_apply import read_functions_from_index

    functions = read_functions_from_index(mutant.name, mutant.file)
    if functions is None:
        raise UsageError(f"the source of mutant {mutant.name} is not in '{FOLDER}/'; run the mutants again")
    old, new = (Module([function]).code.strip().split("\n") for function in functions)
    return "\n".join([*unified_diff(old, new, lineterm="")][2:])


def changed_lines(diff: str) -> str:
    """Only the lines that are taken away and put in, in order: what a mutant is known by, wherever it has moved."""
    lines = [line for line in diff.splitlines() if line[:1] in ("-", "+")]
    return "\n".join(line[0] + line[1:].strip() for line in lines)
