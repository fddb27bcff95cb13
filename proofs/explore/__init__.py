# SPDX-License-Identifier: Apache-2.0
"""Exhaustive exploration as claims of the evidence table: all states of small scopes, and mistakes to be found."""

import time
from dataclasses import dataclass, replace
from functools import partial
from math import floor, log2
from multiprocessing import get_context

from impl.cache import PagedCache
from proofs.evidence import EXHAUSTED, REFUTED, Claim, Control, Options, Progress, Result, result
from proofs.explore.scope import Scope
from proofs.explore.search import Found, search
from proofs.mistakes import IN_PAGE_TABLE, applied

HOLES: tuple[str, ...] = (
    "Exploration takes two states for one when requests, lengths, sinks and tables agree up to the names of pages and "
    "requests. What the page table keeps besides (the order of the free stack, where a table lies in the arena, marks "
    "on pages that were shared once, contents of rows) is that of the history by which the state was first reached.",
    "Exploration draws refused arguments at the edges (one beyond, −1, a stranger), not all of them.",
)

TRUSTED: tuple[str, ...] = ("proofs/explore/scope.py", "proofs/explore/sight.py", "proofs/explore/walk.py")


@dataclass(frozen=True, slots=True)
class Exploration:
    """A scope and the mistakes that are planted in it."""

    scope: Scope
    mistakes: tuple[str, ...]
    quick: bool = False


EXPLORATIONS = {
    "E1": Exploration(Scope(3, 2, 2, 5, (0, 1, 3), batches=True), tuple(IN_PAGE_TABLE), quick=True),
    "E2": Exploration(Scope(5, 2, 3, 7, (0, 1)), ("no-copy", "trim-too-little")),
    "E3": Exploration(Scope(5, 2, 3, 6, (0, 1, 2)), ("copy-keeps-reference", "dropped-ignored")),
    "E4": Exploration(Scope(6, 3, 2, 14, (0, 1, 4)), ("trim-too-far", "offset-of-larger-page")),
    "E5": Exploration(Scope(4, 2, 4, 4), ("freed-while-shared", "fork-not-counted")),
    "E6": Exploration(Scope(4, 2, 3, 4, (0, 1), batches=True), ("empty-copy", "exhaustion-unreported")),
}

CLAIMS: tuple[Claim, ...] = tuple(
    Claim(
        id,
        "Every operation on every reachable state does what the spec says, and every refusal changes nothing.",
        "impl/cache.py",
        "exploration",
        f"{EXHAUSTED} to {exploration.scope}",
        quick=exploration.quick,
        exclusive=True,
    )
    for id, exploration in EXPLORATIONS.items()
)


def prove(claim: Claim, options: Options, progress: Progress) -> Result:
    """Exhaust the scope of the claim, larger with a larger budget, and find each planted mistake."""
    began = time.perf_counter()
    exploration = EXPLORATIONS[claim.id]
    scope = sized(exploration.scope, options.budget)
    found = search(PagedCache, scope, progress=progress)
    controls = tuple(_control(name, mistaken) for name, mistaken in _planted(exploration))
    note = (
        f"{found.states:,} states, {found.transitions:,} transitions, depth {found.depth}, "
        f"{found.pace:,.0f} transitions a second"
    )
    strength = REFUTED if found.told else f"{EXHAUSTED} to {scope}"
    return result(claim, strength, controls, time.perf_counter() - began, short=told(found), note=note)


def sized(scope: Scope, budget: float) -> Scope:
    """The scope with requests a row longer for each doubling of the budget, or shorter for each halving."""
    return replace(scope, longest=max(1, scope.longest + floor(log2(budget))))


def told(found: Found) -> str:
    """A failure as the numbered history that leads to it; nothing when there is none."""
    if not found.told:
        return ""
    steps = " ".join(f"{number}. {operation}" for number, operation in enumerate(found.history, 1))
    return f"{steps}: {found.told}"


def _planted(exploration: Exploration) -> list[tuple[str, Found]]:
    """Each mistake that is planted in the scope, with the search for it; the searches run side by side."""
    with get_context("spawn").Pool() as pool:
        return list(
            zip(exploration.mistakes, pool.map(partial(hunt, exploration.scope), exploration.mistakes), strict=True)
        )


def hunt(scope: Scope, name: str) -> Found:
    """The search for the mistake of that name in `scope`."""
    with applied(IN_PAGE_TABLE[name]):
        return search(PagedCache, scope, processes=1)


def _control(name: str, found: Found) -> Control:
    reached = f"found after {found.states:,} states and {found.transitions:,} transitions: {told(found)}"
    return Control(IN_PAGE_TABLE[name].wrong, reached if found.told else "")
