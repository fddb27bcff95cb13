# SPDX-License-Identifier: Apache-2.0
"""The Verilog that is generated: by hand, as a file, and as it stands in `rtl/`."""

from pathlib import Path

import numpy as np
import pytest

from impl.chip import verilog


def test_the_generated_verilog_is_up_to_date() -> None:
    assert (verilog.RTL / "exp_lut.v").read_text(encoding="utf-8") == verilog.exp_lut()


def test_each_entry_that_is_not_zero_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verilog, "EXP_TABLE", np.array([255, 0, 7]))
    lines = verilog.exp_lut().splitlines()
    at = lines.index("        case (index)")
    assert lines[at + 1 : at + 4] == [
        "            8'd0: value = 8'd255;",
        "            8'd2: value = 8'd7;",
        "            default: value = 8'd0;",
    ]


def test_the_file_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(verilog, "RTL", tmp_path)
    verilog.main()
    assert [path.name for path in tmp_path.iterdir()] == ["exp_lut.v"]
    assert (tmp_path / "exp_lut.v").read_text(encoding="utf-8") == verilog.exp_lut()
