# SPDX-License-Identifier: Apache-2.0
"""The studies: figures worked out by hand or by definition, and what the command prints, writes and draws."""

import json
from pathlib import Path

import numpy as np
import pytest

from impl.lm.model import random_model
from impl.lm.reference import float_forced, float_generate
from impl.studies import accuracy, admission, alignment, page_size, window_cost
from impl.studies.example_b import share
from kvproof.cli import main
from kvproof.commands import study
from kvproof.commands.study import STUDIES
from spec.window import rows_read


def test_page_size_by_hand() -> None:
    """W = 8, P = 4, after 32 steps rows 25 … 31 are kept, in pages 6 and 7; step 32 read rows 24 … 30."""
    figures = page_size.page_size()
    assert figures | {"lines": []} == {"window": 8, "steps": 32, "lines": []}
    lines = {line["page"]: line for line in figures["lines"]}
    assert lines[4] == {
        "page": 4, "rows_reserved": 8, "most_rows_reserved": 12, "pages_held": 2, "table_length": 8,
        "gathers_mean": (0 + 4 * 1 + 4 * 2 + 6 * 2 + 17 * 0 + 46) / 32, "gathers_most": 3,
    }  # fmt: skip
    assert [lines[size]["table_length"] for size in (1, 2, 4, 8, 16)] == [32, 16, 8, 4, 2]
    assert [lines[size]["rows_reserved"] for size in (1, 2, 4, 8, 16)] == [7, 8, 8, 8, 16]
    by_definition = [len({row // 4 for row in range(max(0, step - 8), step - 1)}) for step in range(1, 33)]
    assert lines[4]["gathers_mean"] == sum(by_definition) / 32
    assert lines[1]["gathers_most"] == 7


def test_admission_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pages of 2 rows, two requests of 3: taken in at once, the second holds what the first needs in turn 3."""
    monkeypatch.setattr(admission, "POOL_ROWS", 4)
    monkeypatch.setattr(admission, "PAGE", 2)
    bold = admission.serve([3, 3], admission.Policy("bold", 1, False))
    assert (bold["completed"], bold["out_of_pages"], bold["turns"], bold["held_most"]) == (1, 1, 4, 2)
    careful = admission.serve([3, 3], admission.Policy("careful", 3, True))
    assert (careful["completed"], careful["out_of_pages"], careful["turns"], careful["held_most"]) == (2, 0, 6, 1)
    assert careful["pages_used"] == pytest.approx((1 + 1 + 0) * 2 / 6 / 2)


def test_a_promise_keeps_pages_for_those_who_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pages of 2 rows, 4 expected: in turn 3 two pages are free, both promised, one of them needed in turn 4."""
    monkeypatch.setattr(admission, "POOL_ROWS", 8)
    monkeypatch.setattr(admission, "PAGE", 2)
    kept, ignored = (admission.serve([4, 4, 4], admission.Policy("four", 4, keeps)) for keeps in (True, False))
    assert (kept["held_most"], kept["out_of_pages"]) == (2, 0)
    assert (ignored["held_most"], ignored["completed"], ignored["out_of_pages"]) == (3, 2, 1)


def test_a_promise_shrinks_as_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six pages of 2 rows, three requests of 6: when the first leaves, the second has all its pages, the third fits."""
    monkeypatch.setattr(admission, "POOL_ROWS", 12)
    monkeypatch.setattr(admission, "PAGE", 2)
    line = admission.serve([6, 6, 6], admission.Policy("six", 6, True))
    assert (line["turns"], line["held_most"], line["completed"]) == (6 + 6, 2, 3)


def test_careful_policies_hold_fewer_and_lose_fewer() -> None:
    lines = admission.admission()["lines"]
    held, lost = ([line[key] for line in lines] for key in ("held_mean", "out_of_pages"))
    assert held == sorted(held, reverse=True)
    assert lost == sorted(lost, reverse=True)
    assert (lost[0] > 100, lost[-1]) == (True, 0)
    assert all(line["completed"] + line["out_of_pages"] == 400 for line in lines)


def test_alignment_by_hand() -> None:
    """A prompt of 100 in pages of 16 becomes 112: 7 pages, and 3 more for the 40 rows of each; without it 6 + 8 · 3."""
    figures = alignment.alignment()
    assert figures | {"lines": []} == {"requests": 8, "own_rows": 40, "lines": []}
    lines = {(line["prompt"], line["page"]): line for line in figures["lines"]}
    assert len(lines) == 6
    assert lines[100, 16] == {
        "prompt": 100, "page": 16, "padding": 12, "pages_copied": 8 * 9, "pages_shared": 6 + 8 * 3,
        "pages_padded": 7 + 8 * 3, "pages_saved": -1, "copies_shared": 8, "copies_padded": 0,
    }  # fmt: skip
    for (prompt, page), line in lines.items():
        assert line["pages_padded"] == -(-prompt // page) + 8 * -(-40 // page)
        assert line["copies_padded"] == 0
        assert line["pages_saved"] == share(prompt, page)["pages_shared"] - line["pages_padded"]
        assert (prompt + line["padding"]) % page == 0


def test_part_three_of_example_b() -> None:
    """Agreement rises with the window, and a window as wide as the run changes nothing."""
    lines = window_cost.window_cost()["lines"]
    assert [line["window"] for line in lines] == [2, 4, 8, 16, 24]
    assert {line["steps"] for line in lines} == {1152}
    agreed, errors = ([line[key] for line in lines] for key in ("agreed", "error"))
    assert agreed == sorted(agreed)
    assert agreed[0] < 1152
    assert errors == sorted(set(errors), reverse=True)
    assert (agreed[-1], errors[-1]) == (1152, 0.0)


def test_the_study_of_sinks_contains_part_three() -> None:
    lines = window_cost.sinks(3)["lines"]
    assert [line for line in lines if line["sinks"] == 0] == window_cost.window_cost(3)["lines"]
    assert all(line["sinks"] < line["window"] for line in lines)
    assert lines != window_cost.sinks(4)["lines"]
    assert all(line["error"] == 0 for line in lines if line["window"] == 24)


def test_sinks_show_the_rows_of_the_definition() -> None:
    for step in range(1, 13):
        for window in range(1, 9):
            for sinks in range(window):
                assert window_cost.visible(step, window, sinks) == sorted(rows_read(step, window, sinks))


def test_without_sinks_the_steps_are_those_of_the_reference() -> None:
    model = random_model(2)
    tokens, _ = float_generate(model, 3, 12)
    for mine, reference in zip(window_cost.forced(model, tokens, 5, 0), float_forced(model, tokens, 5), strict=True):
        assert np.array_equal(mine.logits, reference.logits)


def test_the_chip_is_close_to_the_float_model() -> None:
    for line in accuracy.accuracy()["lines"]:
        assert line["steps"] == 3 * 16 * 32
        assert 0 < line["mean"] < line["p95"] < line["most"] < 0.15
        assert line["mean"] < 0.05
        assert line["agreed"] > 0.98 * line["steps"]


def test_what_sees_a_wasteful_mistake() -> None:
    """No check of the integers does; a bound misses the small one; the laws of the spec miss the order alone."""
    lines = study.wasteful(0)["lines"]
    keys = ("integers", "bound", "exact_count", "order", "law")
    assert {line["mistake"]: tuple(line[key] for key in keys) for line in lines} == {
        "no mistake": (False, False, False, False, ""),
        "pages released a row too late": (False, False, True, True, "capacity"),
        "pages released a page too late": (False, True, True, True, "capacity"),
        "pages released only at the end": (False, True, True, True, "capacity"),
        "a fork that copies every row": (False, False, False, True, "sharing"),
        "pages released in another order": (False, False, False, True, ""),
    }
    assert lines[3]["most_pages"] > lines[1]["most_pages"] > lines[0]["most_pages"]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The studies as above, but small where that takes long."""
    monkeypatch.setattr(study, "EXAMPLES", 2)
    monkeypatch.setattr(accuracy, "MODELS", 1)
    monkeypatch.setattr(admission, "policies", lambda lengths: [admission.Policy("a page is free", 1, False)])


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.filterwarnings("error")
def test_the_command_prints_writes_and_draws(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    data, picture = tmp_path / "study.json", tmp_path / "study.svg"
    assert main(["study", name, "--json", str(data), "--plot", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert STUDIES[name].question in printed
    assert max(map(len, printed.splitlines())) <= 80
    assert 1 <= len(json.loads(data.read_text())["lines"]) < len(printed.splitlines())
    assert picture.read_bytes().startswith(b"<?xml")


def test_example_b_prints_part_three_and_does_not_write_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "b.json"
    assert main(["example", "b", "--json", str(data)]) == 0
    printed = capsys.readouterr().out
    parts = [printed.index(f"\n{number}. ") for number in (1, 2, 3, 4)]
    assert parts == sorted(parts)
    assert list(json.loads(data.read_text())) == [
        "lengths", "pool_rows", "admission", "prefix_sharing", "serving_arithmetic"
    ]  # fmt: skip


def test_an_unknown_study_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "pages"]) == 2
    assert "choose from" in capsys.readouterr().err
