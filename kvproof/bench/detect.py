# SPDX-License-Identifier: Apache-2.0
"""How soon the checks find a mistake: the eighteen named ones, planted one at a time in the shipped source.

Those in the page table are left to the state machine, an operation is one of a history; those in the window and in the
host to the laws of decoding, an operation is a step. Each is hunted with several seeds.
"""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kvproof import __version__
from kvproof.bench.machine import Machine
from kvproof.targets.find import find
from kvproof.ui import progress
from proofs import decoding
from proofs.mistakes import IN_PAGE_TABLE, NAMED, applied
from spec.conformance.hunt import hunt

SEEDS, FEW_SEEDS = 20, 2

MEDIAN_OPERATIONS, MEDIAN_SECONDS, WORST_SECONDS = 1_000, 1.0, 20.0
"""The targets, for each mistake: the median over the seeds below both of the first two, the worst below the last."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one hunt came to: the law that the mistake broke, the operations and the seconds until then."""

    law: str
    operations: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Detection:
    """One mistake: its number and name, what is wrong, and the hunts by seed (None: not found)."""

    number: int
    name: str
    wrong: str
    hunts: tuple[Found | None, ...]

    def found(self) -> list[Found]:
        """The hunts that found it."""
        return [found for found in self.hunts if found is not None]

    def laws(self) -> list[str]:
        """The laws it broke, the most frequent first."""
        return [law for law, _ in Counter(found.law for found in self.found()).most_common()]

    def operations(self) -> tuple[float, int]:
        """Median and worst of those that found it, of which there is at least one."""
        numbers = [found.operations for found in self.found()]
        return statistics.median(numbers), max(numbers)

    def seconds(self) -> tuple[float, float]:
        """Median and worst of those that found it, of which there is at least one."""
        numbers = [found.seconds for found in self.found()]
        return statistics.median(numbers), max(numbers)

    def missed(self) -> str:
        """Which target is missed; empty when all are reached."""
        lost = self.hunts.count(None)
        if lost:
            return f"not found: {lost} of {len(self.hunts)}"
        if self.operations()[0] >= MEDIAN_OPERATIONS:
            return "operations"
        if self.seconds()[0] >= MEDIAN_SECONDS or self.seconds()[1] >= WORST_SECONDS:
            return "seconds"
        return ""

    def data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "number": self.number,
            "name": self.name,
            "wrong": self.wrong,
            "laws": self.laws(),
            "operations": dict(zip(("median", "worst"), self.operations(), strict=True)) if self.found() else None,
            "seconds": dict(zip(("median", "worst"), self.seconds(), strict=True)) if self.found() else None,
            "missed": self.missed(),
            "hunts": [found and asdict(found) for found in self.hunts],
        }


def detections(seeds: Sequence[int], names: Iterable[str] = NAMED) -> tuple[list[Detection], bool]:
    """Hunt each of the mistakes with each seed; those that were done, and whether Ctrl-C ended it early."""
    numbers = {name: number for number, name in enumerate(NAMED, 1)}
    chosen, done = list(names), list[Detection]()
    try:
        with progress("hunting", len(chosen) * len(seeds)) as advance:
            for name in chosen:
                hunts = []
                for seed in seeds:
                    advance(0, name)
                    hunts.append(hunted(name, seed))
                    advance()
                done.append(Detection(numbers[name], name, NAMED[name].wrong, tuple(hunts)))
    except KeyboardInterrupt:
        return done, True
    return done, False


def hunted(name: str, seed: int) -> Found | None:
    """Hunt one mistake once."""
    with applied(NAMED[name]):
        if name in IN_PAGE_TABLE:
            caught = hunt(find("kvproof").factory, seed_number=seed)
            return Found(caught.violation.law, caught.operations, caught.seconds) if caught else None
        seen = decoding.hunt(seed)
        return Found(seen.broken.law, seen.operations, seen.seconds) if seen else None


def show(done: Sequence[Detection], machine: Machine, seeds: Sequence[int], seconds: float) -> None:
    """Print the screen."""
    from kvproof.ui import say, table

    say(f"kvproof {__version__} bench --detect · {machine}", style="bold")
    say("Operations and seconds until a mistake in the source is found: median, worst")
    table(("", "mistake", "operations", "seconds", "law", "target"), [_row(each) for each in done])
    say(f"1–12 by the state machine, 13–18 by the laws of decoding; {len(seeds)} seeds each, {seconds:.0f} s.")
    say(f"Targets: median < {MEDIAN_OPERATIONS:,} and < {MEDIAN_SECONDS:g} s, worst < {WORST_SECONDS:g} s.")
    say(f"{sum(not each.missed() for each in done)} of {len(done)} mistakes found as soon as that", style="bold")


def report(done: Sequence[Detection], machine: Machine, seeds: Sequence[int], seconds: float) -> dict[str, Any]:
    """The screen as plain data."""
    return {
        "version": __version__,
        "machine": asdict(machine),
        "seeds": list(seeds),
        "seconds": round(seconds, 3),
        "targets": {
            "median_operations": MEDIAN_OPERATIONS,
            "median_seconds": MEDIAN_SECONDS,
            "worst_seconds": WORST_SECONDS,
        },
        "mistakes": [each.data() for each in done],
    }


def _row(each: Detection) -> tuple[object, ...]:
    if not each.found():
        return each.number, each.name, "–", "–", "–", each.missed()
    (median, worst), (median_seconds, worst_seconds) = each.operations(), each.seconds()
    return (
        each.number,
        each.name,
        f"{median:,.0f}, {worst:,}",
        f"{median_seconds:.2f}, {worst_seconds:.2f}",
        each.laws()[0],
        each.missed() or "ok",
    )
