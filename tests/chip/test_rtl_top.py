# SPDX-License-Identifier: Apache-2.0
"""Small mistakes in the top of the chip, `ga2`, each noticed by the co-simulation with the model."""

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from impl.chip import simulators
from impl.chip.config import SMALL
from impl.chip.cosim import Record, record, replay
from impl.chip.isa import Instruction, Op, encode
from impl.chip.random_programs import illegal_instruction, random_program, seeded
from impl.chip.verilog import RTL

MISTAKES = [
    ("EXTERNAL_WORDS[16:0] - 17'd3", "EXTERNAL_WORDS[16:0] - 17'd2"),
    ("pc <= pc + 17'd3", "pc <= pc + 17'd4"),
    ("word == 2'd2 ? 2'd0", "word == 2'd1 ? 2'd0"),
    ("state == DECODE && legal", "state == DECODE"),
    ("if (!legal) error <= 1'b1", "if (!legal) error <= 1'b0"),
    ("!legal || halt ? IDLE", "halt ? IDLE"),
    ("issue && softmax", "issue && copy"),
    ("load ? d : a", "load ? a : d"),
    (".transposed(matmul_t)", ".transposed(matmul)"),
    ("r_en && !r_row[15]", "r_en && r_row[15]"),
    ("w_en && w_row[15]", "w_en"),
    ("if (r_en) from_rowmem", "if (issue) from_rowmem"),
    ("total + {31'd0, running}", "total + {31'd0, running && !fetching}"),
    ("dma + {31'd0, dma_busy}", "dma + {31'd0, dma_valid}"),
    ("mm + {31'd0, mm_busy}", "mm + {31'd0, mm_busy && !mm_done}"),
    ("sm + {31'd0, sm_busy}", "sm + {31'd0, sm_r_en}"),
    ("vec + {31'd0, vec_busy}", "vec + {31'd0, vec_busy || sm_busy}"),
    ("rst || (state == IDLE && start)", "rst"),
    ("dma_valid && dma_write", "dma_write"),
]


@cache
def records() -> list[Record]:
    """Random programs, illegal instructions alone, and one that runs out of the memory."""
    images = [random_program(seeded(seed), SMALL, illegal=seed % 5 == 0) for seed in range(20)]
    images += [np.array(encode(illegal_instruction(seeded(seed), SMALL)), dtype=np.uint32) for seed in range(30)]
    copies = encode(Instruction(Op.COPY, d=1, a=0, length=1)) * (SMALL.external_words // 3)
    images.append(np.array(copies, dtype=np.uint32))
    return [record(image, SMALL) for image in images]


@pytest.mark.parametrize(("right", "wrong"), MISTAKES)
def test_a_mistake_in_ga2_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, right: str, wrong: str) -> None:
    copy = tmp_path / "rtl"
    shutil.copytree(RTL, copy)
    text = (copy / "ga2.v").read_text()
    assert text.count(right) >= 1
    (copy / "ga2.v").write_text(text.replace(right, wrong, 1))
    monkeypatch.setattr(simulators, "RTL", copy)
    monkeypatch.setattr(simulators, "BUILD", tmp_path / "build")
    assert not replay("icarus", SMALL, records(), 60).passed


def test_without_a_mistake_it_passes() -> None:
    assert replay("icarus", SMALL, records(), 60).passed
