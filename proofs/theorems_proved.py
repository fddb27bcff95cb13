# SPDX-License-Identifier: Apache-2.0
"""How the theorems are proved, where z3 needs more than the statement: witnesses for any/all, and lemmas.

A lemma is proved like a theorem, in a query of its own, before anything may use it.
"""

from impl.window import pages_for
from proofs.prover import Proof
from proofs.statements import lemma


@lemma("last_page", "rows >= 1 and page >= 1")
def last_page(rows: int, page: int) -> bool:
    """The page of the last row is the last page."""
    return pages_for(rows, page) == (rows - 1) // page + 1


@lemma("partial_page", "rows >= 0 and page >= 1 and rows % page != 0")
def partial_page(rows: int, page: int) -> bool:
    """A last page that is partial comes after the full ones."""
    return pages_for(rows, page) == rows // page + 1


@lemma("full_pages", "rows >= 0 and page >= 1")
def full_pages(rows: int, page: int) -> bool:
    """The rows are those of the full pages and the rest."""
    return rows == rows // page * page + rows % page


PROOFS: dict[str, Proof] = {
    "W1.d": Proof(witnesses=("step + 1",)),
    "W1.e": Proof(witnesses=("step + 1",)),
    "W1.f": Proof(witnesses=("max(first_row(step, window), index * page)",)),
    "W1.g": Proof(witnesses=("index * page", "max(keep_from(step, window, sinks), index * page)", "step + 1")),
    "W2.b": Proof(witnesses=("index * page", "max(keep_from(step, window, sinks), index * page)", "step + 1")),
    "W5.a": Proof(witnesses=("max(start, index * page)",)),
    "W7.a": Proof(witnesses=("index * page", "(index + 1) * page - 1")),
    "W10.d": Proof(lemmas=(("last_page", "rows", "page"),)),
    "W10.e": Proof(lemmas=(("last_page", "rows", "page"),)),
    "W10.f": Proof(lemmas=(("last_page", "rows", "page"),)),
    "W10.g": Proof(lemmas=(("partial_page", "rows", "page"), ("full_pages", "rows", "page"))),
    "W8.a": Proof(witnesses=("first_row(step - back + 1, window)",)),
}

METHODS: dict[str, str] = {
    "W3.a": "z3, induction: base",
    "W3.b": "z3, induction: step",
    "W3.c": "z3, induction: both imply it",
    "W3.d": "z3, induction",
    "W4.b": "z3, witness",
    "W4.d": "z3, witness",
    "W5.c": "z3, witness",
    "W6.d": "z3, witness",
    "W9.b": "z3, witness",
    "W9.d": "z3, witness",
    "W10.f": "z3, induction: step",
    "W11.b": "z3, witness",
    "W12.b": "z3, witness",
}
