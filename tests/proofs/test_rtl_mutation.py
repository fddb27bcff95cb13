# SPDX-License-Identifier: Apache-2.0
"""The mutation score of the RTL harnesses is honest: killed, alive and equivalent mutants are told apart."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proofs.rtl_mutation import designs as designs_module
from proofs.rtl_mutation import equivalence, formal, induction, models, smt
from proofs.rtl_mutation import mutants as mutants_module
from proofs.rtl_mutation.designs import Design, Part, designs, parts
from proofs.rtl_mutation.mutants import Mutant, draw
from proofs.rtl_mutation.score import ALIVE, CONTRADICTION, DIFFERS, EQUIVALENT, FORMAL_ONLY, UNKNOWN, Score, Verdict
from proofs.rtl_mutation.yosys import YosysFailed
from tests.proofs import toy_unit

KILLED, HIDDEN, UNWATCHED, HELPER, LATE = 1, 2, 3, 4, 5
"""Inverts a bit of the count; `both` is always 0; `flag` is always 0; inverts a bit of `turn`; `late` is always 0."""


class Toy:
    """The toy with five mutants, in both models. LATE has no trace that is short enough to be found."""

    def __init__(self, place: Path) -> None:
        self.designs: list[Design] = designs(toy_unit.UNIT, place)
        self.part: Part = parts(toy_unit.UNIT, self.designs, place)[0]
        wires = ((KILLED, "inv", "count"), (HIDDEN, "const0", "both"), (UNWATCHED, "const0", "flag"))
        self.mutants: list[Mutant] = [
            toy_unit.mutant(number, self.designs[0], self.part, mode, wire)
            for number, mode, wire in (*wires, (HELPER, "inv", "turn"), (LATE, "const0", "late"))
        ]
        models.mutated(self.designs[0], [self.part], self.mutants, place / "mutated.smt2")
        models.mutated(self.designs[0], [self.part], (), place / "original.smt2")
        models.paired(self.designs[0], self.part, self.mutants, place / "pair.smt2")
        self.original = smt.parse((place / "original.smt2").read_text())
        self.mutated = smt.parse((place / "mutated.smt2").read_text())
        self.pair = smt.parse((place / "pair.smt2").read_text())

    def search(self, seconds: float = 60.0) -> formal.Search:
        """Which traces the harness finds."""
        everyone = [mutant.number for mutant in self.mutants]
        return formal.search(self.mutated, everyone, [], formal.Kept(), toy_unit.UNIT.depth, seconds, lambda _: None)

    def induct(self, seconds: float = 60.0) -> tuple[dict[int, tuple[str, ...]], formal.Kept]:
        """Which proofs the harness loses, and which it keeps."""
        lost: dict[int, tuple[str, ...]] = {}

        def found(one: induction.Lost) -> None:
            lost[one.mutant] = one.labels

        everyone = [mutant.number for mutant in self.mutants]
        return lost, induction.search(self.mutated, everyone, self.designs[0].depth, seconds, found)

    def compare(self, when: dict[str, str], seconds: float = 60.0) -> equivalence.Compared:
        """What the miter finds."""
        pair = equivalence.Pair(self.pair, "toy", when)
        four = [KILLED, HIDDEN, UNWATCHED, HELPER]
        return equivalence.compare(pair, four, toy_unit.UNIT.depth, seconds, lambda _: None)

    def score(self, compared: equivalence.Compared) -> Score:
        """The score with the harness alone."""
        failures = {failure.mutant: failure for failure in self.search().failures}
        lost, _ = self.induct()
        different = {difference.mutant for difference in compared.differences}
        verdicts = []
        for mutant in self.mutants:
            number = mutant.number
            miter = DIFFERS if number in different else EQUIVALENT if number in compared.equivalent else UNKNOWN
            failure = failures.get(number)
            labels, cycle = (failure.labels, failure.cycle) if failure else ((), None)
            verdicts.append(Verdict(mutant, labels, cycle, lost.get(number, ()), None, miter))
        return Score(toy_unit.UNIT, verdicts)


@contextmanager
def other(harness: str, sby: str) -> Iterator[Toy]:
    """The toy with another harness or script."""
    with toy_unit.folder(harness, sby, "other_toy") as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(designs_module, "FORMAL", place)
        yield Toy(place)


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


def test_a_proof_is_lost_long_before_a_trace_is_found(toy: Toy) -> None:
    """What fails in the first three states is found there: its induction may say anything."""
    lost, kept = toy.induct()
    assert lost == {LATE: ("a_late",)}
    assert kept == formal.Kept(frozenset({KILLED, HIDDEN, UNWATCHED, HELPER}), 3)
    assert LATE not in {failure.mutant for failure in toy.search().failures}


def test_a_leap_finds_what_is_out_of_reach_of_steps(toy: Toy) -> None:
    """`late` comes after twelve steps: none of them may be left out, and nothing else fails on the way."""
    found, _ = formal.leap(toy.mutated, LATE, 20, 60.0)
    assert found == formal.Failure(LATE, 14, ("a_late",))
    assert formal.leap(toy.mutated, LATE, 14, 60.0)[0] is None
    assert formal.leap(toy.mutated, UNWATCHED, 20, 60.0)[0] is None
    assert formal.leap(toy.mutated, LATE, 20, 0.0)[0] is None


def test_what_keeps_its_proof_is_not_searched_further(toy: Toy) -> None:
    """Only of the first states something is left to be shown; without the proof all states are searched."""
    _, kept = toy.induct()
    assert {HIDDEN, UNWATCHED} <= kept.mutants
    depth = toy_unit.UNIT.depth
    assert formal.search(toy.mutated, [HIDDEN, UNWATCHED], [], kept, depth, 60.0, lambda _: None).cycles == 3
    assert formal.search(toy.mutated, [HIDDEN], [], formal.Kept(), depth, 60.0, lambda _: None).cycles == depth
    assert formal.search(toy.mutated, [HIDDEN, LATE], [], kept, depth, 60.0, lambda _: None).cycles == depth


def test_an_original_that_is_not_proved_says_nothing_about_mutants() -> None:
    for old, new, said in (
        ("i_turn: assert (", "i_turn: assert (1'b1 || ", "is not proved by induction of depth 3"),
        ("assume (seen || rst)", "assume (1'b1)", "fails within 3 states"),
    ):
        assert toy_unit.HARNESS.count(old) == 1
        with other(toy_unit.HARNESS.replace(old, new), toy_unit.SBY) as toy:
            with pytest.raises(induction.NotProved, match=said):
                induction.proved(toy.original, 3)
            with pytest.raises(induction.NotProved, match=f"{said}: a_count"):
                toy.induct()


def test_an_original_whose_proof_takes_too_long_says_nothing_about_mutants(
    toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    induction.proved(toy.original, 3)
    monkeypatch.setattr(induction, "PROOF", 0.0)
    with pytest.raises(induction.NotProved, match="the proof of the original takes more than 0 s"):
        induction.proved(toy.original, 3)


def test_the_script_after_the_hierarchy_belongs_to_the_proof() -> None:
    """Wires inside the unit are there when the design is flattened; assertions that another task proves are not."""
    inside = "(* hierconn *) wire [3:0] \\unit.count ;\n    reg seen = 1'b0;"
    more = "a_inside: assert (\\unit.count == counted);\n        a_wrong: assert (late);\n        a_late:"
    harness = toy_unit.HARNESS.replace("reg seen = 1'b0;", inside).replace("a_late:", more)
    flat = "prep -flatten -top toy_harness\nchformal -assert -remove */a_wrong */a_late"
    with other(harness, toy_unit.SBY.replace("prep -top toy_harness", flat)) as toy:
        assert toy.induct() == ({}, formal.Kept(frozenset({KILLED, HIDDEN, UNWATCHED, HELPER, LATE}), 3))
        found = {failure.mutant: failure.labels for failure in toy.search().failures}
        assert found.keys() == {KILLED, HELPER}
        assert "a_inside" in found[KILLED]
        assert toy.compare({}).equivalent == {HIDDEN}


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
    killed = dict.fromkeys((KILLED, HELPER, LATE), FORMAL_ONLY)
    assert kinds == {**killed, HIDDEN: EQUIVALENT, UNWATCHED: ALIVE}
    assert (score.different, score.killed, score.formal, score.cosim) == (4, 3, 3, 0)
    assert (score.traced, score.unproved) == (2, 1)
    assert score.short() == [
        "toy: 3 of 4 killed, less than 95%",
        "toy: 3 of 4 killed by formal, less than 85%",
    ]


def test_a_miter_that_looks_away_contradicts_the_harness(toy: Toy) -> None:
    """Outputs that matter only while `both` is up never do: then a mutant that the harness kills seems equivalent."""
    compared = toy.compare(dict.fromkeys(("q", "flag", "late", "f_turn"), "both"))
    score = toy.score(compared)
    assert KILLED in compared.equivalent
    kinds = {verdict.mutant.number: verdict.kind for verdict in score.verdicts}
    assert kinds[KILLED] == CONTRADICTION
    assert score.short()[0].startswith("toy: mutant 1 is killed by a property and proved equivalent")


def test_what_is_not_known_is_neither_killed_nor_equivalent(toy: Toy) -> None:
    assert toy.search(seconds=0.0).failures == []
    assert toy.induct(seconds=0.0) == ({}, formal.Kept())
    compared = toy.compare({}, seconds=0.0)
    assert (compared.differences, compared.equivalent) == ([], set())
    assert {verdict.kind for verdict in toy.score(compared).verdicts} == {FORMAL_ONLY, ALIVE}


def test_fewer_mutants_than_asked_for_are_told(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit that has become small is no reason to try less."""
    folder = toy.part.rtlil.parent
    monkeypatch.setattr(mutants_module, "RTL", folder)
    assert len(draw([toy.part], 3, 1, folder)) == 3
    with pytest.raises(YosysFailed, match=r"yosys finds \d+ mutants and not 1000: ask for fewer with --limit"):
        draw([toy.part], 1000, 1, folder)


def test_what_differs_in_the_reset_only_is_not_proved_equivalent() -> None:
    """`chance` differs in the cycle of the reset, where nobody looks, and is remembered until long after the search.

    From equal registers on the two would do the same for ever: but they are not equal when the reset is over.
    """
    ports = "output wire [1:0] f_turn, output wire chance, output wire last"
    more = "reg kept;\n    assign chance = rst && step;\n    assign last = kept && late;\n"
    more += "    always @(posedge clk) if (rst) kept <= chance;\nendmodule"
    source = toy_unit.TOY.replace("output wire [1:0] f_turn", ports).replace("endmodule", more)
    harness = toy_unit.HARNESS.replace("assume (seen || rst)", "assume (seen != rst)")
    with toy_unit.folder(harness, name="reset_toy", source=source) as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(designs_module, "FORMAL", place)
        design = designs(toy_unit.UNIT, place)[0]
        part = parts(toy_unit.UNIT, [design], place)[0]
        wires = (("const0", "chance"), ("const0", "both"))
        mutants = [toy_unit.mutant(at, design, part, mode, wire) for at, (mode, wire) in enumerate(wires, 1)]
        models.paired(design, part, mutants, place / "pair.smt2")
        pair = equivalence.Pair(smt.parse((place / "pair.smt2").read_text()), "toy", {})
        compared = equivalence.compare(pair, [1, 2], toy_unit.UNIT.depth, 60.0, lambda _: None)
        assert (compared.differences, compared.equivalent) == ([], {2})
        compared = equivalence.compare(pair, [1, 2], 20, 60.0, lambda _: None)
        assert [(one.mutant, one.ports) for one in compared.differences] == [(1, ("last",))]


def test_an_output_that_matters_only_sometimes(toy: Toy) -> None:
    """`flag` is looked at only while it is 0 in the original: then `flag` stuck at 0 makes no difference."""
    assert toy.compare({"flag": "!flag"}).equivalent == {HIDDEN, UNWATCHED}
    assert toy.compare({"flag": "flag"}).equivalent == {HIDDEN}


def test_registers_may_be_equal_under_any_named_bit(toy: Toy) -> None:
    """Outputs, registers and wires inside, both ways, but nothing that comes from outside."""
    conditions = equivalence.Pair(toy.pair, "toy", {}).conditions("s0")
    assert {"flag", "!flag", "both", "!both"} <= conditions.keys()
    assert "step" not in conditions


def test_a_solver_that_refuses_is_told(toy: Toy) -> None:
    with smt.Solver(toy.mutated, 5.0) as solver, pytest.raises(smt.SolverFailed, match="undefined term"):
        solver.satisfiable("nonsense")


def test_inputs_that_nobody_gives(toy: Toy) -> None:
    """Without a step nothing is counted, so that `flag` stays 0 in both."""
    pair = equivalence.Pair(toy.pair, "toy", {}, {"step": (0, 0)})
    compared = equivalence.compare(pair, [1, 2, 3], toy_unit.UNIT.depth, 60.0, lambda _: None)
    assert {difference.mutant for difference in compared.differences} == {KILLED}
