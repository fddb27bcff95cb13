# SPDX-License-Identifier: Apache-2.0
"""Which files are mutated, and what share of their mutants, the equivalent ones apart, has to be killed."""

from pathlib import Path

from kvproof.errors import UsageError

SOURCE = "impl"

CORE = tuple(
    f"impl/{name}.py"
    for name in (
        *("window", "elementwise", "errors", "arguments", "conversion"),
        *("arena", "owners", "requests", "store", "spans", "append", "trim", "runs", "invariants", "page_table"),
        *("page_pool", "cache", "host"),
    )
)
"""What a cache is right or wrong by: every change lands only with all of their mutants killed."""

OTHERS = ("impl/export.py", "impl/lm/*", "impl/chip/*")

CORE_TARGET, OTHERS_TARGET, OVERALL_TARGET = 100.0, 98.0, 95.0
"""Per cent: of each core file, of all the others together, of everything that is mutated."""


def files() -> list[str]:
    """Every file that is mutated, relative to the folder of the project, which is the current one."""
    return sorted(path.as_posix() for path in Path(SOURCE).rglob("*.py"))


def known(names: list[str]) -> list[str]:
    """These files, each once. UsageError when one is not mutated."""
    every = files()
    for name in names:
        if name not in every:
            raise UsageError(f"'{name}' is not mutated; give files of {SOURCE}/, like impl/window.py, from the project")
    return list(dict.fromkeys(names))
