# SPDX-License-Identifier: Apache-2.0
"""Data that ships with the package: the trace that `kvproof replay` and `kvproof verify` read when they are given none.

`trace.csv` holds the 400 request lengths of example B in the CSV format of real traces; a quarter of each length (rounded
down) is output, the rest prompt. The timestamps are just numbers.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable

EMBEDDED_PAGES = 512
"""Pool for the embedded trace: the 8,192 rows of example B in pages of 16."""


def embedded_trace() -> Traversable:
    """The embedded trace, to be opened with "rb"."""
    return files(__name__) / "trace.csv"
