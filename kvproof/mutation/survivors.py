# SPDX-License-Identifier: Apache-2.0
"""Survivors and their diffs, those first that say most about the tests."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kvproof.mutation.equivalents import Matched
from kvproof.mutation.results import KILLED, Mutant, changed_lines, diff_of
from kvproof.mutation.score import EQUIVALENT, fate
from kvproof.mutation.targets import is_core

MOST_OF_ONE_FUNCTION = 2
_TEXT = re.compile(r"""(["']).*?\1""")


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that was not killed and is not equivalent; `fate` says what it did instead."""

    mutant: Mutant
    fate: str
    diff: str


def survivors(mutants: Sequence[Mutant], matched: Matched) -> list[Survivor]:
    """All of them, the most interesting first: those that compute something else before those that only say something
    else, those that tests reach before those that none does, core files before others."""
    found = [
        Survivor(mutant, became, diff_of(mutant))
        for mutant in mutants
        if (became := fate(mutant, matched)) not in (KILLED, EQUIVALENT)
    ]
    return sorted(found, key=_boredom)


def most_interesting(found: Sequence[Survivor], count: int) -> list[Survivor]:
    """The first `count` of them, but no more than two of one function."""
    taken: Counter[tuple[str, str]] = Counter()
    chosen: list[Survivor] = []
    for each in found:
        function = each.mutant.file, each.mutant.function
        if len(chosen) < count and taken[function] < MOST_OF_ONE_FUNCTION:
            taken[function] += 1
            chosen.append(each)
    return chosen


def _boredom(survivor: Survivor) -> tuple[bool, bool, bool, str, str]:
    mutant = survivor.mutant
    return _only_text(survivor.diff), not mutant.tests, not is_core(mutant.file), mutant.file, mutant.name


def _only_text(diff: str) -> bool:
    """Whether nothing but the text of a string literal or a message is changed."""
    lines = changed_lines(diff).splitlines()
    old, new = ("\n".join(_TEXT.sub("''", line[1:]) for line in lines if line[0] == sign) for sign in "-+")
    return old == new
