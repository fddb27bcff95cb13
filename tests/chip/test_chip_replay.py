# SPDX-License-Identifier: Apache-2.0
"""Replays with a stand-in for the simulator: what it gets, what its verdict becomes, and runs without a verdict."""

from pathlib import Path

import numpy as np
import pytest

from impl.chip.config import SMALL, Config
from impl.chip.cosim import Outcome, SimulatorError, parse, record, replay, waveform
from impl.chip.isa import Instruction, Op, encode
from impl.chip.machine import Words
from impl.chip.simulators import SIMULATORS, Simulator
from tests.chip.conftest import Programs

PASS = "PASS programs=2 cycles=30 waits=4"
FAIL = "FAIL record=1 counter=dma expected=00000001 got=00000002"


def image(*code: Instruction) -> Words:
    """The image of a program."""
    return np.array([word for instruction in code for word in encode(instruction)], dtype=np.uint32)


STORE = record(image(Instruction(Op.STORE, d=9, a=0, length=2), Instruction(Op.HALT)), SMALL)
NOTHING = record(image(Instruction(Op.HALT)), SMALL)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch, programs: Programs, tmp_path: Path) -> list[Config]:
    """The chips that were asked for; any is built for Icarus by writing a word into a file."""
    asked = []

    def make(config: Config, folder: Path) -> None:
        asked.append(config)
        (folder / "chip").write_text("chip\n")

    def command(chip: Path) -> list[str]:
        assert chip.read_text() == "chip\n"
        return [str(programs.folder / "simulator"), chip.name]

    monkeypatch.setitem(SIMULATORS, "icarus", Simulator("Icarus", (), "chip", make, command))
    return asked


def test_an_image_and_what_the_model_makes_of_it() -> None:
    code = image(Instruction(Op.COPY, d=1, a=0, length=1))
    one = record(code, SMALL)
    assert one.image is code
    assert one.result.memory.shape == (SMALL.external_words,)
    assert one.result.memory[: len(code)].tolist() == code.tolist()
    assert (one.result.fetched, one.result.error) == (2, "instruction 1: opcode 0x00 does not exist")
    assert one.text().splitlines()[1].split()[0] == "1"


def test_what_the_simulator_gets(built: list[Config], programs: Programs, tmp_path: Path) -> None:
    # Also a last line that does not end.
    copied = f"""while read line || [ "$line" ]; do echo "$line" >> '{tmp_path}/got'; done < records.txt"""
    programs.add("simulator", f"{copied}; echo {PASS}")
    assert replay("icarus", SMALL, [STORE, NOTHING]) == Outcome("Icarus", PASS, True, 2, 30, 4)
    assert built == [SMALL]
    ((_, folder, arguments),) = programs.calls()
    assert arguments == ["chip", "+records=records.txt", "+waits=0"]
    assert (folder.parent, folder.name.partition("-")[0], folder.exists()) == (programs.build, "records", False)
    assert (tmp_path / "got").read_text() == "\n".join(["2", STORE.text(), NOTHING.text(), ""])
    replay("icarus", SMALL, [STORE], 128)
    assert programs.calls()[1][2][1:] == ["+records=records.txt", "+waits=128"]


def test_a_mismatch(built: list[Config], programs: Programs) -> None:
    programs.add("simulator", f"echo {FAIL}; exit 1")
    assert replay("icarus", SMALL, [NOTHING]) == Outcome("Icarus", FAIL, False, record=1)


def test_a_waveform_is_moved_to_its_place(built: list[Config], programs: Programs, tmp_path: Path) -> None:
    programs.add("simulator", f"read count < records.txt; echo signals of $count > wave.vcd; echo {PASS}")
    outcome = waveform(SMALL, STORE, tmp_path / "step.vcd")
    assert outcome == Outcome("Icarus", PASS, True, 2, 30, 4)
    assert (tmp_path / "step.vcd").read_text() == "signals of 1\n"
    waveform(SMALL, STORE, tmp_path / "step.vcd", 77)
    assert [arguments[1:] for _, _, arguments in programs.calls()] == [
        ["+records=records.txt", f"+waits={waits}", "+vcd=wave.vcd"] for waits in (0, 77)
    ]
    assert built == [SMALL]
    assert all(folder.name.startswith("records-") and not folder.exists() for _, folder, _ in programs.calls())


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exit 0", "icarus ended with 0: no output"),
        ("echo '  so far  '; echo oops >&2; exit 2", "icarus ended with 2: so far  \noops"),
        (f"echo {PASS}; exit 3", f"icarus ended with 3: {PASS}"),
        (f"echo {PASS}; exit 1", f"icarus ended with 1: {PASS}"),
        (f"echo {FAIL}", f"icarus ended with 0: {FAIL}"),
        (f"echo {PASS}; echo {FAIL}; exit 1", f"icarus ended with 1: {PASS}\n{FAIL}"),
    ],
)
def test_a_simulator_without_a_verdict(built: list[Config], programs: Programs, script: str, message: str) -> None:
    programs.add("simulator", script)
    with pytest.raises(SimulatorError) as caught:
        replay("icarus", SMALL, [NOTHING])
    assert str(caught.value) == message


def test_no_total_is_shown_for_a_failure() -> None:
    outcome = parse("x", "FAIL no records in records.txt")
    assert outcome is not None
    assert (outcome.programs, outcome.cycles, outcome.waits, outcome.record) == (0, 0, 0, None)


@pytest.mark.parametrize("line", ["PASS", f"{PASS} or so", "PASS programs=x cycles=1 waits=0"])
def test_a_line_that_only_looks_like_a_pass_is_none(line: str) -> None:
    assert parse("x", line) == Outcome("x", line, False)


def test_a_verdict_begins_a_line() -> None:
    assert parse("x", f"no {PASS}\n{FAIL}\r\nnor {FAIL}\n") == Outcome("x", FAIL, False, record=1)
