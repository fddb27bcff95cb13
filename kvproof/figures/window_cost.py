# SPDX-License-Identifier: Apache-2.0
"""What a window costs: agreement with the model that sees everything, and the error of the logits; with sinks too."""

from typing import TYPE_CHECKING, Any

from kvproof.figures.canvas import BLUE, DASHES, GREY, INK, ORANGE, new, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOKS = ((INK, "o"), (BLUE, "s"), (ORANGE, "^"), (GREY, "D"))


@styled
def draw(study: dict[str, Any]) -> "Figure":
    """`study` as of `impl.studies.window_cost`: a line for each number of sinks in it."""
    figure, (left, right) = new(2, size=(11, 5.4))
    counts = sorted({line["sinks"] for line in study["lines"]})
    for index, count in enumerate(counts):
        lines = [line for line in study["lines"] if line["sinks"] == count]
        windows = [line["window"] for line in lines]
        colour, marker = LOOKS[index % len(LOOKS)]
        name = "window alone" if count == 0 else f"{count} sink{'s' if count > 1 else ''}"
        for axes, values in (
            (left, [100 * line["agreed"] / line["steps"] for line in lines]),
            (right, [100 * line["error"] for line in lines]),
        ):
            dash = DASHES[index % len(DASHES)]
            axes.plot(windows, values, dash, marker=marker, color=colour, linewidth=2.2, markersize=7, label=name)
            if len(counts) == 1:
                for window, value in zip(windows, values, strict=True):
                    text = f"{value:.1f}" if value not in (0, 100) else f"{value:.0f}"
                    across = 5 if axes is right and value else 0
                    axes.annotate(
                        text,
                        (window, value),
                        (across, -9 if axes is left else 7),
                        textcoords="offset points",
                        ha="left" if across or (axes is left and value < 100) else "center",
                        va="top" if axes is left else "bottom",
                    )
    if len(counts) > 1:
        right.legend(frameon=False, handlelength=3.5)
    windows = sorted({line["window"] for line in study["lines"]})
    for axes in (left, right):
        axes.set_xticks(windows)
        axes.set_xlabel("window, tokens")
        axes.margins(y=0.12)
    right.set_ylim(0, None)
    left.set_title("Same next token")
    left.set_ylabel("steps that agree with the whole context, %")
    right.set_title("Error of the logits")
    right.set_ylabel("mean relative error, %")
    figure.supxlabel(
        f"{study['models']} random models × {study['starts']} starts × {study['steps']} steps "
        f"along the tokens of the whole context, which is {study['steps']} at most",
        fontsize=11,
    )
    return figure
