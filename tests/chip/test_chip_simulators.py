# SPDX-License-Identifier: Apache-2.0
"""Verdicts, records, the cache of builds, missing simulators and lint."""

import subprocess
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from impl.chip import cosim, simulators, verilog
from impl.chip.config import SMALL
from impl.chip.cosim import Outcome, Record, parse, record, write
from impl.chip.isa import Instruction, Op, encode
from impl.chip.machine import Counters, Result
from impl.chip.simulators import SIMULATORS, BuildFailed, Simulator, sources

COPY = np.array(encode(Instruction(Op.COPY, d=1, a=0, length=2)) + encode(Instruction(Op.HALT)), dtype=np.uint32)

COUNTERS = ("total", "dma", "mm", "sm", "vec")


def test_a_record_as_text(tmp_path: Path) -> None:
    store = encode(Instruction(Op.STORE, d=9, a=0, length=2)) + encode(Instruction(Op.HALT)) + [0] * 3 + [7, 8, 9]
    one = record(np.array(store, dtype=np.uint32), SMALL)
    lines = one.text().splitlines()
    assert lines[0].split()[:2] == ["c", "3000009"]
    assert lines[1:] == ["0 b 3 0 0 0", "2 9 0 a 0"]
    write(tmp_path / "records.txt", [one, record(COPY[:3], SMALL)])
    text = (tmp_path / "records.txt").read_text()
    assert text.splitlines()[0] == "2"
    assert text.splitlines()[5] == "1 c 0 0 0 4"


def test_verdicts() -> None:
    assert parse("x", "VCD\nPASS programs=3 cycles=40 waits=5\n") == Outcome(
        "x", "PASS programs=3 cycles=40 waits=5", True, 3, 40, 5
    )
    failed = "FAIL record=12 address=3 expected=00000001 got=xxxxxxxx"
    assert parse("x", failed) == Outcome("x", failed, False, record=12)
    assert parse("x", "FAIL no records in records.txt") == Outcome("x", "FAIL no records in records.txt", False)
    assert parse("x", "") is None
    assert parse("x", "PASS programs=1 cycles=1 waits=0\n" * 2) is None


def wrong(one: Record, counters: Mapping[str, int], memory: bool = False, error: bool = False) -> Record:
    """A record that expects something else."""
    result = one.result
    changed = result.memory.copy()
    changed[400] ^= int(memory)
    reason = "no reason" if error else result.error
    values = {name: getattr(result.counters, name) + counters.get(name, 0) for name in COUNTERS}
    return Record(one.image, Result(changed, Counters(**values), reason, result.fetched))


@pytest.mark.parametrize("simulator", ["icarus"])
def test_the_testbench_sees_every_difference(simulator: str) -> None:
    good = record(COPY, SMALL)
    for counter in COUNTERS:
        for by in (-1, 1) if getattr(good.result.counters, counter) else (1,):
            outcome = cosim.replay(simulator, SMALL, [good, wrong(good, {counter: by}), good])
            assert outcome.record == 1
            assert f"counter={counter} " in outcome.line
    line = cosim.replay(simulator, SMALL, [good, wrong(good, {}, memory=True)]).line
    assert "record=1 address=400 expected=00000001 got=00000000" in line
    assert "record=0 error expected=1 got=0" in cosim.replay(simulator, SMALL, [wrong(good, {}, error=True)]).line


def test_on_chip_memories_start_empty() -> None:
    """The second record stores what it has not written; the first one wrote there."""
    fill = [Instruction(Op.LOAD, d=d, a=0, length=6) for d in (0, 0x8000)]
    look = [Instruction(Op.STORE, d=d, a=a, length=6) for d, a in ((100, 0), (110, 0x8000))]
    images = [
        np.array([word for i in [*code, Instruction(Op.HALT)] for word in encode(i)], dtype=np.uint32)
        for code in (fill, look)
    ]
    outcome = cosim.replay("icarus", SMALL, [record(image, SMALL) for image in images])
    assert outcome.passed


def test_a_build_that_several_ask_for_is_made_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = []
    monkeypatch.setattr(simulators, "BUILD", tmp_path)

    def make(config: object, folder: Path) -> None:
        made.append(config)
        time.sleep(0.2)
        (folder / "chip").touch()

    fake = Simulator("fake", (), "chip", make, lambda program: [str(program)])
    with ThreadPoolExecutor(4) as pool:
        places = list(pool.map(fake.build, [SMALL] * 4))
    assert len(set(places)) == 1
    assert len(made) == 1


def test_a_build_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "tb").mkdir()
    for name in ("icarus.v", "replay.v"):
        (tmp_path / "tb" / name).write_text("this is no Verilog")
    monkeypatch.setattr(simulators, "RTL", tmp_path)
    with pytest.raises(BuildFailed, match=r"iverilog failed:\n.*syntax error"):
        SIMULATORS["icarus"].build(SMALL)


@pytest.mark.parametrize("lanes", [16, 8])
def test_the_verilog_is_free_of_warnings(lanes: int) -> None:
    command = [simulators.verilator(), "--lint-only", "-Wall", f"-GN={lanes}", "--top-module"]
    for top, files in (("ga2", sources()), ("replay", [verilog.RTL / "tb" / "replay.v", *sources()])):
        ran = subprocess.run([*command, top, *map(str, files)], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        assert "%Warning" not in ran.stderr + ran.stdout


def test_the_chip_has_no_waivers() -> None:
    for file in sources():
        text = file.read_text()
        assert "lint_off" not in text, file.name
        assert text.startswith("// SPDX-License-Identifier: Apache-2.0\n"), file.name
        assert "`default_nettype none" in text, file.name
        for heading in ("// Ports", "// Latency", "// Reset"):
            assert heading in text, f"{file.name} lacks {heading}"
