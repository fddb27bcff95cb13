# SPDX-License-Identifier: Apache-2.0
"""The checks of `kvproof verify` hold, and each one fails when what it checks is broken."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from impl.cache import PagedCache
from impl.chip import cost
from impl.page_pool import Rows
from kvproof import data
from kvproof.verify import checks
from kvproof.verify.checks import differences
from kvproof.verify.rows import Check, judged
from proofs import workers
from proofs.evidence import Options, Result


def silent(n: float = 1, text: str = "") -> None:
    """Shows no progress."""


def test_the_checks_of_the_command() -> None:
    assert [check.id for check in checks.CHECKS] == ["trace", "machine", "examples", "decode", "verilog", "proofs"]


@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.id)
def test_every_check_holds(check: Check) -> None:
    row = judged(check, 1, silent)
    assert row.ok, row.detail
    assert row.amount[0].isdigit()


def test_a_trim_that_does_nothing_is_found_on_the_trace_and_by_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PagedCache, "trim", lambda self, request, keep_from: None)
    monkeypatch.setattr(PagedCache, "trim_batch", lambda self, requests, keep_froms: None)
    outcome = checks.trace(0, silent)
    assert outcome.failure.startswith(f"window {checks.WINDOW}, {checks.SINKS} sinks: Violation: ")
    outcome = checks.machine(0, silent)
    assert outcome.failure.startswith("kvproof: a pool of ")
    assert "breaks the law of " in outcome.failure


def test_a_mistake_in_the_batch_calls_alone_is_found_by_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PagedCache, "trim_batch", lambda self, requests, keep_froms: None)
    assert checks.machine(0, silent).failure.startswith(("kvproof: a pool of ", "kvproof-batch: a pool of "))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "example_a",
            lambda figures: figures["window_log"][3].update(free=[]),
            "example_a.window_log[3].free: recorded [], computed [",
        ),
        (
            "example_b",
            lambda figures: figures.pop("admission"),
            "example_b: recorded {",
        ),
    ],
)
def test_another_recorded_figure(
    name: str, change: Callable[[Any], None], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the check compares with is what was recorded."""
    honest = data.recorded

    def recorded(wanted: str) -> Any:
        figures = honest(wanted)
        if f"example_{wanted}" == name:
            change(figures)
        return figures

    monkeypatch.setattr(data, "recorded", recorded)
    outcome = checks.examples(0, silent)
    assert outcome.failure.startswith(message)
    assert outcome.failure.count("\n") == 0


def test_a_proof_that_falls_short(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = workers.prove_all

    def weaker(jobs: Sequence[workers.Job], options: Options, done: Callable[[Result], None]) -> list[Result]:
        first, *others = honest(jobs[:2], options, done)
        return [replace(first, short="one control was not refuted"), *others]

    monkeypatch.setattr(workers, "prove_all", weaker)
    assert checks.proofs(0, silent).failure == "W1.a falls short: one control was not refuted"


def test_differences() -> None:
    recorded = {"a": [1, {"b": 2.5}], "c": "x"}
    assert differences("e", recorded, {"a": [1, {"b": 2.5}], "c": "x"}) == []
    assert differences("e", recorded, {"a": [1, {"b": 2}], "c": "y"}) == [
        "e.a[1].b: recorded 2.5, computed 2",
        "e.c: recorded x, computed y",
    ]
    assert differences("e", [1, 2], [1]) == ["e: recorded [1, 2], computed [1]"]
    assert differences("e", {"a": 1}, {"b": 1}) == ["e: recorded {'a': 1}, computed {'b': 1}"]
    assert differences("e", 1, True) == ["e: recorded 1, computed True"]


def test_a_window_one_row_off_is_found_by_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same width, one row back, as soon as there is one; a page of 4 mostly still holds it."""
    rows = PagedCache.rows

    def off(self: PagedCache, request: str, low: int, high: int) -> Rows:
        back = 1 if low % 4 else 0
        return rows(self, request, low - back, high - back)

    monkeypatch.setattr(PagedCache, "rows", off)
    failure = checks.decoding(0, silent).failure
    assert "random, window 8: step 9: pages and lists give different integers" in failure
    assert "window None" not in failure
    assert "pages in use" not in failure


def test_a_page_kept_too_long_is_found_by_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    trim = PagedCache.trim
    monkeypatch.setattr(PagedCache, "trim", lambda self, request, keep: trim(self, request, max(0, keep - 1)))
    failure = checks.decoding(0, silent).failure
    assert "structured, window 8: step 12: 3 pages in use, the formula says 2" in failure
    assert "different integers" not in failure


def test_a_counter_that_is_off_is_found_in_the_verilog(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model says a cycle too many for every program; two programs are enough to see it."""
    monkeypatch.setattr(checks, "DECODE_WINDOWS", (2,))
    monkeypatch.setattr("impl.chip.cost.FETCH", cost.FETCH + 1)
    assert checks.verilog(0, silent).failure.startswith("icarus: FAIL record=0 ")


def test_without_icarus_there_is_no_such_check(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check("verilog", "", "", checks.verilog)
    assert checks._where_installed(check) == (check,)
    monkeypatch.setenv("PATH", "")
    assert checks._where_installed(check) == ()
