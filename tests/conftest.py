# SPDX-License-Identifier: Apache-2.0
"""Loads the Hypothesis profile that `KVPROOF_PROFILE` names, and says which one at the head of the run.

While mutants are tested, the tests run in the order of their files in `setup.cfg`, so that the quick ones kill first,
and with little memory: a mutant that takes more and more of it is not to take it all.
"""

import os
import resource
import signal
from configparser import ConfigParser
from pathlib import Path

import pytest

from spec.conformance import profiles

MEMORY = 2 << 30
"""Bytes that a mutant may address; what the tests map without touching it is in there."""


def pytest_configure() -> None:
    """Before any test is imported."""
    # A run started in the background of a script ignores Ctrl-C, and so would the commands that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        profiles.load()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    if "__mutmut_" in os.environ.get("MUTANT_UNDER_TEST", ""):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The mutation tool names the tests of a mutant in any order."""
    if not os.environ.get("MUTANT_UNDER_TEST"):
        return
    settings = ConfigParser()
    settings.read(config.rootpath / "setup.cfg")
    selection = settings["mutmut"]["pytest_add_cli_args_test_selection"].split()
    files = [*dict.fromkeys(test.partition("::")[0] for test in selection)]
    order = {file: at for at, file in enumerate(files)}

    def place(item: pytest.Item) -> tuple[int, int]:
        file, line, _ = item.location
        return order.get(Path(file).as_posix(), len(files)), line or 0

    items.sort(key=place)


def pytest_report_header() -> str:
    """A line at the head of the run."""
    return f"hypothesis profile of kvproof: {profiles.load()}"
