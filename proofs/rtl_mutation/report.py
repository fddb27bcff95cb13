# SPDX-License-Identifier: Apache-2.0
"""The scores: a table on the screen, every survivor with a waveform, all of it as JSON.

Killed by formal is the sum of two columns: `by a trace`, which shows what was proved never to happen, and `unproved
only`, where no trace was found and the proof does not go through any more, so that the harness is red all the same.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from proofs.output import write, write_json
from proofs.rtl.tools import versions
from proofs.rtl_mutation.score import ALIVE, COSIM_ONLY, EQUIVALENT, FORMAL_ONLY, UNKNOWN, Score, Verdict
from proofs.rtl_mutation.traces import told, vcd
from proofs.rtl_mutation.trial import Trial
from proofs.rtl_mutation.units import ROOT

WIDTH = 160
COLUMNS = {
    "unit": "unit",
    "mutants": "mu-\ntants",
    "equivalent": "equi-\nvalent",
    "killed": "killed",
    "by formal": "by\nformal",
    "by a trace": "by a\ntrace",
    "unproved only": "un-\nproved\nonly",
    "by co-simulation": "by co-\nsimu-\nlation",
    "formal only": "formal\nonly",
    "alive": "alive",
    "killed %": "killed\n%",
}
"""Each with its heading, so that the table fits a screen of 80 columns."""


def finish(
    console: Console,
    trials: Sequence[Trial],
    missing: Sequence[str],
    problems: Sequence[str] | None,
    seed: int,
    seconds: float,
    json: Path | None,
) -> int:
    """Print and write everything; returns the exit code. `problems` is None when interrupted. Raises OSError."""
    scores = [trial.score() for trial in trials]
    if scores:
        console.print(table(scores))
    for trial, score in zip(trials, scores, strict=True):
        for line in survivors(trial, score):
            console.print(escape(line), highlight=False)
    if json:
        write_json(json, as_json(trials, scores, [*missing, *(problems or ())], seed, seconds))
    if problems is None:
        console.print("interrupted; the same command goes on from here")
        return 130
    short = [*missing, *problems, *(line for score in scores for line in score.short())]
    short += [f"{trial.unit.name}: not finished" for trial in trials if not trial.ended]
    for line in short:
        console.print(f"[red]{escape(line)}[/]", highlight=False)
    console.print(summary(scores, short), style="red" if short else "green", highlight=False)
    return 1 if short else 0


def table(scores: Sequence[Score]) -> Table:
    """A line for each unit and one for all."""
    found = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for heading in COLUMNS.values():
        found.add_column(heading, justify="left" if heading == "unit" else "right", no_wrap=True)
    for score in scores:
        found.add_row(*map(str, row(score)), style="red" if score.short() else "")
    if len(scores) > 1:
        rows = [row(score)[1:-1] for score in scores]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        share = sums[2] / (sums[0] - sums[1]) if sums[0] > sums[1] else 0.0
        found.add_row("all", *map(str, sums), f"{share:.1%}", style="bold")
    return found


def row(score: Score) -> tuple[Any, ...]:
    """The figures of a unit, in the order of the columns."""
    share = f"{score.killed / score.different:.1%}" if score.different else "–"
    counts = (len(score.verdicts), score.count(EQUIVALENT), score.killed)
    formal = (score.formal, score.traced, score.unproved)
    return (score.unit.name, *counts, *formal, score.cosim, score.count(FORMAL_ONLY), score.count(ALIVE), share)


def survivors(trial: Trial, score: Score) -> list[str]:
    """A line for every mutant that is alive or, once all was tried, that only co-simulation kills.

    Their waveforms go into `survivors/` in the folder of the unit.
    """
    found = []
    kinds = (ALIVE, COSIM_ONLY) if trial.ended else ()
    facts = trial.store.mutants("miter")
    for verdict in score.verdicts:
        if verdict.kind not in kinds:
            continue
        mutant, fact = verdict.mutant, facts.get(verdict.mutant.number, {})
        how = "no difference found, and not proved equivalent" if verdict.miter == UNKNOWN else ""
        if "trace" in fact:
            file = trial.folder / "survivors" / f"{mutant.number}.vcd"
            write(file, vcd(fact["trace"], f"{trial.unit.name} {mutant.number}: {mutant.where}"))
            ports = told(fact["trace"], fact["ports"])
            how = f"differs in cycle {fact['cycle']}: {ports} ({file.relative_to(ROOT)})"
        found.append(f"{trial.unit.name} {mutant.number} {verdict.kind}: {mutant.where}: {how}")
    return found


def summary(scores: Sequence[Score], short: Sequence[str]) -> str:
    """One line about all units."""
    mutants = sum(len(score.verdicts) for score in scores)
    killed, different = sum(score.killed for score in scores), sum(score.different for score in scores)
    only = sum(score.count(FORMAL_ONLY) for score in scores)
    share = f", {killed / different:.1%}" if different else ""
    verdict = f"{len(short)} FALL SHORT" if short else "every unit reaches its score"
    traced, unproved = sum(score.traced for score in scores), sum(score.unproved for score in scores)
    formal = f"{traced} by a trace of a harness, {unproved} only because its proof is lost, {only} not by co-simulation"
    equivalent = f"{mutants - different} of {mutants} mutants equivalent"
    return f"{verdict}: {killed} of {different} killed{share}; {formal}; {equivalent}"


def as_json(
    trials: Sequence[Trial], scores: Sequence[Score], problems: Sequence[str], seed: int, seconds: float
) -> dict[str, Any]:
    """Everything as plain data."""
    short = [*problems, *(line for score in scores for line in score.short())]
    return {
        "ok": not short and all(trial.ended for trial in trials),
        "seed": seed,
        "versions": versions(),
        "seconds": round(seconds, 1),
        "short": short,
        "units": [
            {
                **dict(zip(COLUMNS, row(score), strict=True)),
                "parts": {part.name: part.parameters for part in trial.parts},
                "list": [_verdict(verdict, trial) for verdict in score.verdicts],
            }
            for trial, score in zip(trials, scores, strict=True)
        ],
    }


def _verdict(verdict: Verdict, trial: Trial) -> dict[str, Any]:
    fact = trial.store.mutants("miter").get(verdict.mutant.number, {})
    return {
        "number": verdict.mutant.number,
        "where": verdict.mutant.where,
        "yosys": verdict.mutant.options,
        "kind": verdict.kind,
        "properties": verdict.labels,
        "cycle": verdict.cycle,
        "unproved": verdict.unproved,
        "co-simulation": verdict.difference,
        "miter": verdict.miter,
        "differs in": fact.get("ports", []),
    }
