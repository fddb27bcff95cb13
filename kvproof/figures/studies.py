# SPDX-License-Identifier: Apache-2.0
"""The pictures of the other studies: page size, admission, alignment, wasteful mistakes, accuracy."""

from typing import TYPE_CHECKING, Any

from kvproof.figures.canvas import BLUE, GREY, INK, ORANGE, bars, name_pair, new, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHECKS = (
    ("integers", "integers\nof the chip"),
    ("bound", "bound on\nthe pages"),
    ("exact_count", "exact number\nof pages"),
    ("order", "order of\nfree pages"),
    ("law", "laws of\nthe spec"),
)


@styled
def draw_page_size(study: dict[str, Any]) -> "Figure":
    """`study` as of `impl.studies.page_size`."""
    lines = study["lines"]
    names = [str(line["page"]) for line in lines]
    figure, panels = new(3, size=(11, 5))
    for axes, key, title, unit, form in (
        (panels[0], "most_rows_reserved", "Memory", "most rows reserved", "{:.0f}"),
        (panels[1], "table_length", "Block table", "entries at the end", "{:.0f}"),
        (panels[2], "gathers_mean", "Gathers", "pieces read in a step, mean", "{:.1f}"),
    ):
        values = [line[key] for line in lines]
        bars(axes, names, values, [form.format(value) for value in values], BLUE)
        axes.set_title(title)
        axes.set_ylabel(unit)
        axes.set_xlabel("rows of a page")
    figure.supxlabel(f"one request, window {study['window']}, {study['steps']} steps", fontsize=11)
    return figure


@styled
def draw_admission(study: dict[str, Any]) -> "Figure":
    """`study` as of `impl.studies.admission`."""
    lines = study["lines"]
    figure, panels = new(2, size=(12, 5))
    for axes, key, title, unit, colour, form in (
        (panels[0], "held_mean", "Requests held", "requests running, mean over all turns", BLUE, "{:.1f}"),
        (panels[1], "out_of_pages", "Requests lost", f"of {study['requests']}, out of pages", ORANGE, "{:.0f}"),
    ):
        values = [line[key] for line in lines]
        drawn = axes.barh(range(len(lines)), values, color=colour, edgecolor=INK, height=0.6)
        axes.bar_label(drawn, [form.format(value) for value in values], padding=4)
        axes.invert_yaxis()
        axes.set_title(title)
        axes.set_xlabel(unit)
        axes.margins(x=0.14)
    panels[0].set_yticks(range(len(lines)), [line["policy"].replace(" is free", "\nis free") for line in lines])
    panels[1].set_yticks([])
    return figure


@styled
def draw_alignment(study: dict[str, Any]) -> "Figure":
    """`study` as of `impl.studies.alignment`."""
    lines = study["lines"]
    figure, (axes,) = new(size=(11, 5.4))
    for index, line in enumerate(lines):
        for shift, key, colour, hatch in ((-0.19, "pages_shared", GREY, "//"), (0.19, "pages_padded", BLUE, "")):
            axes.bar(index + shift, line[key], 0.38, color=colour, edgecolor=INK, hatch=hatch)
            axes.annotate(str(line[key]), (index + shift, line[key]), (0, 3), textcoords="offset points", ha="center")
    name_pair(axes, 4, (lines[4]["pages_shared"], "as it is"), (lines[4]["pages_padded"], "padded"))
    axes.set_xticks(
        range(len(lines)),
        [f"prompt {line['prompt']}\npages of {line['page']}\n{line['padding']} rows padded" for line in lines],
    )
    axes.set_title("A shared prompt, padded to whole pages before it is forked")
    axes.set_ylabel(f"pages of {study['requests']} requests")
    axes.margins(y=0.2)
    return figure


@styled
def draw_wasteful(study: dict[str, Any]) -> "Figure":
    """`study` as of `impl.studies.wasteful`: who sees what."""
    lines = study["lines"]
    figure, (axes,) = new(size=(11, 5))
    for row, line in enumerate(lines):
        for column, (key, _) in enumerate(CHECKS):
            seen = bool(line[key])
            text = (line[key] if key == "law" else "seen") if seen else "–"
            axes.text(column, row, text, ha="center", va="center", color="white" if seen else GREY,
                      bbox={"boxstyle": "round,pad=0.35", "facecolor": BLUE if seen else "white",
                            "edgecolor": "none"})  # fmt: skip
    axes.set_yticks(range(len(lines)), [line["mistake"] for line in lines])
    axes.set_xticks(range(len(CHECKS)), [name for _, name in CHECKS])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_xlim(-0.6, len(CHECKS) - 0.4)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_title("Only wasteful, never wrong: which check sees it?")
    return figure


@styled
def draw_accuracy(study: dict[str, Any]) -> "Figure":
    """`study` as of `impl.studies.accuracy`."""
    lines = study["lines"]
    figure, (axes,) = new()
    for index, line in enumerate(lines):
        for shift, key, colour, name in (
            (-0.27, "mean", BLUE, "mean"),
            (0, "p95", GREY, "95 %\nbelow"),
            (0.27, "most", ORANGE, "largest"),
        ):
            value = 100 * line[key]
            axes.bar(index + shift, value, 0.24, color=colour, edgecolor=INK)
            axes.annotate(
                f"{name}\n{value:.1f} %", (index + shift, value), (0, 4), textcoords="offset points", ha="center"
            )
    axes.axhline(15, color=INK, linestyle="--", linewidth=1.2)
    axes.text(len(lines) - 0.5, 15.2, "limit", ha="right", va="bottom")
    axes.set_xticks(
        range(len(lines)), ["no window" if line["window"] is None else f"window {line['window']}" for line in lines]
    )
    axes.set_title("Logits of the int8 chip against the float model")
    axes.set_ylabel("relative error of a step, %")
    axes.set_ylim(0, 17)
    return figure
