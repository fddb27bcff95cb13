# SPDX-License-Identifier: Apache-2.0
"""`kvproof figures`: the pictures of the system, drawn from figures that are computed on the spot."""

import argparse
from pathlib import Path

from kvproof.arguments import Subparsers, command
from kvproof.cli import FINE
from kvproof.errors import UsageError


def add_parser(subparsers: Subparsers) -> None:
    """The arguments of `kvproof figures`."""
    parser = command(
        subparsers,
        "figures",
        "Draws seven pictures into a folder, each as SVG and as PNG: a block table and its pool, cycles per step, the "
        "sliding window, admission, prefix sharing, what a window costs, and the largest batch. All figures in them "
        "are computed on the spot; the same version draws the same bytes.",
        "kvproof figures pictures",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where to write them; made when it is not there")


def run(args: argparse.Namespace) -> int:
    """Draw and write all pictures."""
    from kvproof.figures.all import PICTURES
    from kvproof.figures.canvas import save
    from kvproof.ui import progress, say

    folder: Path = args.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder '{folder}': {error.strerror}") from None
    with progress("drawing", len(PICTURES)) as advance:
        for name, compute, draw in PICTURES:
            picture = draw(compute())
            for kind in ("svg", "png"):
                save(picture, folder / f"{name}.{kind}")
            advance(text=name)
    for name, _, _ in PICTURES:
        say(f"{folder / name}.svg  .png")
    return FINE
