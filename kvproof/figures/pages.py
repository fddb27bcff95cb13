# SPDX-License-Identifier: Apache-2.0
"""Logical rows, the block table with its hole at the front, and the pool with a page that is used a second time."""

from typing import TYPE_CHECKING, Any

from matplotlib.patches import FancyArrowPatch, Rectangle

from kvproof.figures.canvas import BLUE, GREY, INK, ORANGE, PALE, new, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROWS_AT, TABLE_AT, POOL_AT = 6.2, 3.5, 0.6


@styled
def draw(example: dict[str, Any]) -> "Figure":
    """`example` as of example A: its last step is drawn, with what became of each page before it."""
    log, rows_of_page = example["window_log"], example["setup"]["page_rows"]
    last, pool = log[-1], example["setup"]["pages"]
    written = last["step"]
    held = {last["dropped"] + index: physical for index, physical in enumerate(last["table"])}
    figure, (axes,) = new(size=(11, 6))
    _rows(axes, written, rows_of_page, last["gathered"], held)
    for logical in range(last["dropped"] + len(last["table"])):
        _entry(axes, logical, rows_of_page, held.get(logical))
    for physical in range(pool):
        _page(axes, physical, pool, written, rows_of_page, users(log, physical), held)
    for logical, physical in held.items():
        start = ((logical + 0.5) * rows_of_page, TABLE_AT)
        end = (_left(physical, pool) + 0.5 * _width(pool), POOL_AT + 1.2)
        axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=16, color=INK, linewidth=1.4))
    for height, name in ((ROWS_AT + 0.4, "rows"), (TABLE_AT + 0.4, "block table"), (POOL_AT + 0.6, "pool of pages")):
        axes.text(-0.4, height, name, ha="right", va="center", fontweight="bold")
    axes.set_title(f"Step {last['step']}, window {example['setup']['window']}: a page left behind serves again")
    axes.set_xlim(-3.6, 16.2)
    axes.set_ylim(-0.5, 8)
    axes.set_axis_off()
    return figure


def users(log: list[dict[str, Any]], physical: int) -> list[int]:
    """The logical pages that a physical page has held, in order of time."""
    found: list[int] = []
    for line in log:
        for index, page in enumerate(line["table"]):
            if page == physical and line["dropped"] + index not in found:
                found.append(line["dropped"] + index)
    return found


def _rows(axes: "Axes", count: int, page: int, gathered: list[int], held: dict[int, int]) -> None:
    for row in range(count):
        new_one, read, kept = row == count - 1, row in gathered, row // page in held
        face = ORANGE if new_one else BLUE if read else PALE if kept else "white"
        axes.add_patch(
            Rectangle(
                (row, ROWS_AT), 1, 0.8, facecolor=face, edgecolor=INK if kept else GREY, hatch="" if kept else "///"
            )
        )
        ink = INK if new_one or not read else "white"
        axes.text(row + 0.5, ROWS_AT + 0.4, str(row), ha="center", va="center", color=ink, fontsize=11)
    first, last = gathered[0], gathered[-1]
    for left, right, text in ((first, last + 1, "read by this step"), (count - 1, count, "written")):
        axes.plot([left + 0.06, right - 0.06], [ROWS_AT + 0.98] * 2, color=INK, linewidth=1.6)
        axes.text((left + right) / 2, ROWS_AT + 1.12, text, ha="center", va="bottom")
    gone = min(logical for logical in held) * page
    axes.text(gone / 2, ROWS_AT + 1.12, "released", ha="center", va="bottom")
    axes.plot([0.06, gone - 0.06], [ROWS_AT + 0.98] * 2, color=GREY, linewidth=1.6)


def _entry(axes: "Axes", logical: int, page: int, physical: int | None) -> None:
    hole = physical is None
    axes.add_patch(
        Rectangle(
            (logical * page, TABLE_AT),
            page,
            0.8,
            facecolor="white",
            edgecolor=GREY if hole else INK,
            linestyle="--" if hole else "-",
        )
    )
    text = "hole" if hole else f"page {physical}"
    axes.text((logical + 0.5) * page, TABLE_AT + 0.4, text, ha="center", va="center", color=GREY if hole else INK)
    axes.text((logical + 0.5) * page, TABLE_AT + 0.92, f"logical {logical}", ha="center", va="bottom", fontsize=10)
    for at in (logical * page, (logical + 1) * page):
        axes.plot([at, at], [TABLE_AT + 0.8, ROWS_AT], color=GREY, linewidth=0.8, linestyle=":")


def _width(pool: int) -> float:
    return 15.6 / pool - 0.25


def _left(physical: int, pool: int) -> float:
    return physical * 15.6 / pool


def _page(
    axes: "Axes", physical: int, pool: int, count: int, page: int, used_by: list[int], held: dict[int, int]
) -> None:
    left, width, now = _left(physical, pool), _width(pool), physical in held.values()
    axes.add_patch(
        Rectangle(
            (left, POOL_AT),
            width,
            1.2,
            facecolor=PALE if now else "white",
            edgecolor=INK if now else GREY,
            linewidth=3 if now and len(used_by) > 1 else 1,
        )
    )
    if now:
        first = used_by[-1] * page
        text = f"rows\n{first} … {min(first + page, count) - 1}"
    else:
        text = "free"
    axes.text(left + width / 2, POOL_AT + 0.6, text, ha="center", va="center", color=INK if now else GREY, fontsize=11)
    before = [f"{logical * page} … {logical * page + page - 1}" for logical in used_by if held.get(logical) != physical]
    axes.text(left + width / 2, POOL_AT - 0.12, f"page {physical}", ha="center", va="top", fontsize=10)
    if before:
        axes.text(left + width / 2, POOL_AT - 0.5, "once " + ", ".join(before), ha="center", va="top", fontsize=10)
