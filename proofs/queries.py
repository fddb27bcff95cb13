# SPDX-License-Identifier: Apache-2.0
"""A claim as queries about integers: the first one proves it, the others are its wrong variants."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import z3

from proofs.evidence import Claim, Control, Options, Result, result
from proofs.solve import check, entails


@dataclass(frozen=True, slots=True)
class Query:
    """That the hypotheses entail the conclusion, for all integers; `wrong` says what is wrong in a wrong variant."""

    hypotheses: tuple[z3.BoolRef, ...]
    conclusion: z3.BoolRef
    wrong: str = ""


def proved(claim: Claim, queries: Sequence[Query], shown: Sequence[z3.ExprRef], options: Options) -> Result:
    """Prove a claim by its first query and refute the others; a counterexample tells the values of `shown`."""
    begin = time.perf_counter()
    right, *wrong = queries
    verdict = entails(claim.id, right.hypotheses, right.conclusion, options, comment=claim.statement)
    controls = tuple(Control(query.wrong, _refuted(query, shown, options)) for query in wrong)
    files = (verdict.file,) if verdict.file else ()
    seconds = time.perf_counter() - begin
    return result(claim, verdict.word, controls, seconds, verdict.reason, files=files)


def _refuted(query: Query, shown: Sequence[z3.ExprRef], options: Options) -> str:
    """A counterexample to the query as a sentence, or "" if there is none."""
    _, model, _ = check([*query.hypotheses, z3.Not(query.conclusion)], options)
    if model is None:
        return ""
    values = {str(name): model[name] for name in shown if model[name] is not None}
    return "it fails with " + ", ".join(f"{name} = {str(value).lower()}" for name, value in values.items())
