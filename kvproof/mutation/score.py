# SPDX-License-Identifier: Apache-2.0
"""Scores: how many mutants of a file or a function were killed, of those that are not equivalent; and the targets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from kvproof.mutation.equivalents import Matched
from kvproof.mutation.results import CRASHED, KILLED, SURVIVED, TIMED_OUT, Mutant
from kvproof.mutation.targets import CORE_TARGET, OTHERS, OTHERS_TARGET, OVERALL_TARGET, files, is_core

EQUIVALENT = "equivalent"
FATES = (KILLED, SURVIVED, TIMED_OUT, CRASHED, EQUIVALENT)


@dataclass(frozen=True, slots=True)
class Score:
    """How many mutants of `what` there are of each fate. An equivalent one is nothing else besides."""

    what: str
    counts: dict[str, int]

    def made(self) -> int:
        """All mutants."""
        return sum(self.counts.values())

    def counted(self) -> int:
        """Those that are not equivalent."""
        return self.made() - self.counts[EQUIVALENT]

    def percent(self) -> float:
        """Per cent killed of the mutants that are not equivalent; 100 when there are none."""
        return 100 * self.counts[KILLED] / self.counted() if self.counted() else 100.0

    def shown(self) -> str:
        """The percentage with one decimal, rounded down: 100.0 % means all of them."""
        return f"{int(self.percent() * 10) / 10:.1f} %"


def fate(mutant: Mutant, matched: Matched) -> str:
    """What became of a mutant."""
    return EQUIVALENT if mutant.name in matched.entries else mutant.status


def score(what: str, mutants: Iterable[Mutant], matched: Matched) -> Score:
    """The score of these mutants."""
    counts = dict.fromkeys(FATES, 0)
    for mutant in mutants:
        counts[fate(mutant, matched)] += 1
    return Score(what, counts)


def by_file(mutants: Sequence[Mutant], matched: Matched) -> list[Score]:
    """One score for each file, in order."""
    return [
        score(file, [mutant for mutant in mutants if mutant.file == file], matched)
        for file in dict.fromkeys(mutant.file for mutant in mutants)
    ]


def by_function(mutants: Sequence[Mutant], matched: Matched) -> list[Score]:
    """One score for each function, as "file function", in order."""
    groups: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        groups.setdefault(f"{mutant.file} {mutant.function}", []).append(mutant)
    return [score(what, group, matched) for what, group in groups.items()]


def missed(mutants: Sequence[Mutant], matched: Matched) -> list[str]:
    """What is below its target, as sentences. Of the overall ones only those whose files are all here."""
    here = {mutant.file for mutant in mutants}
    scores = [(each, CORE_TARGET) for each in by_file(mutants, matched) if is_core(each.what)]
    groups = ((" ".join(OTHERS), OTHERS, OTHERS_TARGET), ("everything", ("*",), OVERALL_TARGET))
    for what, patterns, target in groups:
        wanted = {file for file in files() if any(fnmatch(file, pattern) for pattern in patterns)}
        group = [mutant for mutant in mutants if mutant.file in wanted]
        if group and all(file in here or file.endswith("__init__.py") for file in wanted):
            scores.append((score(what, group, matched), target))
    return [
        f"{each.what}: {each.shown()} of the mutants are killed, the target is {target:g} %"
        for each, target in scores
        if each.percent() < target
    ]
