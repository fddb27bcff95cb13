# SPDX-License-Identifier: Apache-2.0
"""`kvproof trace`: the waveform of a step holds the signals of the chip and ends with the counters of the model."""

import re
from pathlib import Path

import pytest

from impl.chip import cosim, simulators
from impl.chip.simulators import SimulatorMissing
from kvproof.cli import main


def last_value(text: str, signal: str) -> int:
    """The last value of the first signal of this name."""
    found = re.search(rf"\$var \w+ \d+ (\S+) {signal} ", text)
    assert found
    values = re.findall(rf"^b([01x]+) {re.escape(found[1])}$", text, re.MULTILINE)
    return int(values[-1], 2)


def test_a_step_as_a_waveform(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "step.vcd"
    assert main(["trace", "--step", "5", "--window", "3", "--vcd", str(file)]) == 0
    text = file.read_text()
    assert "$scope module chip $end" in text
    for unit in ("sram_i", "rowmem_i", "dma_i", "mm_i", "sm_i", "vec_i", "decode_i"):
        assert f"$scope module {unit} $end" in text
    # The cycles of a context of 3.
    assert [last_value(text, name) for name in ("total", "dma", "mm", "sm", "vec")] == [732, 356, 266, 36, 6]
    printed = capsys.readouterr().out
    assert "step 5: token 4, 3 tokens seen, next token 7" in printed
    assert "SOFTMAX d=s" in printed
    assert "PASS programs=1 cycles=732 waits=0" in printed
    assert [entry.name for entry in tmp_path.iterdir()] == ["step.vcd"]


def test_wait_states_are_in_the_waveform(tmp_path: Path) -> None:
    file = tmp_path / "step.vcd"
    assert main(["trace", "--step", "1", "--waits", "128", "--vcd", str(file)]) == 0
    assert last_value(file.read_text(), "total") > 900


def test_a_mismatch_is_exit_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = cosim.Outcome("icarus", "FAIL record=0 counter=mm expected=1 got=2", False, record=0)
    monkeypatch.setattr(cosim, "waveform", lambda config, one, file, waits: failed)
    assert main(["trace", "--step", "1", "--vcd", str(tmp_path / "x.vcd")]) == 1


def test_without_icarus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing(names: tuple[str, ...], install: str) -> str:
        raise SimulatorMissing(f"{names[0]} is not installed. Install it with: {install}")

    monkeypatch.setattr(simulators, "find", missing)
    assert main(["trace", "--step", "1", "--vcd", str(tmp_path / "x.vcd")]) == 2
    assert "apt-get install -y iverilog" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--step", "1", "--window", "3,4"], "of one window"),
        (["--step", "65"], "step 65: does not fit: "),
        (["--step", "0"], "at least 1"),
        (["--step", "1", "--waits", "256"], "at most 255"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", *arguments, "--vcd", str(tmp_path / "x.vcd")]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
