# SPDX-License-Identifier: Apache-2.0
"""`kvproof check`, as it is called: what it prints, its exit status, its JSON, and its messages for bad input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kvproof.cli import main
from spec.conformance.violation import Violation

BROKEN = "tests.conformance.mistakes:EmptyCopy"


def test_a_cache_that_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "verdict.json"
    assert main(["check", "plain", "--examples", "60", "--seed", "5", "--json", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "plain against the spec (seed 5)"
    assert "not declared, so not run: batch, self_check" in out
    assert "copy-on-write" in out
    assert out.splitlines()[-1].startswith("HOLDS: 14 named histories, ")
    data = json.loads(path.read_text())
    assert data["verdict"] == "HOLDS"
    assert data["failure"] is None
    assert data["named_histories"]["double release"] == "held"
    assert data["covered"]["capabilities"]["fork"] == "exercised"
    assert data["covered"]["capabilities"]["batch"] == "missing"
    assert data["covered"]["operations"] > 1_000
    assert data["covered"]["events"]["copy-on-write"] > 0


def test_a_broken_one_gives_the_shortest_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "verdict.json"
    assert main(["check", BROKEN, "--json", str(path)]) == 1
    out = capsys.readouterr().out
    assert "the history 'copy-on-write without a free page' failed" in out
    assert "   3. fork('a', 'b')" in out
    assert "expected  [100, 101]" in out
    assert "got       [None, 101]" in out
    assert out.splitlines()[-1].startswith("FAILED: content")
    data = json.loads(path.read_text())
    assert data["verdict"] == "FAILED"
    assert data["failure"]["law"] == "content"
    assert data["failure"]["operations"] == ["new('a')", "append('a', 1)", "fork('a', 'b')", "append('b', 1)"]
    printed = out.partition("to run it again:\n\n")[2].partition("\nFAILED")[0]
    assert printed.strip() == data["failure"]["python"]
    with pytest.raises(Violation, match="content"):
        exec(printed, {})


def test_a_mistake_that_no_named_history_meets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tests.conformance.mistakes_in_corners:WrongPrecedence", "--seed", "0"]) == 1
    out = capsys.readouterr().out
    assert "   2. fork('b', 'a')" in out
    assert "after 14 named histories" in out


def test_nothing_that_is_declared_may_stay_unused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "plain", "--examples", "1", "--steps", "1"]) == 1
    assert "FAILED: declared and never exercised: fork" in capsys.readouterr().out


MODULE = """
from kvproof.targets.plain import PlainCache

def raises(pages, page_size):
    raise RuntimeError("no room")

def empty(pages, page_size):
    return object()

def unknown(pages, page_size):
    cache = PlainCache(pages, page_size)
    cache.capabilities = {"fork", "fly"}
    return cache

class Outer:
    Inner = PlainCache

number = 7
"""


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nothing", "there is no target 'nothing'"),
        ("mine:", "there is no target 'mine:'"),
        (":raises", "there is no target ':raises'"),
        ("nowhere:raises", "there is no module 'nowhere'"),
        ("mine.below:raises", "there is no module 'mine.below'"),
        ("halting:raises", "module 'halting' cannot be imported: ZeroDivisionError"),
        ("needy:raises", "module 'needy' cannot be imported: No module named 'nowhere'"),
        ("mine:absent", "module 'mine' has no 'absent'; it has PlainCache, raises"),
        ("mine:Outer.absent", "module 'mine' has no 'Outer.absent'"),
        ("mine:number", "mine:number is no factory"),
        ("mine:raises", "mine:raises: factory(4, 4) raised RuntimeError: no room"),
        ("mine:empty", "object is no target: it has no new()"),
        ("mine:unknown", "declares unknown capabilities: fly"),
    ],
)
def test_bad_targets_are_told(
    target: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(MODULE)
    (tmp_path / "halting.py").write_text("1 / 0")
    (tmp_path / "needy.py").write_text("import nowhere")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("mine", "halting", "needy"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert main(["check", target]) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert "Traceback" not in output.err
    assert output.out == ""


def test_a_factory_may_be_an_attribute_of_a_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    assert main(["check", "mine:Outer.Inner", "--examples", "60"]) == 0
    assert "HOLDS" in capsys.readouterr().out


@pytest.mark.parametrize("target", ["plain", "tests.conformance.mistakes_in_corners:WrongPrecedence"])
def test_the_same_seed_prints_the_same_bytes(target: str) -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-m", "kvproof", "check", target, "--examples", "30", "--seed", "9"],
            capture_output=True,
            env={"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": ":".join(sys.path)},
            check=False,
        )
        for hash_seed in (1, 2)
    ]
    assert outputs[0].stdout == outputs[1].stdout != b""
    assert outputs[0].stderr == outputs[1].stderr == b""
