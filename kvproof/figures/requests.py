# SPDX-License-Identifier: Apache-2.0
"""What pages buy: requests held and waste, pages with a shared prompt, and the largest batch on a big chip."""

from typing import TYPE_CHECKING, Any

from kvproof.figures.canvas import BLUE, GREY, INK, ORANGE, bars, label, name_pair, new, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 0.38


@styled
def draw_admission(example: dict[str, Any]) -> "Figure":
    """`example` as of example B: part 1."""
    lines = example["admission"]
    names = [f"{line['page']}" if "page" in line else f"whole\n{line['reserve']:,}" for line in lines]
    held = [line["held"] for line in lines]
    waste = [100 * (1 - line["rows_used"] / line["rows_reserved"]) for line in lines]
    figure, (left, right) = new(2, size=(11, 5.4))
    bars(left, names, held, [str(count) for count in held], GREY)
    bars(right, names, waste, [f"{share:.1f} %" for share in waste], GREY)
    left.set_title("Requests held")
    left.set_ylabel("requests admitted before one does not fit")
    right.set_title("Waste")
    right.set_ylabel("reserved rows that hold nothing, %")
    for axes in (left, right):
        axes.set_xlabel(f"rows reserved at a time, pool of {example['pool_rows']:,} rows")
    return figure


@styled
def draw_sharing(example: dict[str, Any]) -> "Figure":
    """`example` as of example B: part 2."""
    lines = example["prefix_sharing"]
    figure, (axes,) = new(size=(11, 5.4))
    for index, line in enumerate(lines):
        for shift, key, colour, hatch in ((-0.5, "pages_copied", GREY, "//"), (0.5, "pages_shared", BLUE, "")):
            at = index + shift * WIDTH
            axes.bar(at, line[key], WIDTH, color=colour, edgecolor=INK, hatch=hatch)
            axes.annotate(str(line[key]), (at, line[key]), (0, 3), textcoords="offset points", ha="center")
    name_pair(axes, 4, (lines[4]["pages_copied"], "a copy each"), (lines[4]["pages_shared"], "shared"))
    axes.set_xticks(range(len(lines)), [f"prompt {line['prompt']}\npages of {line['page']}" for line in lines])
    axes.set_title(f"{lines[0]['requests']} requests with one prompt and {lines[0]['own_rows']} rows of their own")
    axes.set_ylabel("pages in use")
    axes.margins(y=0.2)
    return figure


@styled
def draw_serving(example: dict[str, Any]) -> "Figure":
    """`example` as of example B: part 4."""
    serving = example["serving_arithmetic"]
    given, rows = serving["assumptions"], serving["rows"]
    window = given["window"]
    contexts = [row["context"] for row in rows]
    figure, (left, right) = new(2, size=(11, 5.4))
    panels = (
        (left, "max_batch_full", "max_batch_window", "{:,.0f}", "Largest batch", "requests at a time"),
        (right, "kv_gib_full", f"kv_gib_window_{window}", "{:g} GiB", "Cache of one request", "GiB"),
    )
    for axes, full, windowed, form, title, unit in panels:
        for key, colour, dash, marker, name in (
            (full, INK, "-", "s", "everything"),
            (windowed, ORANGE, "--", "o", f"window {window:,}"),
        ):
            values = [row[key] for row in rows]
            axes.plot(contexts, values, dash, marker=marker, color=colour, linewidth=2.4, markersize=7)
            label(axes, contexts[-1], values[-1], f"{name}\n{form.format(values[-1])}")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_xticks(contexts, [f"{context // 1024} Ki" for context in contexts])
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xlim(contexts[0] * 0.8, contexts[-1] * 5)
        axes.set_title(title)
        axes.set_xlabel("context, tokens")
        axes.set_ylabel(unit)
        axes.minorticks_off()
    figure.supxlabel(
        f"{given['chip_bytes'] / 1e9:.0f} GB of memory, {given['weight_bytes'] / 1e9:.0f} GB of weights, "
        f"{given['kv_bytes_per_token'] // 1024} KiB of cache a token",
        fontsize=11,
    )
    return figure
