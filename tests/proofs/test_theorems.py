# SPDX-License-Identifier: Apache-2.0
"""The theorems as properties of Python itself, their wrong variants against recorded sentences, and what is covered."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from proofs import window
from proofs.controls import CONTROLS
from proofs.evidence import PROVED, REFUTED, VACUOUS, Options, silent
from proofs.prover import Proof, holds, show
from proofs.statements import LEMMAS, THEOREMS, shipped, theorem
from proofs.theorems_proved import METHODS, PROOFS
from proofs.variants import Wrong, variant
from spec.window import holds as page_holds
from spec.window import pages_holding

GOLDEN = Path(__file__).parent.parent / "data" / "refuted_variants.json"
DRAWS, ENOUGH, PLENTY = 10_000, 2, 50


@pytest.mark.parametrize("name", [*THEOREMS, *LEMMAS])
def test_python_finds_no_exception_to_a_theorem(name: str) -> None:
    statement = {**THEOREMS, **LEMMAS}[name]
    chance = random.Random(name)
    met = 0
    for _ in range(DRAWS):
        low, most = chance.choice((-1, 0, 0, 0)), chance.choice((2, 3, 6))
        arguments = {
            name: chance.random() < 0.5 if kind == "bool" else chance.randint(low, most)
            for name, kind in statement.parameters.items()
        }
        if holds(statement, arguments):
            met += 1
            assert statement.function(**arguments) is True, f"{name} is false for {arguments}"
        if met == PLENTY:
            break
    assert met >= ENOUGH, f"only {met} of {DRAWS} draws satisfy the hypotheses of {name}"


@pytest.mark.parametrize("name", list(THEOREMS))
def test_every_theorem_is_proved_and_each_of_its_wrong_variants_is_told_as_recorded(name: str) -> None:
    claim = next(claim for claim in window.CLAIMS if claim.id == name)
    found = window.prove(claim, Options(), silent)
    assert (found.strength, found.short) == (PROVED, "")
    recorded = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert {control.wrong: control.found for control in found.controls} == recorded[name]


def test_the_record_has_no_other_theorems() -> None:
    assert set(json.loads(GOLDEN.read_text(encoding="utf-8"))) == set(THEOREMS) == set(CONTROLS)
    assert set(PROOFS) | set(METHODS) <= set(THEOREMS)


def test_every_shipped_function_is_in_a_theorem() -> None:
    about = {name for statement in THEOREMS.values() for name in statement.about.split(", ")}
    helpers = {"ceil_div"}  # called by pages_for and released_begin, and proved by its contract
    assert set(shipped()) - helpers <= about


def test_all_twelve_subjects_are_there() -> None:
    numbers = [int(claim.id.removeprefix("W").split(".")[0]) for claim in window.CLAIMS]
    assert sorted(set(numbers)) == list(range(1, 13))
    assert numbers == sorted(numbers)


def test_a_theorem_with_hypotheses_that_clash_is_vacuous() -> None:
    clashing = replace(THEOREMS["W4.a"], given=(*THEOREMS["W4.a"].given, "window < page", "page < window"))
    assert show(clashing, Proof(), Options()).word == VACUOUS


def test_a_theorem_is_only_true_where_python_computes_a_value() -> None:
    without_page = replace(THEOREMS["W12.b"], given=())
    shown = show(without_page, Proof(), Options())
    assert shown.word == REFUTED
    assert shown.counterexample == {"page": 0}


def test_a_wrong_variant_must_change_exactly_one_place() -> None:
    for old in ("nothing like this", "return"):
        with pytest.raises(ValueError, match="not once"):
            variant(THEOREMS["W1.a"], Wrong("", "code", old, "", ""))
    with pytest.raises(ValueError, match="does not occur once"):
        variant(THEOREMS["W1.a"], Wrong("", "given", "nothing like this", "", ""))


def test_a_wrong_variant_leaves_the_theorem_as_it_was() -> None:
    broken = variant(THEOREMS["W3.b"], CONTROLS["W3.b"][0])
    arguments = {"held": 0, "step": 1, "window": 1, "page": 1}
    assert not broken.function(**arguments)
    assert THEOREMS["W3.b"].function(**arguments)


def test_two_theorems_cannot_have_one_name() -> None:
    with pytest.raises(ValueError, match=r"two statements have the name W1\.a"):
        theorem("W1.a")(page_holds)


def test_the_pages_of_a_set_are_those_that_hold_one_of_its_rows() -> None:
    for members in range(1 << 6):
        rows = {row for row in range(6) if members >> row & 1}
        for page_size in (1, 2, 3, 7):
            expected = {index for index in range(7) if any(page_holds(index, row, page_size) for row in rows)}
            assert pages_holding(rows, page_size) == expected
