# SPDX-License-Identifier: Apache-2.0
"""The state of the page table as functions: what the implementation stores, and ghosts that only the proof sees."""

from collections.abc import Callable
from dataclasses import dataclass, fields

from proofs.transitions.universe import Term, Universe

Of = Callable[..., Term]


@dataclass(frozen=True, slots=True)
class State:
    """A state. Each entry is a function of the things named; `height` and `free` belong to the whole pool.

    Stored: what `impl/` keeps. Ghost: `own` (requests that hold a page), `index` (logical index at which a page is
    held), `free` (the set of pages on the free stack), `written` (what was last written as a row of a request).
    """

    live: Of  # request → bool
    length: Of  # request → rows
    sinks: Of  # request → rows
    begin: Of  # request → first page of the hole; begin = end = 0 when there is none
    end: Of  # request → end of the hole, in pages
    held: Of  # request → pages that it holds, kept by counting up and down
    has: Of  # request, index → whether the table has a page there
    table: Of  # request, index → page
    count: Of  # page → reference count
    stacked: Of  # page → how often it is on the free stack
    content: Of  # page, offset → value
    height: Of  # → height of the free stack
    own: Of  # page → set of requests (ghost)
    index: Of  # page → index (ghost)
    free: Of  # → set of pages (ghost)
    written: Of  # request, row → value (ghost)


SIGNATURES: dict[str, tuple[tuple[str, ...], str]] = {
    "live": (("request",), "bool"),
    "length": (("request",), "number"),
    "sinks": (("request",), "number"),
    "begin": (("request",), "number"),
    "end": (("request",), "number"),
    "held": (("request",), "number"),
    "has": (("request", "index"), "bool"),
    "table": (("request", "index"), "page"),
    "count": (("page",), "number"),
    "stacked": (("page",), "number"),
    "content": (("page", "offset"), "value"),
    "height": ((), "number"),
    "own": (("page",), "requests"),
    "index": (("page",), "index"),
    "free": ((), "pages"),
    "written": (("request", "row"), "value"),
}

GHOSTS = ("own", "index", "free", "written")


def names() -> tuple[str, ...]:
    """The fields of a state."""
    return tuple(field.name for field in fields(State))


def at(u: Universe, function: Of, place: tuple[Term, ...], value: Term) -> Of:
    """The function with one value changed."""

    def changed(*arguments: Term) -> Term:
        here = u.conj(*(argument == part for argument, part in zip(arguments, place, strict=True)))
        return u.ite(here, value, function(*arguments))

    return changed


def where(u: Universe, condition: Of, then: Of, other: Of) -> Of:
    """The function that is `then` where the condition holds, else `other`."""

    def chosen(*arguments: Term) -> Term:
        return u.ite(condition(*arguments), then(*arguments), other(*arguments))

    return chosen


def chosen(u: Universe, condition: Term, then: State, other: State) -> State:
    """The one state or the other, field by field."""
    parts = {name: where(u, lambda *_: condition, getattr(then, name), getattr(other, name)) for name in names()}
    return State(**parts)


def holds(u: Universe, s: State, request: Term, page: Term) -> Term:
    """Whether the table of a live request names the page, at the one index where it can be."""
    index = s.index(page)
    return u.conj(s.has(request, index), s.table(request, index) == page)
