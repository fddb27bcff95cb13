# SPDX-License-Identifier: Apache-2.0
"""The eighteen named mistakes, planted in the real implementation: each is caught by a check that names the law.

Those that mutmut makes are named by what it makes of which function; that it makes them, and not the others, is tested.
"""

import ast
from functools import cache

import libcst
import pytest
from mutmut.mutation.file_mutation import Mutation, create_mutations

from kvproof.targets.find import find
from proofs import decoding
from proofs.mistakes import IN_PAGE_TABLE, IN_WINDOW_AND_HOST, NAMED, TWINS, Mistake, applied, patched
from spec.conformance import violation
from spec.conformance.hunt import hunt
from tests import by_hand, named_mutants
from tests.chip.plain_step import plain_step
from tests.conformance.test_discovery_in_our_source import EXPECTED
from tests.layers import APART, HERE, LAYERS, ROOT, said

LAWS = {
    **{name: laws for name, (_, laws) in EXPECTED.items()},
    "reference-row-more": "reference",
    "context-token-more": "rows",
    "gather-row-late": "gather",
    "values-for-keys": "inputs",
    "never-released": "pages",
    "trim-token-late": "pages",
}
"""The laws that a mistake may be found to break: which one is met first is chance."""

TWIN_LAWS = {**LAWS, "trim-token-late": "rows", "empty-copy": "economy, content"}

WASTEFUL_OR_HIDDEN = ("trim-too-little", "reference-row-more", "never-released", "trim-token-late")


def caught(mistake: Mistake, by_machine: bool) -> str:
    """What the state machine or the laws of decoding say: the whole message."""
    with applied(mistake):
        if by_machine:
            found = hunt(find("kvproof").factory)
            return str(found.violation) if found else ""
        seen = decoding.hunt(0)
        return str(seen.broken) if seen else ""


def named(message: str) -> str:
    """The law that a message names, in its own words."""
    law = message.partition(":")[0]
    words = {**violation.LAWS, **decoding.LAWS}[law]
    assert f"(the law: {words})" in message
    return law


def test_they_are_the_eighteen_in_their_order() -> None:
    assert len(NAMED) == 18
    assert list(NAMED) == [*IN_PAGE_TABLE, *IN_WINDOW_AND_HOST] == list(LAWS)
    assert list(NAMED).index("trim-too-little") == 10 - 1
    assert list(NAMED).index("exhaustion-unreported") == 12 - 1


@pytest.mark.parametrize("name", NAMED)
def test_each_is_caught_by_a_check_that_names_the_law(name: str) -> None:
    message = caught(NAMED[name], name in IN_PAGE_TABLE)
    assert named(message) in LAWS[name].split(", ")


@pytest.mark.parametrize("name", TWINS)
def test_so_is_its_twin(name: str) -> None:
    message = caught(TWINS[name], name in IN_PAGE_TABLE)
    assert named(message) in TWIN_LAWS[name].split(", ")


# mutmut.


@cache
def mutations_of(module: str) -> tuple[str, libcst.Module, list[Mutation]]:
    """A module's source, and what mutmut makes of it."""
    file = (ROOT / module.replace(".", "/")).with_suffix(".py")
    code = file.read_text(encoding="utf-8")
    parsed, mutations, _, _ = create_mutations(str(file), code)
    return code, parsed, mutations


def is_made(mistake: Mistake) -> bool:
    """Whether the source with the mistake is a mutant that mutmut makes, in that function and to the last character."""
    module, wrong = patched(mistake)
    _, parsed, mutations = mutations_of(module)
    function = mistake.function.rpartition(":")[2].rpartition(".")[2]
    for mutation in mutations:
        outer = mutation.contained_by_top_level_function
        if not isinstance(outer, libcst.FunctionDef) or outer.name.value != function:
            continue
        if parsed.code_for_node(mutation.mutated_node).strip() not in wrong:
            continue
        made = parsed.deep_replace(mutation.original_node, mutation.mutated_node)
        if isinstance(made, libcst.Module) and made.code == wrong:
            return True
    return False


@pytest.mark.parametrize("name", TWINS)
def test_mutmut_makes_the_twin(name: str) -> None:
    assert is_made(TWINS[name])


@pytest.mark.parametrize("name", NAMED)
def test_mutmut_makes_no_other_mistake_of_the_list(name: str) -> None:
    assert is_made(NAMED[name]) == (NAMED[name] == TWINS.get(name))


@pytest.mark.parametrize("mistake", [*NAMED.values(), *TWINS.values()], ids=lambda mistake: mistake.wrong)
def test_a_mistake_is_one_change_of_one_line(mistake: Mistake) -> None:
    module, wrong = patched(mistake)
    code = (ROOT / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
    assert ast.dump(ast.parse(wrong)) != ast.dump(ast.parse(code))
    pairs = zip(code.splitlines(), wrong.splitlines(), strict=True)
    assert sum(before != after for before, after in pairs) == 1


# The matrix.


def test_the_matrix_is_of_all_mistakes_and_layers() -> None:
    found = named_mutants.recorded()
    assert list(found) == list(NAMED)
    assert all(list(layers) == list(LAYERS) for layers in found.values())


@pytest.mark.parametrize("name", NAMED)
def test_each_is_caught_by_two_layers_at_least(name: str) -> None:
    layers = [layer for layer, message in named_mutants.recorded()[name].items() if message]
    assert len(layers) >= 2
    if name in WASTEFUL_OR_HIDDEN:
        assert set(layers) & {"state machine", "laws of decoding"}


@pytest.mark.parametrize("layer", HERE)
def test_a_quick_layer_says_what_was_recorded(layer: str) -> None:
    """Of the mistakes and of the code as it is. The order in which laws are met may change, so only whether."""
    assert said(layer, None) == ""
    found = named_mutants.recorded()
    now = {name: bool(said(layer, mistake)) for name, mistake in NAMED.items()}
    assert now == {name: bool(found[name][layer]) for name in NAMED}


def test_a_layer_apart_runs_the_changed_source() -> None:
    """The trim point is one token too late, which the command finds out by itself."""
    message = said("co-simulation", NAMED["trim-token-late"])
    assert message == named_mutants.recorded()["trim-token-late"]["co-simulation"]
    assert "pages in use, the formula says" in message
    assert set(APART) == {"proofs", "co-simulation"}


def test_the_readme_shows_the_matrix() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert named_mutants.renewed(text, named_mutants.recorded()) == text


# The examples.


@pytest.mark.parametrize("example", by_hand.EXAMPLES)
def test_the_examples_hold(example: by_hand.Example) -> None:
    assert example() == ""


def test_the_integers_by_hand_are_those_of_plain_arithmetic() -> None:
    model = by_hand.int8_model()
    keys: list[list[int]] = []
    values: list[list[int]] = []
    for token in by_hand.TOKENS:
        logits, _ = plain_step(model, token, keys, values)
        del keys[:-2], values[:-2]
    assert logits == by_hand.INTEGERS
