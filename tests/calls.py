# SPDX-License-Identifier: Apache-2.0
"""An operation of the spec as a call of the cache."""

from itertools import pairwise
from typing import Any

import numpy as np

from spec.conformance.operations import Operation


def arguments_of(operation: Operation, first_row: int) -> list[Any]:
    """What the cache is called with: rows that are numbers from `first_row` on."""
    given: list[Any] = [list(each) if isinstance(each, tuple) else each for each in operation.arguments]
    if operation.kind == "append":
        given[1] = np.arange(first_row, first_row + given[1])
    if operation.kind == "append_batch":
        ends = np.cumsum([first_row, *given[1]]).tolist()
        given[1] = [np.arange(begin, end) for begin, end in pairwise(ends)]
    return given
