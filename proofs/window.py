# SPDX-License-Identifier: Apache-2.0
"""The window theorems as claims of the evidence table."""

import time

from proofs import theorems, theorems_pages
from proofs.controls import CONTROLS
from proofs.evidence import PROVED, Claim, Options, Progress, Result, result
from proofs.prover import Proof, show, used_lemmas
from proofs.statements import THEOREMS, Statement
from proofs.theorems_proved import METHODS, PROOFS
from proofs.variants import refuted

HOLES: tuple[str, ...] = (
    "The lifter (`proofs/lift.py` and what it imports) is trusted to give the source Python's meaning. It is tested: "
    "every lifted function agrees with Python on random inputs.",
    "The window theorems are about ints without bound. The arrays that the page table computes with are int64; that "
    "they never overflow is not proved.",
    "The functions of `impl/window.py` marked elementwise are proved for ints; that numpy's arrays of integers follow "
    "the same rules is tested, not proved.",
    "Induction itself is not proved by z3: base, step, and that no step can be the first to fail are; that every set "
    "of steps has a first one is assumed.",
    "That the pages a ≤ i < b are max(0, b−a) in number is assumed where pages are counted.",
    "`pages_holding` of the spec takes the largest member of a set and is not lifted; the theorems say what it says "
    "with `any(holds(…))`, and a test holds the two against each other on small sizes.",
    "z3 is trusted. `make prove-again` asks cvc5 the same questions; what it cannot answer rests on z3 alone.",
)

TRUSTED = (
    "spec/window.py",
    "spec/block_table.py",
    "proofs/theorems.py",
    "proofs/theorems_pages.py",
    "proofs/lift.py",
    "proofs/translate.py",
    "proofs/values.py",
    "proofs/source.py",
    "proofs/prover.py",
    "proofs/solve.py",
)


def _claim(statement: Statement) -> Claim:
    return Claim(
        statement.id,
        statement.sentence,
        statement.about,
        METHODS.get(statement.id, "z3"),
        PROVED,
        quick=True,
        limit=120.0,
    )


def _place(statement: Statement) -> tuple[int, str]:
    number, letter = statement.id.removeprefix("W").split(".")
    return int(number), letter


STATED = (theorems, theorems_pages)  # importing them registers their theorems
CLAIMS: tuple[Claim, ...] = tuple(_claim(statement) for statement in sorted(THEOREMS.values(), key=_place))


def prove(claim: Claim, options: Options, progress: Progress) -> Result:
    """Prove one theorem, with the lemmas it uses, and refute its wrong variants."""
    begin = time.perf_counter()
    statement = THEOREMS[claim.id]
    proof = PROOFS.get(claim.id, Proof())
    files: list[str] = []
    for step in used_lemmas(proof):
        shown = show(step, Proof(), options, f"{claim.id}.{step.id}")
        files.append(shown.file)
        if shown.word != PROVED:
            seconds = time.perf_counter() - begin
            return result(claim, shown.word, (), seconds, f"lemma {step.id}: {shown.reason}", files=tuple(files))
    shown = show(statement, proof, options)
    files.append(shown.file)
    reason = shown.reason
    if shown.counterexample:
        told = ", ".join(f"{name} = {value}" for name, value in shown.counterexample.items())
        reason = reason or f"false for {told}"
    controls = tuple(refuted(statement, proof, wrong, options) for wrong in CONTROLS.get(claim.id, ()))
    seconds = time.perf_counter() - begin
    return result(claim, shown.word, controls, seconds, reason, files=tuple(name for name in files if name))
