# SPDX-License-Identifier: Apache-2.0
"""`kvproof replay` as it is typed: inputs, exit status, what is printed and what is written."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from impl.errors import OutOfPages
from impl.page_table import InvariantBroken, PageTable
from kvproof.cli import main

CSV = "TIMESTAMP,ContextTokens,GeneratedTokens\n0,30,4\n1,12,0\n2,70,9\n"


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_the_embedded_trace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["replay", "--json", str(tmp_path / "figures.json")]) == 0
    printed = capsys.readouterr().out
    assert "the embedded trace: 400 requests in CSV" in printed
    assert "pool: 512 pages of 16 rows (8,192 rows), no window" in printed
    assert printed.splitlines()[-1].startswith("CHECKED: all invariants hold (1 × check())")
    assert max(map(len, printed.splitlines())) <= 80
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert (figures["finished"], figures["never_fit"], figures["peak_pages"]) == (400, 0, 512)
    assert figures["tokens"] == 109_626 + figures["refilled"]
    assert figures["lockstep_operations"] is None


def test_in_lockstep(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["replay", "--lockstep", "--limit", "20", "--window", "32", "--sinks", "4", "--check-every", "7"]
    assert main([*command, "--json", str(tmp_path / "figures.json")]) == 0
    printed = capsys.readouterr().out
    assert "window of 32 tokens, 4 of them sinks" in printed
    assert printed.splitlines()[-2].startswith("VERIFIED: ")
    assert "after every 7 operations and at the end" in printed.splitlines()[-1]
    assert max(map(len, printed.splitlines())) <= 80
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert (figures["requests"], figures["lockstep_every"]) == (20, 7)


def test_a_file_and_standard_input_come_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t").write_text(CSV)
    figures = []
    for trace in (str(tmp_path / "t"), "-"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CSV.encode())))
        assert main(["replay", trace, "--check-every", "2", "--json", str(tmp_path / "json")]) == 0
        figures.append(json.loads((tmp_path / "json").read_text()))
    for changing in ("trace", "seconds", "tokens_per_second"):
        figures[0].pop(changing), figures[1].pop(changing)
    assert figures[0] == figures[1]
    assert (figures[0]["pages"], figures[0]["tokens"], figures[0]["checks"]) == (16_384, 125, 9 // 2 + 1)


@pytest.mark.parametrize("source", ["file", "-"])
def test_a_malformed_line(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CSV + "3,-1,4\n4,5,6\n"
    (tmp_path / "file").write_text(text)
    trace = source if source == "-" else str(tmp_path / source)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["replay", trace]) == 2
    complaint = capsys.readouterr().err
    assert f"{trace}: line 5: ContextTokens is -1" in complaint
    assert "--skip-bad" in complaint

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["replay", trace, "--skip-bad"]) == 0
    assert "4 requests in CSV, 1 malformed lines passed over" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["/nowhere/trace"], "cannot be read: No such file or directory"),
        (["."], "cannot be read: Is a directory"),
        (["--sinks", "3"], "sinks need a window"),
        (["--window", "3", "--sinks", "3"], "must be larger than its sinks"),
        (["--pages", "0"], "'0' is not a whole number of at least 1"),
        (["--limit", "x"], "'x' is not a whole number of at least 1"),
        (["--lockstep", "--pages", "100000000"], "too large for lockstep"),
        (["--pages", "99999999999999"], "make it smaller"),
        (["--page-size", "99999999999999999999"], "too large; give one of at most"),
        (["--limit", "100000000000000000000"], "argument --limit: the number is too large"),
        (["--window", str(10**21), "--sinks", str(10**20)], "the number is too large"),
        ([""], "the name of the trace is empty"),
    ],
)
def test_bad_usage(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", *words]) == 2
    assert complaint in capsys.readouterr().err


def test_an_empty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").touch()
    assert main(["replay", str(tmp_path / "empty")]) == 2
    assert f"{tmp_path / 'empty'}: is empty" in capsys.readouterr().err


def test_a_broken_invariant_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(table: PageTable) -> None:
        raise InvariantBroken("free stack: page 3 twice")

    monkeypatch.setattr(PageTable, "check", broken)
    assert main(["replay"]) == 1
    assert "FAILED: InvariantBroken: free stack: page 3 twice" in capsys.readouterr().out


def test_a_refusal_of_what_is_possible_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refusing(table: PageTable, handle: int, n: int) -> None:
        raise OutOfPages("no")

    monkeypatch.setattr(PageTable, "append", refusing)
    assert main(["replay"]) == 1
    assert "FAILED: OutOfPages: no" in capsys.readouterr().out


def test_pages_that_leak_are_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    close = PageTable.close

    def leaking(table: PageTable, handle: int) -> None:
        table.append(table.open(), 1)
        close(table, handle)

    monkeypatch.setattr(PageTable, "close", leaking)
    assert main(["replay", "--limit", "3"]) == 1
    assert "3 pages are still held after the last request" in capsys.readouterr().out


def test_an_interruption_prints_what_was_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    close = PageTable.close
    closed: list[int] = []

    def interrupted(table: PageTable, handle: int) -> None:
        if len(closed) == 5:
            raise KeyboardInterrupt
        closed.append(handle)
        close(table, handle)

    monkeypatch.setattr(PageTable, "close", interrupted)
    assert main(["replay", "--json", str(tmp_path / "figures.json")]) == 130
    assert capsys.readouterr().out.splitlines()[-1].startswith("INTERRUPTED: ")
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert (figures["finished"], figures["interrupted"]) == (5, True)


def test_the_trace_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t").write_text(CSV)
    (tmp_path / "link").symlink_to("t")
    assert main(["replay", str(tmp_path / "t"), "--json", str(tmp_path / "link")]) == 2
    assert "it is the trace itself" in capsys.readouterr().err
    assert (tmp_path / "t").read_text() == CSV


@pytest.mark.parametrize(("words", "status"), [("replay - <&-", 2), ("example a >&-", 0), ("replay '' 2>&-", 2)])
def test_closed_streams(words: str, status: int) -> None:
    shell = f"{sys.executable} -m kvproof {words}"
    ended = subprocess.run(["sh", "-c", shell], cwd=Path(__file__).parent.parent, capture_output=True, text=True)
    assert (ended.returncode, "Traceback" in ended.stderr) == (status, False)


def test_a_dash_is_standard_input_even_where_a_file_has_that_name(tmp_path: Path) -> None:
    (tmp_path / "-").touch()
    done = subprocess.run(
        [sys.executable, "-m", "kvproof", "replay", "-"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        input="TIMESTAMP,ContextTokens,GeneratedTokens\nx,3,4\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "1 requests" in done.stdout
