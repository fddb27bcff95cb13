# SPDX-License-Identifier: Apache-2.0
"""The exploration: every state is reached, every planted mistake found by a shortest history."""

from collections.abc import Iterator

import pytest

from impl.cache import PagedCache
from proofs.evidence import Options, judged, silent
from proofs.explore import CLAIMS, EXPLORATIONS, hunt, prove, sized, told
from proofs.explore.scope import Scope, key
from proofs.explore.search import search
from proofs.mistakes import IN_PAGE_TABLE, Mistake, Stale, applied
from spec import block_table as spec
from spec.block_table import State
from spec.conformance.lockstep import replay

SMALL = Scope(3, 2, 2, 4, (0, 1))


def states_of_the_spec(scope: Scope) -> int:
    """How many states the spec alone reaches in a scope without batches, counted by running it."""

    def successors(state: State) -> Iterator[State]:
        for operation in scope.operations(state):
            name, *rest = operation.arguments
            if operation.kind == "append":
                assert isinstance(rest[0], int)
                yield spec.append(state, name, (0,) * rest[0])[0]
            elif operation.kind in ("new", "fork", "trim", "truncate", "release"):
                yield getattr(spec, operation.kind)(state, name, *rest)[0]

    seen = {key(State(scope.pages, scope.page_size))}
    frontier = [State(scope.pages, scope.page_size)]
    while frontier:
        state = frontier.pop()
        for after in successors(state):
            if key(after) not in seen:
                seen.add(key(after))
                frontier.append(after)
    return len(seen)


def test_all_states_that_the_spec_reaches_are_explored() -> None:
    found = search(PagedCache, SMALL, processes=1)
    assert not found.told
    assert found.states == states_of_the_spec(SMALL) == 164
    assert found.transitions > 40 * found.states


def test_the_number_of_processes_changes_nothing() -> None:
    alone, shared = (search(PagedCache, SMALL, processes=count) for count in (1, 2))
    assert (alone.states, alone.transitions, alone.depth) == (shared.states, shared.transitions, shared.depth)


def test_one_page_and_one_request_by_hand() -> None:
    """No request; or one with 0, 1 rows, or with its only row released: four states."""
    found = search(PagedCache, Scope(1, 1, 1, 1), processes=1)
    assert (found.states, found.told) == (4, "")


@pytest.mark.parametrize("name", IN_PAGE_TABLE)
def test_every_mistake_is_found_by_a_short_history(name: str) -> None:
    found = hunt(SMALL, name)
    assert found.told
    assert len(found.history) <= 5
    assert told(found).startswith("1. new('a'")
    with applied(IN_PAGE_TABLE[name]), pytest.raises(AssertionError):
        replay(PagedCache, SMALL.pages, SMALL.page_size, found.history)
    replay(PagedCache, SMALL.pages, SMALL.page_size, found.history)


def test_a_refusal_that_changes_a_hidden_part_is_found() -> None:
    hidden = Mistake(
        "a refused append spoils the free stack",
        "impl.append:refuse_beyond_free",
        "raise OutOfPages(",
        "store.owners.stack[free - 1 : free][:] = 7; raise OutOfPages(",
    )
    IN_PAGE_TABLE["hidden"] = hidden
    try:
        found = hunt(Scope(1, 2, 1, 2), "hidden")
    finally:
        del IN_PAGE_TABLE["hidden"]
    assert "unchanged-after-refusal" in found.told


def test_a_stale_mistake_is_said() -> None:
    with pytest.raises(Stale, match="should have it once"), applied(Mistake("", "impl.window:ceil_div", "nowhere", "")):
        pass


def test_the_keys_forget_names_and_contents_only() -> None:
    def cache(first: str, second: str, shared: bool, row: int) -> State:
        state = State(4, 2)
        state, _ = spec.new(state, first)
        state, _ = spec.append(state, first, [row] * 3)
        if shared:
            return spec.fork(state, first, second)[0]
        state, _ = spec.new(state, second)
        return spec.append(state, second, [row] * 3)[0]

    assert key(cache("a", "b", True, 1)) == key(cache("b", "a", True, 2))
    assert key(cache("a", "b", True, 1)) != key(cache("a", "b", False, 1))
    assert key(spec.truncate(cache("a", "b", False, 1), "b", 2)[0]) == key(
        spec.truncate(cache("a", "b", False, 1), "a", 2)[0]
    )


def test_a_claim_is_proved_at_another_budget_and_judged() -> None:
    claim = next(claim for claim in CLAIMS if claim.id == "E1")
    options = Options(budget=0.5)
    found = judged(claim, prove(claim, options, silent), options)
    assert found.short == ""
    assert found.strength.endswith("up to 4 rows, sinks 0 or 1 or 3, batches of two")
    assert len(found.controls) == len(IN_PAGE_TABLE)
    assert all(control.found.startswith("found after ") for control in found.controls)


def test_budgets_change_the_longest_request() -> None:
    scope = EXPLORATIONS["E2"].scope
    assert [sized(scope, budget).longest for budget in (0.25, 1.0, 2.0, 8.0)] == [5, 7, 8, 10]
