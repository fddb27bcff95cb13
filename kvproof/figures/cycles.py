# SPDX-License-Identifier: Apache-2.0
"""Cycles per step against the step, for one window or several."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kvproof.figures.canvas import BLUE, DASHES, GREY, INK, ORANGE, label, new, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = (INK, BLUE, ORANGE, GREY)


@styled
def draw(runs: Sequence[dict[str, Any]]) -> "Figure":
    """`runs` as of `impl.studies.decode.figures`."""
    figure, (axes,) = new()
    ends: list[tuple[int, str]] = []
    last = max(step["step"] for run in runs for step in run["steps"])
    for index, run in enumerate(runs):
        steps = [step["step"] for step in run["steps"]]
        cycles = [step["total"] for step in run["steps"]]
        colour, dash = COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
        axes.plot(steps, cycles, color=colour, linestyle=dash, linewidth=2.6)
        name = "no window" if run["window"] is None else f"window {run['window']}"
        ends.append((cycles[-1], f"{name}: {cycles[-1]:,}"))
        if run["window"] is not None and run["window"] < len(steps):
            axes.plot(run["window"], cycles[run["window"] - 1], "o", color=colour, markersize=7)
    for height, text in apart(ends):
        label(axes, last, height, text)
    axes.spines["bottom"].set_bounds(0, last)
    axes.set_title("With a window, a step costs the same however long the text")
    axes.set_xlabel("step = tokens so far")
    axes.set_ylabel("clock cycles of the step")
    axes.set_xlim(0, last * 1.22 + 1)
    axes.set_ylim(0, None)
    axes.set_xticks([at for at in axes.get_xticks() if 0 <= at <= last])
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.margins(y=0.1)
    return figure


def apart(ends: Sequence[tuple[int, str]]) -> list[tuple[float, str]]:
    """The labels at the ends of the lines, from the lowest up, moved up where they would overlap."""
    gap = max(height for height, _ in ends) / 22
    placed: list[tuple[float, str]] = []
    for height, text in sorted(ends):
        placed.append((max(height, placed[-1][0] + gap) if placed else height, text))
    return placed
