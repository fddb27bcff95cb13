# SPDX-License-Identifier: Apache-2.0
"""Examples A and B against the recorded figures, and what the command prints of them."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from impl.studies import example_b as b
from impl.studies.example_a import example_a
from impl.studies.example_b import admit, example_b, request_lengths, serving, share
from kvproof.cli import main
from kvproof.data import recorded


@pytest.mark.parametrize(("name", "computed"), [("a", example_a), ("b", example_b)])
def test_the_recorded_figures_to_the_last_key(name: str, computed: Any) -> None:
    """Equal as text, so the order of keys and the types of numbers count as well."""
    assert json.dumps(computed(), indent=1) == json.dumps(recorded(name), indent=1)


def test_the_recorded_figures_are_those_of_the_design() -> None:
    """A few of them by hand, so that a slip in the recorded file does not pass for right."""
    a, b = recorded("a"), recorded("b")
    assert a["window_log"][8] == {
        "step": 9, "gathered": [3, 4, 5, 6, 7], "table": [1, 2], "dropped": 1, "free": [0, 3, 4, 5, 6, 7]
    }  # fmt: skip
    assert a["fork_log"]["after_B_appends_100"]["refcounts"] == {"0": 2, "1": 2, "2": 1, "3": 1}
    assert [line["held"] for line in b["admission"]] == [4, 34, 34, 34, 27, 20]
    # 6 pages of the prompt are shared by all, 3 are each one's own: 6 + 8 · 3.
    assert b["prefix_sharing"][0]["pages_shared"] == 6 + 8 * 3


def test_lengths() -> None:
    lengths = request_lengths()
    assert len(lengths) == 400
    assert (min(lengths) >= 16, max(lengths) <= 2048) == (True, True)
    assert lengths == request_lengths()


def test_lengths_are_whole_and_neither_too_short_nor_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn from a generator of the seed that the figures name, and rounded down."""
    draws = {11: [3.0, 16.9, 17.0, 2047.9, 2048.0, 2049.0, 1e9]}

    class Drawn:
        def __init__(self, seed: int) -> None:
            self.draws = iter(draws[seed])

        def lognormvariate(self, mean: float, deviation: float) -> float:
            assert (mean, deviation) == (5.2, 0.9)
            return next(self.draws)

    monkeypatch.setattr(random, "Random", Drawn)
    monkeypatch.setattr(b, "REQUESTS", 7)
    assert request_lengths() == [16, 16, 17, 2047, 2048, 2048, 2048]


def test_admission_stops_at_the_first_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third request does not fit, the fourth would; what the third had taken is given back."""
    monkeypatch.setattr(b, "POOL_ROWS", 24)
    assert admit([10, 10, 5, 1], 1) == {"held": 2, "rows_used": 20, "rows_reserved": 20}
    assert admit([10, 10, 4, 1], 1) == {"held": 3, "rows_used": 24, "rows_reserved": 24}
    assert admit([1] * 9, 4) == {"held": 6, "rows_used": 6, "rows_reserved": 24}
    assert admit([], 4) == {"held": 0, "rows_used": 0, "rows_reserved": 0}


def test_sharing_by_hand() -> None:
    """Page of 50: a prompt of 60 is 2 pages, its tail is copied by all 8; with its 40 rows a request has 2 pages."""
    assert share(60, 50) == {
        "prompt": 60, "page": 50, "requests": 8, "own_rows": 40,
        "pages_copied": 8 * 2, "pages_shared": 1 + 8, "cow_copies": 8,
    }  # fmt: skip


def test_example_b_is_made_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the recorded figures, with what goes into parts 1 and 2 instead of what comes out."""
    monkeypatch.setattr(b, "admit", lambda lengths, page: {"requests": len(lengths), "page": page})
    monkeypatch.setattr(b, "share", lambda prompt, page: {"prompt": prompt, "page": page})
    expected = recorded("b")
    for line in expected["admission"]:
        page = line.get("page", 2048)
        for key in ("held", "rows_used", "rows_reserved"):
            del line[key]
        line |= {"requests": 400, "page": page}
    expected["prefix_sharing"] = [
        {"prompt": line["prompt"], "page": line["page"]} for line in expected["prefix_sharing"]
    ]
    assert json.dumps(example_b(), indent=1) == json.dumps(expected, indent=1)


def test_serving_by_hand() -> None:
    """At 4,096 tokens, which is the window, a request takes 1 GiB either way: 73e9 / 2**30 is 67.98…"""
    assert list(serving(4096).values()) == [4096, 1.0, 67, 1.0, 67]


@pytest.mark.parametrize("name", ["a", "b"])
def test_the_command_prints_and_writes_the_figures(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "figures.json"
    assert main(["example", name, "--json", str(file)]) == 0
    assert json.loads(file.read_text()) == recorded(name)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    for expected in {"a": ["8 … 12", "0 1 3", "0: 2  1: 2  2: 1  3: 1"], "b": ["7,852", "20", "135", "274.065"]}[name]:
        assert expected in printed


def test_an_unknown_example_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example", "c"]) == 2
    assert "choose from" in capsys.readouterr().err
