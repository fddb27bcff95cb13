# SPDX-License-Identifier: Apache-2.0
"""Every unit of the Verilog by itself, cycle by cycle; and small mistakes in each, which its bench has to notice."""

from collections.abc import Callable
from functools import partial

import pytest

from impl.chip.simulators import sources
from impl.chip.unit_bench import Bench, Cycle, run
from impl.chip.verilog import RTL
from tests.chip import unit_benches, unit_sequences

BENCHES: dict[str, Callable[[], Bench]] = {
    "mul": unit_benches.mul,
    "mul_wide": unit_benches.mul_wide,
    "pe": unit_benches.pe,
    "systolic": unit_benches.systolic,
    "requant": unit_benches.requant_bench,
    "exp_lut": unit_benches.exp_lut,
    "divu": unit_benches.divu,
    "divu_narrow": partial(unit_benches.divu, 8),
    "sram": unit_benches.sram,
    "rowmem": unit_benches.rowmem,
    "ga2_decode": unit_benches.ga2_decode,
    "dma": unit_sequences.dma,
    "ga2_vec": unit_sequences.ga2_vec,
    "ga2_sm": unit_sequences.ga2_sm,
    "ga2_mm": unit_sequences.ga2_mm,
}

# A change in one place of a unit; its bench must not pass.
MISTAKES = [
    ("mul", "{{B{a[A-1]}}, a}", "{{B{1'b0}}, a}"),
    ("pe", "{S-2*W{product[2*W-1]}}", "{S-2*W{1'b0}}"),
    ("pe", "if (load) weight", "if (load && en) weight"),
    ("systolic", "row[k-1].column[j].sum", "row[k-1].column[0].sum"),
    ("systolic", "load_row == k", "load_row != k"),
    ("requant", "shift - 6'd1", "shift - 6'd2"),
    ("requant", "q <= 8'sd127", "q <= 8'sd126"),
    ("requant", "q <= -8'sd128", "q <= -8'sd127"),
    ("exp_lut", "8'd7: value = 8'd106", "8'd7: value = 8'd107"),
    ("divu", "partial >= ", "partial > "),
    ("divu", "STEPS = W[CW-1:0]", "STEPS = W[CW-1:0] - 1'b1"),
    ("sram", "if (we[i]) mem", "if (we[0]) mem"),
    ("rowmem", "SELF - turn", "SELF + turn"),
    ("rowmem", "we[wcolumn[LW-1:2]]", "we[SELF[LW-1:2]]"),
    ("dma", "left == 16'd1", "left == 16'd2"),
    ("dma", "row_ends && !last", "row_ends"),
    ("dma", "at_address + 16'd1", "at_address + 16'd2"),
    ("ga2_vec", "wide < -9'sd128 ? 8'h80", "wide < -9'sd127 ? 8'h81"),
    ("ga2_vec", "row_best > best", "row_best >= best"),
    ("ga2_vec", "base + LANES", "base + 16'd16"),
    ("ga2_sm", "23'd32768", "23'd32767"),
    ("ga2_sm", "127 << 16", "128 << 16"),
    ("ga2_sm", "-8'sd128", "-8'sd127"),
    ("ga2_mm", "LAST_LEAD = N[SW-1:0] + 2", "LAST_LEAD = N[SW-1:0] + 1"),
    ("ga2_mm", "b_row + TILE", "b_row + 16'd1"),
    ("ga2_mm", "fresh <= across", "fresh <= 1'b1"),
    ("ga2_decode", "wide_shift <= 8'd47", "wide_shift <= 8'd48"),
    ("ga2_decode", "length <= LONGEST", "length < LONGEST"),
    ("ga2_decode", "words <= EXTERNAL", "words < EXTERNAL"),
    ("ga2_decode", "opcode == 8'h07", "opcode == 8'h0a"),
]


@pytest.mark.parametrize("unit", BENCHES)
def test_the_unit(unit: str) -> None:
    assert run(BENCHES[unit]()) is None


@pytest.mark.parametrize(("unit", "right", "wrong"), MISTAKES)
def test_a_mistake_in_the_unit_is_noticed(unit: str, right: str, wrong: str) -> None:
    text = (RTL / f"{unit}.v").read_text()
    assert text.count(right) >= 1
    difference = run(BENCHES[unit](), {f"{unit}.v": text.replace(right, wrong, 1)})
    assert difference is not None
    assert difference.startswith("cycle ")


def test_every_unit_has_a_bench() -> None:
    assert {file.stem for file in sources()} - {"ga2"} == set(BENCHES) - {"mul_wide", "divu_narrow"}


def test_a_difference_is_told_by_port_and_cycle() -> None:
    ports = {"a": 8, "b": 8}
    cycles = [Cycle({"a": 2, "b": 3}, {"p": 6}), Cycle({"a": 2, "b": -1}, {"p": -3})]
    bench = Bench("mul", {"A": 8, "B": 8}, ports, {"p": 16}, cycles, clocked=False)
    assert run(bench) == "cycle 1: p is 0xfffe and not 0xfffd"
    masked = Bench("mul", {}, ports, {"p": 16}, [cycles[0], Cycle({"a": 1, "b": 1}, {"p": 3}, {"p": 1})], clocked=False)
    assert run(masked) is None
    with pytest.raises(KeyError, match=r"mul has no \['c'\]"):
        run(Bench("mul", {}, ports, {"p": 16}, [Cycle({"c": 1}, {})], clocked=False))
