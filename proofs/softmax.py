# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of softmax, for all integers: what `rtl/ga2_sm.v` and `impl/chip/integers.py` make of their factors.

The scores have the powers e_1 … e_n, 0 ≤ e_i ≤ 255, the largest score has 255, S is their sum. R and r are the quotient
and the remainder of 127·2¹⁶ by S, and the weight of e is p(e) = (e·R + 2¹⁵) >> 16, which Q2 shows to need no limit.
"""

import z3

from proofs.evidence import PROVED, Claim, Options, Progress, Result
from proofs.queries import Query, proved

HOLES: tuple[str, ...] = (
    "Q1 to Q7 speak of integers, ga2_sm.* of registers: that S is the sum of the powers and R its quotient, which "
    "factors are multiplied and what is made of the product are claims of ga2_sm; that impl/chip/integers.py computes "
    "the same weights is tested. Induction over the scores (Q5, Q6) is assumed.",
)

TRUSTED: tuple[str, ...] = ("proofs/softmax.py",)

FULL = 127 * 2**16
ONE = 2**16
HALF = 2**15
TOP = 255
MOST = FULL // TOP

SUM, RECIPROCAL, REST = z3.Ints("sum reciprocal rest")
POWER, LARGER = z3.Ints("power larger")
SCORES, TOTAL, WEIGHTS = z3.Ints("scores total weights")
SHOWN = (SUM, RECIPROCAL, REST, POWER, LARGER, SCORES, TOTAL, WEIGHTS)

DIVIDED = z3.And(RECIPROCAL * SUM + REST == FULL, REST >= 0, REST < SUM)
A_POWER = z3.And(POWER >= 0, POWER <= TOP)
A_RECIPROCAL = z3.And(RECIPROCAL >= 0, RECIPROCAL <= MOST)


def rounded(power: z3.ArithRef, half: int = HALF) -> z3.ArithRef:
    """The weight of a power, before any limit: a floor, as the shift is."""
    return (power * RECIPROCAL + half) / ONE


def near(scores: z3.ArithRef, weights: z3.ArithRef, total: z3.ArithRef) -> z3.BoolRef:
    """The invariant: the weights of so many scores are, times 2¹⁶, within so many 2¹⁵ of R times their powers."""
    off = ONE * weights - RECIPROCAL * total
    return z3.And(off <= HALF * scores, -off <= HALF * scores)


def _reciprocal(least: int, most: int, wrong: str = "", divided: z3.BoolRef = DIVIDED) -> Query:
    fits = z3.And(RECIPROCAL >= 0, most >= RECIPROCAL, z3.Implies(SUM == TOP, most == RECIPROCAL))
    return Query((divided, least <= SUM), fits, wrong)


def _limit(top: int, most: int, wrong: str = "") -> Query:
    here = z3.And(POWER >= 0, top >= POWER, RECIPROCAL >= 0, most >= RECIPROCAL)
    product = POWER * RECIPROCAL
    fits = z3.And(product >= 0, product <= TOP * MOST, product + HALF < 2**23)
    return Query((here,), z3.And(fits, rounded(POWER) >= 0, rounded(POWER) <= 127), wrong)


def _order(*hypotheses: z3.BoolRef, strict: bool = False, wrong: str = "") -> Query:
    low, high = rounded(POWER), rounded(LARGER)
    return Query(hypotheses, low < high if strict else low <= high, wrong)


def _alone(power: int, wrong: str = "", half: int = HALF) -> Query:
    return Query((DIVIDED, SUM == TOP, power == POWER), rounded(POWER, half) == 127, wrong)


def _start(weights: int, wrong: str = "") -> Query:
    return Query((SCORES == 0, weights == WEIGHTS, TOTAL == 0), near(SCORES, WEIGHTS, TOTAL), wrong)


def _step(half: int, wrong: str = "", total: z3.ArithRef = TOTAL + POWER) -> Query:
    here = (A_POWER, A_RECIPROCAL, near(SCORES, WEIGHTS, TOTAL))
    return Query(here, near(SCORES + 1, WEIGHTS + rounded(POWER, half), total), wrong)


def _end(most: z3.ArithRef, off: z3.ArithRef, divided: z3.BoolRef = DIVIDED, wrong: str = "") -> Query:
    here = (divided, SCORES >= 1, SUM >= TOP, most >= SUM, near(SCORES, WEIGHTS, SUM))
    return Query(here, z3.And(off >= WEIGHTS - 127, off >= 127 - WEIGHTS), wrong)


QUERIES: dict[str, tuple[Query, ...]] = {
    "Q1": (
        _reciprocal(TOP, MOST),
        _reciprocal(TOP - 1, MOST, "the sum may be 254"),
        _reciprocal(TOP, MOST - 1, "the quotient is said to be at most 32638"),
        _reciprocal(TOP, MOST, "the remainder may be negative", z3.And(RECIPROCAL * SUM + REST == FULL, REST < SUM)),
    ),
    "Q2": (
        _limit(TOP, MOST),
        _limit(TOP + 1, MOST, "a power may be 256"),
        _limit(TOP, FULL // (TOP - 1), "the reciprocal may be that of a sum of 254"),
    ),
    "Q3": (
        _order(A_RECIPROCAL, A_POWER, LARGER >= POWER),
        _order(A_RECIPROCAL, A_POWER, wrong="any two powers"),
        _order(A_RECIPROCAL, A_POWER, LARGER > POWER, strict=True, wrong="a larger power has a larger weight"),
        _order(A_POWER, LARGER >= POWER, wrong="the reciprocal may be negative"),
    ),
    "Q4": (
        _alone(TOP),
        _alone(TOP - 2, "the power is 253"),
        _alone(TOP, "rounded down", half=0),
    ),
    "Q5": (
        _start(0),
        _start(1, "the sum of the weights begins at 1"),
    ),
    "Q6": (
        _step(HALF),
        _step(0, "rounded down"),
        _step(HALF, "the power is not added", TOTAL),
    ),
    "Q7": (
        _end(TOP * SCORES, SCORES),
        _end(TOP * SCORES, SCORES / 2, wrong="within n/2"),
        _end(ONE * SCORES, SCORES, wrong="a power may be 65536"),
        _end(TOP * SCORES, SCORES, RECIPROCAL * SUM + REST == FULL, "the remainder may be anything"),
    ),
}
"""For each claim the query that proves it, then its wrong variants."""


def _claim(id: str, statement: str, method: str = "z3") -> Claim:
    return Claim(id, statement, "impl.chip.integers.softmax", method, PROVED, quick=True)


CLAIMS: tuple[Claim, ...] = (
    _claim("Q1", "The quotient R of 127·2¹⁶ by a sum of 255 or more is at most 32639; by 255 it is 32639."),
    _claim(
        "Q2",
        "For a power e ≤ 255 and R ≤ 32639, e·R ≤ 255·32639, e·R + 2¹⁵ fits in 23 bits, and the weight p(e) = "
        "(e·R + 2¹⁵) >> 16 is from 0 to 127: the limit of 127 never takes anything away.",
    ),
    _claim("Q3", "A larger power has no smaller weight, equal powers have equal ones: p(e) ≤ p(f) for 0 ≤ e ≤ f."),
    _claim("Q4", "A single score, of power and sum 255, has the weight 127."),
    _claim("Q5", "Before the first score |2¹⁶·Σp − R·Σe| ≤ k·2¹⁵, for k = 0 scores.", "z3, induction: base"),
    _claim(
        "Q6",
        "If |2¹⁶·Σp − R·Σe| ≤ k·2¹⁵ for k scores, it holds for k + 1 scores after any power e ≤ 255 and its weight are "
        "added.",
        "z3, induction: step",
    ),
    _claim(
        "Q7",
        "If |2¹⁶·Σp − R·S| ≤ n·2¹⁵ for all n scores, with R the quotient of 127·2¹⁶ by S and 255 ≤ S ≤ 255·n, then "
        "|Σp − 127| ≤ n.",
    ),
)


def prove(claim: Claim, options: Options, progress: Progress) -> Result:
    """Prove one claim and refute its wrong variants."""
    return proved(claim, QUERIES[claim.id], SHOWN, options)
