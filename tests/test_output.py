# SPDX-License-Identifier: Apache-2.0
"""Files are written whole or not at all; tables and progress are plain where nobody looks at them."""

import errno
import io
import json
import os
import sys
from pathlib import Path

import pytest

from kvproof import output, ui
from kvproof.errors import UsageError


def test_json_round_trip_and_nothing_else_left(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("before")
    data = {"ok": True, "ratio": 0.5, "name": "café", "none": None, "list": [1, 2]}
    output.write_json(path, data)
    assert json.loads(path.read_text("utf-8")) == data
    assert path.read_bytes().endswith(b"}\n")
    assert "café".encode() in path.read_bytes()
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("before")
    (tmp_path / "link").symlink_to("real")
    output.write_text(tmp_path / "link", "after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "after"


def test_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    output.write_text(tmp_path / "ours", "x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert output.writable(tmp_path / "pipe") == tmp_path / "pipe"
    output.write_text(tmp_path / "pipe", "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)


@pytest.mark.parametrize("call", [output.writable, lambda path: output.write_text(path, "x")])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "it is a folder; give the name of a file"),
        ("absent/x", "there is no folder '{folder}/absent'"),
        ("file/x", "there is no folder '{folder}/file'"),
        ("n" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, name: str, message: str, call: object) -> None:
    (tmp_path / "file").write_text("x")
    assert callable(call)
    with pytest.raises(UsageError) as caught:
        call(tmp_path / name)
    assert str(caught.value) == f"cannot write '{tmp_path / name}': {message.format(folder=tmp_path)}"


def test_asking_whether_a_file_is_writable_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "x"
    assert output.writable(path) == path
    assert list(tmp_path.iterdir()) == []
    path.write_text("kept")
    output.writable(path)
    assert path.read_text() == "kept"


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_a_failure_on_the_way_leaves_the_old_file(tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only file system, a full disk, and a folder that goes away."""
    path = tmp_path / "x"
    path.write_text("before")

    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    where = Path if step == "replace" else os
    monkeypatch.setattr(where, step, fail)
    with pytest.raises(UsageError, match=r"^cannot write '.*x': No space left on device$"):
        output.write_text(path, "after")
    monkeypatch.undo()
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("x", "before")]


def test_a_full_device() -> None:
    with pytest.raises(UsageError, match=r"^cannot write '/dev/full': No space left on device$"):
        output.write_json(Path("/dev/full"), {})


def test_not_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        output.write_json(tmp_path / "x", float("nan"))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No terminal, and nothing that says how wide it is."""
    for name in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("screen")
def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    ui.table(("what", "rows", "time"), [("[bold]a[/] :cat:", 1234567, "1.5 s"), ("b", None, "12.0 s")], title="T")
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "T",
        "",
        " what                    rows     time",
        " ─────────────────────────────────────",
        " [bold]a[/] :cat:   1,234,567    1.5 s",
        " b                          –   12.0 s",
        "",
    ]


@pytest.mark.usefixtures("screen")
def test_a_wide_table_fits_80_columns_and_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    ui.table(("a", "b"), [("word " * 30, "x" * 100)])
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    assert "\x1b" not in printed
    assert (printed.count("word"), printed.count("x"), "…" in printed) == (30, 100, False)


def test_a_line_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    ui.say("word " * 60 + "[end]")
    assert capsys.readouterr().out == "word " * 60 + "[end]\n"


@pytest.mark.usefixtures("screen")
def test_progress_is_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with ui.progress("working", 3) as advance:
        advance()
        advance(2, "text")
        advance(text="more")
    assert capsys.readouterr() == ("", "")


class Terminal(io.StringIO):
    """Pretends to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("screen")
@pytest.mark.parametrize("no_colour", ["", "1"])
def test_on_a_terminal(monkeypatch: pytest.MonkeyPatch, no_colour: str) -> None:
    """A bar on standard error that goes away; colour unless NO_COLOR is set."""
    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", no_colour)
    with ui.progress("working", 4) as advance:
        advance(2, "half [way]")
    ui.say("done", style="red")
    assert "working" in err.getvalue()
    assert "half [way]" in err.getvalue()
    assert err.getvalue().endswith("\x1b[2K")
    assert out.getvalue() == ("done\n" if no_colour else "\x1b[31mdone\x1b[0m\n")


@pytest.mark.parametrize("name", ["/dev/nosuch/x", "/proc/nosuch"])
def test_no_file_among_the_devices(name: str) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        output.writable(Path(name))


def test_a_width_of_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    ui.table(("what",), [("word",)])
    assert "word" in capsys.readouterr().out


def test_a_dash_is_no_file_to_write() -> None:
    with pytest.raises(UsageError, match="/dev/stdout"):
        output.writable(Path("-"))
