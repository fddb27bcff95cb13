# SPDX-License-Identifier: Apache-2.0
"""Drawn operations: repeatable, of every kind, and only of those that a target is capable of."""

from collections import Counter

from kvproof.targets.plain import PlainCache
from spec.block_table import State
from spec.conformance.drawing import WEIGHTS, Draw, RandomChooser, Scope, draw_scope
from spec.conformance.lockstep import start
from spec.conformance.operations import NEEDS, Operation, capabilities_needed
from spec.conformance.target import CAPABILITIES


def drawn(seed: str, count: int, capabilities: frozenset[str]) -> list[Operation]:
    """Operations as they are drawn while a cache runs them."""
    chooser = RandomChooser(seed)
    scope = draw_scope(chooser)
    lockstep = start(PlainCache, scope.pages, scope.page_size)
    draw = Draw(scope, capabilities, chooser)
    operations = []
    for _ in range(count):
        operation = draw.operation(lockstep.state)
        lockstep.run(operation)
        operations.append(operation)
    return operations


def test_the_same_seed_draws_the_same() -> None:
    assert drawn("1", 300, PlainCache.capabilities) == drawn("1", 300, PlainCache.capabilities)
    assert drawn("1", 300, PlainCache.capabilities) != drawn("2", 300, PlainCache.capabilities)


def test_scopes_are_of_all_sizes() -> None:
    scopes = [draw_scope(RandomChooser(str(seed))) for seed in range(2_000)]
    assert {scope.pages for scope in scopes} == set(range(1, 41))
    assert {scope.page_size for scope in scopes} == {1, 2, 3, 4, 5, 8}
    assert all(1 <= scope.window <= 2 * scope.page_size + 1 for scope in scopes)
    assert sum(scope.pages > 12 for scope in scopes) < len(scopes) / 5


def test_numbers_are_drawn_from_their_whole_range() -> None:
    chooser = RandomChooser("0")
    assert {chooser.integer(-2, 3) for _ in range(500)} == set(range(-2, 4))
    assert chooser.integer(5, 5) == 5
    assert {chooser.choice("abc") for _ in range(100)} == set("abc")


def test_only_what_the_target_is_capable_of_is_drawn() -> None:
    for capabilities in (frozenset[str](), frozenset({"fork", "trim"}), PlainCache.capabilities):
        operations = [operation for seed in range(8) for operation in drawn(str(seed), 200, capabilities)]
        assert capabilities_needed(operations) <= capabilities
        kinds = Counter(operation.kind for operation in operations)
        assert set(kinds) == {kind for kind, needs in NEEDS.items() if needs is None or needs in capabilities}


def test_every_kind_of_operation_has_a_weight_and_a_capability() -> None:
    assert set(WEIGHTS) == set(NEEDS)
    assert {needs for needs in NEEDS.values() if needs is not None} <= set(CAPABILITIES)


def test_an_empty_state_gives_new_requests_and_strangers() -> None:
    draw = Draw(Scope(2, 2, 3), PlainCache.capabilities, RandomChooser("0"))
    kinds = Counter(draw.operation(State(2, 2)).kind for _ in range(500))
    assert kinds["new"] > 400
    assert len(kinds) > 5


def test_operations_print_as_the_call_that_makes_them() -> None:
    from spec.conformance import operations

    for seed in range(4):
        for operation in drawn(str(seed), 200, PlainCache.capabilities):
            assert eval(str(operation), vars(operations)) == operation
