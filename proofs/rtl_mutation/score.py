# SPDX-License-Identifier: Apache-2.0
"""What was found about each mutant, and what it amounts to for a unit.

The harness kills a mutant in two ways, which are told apart: by a trace that begins in the initial state and ends in a
failing assertion, and else because the unbounded proof does not go through any more. Both turn `make prove` red; only
the first shows that the mutant does what was proved never to happen, if inside only, where nobody may look.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from proofs.rtl_mutation.mutants import Mutant
from proofs.rtl_mutation.units import KILLED, KILLED_BY_FORMAL, Unit

EQUIVALENT, DIFFERS, UNKNOWN = "equivalent", "differs", "unknown"
FORMAL_ONLY, COSIM_ONLY, BOTH, ALIVE = "formal only", "co-simulation only", "both", "alive"
CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A mutant: the labels at the end of a failing trace and the cycle of that, those that are not proved any more,
    what co-simulation said, and what the miter said."""

    mutant: Mutant
    labels: tuple[str, ...]
    cycle: int | None
    unproved: tuple[str, ...]
    difference: str | None
    miter: str

    @property
    def promised(self) -> bool:
        """Whether something fails that the unit promises: more than a helper invariant about its registers."""
        return any(not label.startswith("i_") for label in self.labels)

    @property
    def kind(self) -> str:
        """The class of the mutant.

        A helper invariant may fail, and any proof be lost, for a mutant that nobody can tell from outside: no
        contradiction, and no kill.
        """
        if self.miter == EQUIVALENT:
            return CONTRADICTION if self.difference is not None or self.promised else EQUIVALENT
        if self.labels or self.unproved:
            return FORMAL_ONLY if self.difference is None else BOTH
        return ALIVE if self.difference is None else COSIM_ONLY


@dataclass(frozen=True, slots=True)
class Score:
    """The verdicts of a unit, and which of its mutants have to be killed without exception."""

    unit: Unit
    verdicts: Sequence[Verdict]
    must: Collection[int] = ()

    def count(self, *kinds: str) -> int:
        """How many mutants are of these kinds."""
        return sum(verdict.kind in kinds for verdict in self.verdicts)

    @property
    def different(self) -> int:
        """Mutants that are not equivalent."""
        return len(self.verdicts) - self.count(EQUIVALENT)

    @property
    def formal(self) -> int:
        """Mutants that the harness kills, by a failing trace or by a proof that is lost."""
        return self.count(FORMAL_ONLY, BOTH)

    @property
    def traced(self) -> int:
        """Of these, mutants with a failing trace."""
        return sum(verdict.kind in (FORMAL_ONLY, BOTH) and bool(verdict.labels) for verdict in self.verdicts)

    @property
    def unproved(self) -> int:
        """Of these, mutants that only lose their proof."""
        return self.formal - self.traced

    @property
    def cosim(self) -> int:
        """Mutants that co-simulation kills."""
        return self.count(COSIM_ONLY, BOTH)

    @property
    def killed(self) -> int:
        """Mutants that something kills."""
        return self.count(FORMAL_ONLY, COSIM_ONLY, BOTH)

    def short(self) -> list[str]:
        """Why the unit falls short of what it must reach; nothing when it does not."""
        found = []
        name, different = self.unit.name, self.different
        for verdict in self.verdicts:
            if verdict.kind == CONTRADICTION:
                by = "a property" if verdict.promised else "co-simulation"
                found.append(
                    f"{name}: mutant {verdict.mutant.number} is killed by {by} and proved equivalent: "
                    f"the test or the miter is wrong"
                )
        if not different:
            return [*found, f"{name}: no mutant differs from the original: nothing was measured"]
        if self.killed < KILLED * different:
            found.append(f"{name}: {self.killed} of {different} killed, less than {KILLED:.0%}")
        if self.formal < KILLED_BY_FORMAL * different:
            found.append(f"{name}: {self.formal} of {different} killed by formal, less than {KILLED_BY_FORMAL:.0%}")
        must = [v.mutant.number for v in self.verdicts if v.kind == ALIVE and v.mutant.number in self.must]
        if must:
            found.append(f"{name}: alive and may not be: mutants {', '.join(map(str, must))}")
        return found


def counters(text: str) -> set[int]:
    """The lines of the block of `ga2.v` that counts cycles, from 1."""
    lines = text.splitlines()
    begin = 0
    for number, line in enumerate(lines, 1):
        if re.match(r"    always\b", line):
            begin = number
        if "total <= total +" in line:
            end = next(at for at in range(number, len(lines) + 1) if lines[at - 1] == "    end")
            return set(range(begin, end + 1))
    return set()


def must_be_killed(unit: Unit, mutants: Sequence[Mutant], top: str) -> set[int]:
    """The numbers of the mutants that have to be killed: all of a complete unit, and those in the counters of ga2."""
    if unit.complete:
        return {mutant.number for mutant in mutants}
    if unit.name != "ga2":
        return set()
    lines = counters(top)
    return {mutant.number for mutant in mutants if mutant.part == "ga2" and lines & set(mutant.lines)}
