# SPDX-License-Identifier: Apache-2.0
"""Pictures as bytes: one look for all of them, the same bytes for the same figures, SVG or PNG.

Colours differ in lightness too, and nothing is told by colour alone, so that every picture can be read in grey.
"""

import io
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kvproof.errors import UsageError
from kvproof.output import write_bytes

try:
    import matplotlib
    from matplotlib.figure import Figure
except ImportError as error:
    raise UsageError("drawing needs matplotlib; install it with: pip install 'kvproof[figures]'") from error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, BLUE, ORANGE, GREY, PALE = "#1b1b1b", "#174a7e", "#e08214", "#8c9299", "#dfe3e8"
DASHES = ("-", "--", ":", "-.")

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "axes.titlesize": 15,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 14,
    "axes.labelsize": 12,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "hatch.linewidth": 0.7,
    "svg.hashsalt": "kvproof",
    "svg.fonttype": "path",
}
SIZE = (9.6, 5.4)
DOTS = 150


def styled(draw: "Callable[[Any], Figure]") -> "Callable[[Any], Figure]":
    """Draw in the style of all pictures, whatever matplotlib is set to, and fix the place of everything.

    Without that each rendering would lay the picture out anew, and a little differently.
    """

    @wraps(draw)
    def drawn(data: Any) -> "Figure":
        with matplotlib.rc_context(STYLE):
            figure = draw(data)
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            return figure

    return drawn


def new(columns: int = 1, size: tuple[float, float] = SIZE) -> "tuple[Figure, list[Axes]]":
    """An empty picture, in inches, and its axes from left to right."""
    figure = Figure(figsize=size, dpi=DOTS, layout="constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def render(figure: "Figure", kind: str) -> bytes:
    """The picture as "svg" or "png". No dates and no random ids in it."""
    buffer = io.BytesIO()
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format=kind, dpi=DOTS, metadata=metadata)
    return buffer.getvalue()


def save(figure: "Figure", path: Path) -> None:
    """Write the picture; its kind follows from the name. UsageError when it cannot be written."""
    write_bytes(path, render(figure, path.suffix.removeprefix(".")))


def label(axes: "Axes", x: float, y: float, text: str) -> None:
    """A text to the right of a point."""
    axes.annotate(text, (x, y), xytext=(7, 0), textcoords="offset points", va="center", ha="left", color=INK)


def bars(axes: "Axes", names: Sequence[str], values: Sequence[float], texts: Sequence[str], first: str) -> None:
    """Bars with their texts on top. `first` is the colour of the first one, hatched if it is not that of the others."""
    colours = [first, *[BLUE] * (len(values) - 1)]
    drawn = axes.bar(range(len(values)), values, color=colours, edgecolor=INK, width=0.66)
    if first != BLUE:
        drawn[0].set_hatch("//")
    axes.bar_label(drawn, list(texts), padding=3)
    axes.set_xticks(range(len(names)), list(names))
    axes.margins(y=0.14)


def name_pair(axes: "Axes", at: float, left: tuple[float, str], right: tuple[float, str]) -> None:
    """The names of the two bars of a pair that stands at `at`, above the heights of the bars and their values."""
    for x, (height, text), side in ((at - 0.02, left, "right"), (at + 0.04, right, "left")):
        axes.annotate(text, (x, height), (0, 19), textcoords="offset points", ha=side, color=INK, fontweight="bold")
