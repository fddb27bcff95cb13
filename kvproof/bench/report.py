# SPDX-License-Identifier: Apache-2.0
"""The figures as a screen of 80 columns and as plain data."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kvproof import __version__
from kvproof.bench.case import Case
from kvproof.bench.machine import Machine
from kvproof.bench.timing import Effort, Measured


@dataclass(frozen=True, slots=True)
class Figure:
    """A case and what was measured."""

    case: Case
    measured: Measured

    def ratio(self) -> float | None:
        """The yardstick's median over ours: how many times faster we are."""
        yardstick = self.measured.yardstick
        return None if yardstick is None else yardstick.median / self.measured.ours.median

    def limit(self) -> float | None:
        """The target in the unit of the figure."""
        if self.case.limit is None or not self.case.limit_is_ratio:
            return self.case.limit
        assert self.measured.yardstick is not None
        return self.case.limit * self.measured.yardstick.median

    def reached(self) -> bool | None:
        """Whether our median is within the target. None: there is no target."""
        limit = self.limit()
        return None if limit is None else self.measured.ours.median <= limit

    def verdict(self) -> str:
        """The target and whether it is reached, or by how much it is missed."""
        limit = self.limit()
        if limit is None:
            return ""
        target = f"≤ {self.case.limit:g}" + ("×" if self.case.limit_is_ratio else "")
        if self.reached():
            return f"{target} ok"
        return f"{target} +{100 * (self.measured.ours.median / limit - 1):.0f}%"

    def data(self) -> dict[str, Any]:
        """Everything about the figure, as plain data."""
        case, yardstick = self.case, self.measured.yardstick
        return {
            "name": f"{case.group}/{case.name}",
            "what": case.what,
            "unit": case.unit,
            **asdict(self.measured.ours),
            "yardstick": None if yardstick is None else {"what": case.yardstick, **asdict(yardstick)},
            "ratio": self.ratio(),
            "limit": self.limit(),
            "reached": self.reached(),
        }


def show(figures: Sequence[Figure], machine: Machine, effort: Effort, seconds: float) -> None:
    """Print the screen."""
    from kvproof.ui import say, table

    say(f"kvproof {__version__} bench · {machine}", style="bold")
    table(("what", "µs", "min–max", "against", "×", "target"), [_row(figure) for figure in figures])
    say("Steps are in µs per row appended, the others in µs per call, or as they say.")
    say(f"against: plain lists, for gather memcpy; × is that over ours. {effort.repeats} repeats, {seconds:.0f} s.")
    judged = [figure.reached() for figure in figures if figure.reached() is not None]
    say(f"{sum(map(bool, judged))} of {len(judged)} targets reached", style="bold")


def report(figures: Sequence[Figure], machine: Machine, effort: Effort, seconds: float) -> dict[str, Any]:
    """The screen as plain data."""
    return {
        "version": __version__,
        "machine": asdict(machine),
        "effort": asdict(effort),
        "seconds": round(seconds, 3),
        "figures": [figure.data() for figure in figures],
    }


def _row(figure: Figure) -> tuple[str, ...]:
    ours, yardstick, ratio = figure.measured.ours, figure.measured.yardstick, figure.ratio()
    return (
        figure.case.what,
        short(ours.median),
        "" if ours.least == ours.most else f"{short(ours.least)}–{short(ours.most)}",
        "" if yardstick is None else short(yardstick.median),
        "" if ratio is None else short(ratio),
        figure.verdict(),
    )


def short(value: float) -> str:
    """Two significant digits below 10, otherwise none after the point: 0.058, 3.1, 27."""
    if value >= 9.95:
        return f"{value:,.0f}"
    if value >= 0.995:
        return f"{value:.1f}"
    return f"{value:.2g}"
