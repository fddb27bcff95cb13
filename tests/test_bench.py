# SPDX-License-Identifier: Apache-2.0
"""`kvproof bench`: the method, the verdicts, and a quick run of everything. No time is asserted."""

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kvproof import cli
from kvproof.bench import run as bench_run
from kvproof.bench import timing
from kvproof.bench.case import GROUPS, Case
from kvproof.bench.cases import cases
from kvproof.bench.report import Figure, short
from kvproof.bench.timing import Effort, Measured, Spread, Work, contest

NAMES = [
    *("decode/B=1", "decode/B=16", "decode/B=64", "decode/B=256", "decode/B=1024"),
    *("window/B=1", "window/B=16", "window/B=64", "window/B=256", "window/B=1024"),
    *("append/one", "request/prefill", "request/fork", "request/trim", "request/release"),
    *("gather/128", "gather/512", "gather/2048"),
    *("export/padded", "export/csr", "export/compact", "export/read", "export/write"),
    *("pool/1000", "pool/10000", "pool/100000", "pool/1000000"),
    *("pool/construct", "pool/bytes/page", "pool/bytes/request", "pool/bytes/entry"),
]


def test_a_quick_run_writes_every_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    assert cli.main(["bench", "--quick", "--json", str(file)]) == 0
    data = json.loads(file.read_text())
    assert [figure["name"] for figure in data["figures"]] == NAMES
    for figure in data["figures"]:
        assert 0 < figure["least"] <= figure["median"] <= figure["most"]
        assert (figure["reached"] is None) == (figure["limit"] is None)
    assert all(data["machine"].values())
    assert data["effort"]["repeats"] == 2
    with_target = [figure["name"] for figure in data["figures"] if figure["limit"] is not None]
    assert with_target == [
        *("decode/B=256", "decode/B=1024", "window/B=256", "append/one", "request/prefill"),
        *("gather/512", "gather/2048", "pool/bytes/page", "pool/bytes/entry"),
    ]
    screen = capsys.readouterr().out.splitlines()
    assert max(map(len, screen)) <= 80
    assert len(screen) <= 42
    assert "of 9 targets reached" in screen[-1]


def test_only_one_group_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--quick", "--only", "append"]) == 0
    assert "append one row" in capsys.readouterr().out
    assert [f"{case.group}/{case.name}" for group in GROUPS for case in cases(group)] == NAMES


def test_an_unknown_group_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--only", "everything"]) == 2
    assert "decode" in capsys.readouterr().err


def test_ctrl_c_shows_what_was_measured_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured: list[str] = []

    def interrupt(effort: Effort) -> Measured:
        raise KeyboardInterrupt

    def fine(effort: Effort) -> Measured:
        measured.append("fine")
        return Measured(Spread.of([2.0]))

    some = [Case("append", "a", "the first", fine), Case("append", "b", "the second", interrupt)]
    figures, interrupted = bench_run.measured(some, timing.QUICK)
    assert ([figure.case.what for figure in figures], interrupted, measured) == (["the first"], True, ["fine"])
    monkeypatch.setattr("kvproof.bench.cases.cases", lambda only: some)
    assert cli.main(["bench"]) == 130
    assert "the first" in capsys.readouterr().out


def test_contestants_take_turns_with_fresh_states_and_no_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    now = 0
    monkeypatch.setattr(time, "perf_counter_ns", lambda: now)

    def work(name: str) -> Work:
        def call() -> None:
            nonlocal now
            events.append(name)
            now += 6_000 if events.count(name) > 1 else 99_000  # slow while it warms up

        def prepare() -> Callable[[], object]:
            nonlocal now
            events.append(f"prepare {name}")
            now += 5_000_000
            assert not gc.isenabled()
            return call

        return Work(prepare, 3)

    measured = contest(Effort(repeats=2, warm_ups=1, steps=16), work("ours"), work("plain"))
    assert events[0::2] == [f"prepare {name}" for name in events[1::2]]
    assert events[1::2] == ["plain", "ours", "ours", "plain", "plain", "ours"]
    assert measured == Measured(Spread(2.0, 2.0, 2.0), Spread(2.0, 2.0, 2.0))
    assert gc.isenabled()


def test_the_collector_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        contest(timing.QUICK, Work(lambda: lambda: None, 1))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_spread_is_median_least_and_most() -> None:
    assert Spread.of([5.0, 1.0, 2.0]) == Spread(2.0, 1.0, 5.0)


@pytest.mark.parametrize(
    ("limit", "is_ratio", "ours", "reached", "verdict"),
    [
        (None, False, 1.0, None, ""),
        (0.08, False, 0.08, True, "≤ 0.08 ok"),
        (0.08, False, 0.1, False, "≤ 0.08 +25%"),
        (1.5, True, 15.0, True, "≤ 1.5× ok"),
        (1.5, True, 18.0, False, "≤ 1.5× +20%"),
    ],
)
def test_verdicts(limit: float | None, is_ratio: bool, ours: float, reached: bool | None, verdict: str) -> None:
    measured = Measured(Spread.of([ours]), Spread.of([10.0]))
    case = Case("gather", "x", "x", lambda effort: measured, limit=limit, limit_is_ratio=is_ratio)
    figure = Figure(case, measured)
    assert (figure.reached(), figure.verdict()) == (reached, verdict)
    assert figure.ratio() == 10.0 / ours


def test_figures_are_rounded_to_be_read() -> None:
    assert [short(value) for value in (0.0575, 0.996, 9.94, 9.96, 1234.5)] == ["0.058", "1.0", "9.9", "10", "1,234"]
