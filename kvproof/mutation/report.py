# SPDX-License-Identifier: Apache-2.0
"""What a finished run comes to: printed, as plain data, and whether it is good enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kvproof.mutation.equivalents import Matched, load, match
from kvproof.mutation.results import CRASHED, KILLED, SURVIVED, TIMED_OUT, Mutant, read
from kvproof.mutation.score import EQUIVALENT, Score, by_file, by_function, missed, score
from kvproof.mutation.survivors import Survivor, most_interesting, survivors
from kvproof.mutation.targets import not_mutated
from kvproof.ui import say, table

SHOWN = 10
HEADINGS = {
    KILLED: "killed",
    SURVIVED: "sur-\nvived",
    TIMED_OUT: "timed\nout",
    CRASHED: "crashed",
    EQUIVALENT: "equi-\nvalent",
}


@dataclass(frozen=True, slots=True)
class Report:
    """Scores, survivors (the most interesting first), functions left out, and what is wrong: missed targets and faults
    of the list."""

    files: list[Score]
    functions: list[Score]
    total: Score
    survivors: list[Survivor]
    matched: Matched
    not_mutated: list[str]
    wrong: list[str]


def report(files: Sequence[str]) -> Report:
    """The report on the last run, for these files. UsageError when it did not test them all."""
    mutants: list[Mutant] = read(files)
    matched = match(load(), mutants)
    return Report(
        by_file(mutants, matched),
        by_function(mutants, matched),
        score("all", mutants, matched),
        survivors(mutants, matched),
        matched,
        not_mutated(files),
        matched.faults + missed(mutants, matched),
    )


def show(done: Report, all_functions: bool) -> None:
    """Print it. Functions of which all mutants are killed are left out unless `all_functions`."""
    _table("file", (*done.files, done.total), "Mutants by file")
    functions = [each for each in done.functions if all_functions or each.percent() < 100]
    if functions:
        title = "Mutants by function" if all_functions else "Functions with survivors"
        _table("function", functions, title)
    chosen = most_interesting(done.survivors, SHOWN)
    if chosen:
        say(f"{len(chosen)} of {len(done.survivors):,} mutants that were not killed, the most interesting ones:")
    for survivor in chosen:
        reached = "" if survivor.mutant.tests else ", no test reaches it"
        say(f"\n{survivor.mutant.name}  ({survivor.fate}{reached})\n{survivor.diff}")
    if done.not_mutated:
        say(f"\nNot mutated, because they have a decorator: {', '.join(done.not_mutated)}")
    for sentence in done.wrong:
        say(f"FAILED: {sentence}", "red")
    if not done.wrong:
        say(f"PASS: {done.total.shown()} of {done.total.counted():,} mutants that make a difference are killed")


def _table(what: str, scores: Sequence[Score], title: str) -> None:
    """One row a score. The column of what has crashed is left out when nothing has: the rest fits 80 columns."""
    fates = [fate for fate in HEADINGS if fate != CRASHED or any(each.counts[CRASHED] for each in scores)]
    rows = [
        (each.what, each.made(), *(each.counts[fate] for fate in fates), each.shown().removesuffix(" %"))
        for each in scores
    ]
    table((what, "all", *(HEADINGS[fate] for fate in fates), "score\n(%)"), rows, title)


def figures(done: Report, seconds: float | None) -> dict[str, Any]:
    """Everything in it as plain data; `seconds` is how long the run took, None when it is an earlier one.

    Of a run that was stopped and went on it is the last part.
    """
    return {
        "seconds": seconds,
        "total": _figures(done.total),
        "files": [_figures(each) for each in done.files],
        "functions": [_figures(each) for each in done.functions],
        "not_killed": [
            {"name": each.mutant.name, "fate": each.fate, "reached": each.mutant.tests, "diff": each.diff}
            for each in done.survivors
        ],
        "equivalent": [
            {"name": name, "evidence": entry.evidence, "text": entry.text}
            for name, entry in done.matched.entries.items()
        ],
        "not_mutated": done.not_mutated,
        "wrong": done.wrong,
    }


def _figures(each: Score) -> dict[str, Any]:
    return {"what": each.what, "mutants": each.made(), **each.counts, "percent": round(each.percent(), 3)}
