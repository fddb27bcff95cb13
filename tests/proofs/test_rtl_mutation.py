# SPDX-License-Identifier: Apache-2.0
"""The mutation score of the RTL harnesses is honest: killed, alive and equivalent mutants are told apart."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from proofs.rtl_mutation import designs as designs_module
from proofs.rtl_mutation import equivalence, formal, models, smt
from proofs.rtl_mutation.designs import Design, Part, designs, parts
from proofs.rtl_mutation.mutants import Mutant
from proofs.rtl_mutation.score import ALIVE, CONTRADICTION, DIFFERS, EQUIVALENT, FORMAL_ONLY, UNKNOWN, Score, Verdict
from tests.proofs import toy_unit

KILLED, HIDDEN, UNWATCHED, HELPER = 1, 2, 3, 4
"""Inverts a bit of the count; `both` is always 0; `flag` is always 0; inverts a bit of `turn`."""


class Toy:
    """The toy with four mutants, in both models."""

    def __init__(self, place: Path) -> None:
        self.designs: list[Design] = designs(toy_unit.UNIT, place)
        self.part: Part = parts(toy_unit.UNIT, self.designs, place)[0]
        wires = ((KILLED, "inv", "count"), (HIDDEN, "const0", "both"), (UNWATCHED, "const0", "flag"))
        self.mutants: list[Mutant] = [
            toy_unit.mutant(number, self.designs[0], self.part, mode, wire)
            for number, mode, wire in (*wires, (HELPER, "inv", "turn"))
        ]
        models.mutated(self.designs[0], [self.part], self.mutants, place / "mutated.smt2")
        models.paired(self.designs[0], self.part, self.mutants, place / "pair.smt2")
        self.mutated = smt.parse((place / "mutated.smt2").read_text())
        self.pair = smt.parse((place / "pair.smt2").read_text())

    def search(self, seconds: float = 60.0) -> formal.Search:
        """What the harness finds."""
        return formal.search(self.mutated, [1, 2, 3, 4], [], toy_unit.UNIT.depth, seconds, lambda _: None)

    def compare(self, when: dict[str, str], seconds: float = 60.0) -> equivalence.Compared:
        """What the miter finds."""
        pair = equivalence.Pair(self.pair, "toy", when)
        return equivalence.compare(pair, [1, 2, 3, 4], toy_unit.UNIT.depth, seconds, lambda _: None)

    def score(self, compared: equivalence.Compared) -> Score:
        """The score with the harness alone."""
        failures = {failure.mutant: failure for failure in self.search().failures}
        different = {difference.mutant for difference in compared.differences}
        verdicts = []
        for mutant in self.mutants:
            number = mutant.number
            miter = DIFFERS if number in different else EQUIVALENT if number in compared.equivalent else UNKNOWN
            failure = failures.get(number)
            labels, cycle = (failure.labels, failure.cycle) if failure else ((), None)
            verdicts.append(Verdict(mutant, labels, cycle, None, miter))
        return Score(toy_unit.UNIT, verdicts)


@pytest.fixture(scope="module")
def toy() -> Iterator[Toy]:
    with toy_unit.folder() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(designs_module, "FORMAL", place)
        yield Toy(place)


def test_the_harness_kills_what_it_looks_at(toy: Toy) -> None:
    found = {failure.mutant: failure for failure in toy.search().failures}
    assert found.keys() == {KILLED, HELPER}
    assert found[KILLED].labels == ("a_count",)
    assert found[KILLED].cycle == 2  # reset, the first count, and the edge that samples it
    assert "i_turn" in found[HELPER].labels


def test_the_miter_knows_what_differs_and_what_cannot(toy: Toy) -> None:
    compared = toy.compare({})
    differences = {difference.mutant: difference for difference in compared.differences}
    assert compared.equivalent == {HIDDEN}
    assert differences.keys() == {KILLED, UNWATCHED, HELPER}
    flag = differences[UNWATCHED]
    assert flag.ports == ("flag",)
    assert flag.cycle == 3
    assert flag.trace["flag"][1:] == [0, 0, 1]
    assert flag.trace["gate_flag"][1:] == [0, 0, 0]
    assert flag.trace["step"][1:3] == [1, 1]


def test_the_score_of_the_toy(toy: Toy) -> None:
    score = toy.score(toy.compare({}))
    kinds = {verdict.mutant.number: verdict.kind for verdict in score.verdicts}
    assert kinds == {KILLED: FORMAL_ONLY, HIDDEN: EQUIVALENT, UNWATCHED: ALIVE, HELPER: FORMAL_ONLY}
    assert (score.different, score.killed, score.formal, score.cosim) == (3, 2, 2, 0)
    assert score.short() == [
        "toy: 2 of 3 killed, less than 95%",
        "toy: 2 of 3 killed by formal, less than 85%",
    ]


def test_a_miter_that_looks_away_contradicts_the_harness(toy: Toy) -> None:
    """Outputs that matter only while `both` is up never do: then a mutant that the harness kills seems equivalent."""
    compared = toy.compare(dict.fromkeys(("q", "flag", "f_turn"), "both"))
    score = toy.score(compared)
    assert KILLED in compared.equivalent
    kinds = {verdict.mutant.number: verdict.kind for verdict in score.verdicts}
    assert kinds[KILLED] == CONTRADICTION
    assert score.short()[0].startswith("toy: mutant 1 is killed by a property and proved equivalent")


def test_what_is_not_known_is_neither_killed_nor_equivalent(toy: Toy) -> None:
    assert toy.search(seconds=0.0).failures == []
    compared = toy.compare({}, seconds=0.0)
    assert (compared.differences, compared.equivalent) == ([], set())
    assert {verdict.kind for verdict in toy.score(compared).verdicts} == {FORMAL_ONLY, ALIVE}


def test_an_output_that_matters_only_sometimes(toy: Toy) -> None:
    """`flag` is looked at only while it is 0 in the original: then `flag` stuck at 0 makes no difference."""
    assert toy.compare({"flag": "!flag"}).equivalent == {HIDDEN, UNWATCHED}
    assert toy.compare({"flag": "flag"}).equivalent == {HIDDEN}


def test_a_solver_that_refuses_is_told(toy: Toy) -> None:
    with smt.Solver(toy.mutated, 5.0) as solver, pytest.raises(smt.SolverFailed, match="undefined term"):
        solver.satisfiable("nonsense")


def test_inputs_that_nobody_gives(toy: Toy) -> None:
    """Without a step nothing is counted, so that `flag` stays 0 in both."""
    pair = equivalence.Pair(toy.pair, "toy", {}, {"step": (0, 0)})
    compared = equivalence.compare(pair, [1, 2, 3], toy_unit.UNIT.depth, 60.0, lambda _: None)
    assert {difference.mutant for difference in compared.differences} == {KILLED}
