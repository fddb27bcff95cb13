# SPDX-License-Identifier: Apache-2.0
"""The quick part of the proofs, without writing anything: what `kvproof verify` shows."""

from collections.abc import Callable
from dataclasses import dataclass

from proofs import workers
from proofs.catalogue import claims
from proofs.evidence import Options, Result, silent


@dataclass(frozen=True, slots=True)
class Quick:
    """What became of every quick claim just now."""

    results: tuple[Result, ...]

    def claims(self) -> int:
        """How many were proved."""
        return sum(not result.short for result in self.results)

    def refuted(self) -> int:
        """How many wrong variants were refuted."""
        return sum(bool(control.found) for result in self.results for control in result.controls)


def quick(seed: int = 0, advance: Callable[[str], None] = silent) -> Quick:
    """Prove every quick claim and refute its wrong variants; `advance` hears how far it is. A few seconds."""
    jobs = [(module, claim) for module, claim in claims().values() if claim.quick]
    done: list[Result] = []

    def keep(result: Result) -> None:
        done.append(result)
        advance(f"{len(done)} of {len(jobs)} claims")

    return Quick(tuple(workers.prove_all(jobs, Options(seed=seed, quick=True), keep)))
