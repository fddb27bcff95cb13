# SPDX-License-Identifier: Apache-2.0
"""The seven pictures, each drawn from figures that are computed on the spot."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from impl.studies.decode import decode, figures, model_named
from impl.studies.example_a import example_a
from impl.studies.example_b import example_b
from impl.studies.window_cost import window_cost
from kvproof.figures import cycles, pages, requests, sliding
from kvproof.figures import window_cost as cost

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WINDOWS, PAGE, STEPS, START = (None, 8, 4), 4, 32, 0


def decode_runs() -> list[dict[str, Any]]:
    """The structured model without a window and with two."""
    model = model_named("structured", 0)
    return [figures(window, PAGE, *decode(model, window, PAGE, STEPS, START)) for window in WINDOWS]


PICTURES: tuple[tuple[str, Callable[[], Any], "Callable[[Any], Figure]"], ...] = (
    ("1-block-table", example_a, pages.draw),
    ("2-cycles", decode_runs, cycles.draw),
    ("3-window", example_a, sliding.draw),
    ("4-admission", example_b, requests.draw_admission),
    ("5-sharing", example_b, requests.draw_sharing),
    ("6-window-cost", window_cost, cost.draw),
    ("7-serving", example_b, requests.draw_serving),
)
"""Name, where its figures come from, and how it is drawn."""
