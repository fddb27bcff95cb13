# SPDX-License-Identifier: Apache-2.0
"""Runs the proofs with several solver seeds: `python -m proofs --stable`. No proof may hang on luck."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from proofs.evidence import Options, Result
from proofs.workers import Job, prove_all

SEEDS = (0, 1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Sweep:
    """One claim over all seeds: its strength with each, and the least and the most seconds it took."""

    id: str
    strengths: tuple[str, ...]
    shorts: tuple[str, ...]
    least: float
    most: float

    @property
    def stable(self) -> bool:
        """Whether every seed reached the same, and that is what is claimed."""
        return len(set(self.strengths)) == 1 and not any(self.shorts)


def sweep(jobs: Sequence[Job], options: Options, done: Callable[[Result], None]) -> list[Sweep]:
    """Run every claim that is not exclusive (those use no solver) with each seed."""
    jobs = [job for job in jobs if not job[1].exclusive]
    runs = [prove_all(jobs, replace(options, seed=seed), done) for seed in SEEDS]
    return [over_seeds(results) for results in zip(*runs, strict=True)]


def over_seeds(results: Sequence[Result]) -> Sweep:
    """The results of one claim with each seed, taken together."""
    seconds = [result.seconds for result in results]
    return Sweep(
        results[0].id,
        tuple(result.strength for result in results),
        tuple(result.short for result in results),
        min(seconds),
        max(seconds),
    )
