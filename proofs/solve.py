# SPDX-License-Identifier: Apache-2.0
"""One query to z3: are the hypotheses satisfiable, and do they entail the conclusion?

Every query that proves something is also written as SMT-LIB 2 with the answer that is expected of it, so that another
solver can be asked the same question.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import z3

from proofs.evidence import PROVED, REFUTED, TIMEOUT, VACUOUS, Options


@dataclass(frozen=True, slots=True)
class Verdict:
    """PROVED, REFUTED (with a model), VACUOUS or TIMEOUT (z3 said unknown: `reason`); the SMT-LIB file if written."""

    word: str
    seconds: float
    model: z3.ModelRef | None = None
    reason: str = ""
    file: str = ""


def entails(
    name: str,
    hypotheses: Sequence[z3.BoolRef],
    conclusion: z3.BoolRef,
    options: Options,
    satisfied_by: Sequence[z3.BoolRef] = (),
    comment: str = "",
) -> Verdict:
    """Whether the hypotheses entail the conclusion for all values of the free constants.

    First the hypotheses are shown satisfiable, together with `satisfied_by` (equations that fix a concrete state:
    needed where quantifiers would make z3 answer `unknown`). `name` is the file name without its ending.
    """
    begin = time.perf_counter()
    answer, _, reason = check([*hypotheses, *satisfied_by], options)
    if answer == z3.unsat:
        return Verdict(VACUOUS, time.perf_counter() - begin, reason="the hypotheses contradict each other")
    if answer != z3.sat:
        return Verdict(TIMEOUT, time.perf_counter() - begin, reason=f"hypotheses not shown satisfiable: {reason}")
    query = [*hypotheses, z3.Not(conclusion)]
    file = write(name, query, options, comment)
    answer, model, reason = check(query, options)
    seconds = time.perf_counter() - begin
    if answer == z3.unsat:
        return Verdict(PROVED, seconds, file=file)
    if answer == z3.sat:
        return Verdict(REFUTED, seconds, model, file=file)
    return Verdict(TIMEOUT, seconds, reason=reason, file=file)


def check(assertions: Sequence[z3.BoolRef], options: Options) -> tuple[z3.CheckSatResult, z3.ModelRef | None, str]:
    """z3's answer, its model when it is `sat`, its reason when it is `unknown`."""
    solver = z3.Solver()
    solver.set("timeout", max(1, round(options.timeout * 1000)))
    solver.set("random_seed", options.seed)
    solver.add(*assertions)
    answer = solver.check()
    if answer == z3.sat:
        return answer, solver.model(), ""
    return answer, None, solver.reason_unknown() if answer == z3.unknown else ""


def write(name: str, assertions: Sequence[z3.BoolRef], options: Options, comment: str = "") -> str:
    """Write a query that should be `unsat` as SMT-LIB; returns the file's name, or "" when none is asked for."""
    if options.smt is None:
        return ""
    solver = z3.Solver()
    solver.add(*assertions)
    heading = "".join(f"; {line}\n" for line in comment.splitlines())
    body = "\n".join(line for line in solver.to_smt2().splitlines() if not line.startswith((";", "(set-info")))
    options.smt.mkdir(parents=True, exist_ok=True)
    (options.smt / f"{name}.smt2").write_text(
        f"{heading}(set-info :status unsat)\n(set-logic ALL)\n{body}\n", encoding="utf-8"
    )
    return f"{name}.smt2"
