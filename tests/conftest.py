# SPDX-License-Identifier: Apache-2.0
"""Loads the Hypothesis profile that `KVPROOF_PROFILE` names, and says which one at the head of the run."""

import signal

import pytest

from spec.conformance import profiles


def pytest_configure() -> None:
    """Before any test is imported."""
    # A run started in the background of a script ignores Ctrl-C, and so would the commands that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        profiles.load()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_report_header() -> str:
    """A line at the head of the run."""
    return f"hypothesis profile of kvproof: {profiles.load()}"
