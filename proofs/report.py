# SPDX-License-Identifier: Apache-2.0
"""The evidence table: on the screen, as `out/proofs.md`, and as `out/proofs.json`."""

import platform
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import z3
from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table

from proofs.catalogue import assumptions, holes, trusted
from proofs.evidence import INDUCTIVE, PROVED, Options, Result

ROOT = Path(__file__).resolve().parent.parent
PLAIN_GREEN = (PROVED, INDUCTIVE)
HEADINGS = ("id", "statement", "about", "method", "strength", "control", "s")
RATIOS = {"about": 2, "statement": 4, "method": 1, "control": 4}
NARROW = {"id": None, "statement": 4, "strength": 2, "control": 2, "s": None}
WIDE = 120  # a narrower screen gets the columns in NARROW; out/proofs.md has them all


def summary(results: Sequence[Result]) -> str:
    """One line: how many claims there are and how many fall short, how many variants were refuted."""
    controls = [control for result in results for control in result.controls]
    short = sum(bool(result.short) for result in results)
    words: dict[str, int] = {}
    for result in results:
        if not result.short:
            words[result.word] = words.get(result.word, 0) + 1
    counts = ", ".join(f"{count} {word}" for word, count in words.items())
    refuted = sum(bool(control.found) for control in controls)
    verdict = f"{short} of {len(results)} FALL SHORT" if short else f"all {len(results)} claims hold"
    return f"{verdict} ({counts}); {refuted} of {len(controls)} wrong variants refuted"


def control(result: Result, told: bool = True) -> str:
    """How many covers were reached and wrong variants refuted, and with `told` the first counterexample."""
    found = [item.found for item in result.controls if item.found]
    count = f"{len(found)}/{len(result.controls)} refuted"
    if result.covers:
        count = f"{result.covers} covers, {count}"
    return f"{count}: {found[0]}" if found and told else count


def screen(console: Console, results: Sequence[Result]) -> None:
    """The table on the screen, then what falls short and why, then the summary."""
    table = Table(box=None, pad_edge=False, header_style="bold", expand=True)
    headings, ratios = (HEADINGS, RATIOS) if console.width >= WIDE else (tuple(NARROW), NARROW)
    for heading in headings:
        ratio = ratios.get(heading)
        justify: JustifyMethod = "right" if heading == "s" else "left"
        table.add_column(heading, justify=justify, no_wrap=heading in ("id", "s"), ratio=ratio, overflow="fold")
    for result in results:
        style = "red" if result.short else "green" if result.word in PLAIN_GREEN else "yellow"
        cells = {heading: escape(text) for heading, text in _cells(result, headings == HEADINGS).items()}
        cells["strength"] = f"[{style}]{cells['strength']}[/]"
        table.add_row(*(cells[heading] for heading in headings))
    console.print(table)
    notes: dict[str, list[str]] = {}
    for result in results:
        if result.note:
            notes.setdefault(result.note, []).append(result.id)
    for note, ids in notes.items():
        console.print(f"{', '.join(ids)}: {escape(note)}", highlight=False)
    for result in results:
        if result.short:
            console.print(f"[red]{result.id} falls short[/]: {escape(result.short)}", highlight=False)
    lines = trusted_lines()
    console.print(f"{sum(lines.values())} trusted lines in {len(lines)} files; {len(holes())} assumptions and holes")
    console.print(summary(results), style="red" if any(result.short for result in results) else "green")


def _cells(result: Result, told: bool = True) -> dict[str, str]:
    return {
        "id": result.id,
        "statement": result.statement,
        "about": result.about,
        "method": result.method,
        "strength": result.strength,
        "control": control(result, told),
        "s": f"{result.seconds:.2f}",
    }


def markdown(results: Sequence[Result]) -> str:
    """The report as Markdown: the table, every wrong variant, the trusted lines, the assumptions and holes."""
    text = [f"# Proofs\n\n{summary(results)}.\n"]
    rows = [tuple({**_cells(result), "strength": _reached(result)}.values()) for result in results]
    text += [table(HEADINGS, rows), "\n## Notes\n", *(f"- {r.id}: {r.note}" for r in results if r.note)]
    text.append("\n## Wrong variants\n")
    text += [f"- {r.id}, {c.wrong}: {c.found or 'NOT REFUTED'}" for r in results for c in r.controls]
    text.append("\n## Trusted lines\n")
    lines = trusted_lines()
    text += [table(("file", "lines"), [(file, str(count)) for file, count in lines.items()])]
    text.append(f"\n{sum(lines.values())} in all, blank lines and comments not counted.\n")
    text += ["## Assumptions and proof holes\n", numbered(holes())]
    if harnesses := assumptions():
        text += ["\n## What single proofs assume of their surroundings\n", numbered(harnesses)]
    return "\n".join(text) + "\n"


def _reached(found: Result) -> str:
    return f"{found.strength}, SHORT: {found.short}" if found.short else found.strength


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def numbered(sentences: Sequence[str]) -> str:
    """A numbered Markdown list."""
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1))


def as_json(results: Sequence[Result], options: Options) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "summary": summary(results),
        "ok": not any(result.short for result in results),
        "seed": options.seed,
        "quick": options.quick,
        "budget": options.budget,
        "z3": z3.get_version_string(),
        "python": platform.python_version(),
        "seconds": round(sum(result.seconds for result in results), 3),
        "results": [asdict(result) for result in results],
        "trusted_lines": trusted_lines(),
        "holes": list(holes()),
        "assumptions": assumptions(),
    }


def trusted_lines() -> dict[str, int]:
    """Lines that have to be believed, by file: not blank and not only a comment."""
    counts: dict[str, int] = {}
    for name in trusted():
        lines = (line.strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines())
        counts[name] = sum(bool(line) and not line.startswith(("#", "//")) for line in lines)
    return counts
