# SPDX-License-Identifier: Apache-2.0
"""The window sliding over the rows, step by step, with the pages that are released on the way."""

from typing import TYPE_CHECKING, Any

from matplotlib.patches import Rectangle

from kvproof.figures.canvas import BLUE, GREY, INK, ORANGE, PALE, new, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw(example: dict[str, Any]) -> "Figure":
    """`example` as of example A."""
    log, page, window = example["window_log"], example["setup"]["page_rows"], example["setup"]["window"]
    figure, (axes,) = new(size=(11, 6.2))
    dropped = 0
    for line in log:
        step = line["step"]
        for row in range(step):
            if row // page < dropped:
                axes.add_patch(Rectangle((row, step - 0.5), 1, 1, facecolor="white", edgecolor=PALE, hatch="///"))
                continue
            face = ORANGE if row == step - 1 else BLUE if row in line["gathered"] else PALE
            axes.add_patch(Rectangle((row, step - 0.5), 1, 1, facecolor=face, edgecolor="white", linewidth=1.2))
        for gone in range(dropped, line["dropped"]):
            axes.plot([gone * page, (gone + 1) * page], [step + 0.5] * 2, color=INK, linewidth=3)
            axes.text((gone + 0.5) * page, step + 1.0, f"rows {gone * page} … {gone * page + page - 1} released",
                      ha="center", va="center", fontweight="bold")  # fmt: skip
        dropped = line["dropped"]
    last = len(log)
    for edge in range(0, last + page, page):
        axes.axvline(edge, color=GREY, linewidth=0.9, linestyle=":", zorder=0)
    keys = ((BLUE, "", "read by the step"), (ORANGE, "", "written by the step"), (PALE, "", "held, not read"),
            ("white", "///", "released"))  # fmt: skip
    for index, (face, hatch, text) in enumerate(keys):
        axes.add_patch(Rectangle((last - 3.6, 1 + index * 1.1), 0.8, 0.8, facecolor=face, edgecolor=GREY, hatch=hatch))
        axes.text(last - 2.6, 1.4 + index * 1.1, text, va="center")
    axes.set_title(f"A window of {window} tokens slides; a page goes when none of its {page} rows is needed")
    axes.set_xlabel("row of the cache (dotted: ends of pages)")
    axes.set_ylabel("step")
    axes.set_xlim(0, last + page // 2)
    axes.set_ylim(last + 1.6, 0.2)
    axes.set_xticks([row + 0.5 for row in range(last)], [str(row) for row in range(last)])
    axes.set_yticks(range(1, last + 1))
    axes.tick_params(length=0)
    return figure
