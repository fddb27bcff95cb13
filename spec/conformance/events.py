# SPDX-License-Identifier: Apache-2.0
"""The interesting things that can happen in a history: a search that never saw one of them proves little."""

from collections.abc import Iterator
from typing import Any

from spec import block_table as spec
from spec.block_table import Page, Refusal, RequestId, State
from spec.conformance.operations import NEEDS, Operation

_REFUSED = {
    "new": (Refusal.REQUEST_EXISTS,),
    "append": (Refusal.UNKNOWN_REQUEST, Refusal.OUT_OF_PAGES),
    "append_batch": (Refusal.UNKNOWN_REQUEST, Refusal.OUT_OF_PAGES),
    "fork": (Refusal.UNKNOWN_REQUEST, Refusal.REQUEST_EXISTS),
    "trim": (Refusal.UNKNOWN_REQUEST, Refusal.BAD_ARGUMENT),
    "trim_batch": (Refusal.UNKNOWN_REQUEST, Refusal.BAD_ARGUMENT),
    "truncate": (Refusal.UNKNOWN_REQUEST, Refusal.BAD_ARGUMENT),
    "rows": (Refusal.UNKNOWN_REQUEST, Refusal.BAD_ARGUMENT),
    "release": (Refusal.UNKNOWN_REQUEST,),
    "pages_needed": (Refusal.UNKNOWN_REQUEST, Refusal.BAD_ARGUMENT),
    "length": (Refusal.UNKNOWN_REQUEST,),
    "pages_held": (Refusal.UNKNOWN_REQUEST,),
    "table": (Refusal.UNKNOWN_REQUEST,),
}

EVENTS: dict[str, frozenset[str]] = {
    "append over several pages": frozenset(),
    "append that fills a page exactly": frozenset(),
    "append that takes the last free page": frozenset(),
    "reuse of a freed page": frozenset(),
    "released name used again": frozenset(),
    "copy-on-write": frozenset({"fork"}),
    "append of nothing to a shared tail": frozenset({"fork"}),
    "append to a page that used to be shared": frozenset({"fork"}),
    "release of a shared page": frozenset({"fork"}),
    "fork of an empty request": frozenset({"fork"}),
    "fork of a trimmed request": frozenset({"fork", "trim"}),
    "trim of a shared page": frozenset({"fork", "trim"}),
    "trim of every page": frozenset({"trim"}),
    "rows behind a hole": frozenset({"trim"}),
    "hole behind sinks": frozenset({"trim", "sinks"}),
    "truncate into a shared page": frozenset({"fork", "truncate"}),
    "truncate in front of a hole": frozenset({"trim", "truncate"}),
    "truncate right behind a hole": frozenset({"trim", "truncate"}),
    "batch with a request twice": frozenset({"batch"}),
    "batch with two owners of a shared tail": frozenset({"batch", "fork"}),
    "batch with nothing for a shared tail": frozenset({"batch", "fork"}),
    "batch refused though its first append fits": frozenset({"batch"}),
    "batch that trims a page of two owners away": frozenset({"batch", "fork", "trim"}),
    "new refused: BadArgument": frozenset({"sinks"}),
    "truncate refused: RowsReleased": frozenset({"trim", "truncate"}),
    "rows refused: RowsReleased": frozenset({"trim"}),
    **{
        f"{kind} refused: {refusal.value}": frozenset({needs} if (needs := NEEDS[kind]) else ())
        for kind, refusals in _REFUSED.items()
        for refusal in refusals
    },
}
"""Every event by name, and the capabilities without which it cannot happen."""


class Watch:
    """Sees the events of one history."""

    def __init__(self, pages: int) -> None:
        self._pages = pages
        self._taken = 0
        self._shared: set[Page] = set()
        self._released: set[RequestId] = set()

    def events(self, before: State, operation: Operation, outcome: object, after: State) -> list[str]:
        """The events of one operation that took the spec from `before` to `after` with this outcome."""
        kind = operation.kind
        if isinstance(outcome, Refusal):
            seen = [f"{kind} refused: {outcome.value}"]
            if kind == "append_batch" and outcome is Refusal.OUT_OF_PAGES and _first_fits(before, operation):
                seen.append("batch refused though its first append fits")
            return seen
        by_kind = getattr(self, f"_{kind}", None)
        return list(by_kind(before, after, *operation.arguments)) if by_kind is not None else []

    def _new(self, before: State, after: State, name: str, sinks: int = 0) -> Iterator[str]:
        if name in self._released:
            yield "released name used again"

    def _append(self, before: State, after: State, name: str, count: int) -> Iterator[str]:
        old, new = before.requests[name], after.requests[name]
        if count == 0:
            if spec.tail_is_shared(before, old):
                yield "append of nothing to a shared tail"
            return
        taken = len(set(new.pages) - set(old.pages))
        self._taken += taken
        if taken and self._taken > self._pages:
            # More pages taken than there are: whichever it hands out first, by now the target reuses one.
            yield "reuse of a freed page"
        if taken > 1:
            yield "append over several pages"
        if len(new.rows) % after.page_size == 0:
            yield "append that fills a page exactly"
        if taken and not spec.free_pages(after):
            yield "append that takes the last free page"
        if spec.tail_is_shared(before, old):
            yield "copy-on-write"
        elif len(old.rows) % before.page_size and old.pages[-1] in self._shared:
            yield "append to a page that used to be shared"
        self._shared.difference_update(page for page in new.pages if page not in old.pages and page is not None)

    def _append_batch(
        self, before: State, after: State, names: tuple[str, ...], counts: tuple[int, ...]
    ) -> Iterator[str]:
        if len(set(names)) < len(names):
            yield "batch with a request twice"
        shared = [name for name in sorted(set(names)) if spec.tail_is_shared(before, before.requests[name])]
        written = {name for name, count in zip(names, counts, strict=True) if count}
        if written and not written.issuperset(shared):
            yield "batch with nothing for a shared tail"
        tails = [before.requests[name].pages[-1] for name in shared if name in written]
        if len(set(tails)) < len(tails):
            yield "batch with two owners of a shared tail"

    def _trim_batch(
        self, before: State, after: State, names: tuple[str, ...], keep_froms: tuple[int, ...]
    ) -> Iterator[str]:
        gone = _named(before) - _named(after)
        if any(sum(page in request.pages for request in before.requests.values()) > 1 for page in gone):
            yield "batch that trims a page of two owners away"

    def _fork(self, before: State, after: State, source: str, name: str) -> Iterator[str]:
        request = after.requests[name]
        self._shared.update(page for page in request.pages if page is not None)
        if not request.rows:
            yield "fork of an empty request"
        if None in request.pages:
            yield "fork of a trimmed request"

    def _trim(self, before: State, after: State, name: str, keep_from: int) -> Iterator[str]:
        old, new = before.requests[name], after.requests[name]
        gone = {page for page in old.pages if page is not None} - set(new.pages)
        if gone & _named(after):
            yield "trim of a shared page"
        if gone and spec.pages_held(new) == 0:
            yield "trim of every page"
        if gone and spec.hole(after, new)[0] > 0:
            yield "hole behind sinks"

    def _truncate(self, before: State, after: State, name: str, length: int) -> Iterator[str]:
        old, new = before.requests[name], after.requests[name]
        if length < len(old.rows) and spec.tail_is_shared(after, new):
            yield "truncate into a shared page"
        if None in old.pages and None not in new.pages:
            yield "truncate in front of a hole"
        if None in new.pages and length < len(old.rows) and length == spec.hole(after, new)[1]:
            yield "truncate right behind a hole"

    def _rows(self, before: State, after: State, name: str, low: int, high: int) -> Iterator[str]:
        if low < high and low >= spec.hole(after, after.requests[name])[1] > 0:
            yield "rows behind a hole"

    def _release(self, before: State, after: State, name: str) -> Iterator[str]:
        self._released.add(name)
        if set(before.requests[name].pages) & _named(after):
            yield "release of a shared page"


def _named(state: State) -> set[Any]:
    """The pages that any request holds."""
    return {page for request in state.requests.values() for page in request.pages if page is not None}


def _first_fits(state: State, operation: Operation) -> bool:
    names: Any
    counts: Any
    names, counts = operation.arguments
    _, needed = spec.pages_needed(state, names[0], counts[0])
    return isinstance(needed, int) and 0 < needed <= len(spec.free_pages(state))
