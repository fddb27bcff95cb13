# SPDX-License-Identifier: Apache-2.0
"""The proofs about the page table as a transition system, as claims of the evidence table."""

import time
from collections.abc import Sequence

from proofs.evidence import INDUCTIVE, PROVED, REFUTED, Claim, Control, Options, Progress, Result, result
from proofs.transitions import controls, controls_effects, foundations
from proofs.transitions.expanded import Finite
from proofs.transitions.operations import APPEND, FORK, NEW, RELEASE, ROWS, TRIM, TRUNCATE
from proofs.transitions.proving import Shown, bounded, proved, refuted, satisfied
from proofs.transitions.tasks import Task

HOLES: tuple[str, ...] = (
    "The transition system (`proofs/transitions/`) is a model of the page table written by hand, not lifted from "
    "`impl/`. A property test runs it in lockstep with the spec and with the implementation: the same refusals, the "
    "same states.",
    "That a refused operation changes nothing holds of the transition system by the way an operation is put together "
    "(it looks first, then acts); of `impl/` it is tested and explored.",
    "In the transition system an append of n rows is n appends of one row behind one test of capacity. Base and step "
    "of the induction over n are proved; induction itself is assumed. The same goes for histories: every operation "
    "preserves the invariants, so every history does.",
    "The number of members of a set of requests or pages is known by axioms (`proofs/transitions/axioms.py`) that hold "
    "of finite sets: pools and requests have no bound, but are finite. The axioms are held against counting for sets "
    "of up to four.",
    "In the transition system a page that is released or shared is found through the ghost index of the page, not "
    "by going through the table: the two are the same because no page is twice in one table, which is an invariant.",
    "The transition system takes any free page. That the implementation's stack hands out a fixed one is tested.",
    "A batch is the same operations one after the other behind one test; the transition system has no batches.",
    "With quantifiers z3 cannot show that a wrong variant fails. Wrong variants are refuted for pools of 3 pages of 2 "
    "rows and 2 requests, by the same definitions written out, and there the right ones are checked too.",
)

TRUSTED: tuple[str, ...] = (
    "proofs/transitions/axioms.py",
    "proofs/transitions/universe.py",
    "proofs/transitions/symbolic.py",
    "proofs/transitions/state.py",
    "proofs/transitions/operation.py",
    "proofs/transitions/operations.py",
    "proofs/transitions/invariants.py",
    "proofs/transitions/obligations.py",
    "proofs/transitions/effects.py",
    "proofs/transitions/lifting.py",
    "proofs/transitions/standing.py",
    "proofs/transitions/proving.py",
)

INDUCTION = "z3, induction"


def _claim(
    number: int, statement: str, about: str, method: str = INDUCTION, strength: str = INDUCTIVE, quick: bool = False
) -> Claim:
    return Claim(f"T{number:02}", statement, about, method, strength, quick)


_START = _claim(1, "A new pool satisfies every invariant.", "new pool", "z3", PROVED, True)
_NEW = _claim(2, "`new` preserves every invariant and starts an empty request.", "new")
_APPEND = _claim(
    3,
    "`append` of a row preserves every invariant, in place, onto a new page or onto a copy, and the row reads back.",
    "append",
    quick=True,
)
_FORK = _claim(4, "`fork` preserves every invariant; the new request shares every page and reads every row.", "fork")
_TRIM = _claim(
    5,
    "`trim` preserves every invariant and releases exactly the pages whose rows lie between the sinks and keep_from.",
    "trim",
)
_TRUNCATE = _claim(
    6, "`truncate` preserves every invariant and releases exactly the pages that keep no row.", "truncate"
)
_RELEASE = _claim(
    7, "`release` preserves every invariant; every page loses an owner and is free after its last.", "release"
)
_ROWS = _claim(8, "`rows` changes nothing, gives what was last written, and is refused only for released rows.", "rows")
_REFUSED = _claim(
    9, "A refused operation changes nothing, whichever it is and whatever it is refused for.", "all operations"
)
_ADMISSION = _claim(
    10, "An append of a row is refused for pages only if it needs one and none is free; nothing else ever is.", "append"
)
_ECONOMY = _claim(
    11, "An append takes a page or copies one only when it must, and touches no page that has no part in it.", "append"
)
_ISOLATION = _claim(
    12, "No operation changes what another request holds or reads; copy-on-write isolates all owners.", "all operations"
)
_MANY_PAGES = _claim(
    13,
    "An append of n rows is accepted exactly if `pages_needed` is at most the free pages, and takes exactly these.",
    "append, pages_needed",
)
_MANY_ROWS = _claim(
    14, "After an append of n rows all n read back in order, and every other retained row reads as before.", "append"
)
_FOLLOWS = _claim(
    15,
    "From the invariants: no page twice in a table, sharing at one index only, every page either free or in a table.",
    "invariants",
)
_COUNTED = _claim(
    16, "The pages that a request holds, counted along its table, are as many as its count says.", "pages held"
)
_DIVISION = _claim(
    17,
    "Rows, pages and offsets relate as the proofs over states take for granted, for every page size.",
    "impl/window.py",
    "z3",
    PROVED,
)
_AXIOMS = _claim(
    18, "The axioms about the size of a set agree with counting.", "axioms", "z3, finite", foundations.COUNTED
)

TASKS: dict[str, tuple[Task, ...]] = {
    _START.id: (controls.STARTS,),
    **{
        claim.id: (controls.PRESERVES[operation], *controls_effects.EFFECTS[operation])
        for claim, operation in (
            (_NEW, NEW),
            (_APPEND, APPEND),
            (_FORK, FORK),
            (_TRIM, TRIM),
            (_TRUNCATE, TRUNCATE),
            (_RELEASE, RELEASE),
            (_ROWS, ROWS),
        )
    },
    _REFUSED.id: controls.REFUSES,
    _ADMISSION.id: controls.ADMITS,
    _ECONOMY.id: (controls.ECONOMISES,),
    _ISOLATION.id: controls.ISOLATES,
    _MANY_PAGES.id: controls.MANY_PAGES,
    _MANY_ROWS.id: controls.MANY_ROWS,
    _FOLLOWS.id: (controls.FOLLOWS,),
    _COUNTED.id: (controls.COUNTED,),
}

CLAIMS: tuple[Claim, ...] = (
    _START,
    _NEW,
    _APPEND,
    _FORK,
    _TRIM,
    _TRUNCATE,
    _RELEASE,
    _ROWS,
    _REFUSED,
    _ADMISSION,
    _ECONOMY,
    _ISOLATION,
    _MANY_PAGES,
    _MANY_ROWS,
    _FOLLOWS,
    _COUNTED,
    _DIVISION,
    _AXIOMS,
)


def prove(claim: Claim, options: Options, progress: Progress) -> Result:
    """Prove one claim, and refute its wrong variants."""
    begin = time.perf_counter()
    if claim.id == _DIVISION.id:
        return _result(
            claim, foundations.divides(claim.id, options, claim.statement), foundations.wrong_facts(options), begin
        )
    if claim.id == _AXIOMS.id:
        return _result(claim, foundations.counts(options), foundations.wrong_axioms(options), begin)
    return prove_tasks(claim, TASKS[claim.id], options)


def prove_tasks(claim: Claim, tasks: Sequence[Task], options: Options) -> Result:
    """Prove a claim that consists of these obligations: each unbounded, its hypotheses met by concrete states, and on a
    finite domain. Stops at the first that is not shown, with a counterexample if the finite domain has one; else the
    wrong variants are refuted."""
    begin = time.perf_counter()
    files: list[str] = []
    queries = 0
    for number, task in enumerate(tasks):
        name = f"{claim.id}.{number + 1}" if len(tasks) > 1 else claim.id
        shown = proved(name, task.right, options, claim.statement)
        files += shown.files
        queries += shown.queries
        if shown.word != PROVED:
            finite = bounded(task.right, Finite(), options)
            word = REFUTED if finite.word == REFUTED else shown.word
            return _result(claim, Shown(word, "; ".join(filter(None, (shown.reason, finite.reason)))), (), begin)
        shown = satisfied(task.right, options)
        if shown.word == PROVED:
            shown = bounded(task.right, Finite(), options)
        if shown.word != PROVED:
            return _result(claim, shown, (), begin)
    refutations = tuple(
        refuted(wrong.wrong, wrong.obligation, Finite(), options) for task in tasks for wrong in task.wrong
    )
    return _result(claim, Shown(claim.strength, files=tuple(files), queries=queries), refutations, begin)


def _result(claim: Claim, shown: Shown, refutations: tuple[Control, ...], begin: float) -> Result:
    note = f"{shown.queries} queries" if shown.queries else ""
    seconds = time.perf_counter() - begin
    return result(claim, shown.word, refutations, seconds, shown.reason, note, shown.files)
