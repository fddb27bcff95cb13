# SPDX-License-Identifier: Apache-2.0
"""The pictures: all seven, the same bytes each time, with the measured figures in them."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from impl.studies.example_a import example_a
from kvproof.cli import main
from kvproof.figures import cycles, pages
from kvproof.figures.all import PICTURES
from kvproof.figures.canvas import render

DRAWN = {name: (compute(), draw) for name, compute, draw in PICTURES}
EXPECTED = {
    "1-block-table": ["hole", "page 2", "page 0", "rows\n12 … 13", "once 0 … 3", "free", "read by this step"],
    "2-cycles": ["no window: 1,057", "window 8: 782", "window 4: 742", "clock cycles of the step"],
    "3-window": ["rows 0 … 3 released", "rows 4 … 7 released", "held, not read", "step"],
    "4-admission": ["34", "27", "20", "87.5 %", "31.4 %", "10.1 %"],
    "5-sharing": ["152", "47", "22", "shared", "prompt 250\npages of 16", "pages in use"],
    "6-window-cost": ["100", "0", "window, tokens", "mean relative error, %"],
    "7-serving": ["window 4,096\n67", "everything\n2", "everything\n32 GiB", "window 4,096\n1 GiB", "GiB"],
}


def texts(figure: Figure) -> list[str]:
    """Every text in a picture."""
    return [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command writes."""
    folder = tmp_path_factory.mktemp("figures") / "new" / "pictures"
    assert main(["figures", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_tells_its_figures_and_is_the_same_each_time(name: str, folder: Path) -> None:
    data, draw = DRAWN[name]
    figure = draw(data)
    assert set(EXPECTED[name]) <= set(texts(figure))
    for kind in ("png", "svg"):
        assert render(figure, kind) == (folder / f"{name}.{kind}").read_bytes()
    for axes in figure.axes:
        if name != "1-block-table":
            assert axes.get_ylabel()
            assert axes.get_xlabel() or any("prompt" in label.get_text() for label in axes.get_xticklabels())


def test_the_users_of_a_page() -> None:
    """Example A: page 0 held rows 0 … 3, was released after step 9 and taken again in step 13."""
    log = example_a()["window_log"]
    assert [pages.users(log, physical) for physical in range(4)] == [[0, 3], [1], [2], []]


def test_labels_do_not_overlap() -> None:
    assert cycles.apart([(1100, "c"), (700, "a"), (710, "b")]) == [(700, "a"), (750, "b"), (1100, "c")]


def test_the_command_writes_all_of_them(folder: Path) -> None:
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(f"{name}.{kind}" for name in EXPECTED for kind in ("svg", "png"))
    for path in folder.iterdir():
        data = path.read_bytes()
        if path.suffix == ".png":
            assert data.startswith(b"\x89PNG")
        else:
            ElementTree.fromstring(data)
            assert b"<dc:date>" not in data


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["figures", str(tmp_path / "file" / "below")]) == 2
    assert "cannot make the folder" in capsys.readouterr().err


def test_without_matplotlib_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == "matplotlib" or "kvproof.figures." in name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["figures", str(tmp_path)]) == 2
    assert "pip install 'kvproof[figures]'" in capsys.readouterr().err
