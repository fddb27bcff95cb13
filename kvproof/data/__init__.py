# SPDX-License-Identifier: Apache-2.0
"""Data that ships with the package.

`example_a.json` and `example_b.json` are the recorded figures of the examples (of B the parts 1, 2 and 4).
`trace.csv`, which `kvproof replay` and `kvproof verify` read when they are given no other, holds the 400 request
lengths of example B in the CSV format of real traces; a quarter of each length (rounded down) is output, the rest
prompt. Its timestamps are just numbers.
"""

import json
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

EMBEDDED_PAGES = 512
"""Pool for the embedded trace: the 8,192 rows of example B in pages of 16."""


def embedded_trace() -> Traversable:
    """The embedded trace, to be opened with "rb"."""
    return files(__name__) / "trace.csv"


def recorded(example: str) -> Any:
    """The recorded figures of example "a" or "b"."""
    return json.loads((files(__name__) / f"example_{example}.json").read_text("utf-8"))
