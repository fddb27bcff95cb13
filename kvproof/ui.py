# SPDX-License-Identifier: Apache-2.0
"""What commands print: plain text and tables on standard output, progress on standard error.

Colour and progress bars only on a terminal, no colour with NO_COLOR set. Texts are printed as they are: brackets and
numbers in them mean nothing. Everything fits 80 columns where nothing says how wide the screen is.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from kvproof.output import write_json as write_json
from kvproof.output import write_text as write_text

if TYPE_CHECKING:
    from rich.console import Console

LEAST_WIDTH, USUAL_WIDTH = 40, 80

Advance = Callable[..., None]
"""`advance(n=1, text="")`: n more are done; `text` stands behind the bar."""


def console(stderr: bool = False) -> "Console":
    """A console on standard output (or error) as it is now. A reader that went away raises BrokenPipeError."""
    from rich.console import Console

    class PlainConsole(Console):
        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    screen = PlainConsole(stderr=stderr, markup=False, highlight=False, emoji=False)
    if screen.width < LEAST_WIDTH:  # COLUMNS=0, say: nothing would be printed
        screen.width = USUAL_WIDTH
    return screen


def say(text: str = "", style: str = "") -> None:
    """One paragraph on standard output. Never wrapped: a line is a line, also for a program that reads it."""
    console().print(text, style=style or None, soft_wrap=True)


def table(headings: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """A table on standard output. Integers get separators of thousands; columns of numbers stand to the right.

    A cell may be a rich `Text` to have a style. Give other numbers as texts, rounded as they should be read.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold", pad_edge=False)
    for column, heading in enumerate(headings):
        numeric = bool(rows) and all(_is_number(row[column]) for row in rows)
        grid.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(cell if isinstance(cell, Text) else Text(number(cell)) for cell in row))
    console().print(grid)


def number(value: object) -> str:
    """The text of one cell: 1234567 as 1,234,567; None as a dash."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Advance]:
    """A progress bar on standard error for the time of the block, gone afterwards; nothing when that is no terminal.

    `total` None: unknown. Yields the function that moves it; call it as often as you like, but not per row or token.
    """
    screen = console(stderr=True)
    if not screen.is_terminal or screen.is_dumb_terminal:
        yield lambda n=1, text="": None
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = [SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=24)]
    columns += [TaskProgressColumn(), TimeElapsedColumn(), TextColumn("{task.fields[text]}", markup=False)]
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task(what, total=total, text="")
        yield lambda n=1, text="": bar.update(task, advance=n, text=text)


def _is_number(cell: object) -> bool:
    text = number(cell).replace(",", "").removesuffix(" s").removesuffix("%").strip()
    return cell is None or text.replace(".", "", 1).lstrip("-").isdigit()
