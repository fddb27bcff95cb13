# SPDX-License-Identifier: Apache-2.0
"""Draws the end of a failing trace as SVG: the harness's own signals that changed, the clock steps as columns."""

from html import escape
from itertools import groupby

from proofs.rtl.vcd import Signal, signals

STEPS, ROWS = 12, 28  # at most
LEFT, COLUMN, ROW, HEAD = 190, 58, 26, 54
RED, GREY, BLUE = "#b3261e", "#777777", "#1a56a8"
STYLE = "font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 11px"


def picture(vcd: str, title: str) -> str:
    """The last 12 steps of a trace as SVG, the failing step marked, the one before lightly: there a clocked assertion
    took its values. Raises ValueError for what is no trace."""
    all_signals = signals(vcd)
    length = len(all_signals[0].values)
    first = max(0, length - STEPS)
    rows = telling(all_signals, first)
    shown = length - first
    width, height = max(660, LEFT + shown * COLUMN + 16), HEAD + len(rows) * ROW + 14
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" style="{STYLE}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(_shade(LEFT + (shown - back) * COLUMN, height, 0.12 / back) for back in (1, 2) if back <= shown),
        _text(8, 16, title, "#000000", bold=True),
        _text(8 + 7 * (len(title) + 2), 16, "a clocked assertion looks at the cycle before the one it fails in", GREY),
        _text(8, HEAD - 12, "cycle", GREY),
    ]
    for place in range(shown):
        x = LEFT + place * COLUMN
        failing = place == shown - 1
        parts.append(f'<path d="M{x} {HEAD - 6}V{height - 8}" stroke="#dddddd"/>')
        label = f"{first + place} fails" if failing else str(first + place)
        parts.append(_text(x + 5, HEAD - 12, label, RED if failing else GREY, bold=failing))
    for number, signal in enumerate(rows):
        top = HEAD + number * ROW
        name = signal.path[-1] + (f" [{signal.width}]" if signal.width > 1 else "")
        parts.append(_text(8, top + 16, name if len(name) <= 27 else name[:26] + "…", "#000000"))
        values = signal.values[first:]
        parts += _wave(values, top) if signal.width == 1 else _bus(values, top)
    return "\n".join([*parts, "</svg>"]) + "\n"


def telling(found: list[Signal], first: int) -> list[Signal]:
    """The harness's own signals that change from step `first` on; all its signals when none does."""
    own = [
        signal
        for signal in found
        if len(signal.path) == 2 and not signal.path[1].endswith("_EN") and "$" not in signal.path[1]
    ]
    changing = [signal for signal in own if len(set(signal.values[first:])) > 1]
    return (changing or own)[:ROWS]


def _wave(values: tuple[int, ...], top: int) -> list[str]:
    """A line that is high or low in each column."""
    path = ""
    for place, value in enumerate(values):
        y = top + (5 if value else 20)
        path += f"{'L' if path else 'M'}{LEFT + place * COLUMN} {y}H{LEFT + (place + 1) * COLUMN}"
    return [f'<path d="{path}" fill="none" stroke="{BLUE}" stroke-width="1.5"/>']


def _bus(values: tuple[int, ...], top: int) -> list[str]:
    """A box for as long as the value stays, with the value in it, in hexadecimal from 10 on."""
    parts = []
    place = 0
    for value, group in groupby(values):
        count = len(list(group))
        x, end = LEFT + place * COLUMN + 1, LEFT + (place + count) * COLUMN - 1
        shape = f"M{x} {top + 12}l4 -8H{end - 4}l4 8l-4 8H{x + 4}z"
        parts.append(f'<path d="{shape}" fill="#ffffff" fill-opacity="0.6" stroke="{BLUE}"/>')
        text = str(value) if value < 10 else f"{value:x}h"
        room = (end - x - 10) // 7
        parts.append(_text(x + 7, top + 16, text if len(text) <= room else text[: room - 1] + "…", "#000000"))
        place += count
    return parts


def _shade(x: int, height: int, opacity: float) -> str:
    return f'<rect x="{x}" y="24" width="{COLUMN}" height="{height - 30}" fill="{RED}" fill-opacity="{opacity:g}"/>'


def _text(x: int, y: int, text: str, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" fill="{colour}"{weight}>{escape(text)}</text>'
