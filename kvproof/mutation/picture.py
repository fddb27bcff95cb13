# SPDX-License-Identifier: Apache-2.0
"""The scores as a picture: one bar for each file, as long as it has mutants, divided by what became of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kvproof.figures.canvas import BLUE, GREY, INK, ORANGE, PALE, new, styled
from kvproof.mutation.results import CRASHED, KILLED, SURVIVED, TIMED_OUT
from kvproof.mutation.score import EQUIVALENT, Score

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOKS = {
    KILLED: (BLUE, ""),
    EQUIVALENT: (PALE, ""),
    SURVIVED: (ORANGE, "//"),
    TIMED_OUT: (GREY, "xx"),
    CRASHED: (INK, ".."),
}


@styled
def draw(scores: Sequence[Score]) -> "Figure":
    """The picture. Fates that no mutant has are left out."""
    figure, (axes,) = new(size=(9.6, 1.6 + 0.3 * len(scores)))
    places = range(len(scores))
    left = [0] * len(scores)
    for fate, (colour, hatch) in LOOKS.items():
        counts = [each.counts[fate] for each in scores]
        if any(counts):
            axes.barh(places, counts, left=left, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.5, label=fate)
        left = [one + other for one, other in zip(left, counts, strict=True)]
    for place, each in zip(places, scores, strict=True):
        axes.annotate(
            each.shown(), (left[place], place), xytext=(5, 0), textcoords="offset points", va="center", fontsize=9
        )
    axes.set_yticks(places, [each.what for each in scores], fontsize=9)
    axes.invert_yaxis()
    axes.margins(x=0.12, y=0.01)
    axes.set_xlabel("mutants")
    axes.set_title("Changes of the source that the tests notice")
    axes.legend(loc="lower right", frameon=False)
    return figure
