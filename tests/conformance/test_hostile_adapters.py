# SPDX-License-Identifier: Apache-2.0
"""Adapters that end the process, never end their answers, or change what they declare: violations, not accidents."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from kvproof.cli import main
from kvproof.errors import UsageError
from kvproof.targets.find import find
from kvproof.targets.plain import PlainCache
from kvproof.verify import checks
from spec.conformance import check as checking
from spec.conformance import shrink as shrinking
from spec.conformance.check import Verdict, check, search
from spec.conformance.failure import attempt
from spec.conformance.lockstep import replay, start
from spec.conformance.machine import machine_for
from spec.conformance.operations import append, new, rows, table
from spec.conformance.report import Report
from spec.conformance.target import TargetError, capabilities_of, probed
from spec.conformance.violation import Violation
from tests.conformance.mistakes import EmptyCopy


class Unprintable(Exception):
    """Has no text."""

    def __str__(self) -> str:
        raise ValueError


class NoRepr:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise ValueError


class Equal:
    """Says that it equals anything."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True


def raising(error: BaseException) -> Any:
    def method(*arguments: object) -> None:
        raise error

    return method


def answering(answer: object) -> Any:
    return lambda *arguments: answer


@pytest.mark.parametrize("error", [SystemExit(0), GeneratorExit(), Unprintable()])
@pytest.mark.parametrize("method", ["append", "rows", "copies", "new", "free_pages"])
def test_whatever_is_raised_is_a_violation(method: str, error: BaseException) -> None:
    kind = type("Raises", (PlainCache,), {method: raising(error)})
    with pytest.raises(Violation, match=type(error).__name__):
        replay(kind, 2, 2, [new("a"), append("a", 1), rows("a", 0, 1)])
    for probing in (probed, check, search, machine_for):
        with pytest.raises(TargetError, match=rf"factory\(4, 4\) raised {type(error).__name__}"):
            probing(raising(error))
    with pytest.raises(Violation, match=type(error).__name__):
        start(raising(error), 1, 1)


def test_a_module_whose_attributes_cannot_be_had_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lazy_module.py").write_text(
        "def __getattr__(name):\n    if name == 'cache':\n        raise RuntimeError('not today')\n"
        "    raise AttributeError(name)\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"'cache' of 'cache' in module 'lazy_module' raised RuntimeError: not today"):
        find("lazy_module:cache")


def test_a_first_target_that_declares_less_is_unsteady(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    monkeypatch.setattr(checking, "HISTORIES", ())

    def factory(pages: int, page_size: int) -> PlainCache:
        nonlocal made
        made += 1
        first = type("First", (PlainCache,), {"capabilities": PlainCache.capabilities - {"fork"}})
        return first(pages, page_size) if made == 1 else PlainCache(pages, page_size)

    verdict = check(factory, 60)
    assert not verdict.report.never_exercised()
    assert not verdict.held()
    assert "then" in verdict.unsteady


def test_ctrl_c_before_a_finding_is_run_again_does_not_lose_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "attempt", raising(KeyboardInterrupt()))
    verdict = search(EmptyCopy)
    assert not verdict.held()
    assert "interrupted before it could be run again: content" in verdict.unsteady


@pytest.mark.parametrize(
    ("method", "answer", "law"),
    [
        ("rows", count(100), "content"),
        ("table", count(), "capacity"),
        ("rows", [100.0], "types"),
        ("rows", [Equal()], "types"),
        ("rows", [NoRepr()], "types"),
        ("length", NoRepr(), "types"),
        ("copies", None, "types"),
        ("copies", "0", "types"),
    ],
)
def test_answers_of_the_wrong_kind_are_violations(method: str, answer: object, law: str) -> None:
    kind = type("Answers", (PlainCache,), {method: answering(answer)})
    with pytest.raises(Violation) as caught:
        replay(kind, 2, 2, [new("a"), append("a", 1), rows("a", 0, 1), table("a")], every=9)
    assert caught.value.law == law


def test_owners_are_ints_without_tables_too() -> None:
    class Floats(PlainCache):
        capabilities = frozenset({"owners"})

        def owners(self, page: int) -> int:
            return float(super().owners(page))  # type: ignore[return-value]

    with pytest.raises(Violation, match="types"):
        start(Floats, 1, 1)


def test_capabilities_are_a_collection_and_stay() -> None:
    def names() -> Iterator[str]:
        yield "fork"

    with pytest.raises(TargetError, match="must be a set of names"):
        capabilities_of(type("Consumed", (PlainCache,), {"capabilities": names()})(1, 1))
    with pytest.raises(TargetError, match="raised SystemExit"):
        capabilities_of(type("Raises", (PlainCache,), {"capabilities": property(raising(SystemExit(0)))})(1, 1))
    with pytest.raises(Violation, match="capabilities"):
        start(PlainCache, 1, 1, frozenset({"fork"}))


def test_ctrl_c_does_not_throw_a_finding_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "attempt", raising(KeyboardInterrupt()))
    verdict = checking.check(EmptyCopy, examples=1)
    assert verdict.failure is not None
    assert attempt(EmptyCopy, 1, 1, verdict.failure.operations[:1]) is None


def test_ctrl_c_in_the_machine_check_goes_on_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "check", answering(Verdict(Report(frozenset()), interrupted=True)))
    with pytest.raises(KeyboardInterrupt):
        checks.machine(0, lambda *arguments, **named: None)


def test_an_exit_on_import_is_bad_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "leaves_at_once.py").write_text("raise SystemExit(0)")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["check", "leaves_at_once:Cache"]) == 2
    assert "SystemExit" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [("--first-round", "9300000000000000000"), ("--rounds", f"{10**20}"), ("--minutes", "0.000001")],
)
def test_soak_has_limits(arguments: tuple[str, str]) -> None:
    assert main(["soak", "plain", *arguments]) == 2
