# SPDX-License-Identifier: Apache-2.0
"""`kvproof bench --detect`: what it hunts, how it judges, what it prints. No time is asserted."""

import json
from pathlib import Path

import pytest

from kvproof import cli
from kvproof.bench import detect
from kvproof.bench.detect import Detection, Found, detections, hunted
from kvproof.targets.find import find
from proofs.mistakes import IN_WINDOW_AND_HOST, NAMED
from spec.conformance.hunt import hunt


def quickly(name: str, seed: int) -> Found | None:
    """In the place of a hunt: as if each mistake were found after as many operations as its name has letters."""
    return Found("content", len(name) + seed, 0.25)


def test_each_of_the_eighteen_is_hunted_with_each_seed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(detect, "hunted", quickly)
    file = tmp_path / "detect.json"
    assert cli.main(["bench", "--detect", "--seed", "7", "--json", str(file)]) == 0
    data = json.loads(file.read_text())
    assert data["seeds"] == list(range(7, 27))
    assert [each["name"] for each in data["mistakes"]] == list(NAMED)
    assert [each["number"] for each in data["mistakes"]] == list(range(1, 19))
    first = data["mistakes"][0]
    assert first["operations"] == {"median": 28.5, "worst": 38}
    assert first["seconds"] == {"median": 0.25, "worst": 0.25}
    assert (first["laws"], first["missed"], len(first["hunts"])) == (["content"], "", 20)
    screen = capsys.readouterr().out.splitlines()
    assert max(map(len, screen)) <= 80
    assert screen[-1] == "18 of 18 mistakes found as soon as that"
    assert any("exhaustion-unreported" in line for line in screen)


@pytest.mark.parametrize(
    ("hunts", "missed"),
    [
        ((Found("content", 999, 0.5),) * 3, ""),
        ((Found("content", 1_000, 0.5),) * 3, "operations"),
        ((Found("content", 5, 1.0),) * 3, "seconds"),
        ((Found("content", 5, 0.1), Found("content", 5_000, 19.9), Found("content", 5, 0.1)), ""),
        ((Found("content", 5, 0.1), Found("content", 5_000, 20.0), Found("content", 5, 0.1)), "seconds"),
        ((Found("content", 5, 0.1), None, Found("content", 5, 0.1)), "not found: 1 of 3"),
        ((None,) * 3, "not found: 3 of 3"),
    ],
)
def test_verdicts(hunts: tuple[Found | None, ...], missed: str) -> None:
    assert Detection(1, "name", "wrong", hunts).missed() == missed


def test_a_missed_target_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(detect, "hunted", lambda name, seed: None if name == "no-copy" else quickly(name, seed))
    assert cli.main(["bench", "--detect", "--quick"]) == 1
    printed = capsys.readouterr().out
    assert "not found: 2 of 2" in printed
    assert "17 of 18" in printed


def test_ctrl_c_shows_what_was_hunted_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(name: str, seed: int) -> Found | None:
        if name == "no-copy":
            raise KeyboardInterrupt
        return quickly(name, seed)

    monkeypatch.setattr(detect, "hunted", interrupted)
    assert cli.main(["bench", "--detect"]) == 130
    assert "3 of 3 mistakes" in capsys.readouterr().out


def test_groups_of_figures_have_nothing_to_do_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--detect", "--only", "decode"]) == 2
    assert "leave one of them out" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["trim-too-little", *IN_WINDOW_AND_HOST])
def test_a_hunt_is_the_same_for_the_same_seed(name: str) -> None:
    once, again, other = (hunted(name, seed) for seed in (3, 3, 4))
    assert once is not None
    assert again is not None
    assert other is not None
    assert (once.law, once.operations) == (again.law, again.operations)
    assert 0 < once.operations < detect.MEDIAN_OPERATIONS


def test_operations_are_counted_up_to_the_first_violation() -> None:
    done, interrupted = detections([0], ["exhaustion-unreported"])
    assert not interrupted
    (found,) = done[0].found()
    assert done[0].number == 12
    assert done[0].wrong == "exhaustion is not reported"
    assert found.operations > 0


def test_nothing_is_caught_where_nothing_is_wrong() -> None:
    assert hunt(find("kvproof").factory, examples=20) is None
