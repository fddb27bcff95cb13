# SPDX-License-Identifier: Apache-2.0
"""The proofs over states must fail when what they are about is wrong, when they would be empty, and when a control is
not wrong after all."""

from dataclasses import replace
from pathlib import Path

import pytest

from proofs import solve
from proofs.evidence import INDUCTIVE, PROVED, REFUTED, TIMEOUT, VACUOUS, Options, judged, silent
from proofs.transitions import controls, controls_effects, division, foundations, proving, wrong, wrong_release
from proofs.transitions.examples import PLAIN, states
from proofs.transitions.expanded import Finite
from proofs.transitions.group import CLAIMS, TASKS, prove, prove_tasks
from proofs.transitions.invariants import consequences, invariants
from proofs.transitions.obligations import Obligation, Question, preserves
from proofs.transitions.operation import Operation
from proofs.transitions.operations import APPEND, FORK, OPERATIONS, TRIM
from proofs.transitions.proving import bounded, proved, refuted, satisfied
from proofs.transitions.state import State
from proofs.transitions.symbolic import Exact
from proofs.transitions.tasks import Task, Wrong
from proofs.transitions.universe import Property, Term, Universe

OPTIONS = Options(timeout=5.0)
CLAIM = {claim.id: claim for claim in CLAIMS}


@pytest.mark.parametrize("name", ["T01", "T15", "T16", "T17", "T18"])
def test_a_claim_is_shown_as_strongly_as_it_says(name: str) -> None:
    result = prove(CLAIM[name], OPTIONS, silent)
    assert judged(CLAIM[name], result, OPTIONS).short == ""


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_operation_preserves_every_invariant_whatever_the_seed(operation: object, seed: int) -> None:
    task = next(task for known, task in controls.PRESERVES.items() if known is operation)
    assert proved("x", task.right, replace(OPTIONS, seed=seed)).word == PROVED


def test_every_query_is_written_with_its_answer(tmp_path: Path) -> None:
    shown = proved("T04", preserves(FORK), replace(OPTIONS, smt=tmp_path))
    assert len(shown.files) == shown.queries == len(invariants(PLAIN, states()[0]))
    for file in shown.files:
        text = (tmp_path / file).read_text(encoding="utf-8")
        assert "(set-info :status unsat)" in text
        assert text.rstrip().endswith("(check-sat)")


@pytest.mark.parametrize(
    ("operation", "part"),
    [
        (wrong.APPEND_NO_COPY, "content"),
        (wrong.FORK_UNCOUNTED, "counts"),
        (wrong_release.TRIM_FREES_SHARED, "free or owned"),
    ],
)
def test_a_wrong_operation_is_not_proved_and_the_broken_invariant_is_named(operation: Operation, part: str) -> None:
    shown = proved("x", preserves(operation), replace(OPTIONS, timeout=0.2))
    assert shown.word == TIMEOUT
    assert part in shown.reason


def test_a_wrong_operation_in_the_place_of_the_right_one_fails_the_claim() -> None:
    tasks = (Task(preserves(wrong.FORK_UNCOUNTED), ()),)
    # Time enough to refute it on the finite domain, on a busy machine too.
    result = prove_tasks(CLAIM["T04"], tasks, replace(OPTIONS, timeout=2.0))
    short = judged(CLAIM["T04"], result, OPTIONS).short
    assert short.startswith("fork, preserves: not proved")
    assert result.strength == REFUTED
    assert "fork(b, a) breaks" in short or "fork(a, b) breaks" in short


def test_a_wrong_operation_is_refuted_on_the_finite_domain() -> None:
    shown = bounded(preserves(wrong.FORK_UNCOUNTED), Finite(), OPTIONS)
    assert shown.word == REFUTED
    assert "fork(" in shown.reason
    assert "reference count" in shown.reason


GOLDEN = (
    (controls.PRESERVES[FORK], "fork does not count the new owner", "the reference count of page"),
    (controls.PRESERVES[APPEND], "no copy before writing into a shared page", "reads back what was written"),
    (controls.PRESERVES[APPEND], "exhaustion is not reported", "own"),
    (controls.PRESERVES[TRIM], "a page is put on the free stack while others share it", "exactly if nobody owns it"),
    (
        controls_effects.EFFECTS[TRIM][0],
        "trim releases a page that still holds a needed row",
        "is released exactly if all its rows",
    ),
)


@pytest.mark.parametrize(("task", "name", "broken"), GOLDEN, ids=[name for _, name, _ in GOLDEN])
def test_a_counterexample_is_told_as_a_state_an_operation_and_what_it_breaks(
    task: Task, name: str, broken: str
) -> None:
    variant = next(variant for variant in task.wrong if variant.wrong == name)
    found = refuted(name, variant.obligation, Finite(), OPTIONS).found
    assert found.startswith("P=2, ")
    assert "free" in found
    assert broken in found.split("breaks")[1]


def test_a_counterexample_is_the_same_whatever_was_asked_before() -> None:
    variant = preserves(wrong.APPEND_NEVER_FULL)
    first = refuted("", variant, Finite(), OPTIONS).found
    assert bounded(preserves(TRIM), Finite(), OPTIONS).word == PROVED
    assert refuted("", variant, Finite(), OPTIONS).found == first != ""


def test_a_control_that_is_right_is_not_refuted() -> None:
    assert refuted("nothing", preserves(FORK), Finite(), OPTIONS).found == ""
    result = prove_tasks(CLAIM["T04"], (Task(preserves(FORK), (Wrong("nothing", preserves(FORK)),)),), OPTIONS)
    assert result.strength == INDUCTIVE
    assert judged(CLAIM["T04"], result, OPTIONS).short == "not refuted: nothing"


def contradictory(obligation: Obligation) -> Obligation:
    """The obligation with a hypothesis that clashes with the others."""

    def ask(u: Universe, s: State, *arguments: Term) -> Question:
        question = obligation.ask(u, s, *arguments)
        clash = Property("clash", "", ("page",), lambda p: s.stacked(p) > 1, lambda p: [[s.stacked(p)]])
        return replace(question, given=(*question.given, clash))

    return replace(obligation, ask=ask)


def test_hypotheses_that_clash_are_vacuous_although_everything_follows_from_them() -> None:
    obligation = contradictory(preserves(wrong.FORK_UNCOUNTED))
    assert proved("x", obligation, OPTIONS).word == PROVED
    assert satisfied(obligation, OPTIONS).word == VACUOUS
    assert bounded(obligation, Finite(), OPTIONS).word == VACUOUS
    assert prove_tasks(CLAIM["T04"], (Task(obligation, ()),), OPTIONS).strength.startswith(VACUOUS)


def test_a_wrong_variant_that_is_provable_in_an_empty_way_is_not_taken_for_refuted() -> None:
    assert refuted("clash", contradictory(preserves(FORK)), Finite(), OPTIONS).found == ""


def test_a_case_that_never_happens_is_vacuous() -> None:
    def ask(u: Universe, s: State, *arguments: Term) -> Question:
        return replace(right.ask(u, s, *arguments), cases=(("a pool without pages", s.height() < 0),))

    right = preserves(TRIM)
    shown = satisfied(replace(right, ask=ask), OPTIONS)
    assert shown.word == VACUOUS
    assert "a pool without pages" in shown.reason


def test_a_counterexample_that_python_does_not_confirm_is_none() -> None:
    found = proving.asked(Finite(), preserves(wrong.FORK_UNCOUNTED))
    _, model, _ = solve.check(found.given, OPTIONS)  # any state: the right operation breaks nothing in it
    assert model is not None
    assert proving.told(Finite(), preserves(FORK), found, model) == ""


def test_the_example_states_satisfy_everything_and_are_not_trivial() -> None:
    for s in states():
        assert all(PLAIN.every(claim) for claim in (*invariants(PLAIN, s), *consequences(PLAIN, s)))
    pages = PLAIN.domains["page"]
    assert any(s.count(page) > 1 for s in states() for page in pages)
    assert any(0 < s.begin(r) < s.end(r) for s in states() for r in PLAIN.requests)
    assert any(s.end(r) > s.begin(r) == 0 for s in states() for r in PLAIN.requests)
    assert any(s.height() == 0 for s in states())
    assert any(s.length("a") % 2 for s in states())


def test_every_obligation_has_a_wrong_variant_and_every_fact_about_division_too() -> None:
    assert all(task.wrong for tasks in TASKS.values() for task in tasks)
    facts = [wrong_fact.fact(Exact()).name for wrong_fact in foundations.WRONG_FACTS]
    assert sorted(facts) == sorted(lemma.name for lemma in division.lemmas(Exact()))
