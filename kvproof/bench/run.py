# SPDX-License-Identifier: Apache-2.0
"""Measures the cases one after the other."""

from collections.abc import Sequence

from kvproof.bench.case import Case
from kvproof.bench.report import Figure
from kvproof.bench.timing import Effort
from kvproof.ui import progress


def measured(cases: Sequence[Case], effort: Effort) -> tuple[list[Figure], bool]:
    """The figures of all cases, in order, and whether Ctrl-C ended them early."""
    figures: list[Figure] = []
    try:
        with progress("measuring", len(cases)) as advance:
            for case in cases:
                advance(0, case.what)
                figures.append(Figure(case, case.measure(effort)))
                advance()
    except KeyboardInterrupt:
        return figures, True
    return figures, False
