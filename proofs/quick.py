# SPDX-License-Identifier: Apache-2.0
"""The quick part of the proofs, in this process and without writing anything: what `kvproof verify` shows."""

from collections.abc import Callable
from dataclasses import dataclass

from proofs.catalogue import claims
from proofs.evidence import Options, silent
from proofs.workers import prove_here


@dataclass(frozen=True, slots=True)
class Quick:
    """How many claims were proved just now, how many wrong variants refuted, and what falls short ("" when nothing)."""

    claims: int
    refuted: int
    short: str


def quick(seed: int = 0, advance: Callable[[str], None] = silent) -> Quick:
    """Prove every quick claim and refute its wrong variants; `advance` hears how far it is. A few seconds."""
    options = Options(seed=seed, quick=True)
    jobs = [(module, claim) for module, claim in claims().values() if claim.quick]
    results = []
    for number, (module, claim) in enumerate(jobs, 1):
        results.append(prove_here(module, claim, options, silent))
        advance(f"{number} of {len(jobs)} claims")
    refuted = sum(bool(control.found) for result in results for control in result.controls)
    short = "; ".join(f"{result.id}: {result.short}" for result in results if result.short)
    return Quick(sum(not result.short for result in results), refuted, short)
