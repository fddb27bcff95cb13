# SPDX-License-Identifier: Apache-2.0
"""What the proof about `rtl/divu.v` leaves open: that the product its harness keeps is quotient · divisor.

`formal/divu_harness.sv` follows the unit's bits, from the highest on, with `bits` and `product` as below, and shows
product + remainder = dividend without an overflow. Here the rest is shown for all integers, by induction over bits.
"""

import z3

from proofs.evidence import PROVED, Claim, Options, Progress, Result
from proofs.queries import Query, proved

HOLES: tuple[str, ...] = (
    "D1 to D3 speak of integers, divu.division of registers. That the registers of the harness follow the same "
    "recurrence is compared as text by a test; that they never overflow is proved (a_fits, i_quotient). Induction "
    "over the bits is assumed.",
)

TRUSTED: tuple[str, ...] = ("proofs/division.py",)

FOLLOWED = (
    "bits <= {W{1'b0}};",
    "product <= {W+2{1'b0}};",
    "bits <= {bits[W-2:0], f_bit};",
    "product <= {product[W:0], 1'b0} + (f_bit ? d : {W{1'b0}});",
)
"""The lines of `formal/divu_harness.sv` that say the same as D1 and D2: the first values, and those after a bit."""

BITS, PRODUCT, DIVISOR, DIVIDEND, REMAINDER = z3.Ints("bits product divisor dividend remainder")
BIT = z3.Bool("bit")
SHOWN = (BITS, PRODUCT, BIT, DIVISOR, DIVIDEND, REMAINDER)


def _start(bits: int, product: int, wrong: str = "") -> Query:
    here = (bits == BITS, product == PRODUCT)
    return Query(here, PRODUCT == BITS * DIVISOR, wrong)


def _step(bits: z3.ArithRef, product: z3.ArithRef, wrong: str = "") -> Query:
    return Query((PRODUCT == BITS * DIVISOR,), product == bits * DIVISOR, wrong)


def _end(*hypotheses: z3.BoolRef, wrong: str = "") -> Query:
    divided = z3.And(BITS == DIVIDEND / DIVISOR, REMAINDER == DIVIDEND % DIVISOR)  # floors, for a positive divisor
    return Query((PRODUCT == BITS * DIVISOR, *hypotheses), divided, wrong)


SUM, BELOW = PRODUCT + REMAINDER == DIVIDEND, z3.And(REMAINDER >= 0, REMAINDER < DIVISOR)
QUERIES: dict[str, tuple[Query, ...]] = {
    "D1": (
        _start(0, 0),
        _start(1, 0, "bits begins at 1"),
    ),
    "D2": (
        _step(2 * BITS + z3.If(BIT, 1, 0), 2 * PRODUCT + z3.If(BIT, DIVISOR, 0)),
        _step(2 * BITS + z3.If(BIT, 1, 0), PRODUCT + z3.If(BIT, DIVISOR, 0), "product is not doubled"),
        _step(2 * BITS + z3.If(BIT, 0, 1), 2 * PRODUCT + z3.If(BIT, DIVISOR, 0), "bits gets the inverted bit"),
    ),
    "D3": (
        _end(SUM, BELOW),
        _end(SUM, z3.And(REMAINDER >= 0, REMAINDER <= DIVISOR, DIVISOR >= 1), wrong="remainder may equal divisor"),
        _end(BELOW, wrong="product and remainder need not make the dividend"),
    ),
}
"""For each claim the query that proves it, then its wrong variants."""


def _claim(id: str, statement: str, method: str) -> Claim:
    return Claim(id, statement, "formal/divu_harness.sv", method, PROVED, quick=True)


CLAIMS: tuple[Claim, ...] = (
    _claim("D1", "Before the first bit of a quotient product = bits·divisor: both are 0.", "z3, induction: base"),
    _claim(
        "D2",
        "If product = bits·divisor, that holds after the next bit too, with bits' = 2·bits + bit and product' = "
        "2·product + (bit ? divisor : 0).",
        "z3, induction: step",
    ),
    _claim(
        "D3",
        "If product = bits·divisor, product + remainder = dividend and 0 ≤ remainder < divisor, then bits and "
        "remainder are the quotient and the remainder of dividend by divisor.",
        "z3",
    ),
)


def prove(claim: Claim, options: Options, progress: Progress) -> Result:
    """Prove one claim and refute its wrong variants."""
    return proved(claim, QUERIES[claim.id], SHOWN, options)
