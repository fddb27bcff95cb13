# SPDX-License-Identifier: Apache-2.0
"""A unit on trial: its mutants are drawn, then tried by co-simulation, by the miter and by the harness, which is asked
for lost proofs and for failing traces."""

import fcntl
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from impl.chip.verilog import RTL
from proofs.rtl.tools import versions
from proofs.rtl_mutation import cosim, equivalence, formal, induction, models, smt
from proofs.rtl_mutation.designs import Design, Part, designs, parts
from proofs.rtl_mutation.mutants import Mutant, draw
from proofs.rtl_mutation.score import DIFFERS, EQUIVALENT, UNKNOWN, Score, Verdict, must_be_killed
from proofs.rtl_mutation.store import Store, fingerprint
from proofs.rtl_mutation.units import FORMAL, OUT, ROOT, Unit

PHASES = ("co-simulation", "miter", "induction", "formal")


class Busy(RuntimeError):
    """Another run works in the folder of the unit."""


@dataclass(slots=True)
class Trial:
    """A unit with its designs, parts and mutants, the lock on its folder, where what is found is kept, the
    solver's time for one search, and a listener.

    `advance(n)` hears of mutants for which a phase has an answer: each counts once in every phase.
    """

    unit: Unit
    folder: Path
    lock: IO[str]
    designs: list[Design]
    parts: list[Part]
    mutants: list[Mutant]
    store: Store
    seconds: float
    advance: Callable[[int], None]
    counted: dict[str, int] = field(default_factory=dict)
    models: dict[str, smt.Model] = field(default_factory=dict)

    def cosimulate(self) -> None:
        """Try every mutant in every simulation until one differs."""
        if not self.store.ended("co-simulation"):
            done = self.store.mutants("co-simulation")
            self._count("co-simulation", len(done))
            simulations = cosim.simulations(self.parts, self.mutants, self.folder)
            for mutant in self.mutants:
                if smt.STOP.is_set():
                    raise smt.Stopped
                if mutant.number not in done:
                    found = next((d for s in simulations if (d := _tried(s, mutant)) is not None), None)
                    self.store.add(phase="co-simulation", mutant=mutant.number, difference=found)
                    self._count("co-simulation", 1)
            self.store.add(phase="co-simulation", end=True)
        self._count("co-simulation")

    def compare(self) -> None:
        """Compare every mutant with the original inside the harness."""
        if not self.store.ended("miter"):
            for part in self.parts:
                self._compare(part, agreed(self.unit, "matters", part), agreed(self.unit, "legal", part))
            self.store.add(phase="miter", end=True)
        self._count("miter")

    def _compare(self, part: Part, when: dict[str, Any], legal: dict[str, Any]) -> None:
        known = self.store.mutants("miter")
        left = [m.number for m in self.mutants if m.part == part.name and m.number not in known]
        if not left:
            return
        design = min((d for d in self.designs if d.has(part)), key=lambda d: (d.mode != "prove", d.task))
        file = self.folder / f"pair_{part.name}.smt2"
        models.paired(design, part, self.mutants, file)
        model = smt.parse(file.read_text(encoding="utf-8"))
        pair = equivalence.Pair(model, part.module.replace("\\", "/").lstrip("/"), when, legal)

        def differs(found: equivalence.Difference) -> None:
            fact = {"cycle": found.cycle, "ports": found.ports, "trace": found.trace}
            self.store.add(phase="miter", mutant=found.mutant, verdict=DIFFERS, **fact)
            self._count("miter", 1)

        compared = equivalence.compare(pair, left, self.unit.depth, self.seconds, differs)
        for number in sorted(set(left) - {one.mutant for one in compared.differences}):
            verdict = EQUIVALENT if number in compared.equivalent else UNKNOWN
            self.store.add(phase="miter", mutant=number, verdict=verdict, cycle=compared.cycles)
            self._count("miter", 1)

    def prove(self) -> None:
        """Search what the harness finds in every design: lost proofs, then failing traces, which take longer.

        The original of every design is proved first, as it is, and then once more among the mutants.
        """
        if not self.store.ended("induction"):
            for design in self.designs:
                self._induct(design)
            self.store.add(phase="induction", end=True)
        self._count("induction")
        if not self.store.ended("formal"):
            for design in self.designs:
                self._search(design)
            self.store.add(phase="formal", end=True)
        self._count("formal")

    def _induct(self, design: Design) -> None:
        inside = self._inside(design)
        if not inside or design.mode != "prove" or design.task in self._kept():
            return

        def lost(found: induction.Lost) -> None:
            if found.mutant not in self.store.mutants("induction"):
                self.store.add(phase="induction", mutant=found.mutant, labels=found.labels, task=design.task)
                self._count("induction", 1)

        alone = self.folder / f"original_{design.task}.smt2"
        models.mutated(design, self.parts, (), alone)
        try:
            induction.proved(smt.parse(alone.read_text(encoding="utf-8")), design.depth)
            kept = induction.search(self._model(design), inside, design.depth, self.seconds, lost)
        except induction.NotProved as error:
            raise induction.NotProved(f"task {design.task}: {error}") from None
        self.store.add(phase="induction", design=design.task, kept=sorted(kept.mutants), depth=kept.depth)

    def _kept(self) -> dict[str, formal.Kept]:
        """By task, which mutants keep their proof."""
        facts = [fact for fact in self.store.about("induction") if "design" in fact]
        return {fact["design"]: formal.Kept(frozenset(fact["kept"]), fact["depth"]) for fact in facts}

    def _inside(self, design: Design) -> list[int]:
        """The mutants that a design has."""
        names = {part.name for part in self.parts if design.has(part)}
        return [mutant.number for mutant in self.mutants if mutant.part in names]

    def _model(self, design: Design) -> smt.Model:
        """The model of a design with its mutants, made once."""
        if design.task not in self.models:
            file = self.folder / f"mutated_{design.task}.smt2"
            models.mutated(design, self.parts, self.mutants, file)
            self.models[design.task] = smt.parse(file.read_text(encoding="utf-8"))
        return self.models[design.task]

    def _search(self, design: Design) -> None:
        """Search failing traces for the mutants that have none yet."""
        dead = self.store.mutants("formal")
        left = [number for number in self._inside(design) if number not in dead]
        if not left:
            return
        kept = self._kept().get(design.task, formal.Kept())
        miter = self.store.mutants("miter")
        equivalent = [number for number in left if miter.get(number, {}).get("verdict") == EQUIVALENT]

        def fails(found: formal.Failure) -> None:
            fact = {"cycle": found.cycle, "labels": found.labels, "task": design.task}
            self.store.add(phase="formal", mutant=found.mutant, **fact)
            self._count("formal", 1)

        model = self._model(design)
        searched = formal.search(model, left, equivalent, kept, self.unit.depth, self.seconds, fails)
        self.store.add(phase="formal", design=design.task, cycles=searched.cycles)
        unspent = self.seconds
        for mutant in self._only_lost(design):
            found, spent = formal.leap(model, mutant, self.unit.depth, min(unspent, self.seconds / 2))
            if found:
                fails(found)
            unspent -= spent
            if unspent <= 0:
                break

    def _only_lost(self, design: Design) -> list[int]:
        """Mutants that lose their proof in a design, have no trace, and are not proved equivalent."""
        kept = self._kept().get(design.task, formal.Kept()).mutants
        lost, traced, miter = (self.store.mutants(phase) for phase in ("induction", "formal", "miter"))
        return [
            number
            for number in self._inside(design)
            if number in lost
            and number not in kept
            and number not in traced
            and miter.get(number, {}).get("verdict") != EQUIVALENT
        ]

    def _count(self, phase: str, more: int | None = None) -> None:
        """Tell of `more` mutants, or without a number of all that were not told of yet."""
        told = self.counted.get(phase, 0)
        more = len(self.mutants) - told if more is None else more
        self.counted[phase] = told + more
        self.advance(more)

    def score(self) -> Score:
        """What was found so far."""
        simulated, compared, lost, traced = (self.store.mutants(phase) for phase in PHASES)
        verdicts = [
            Verdict(
                mutant,
                tuple(traced.get(mutant.number, {}).get("labels", ())),
                traced.get(mutant.number, {}).get("cycle"),
                tuple(lost.get(mutant.number, {}).get("labels", ())),
                simulated.get(mutant.number, {}).get("difference"),
                compared.get(mutant.number, {}).get("verdict", UNKNOWN),
            )
            for mutant in self.mutants
        ]
        top = (RTL / "ga2.v").read_text(encoding="utf-8")
        return Score(self.unit, verdicts, must_be_killed(self.unit, self.mutants, top))

    @property
    def ended(self) -> bool:
        """Whether every phase came to its end."""
        return all(self.store.ended(phase) for phase in PHASES)


def _tried(simulation: cosim.Simulation, mutant: Mutant) -> str | None:
    return simulation.difference(mutant.number) if mutant.part in simulation.parts else None


def prepare(unit: Unit, count: int, seed: int, seconds: float, advance: Callable[[int], None]) -> Trial:
    """Elaborate the designs of a unit and draw its mutants. Raises Busy, YosysFailed and ToolMissing."""
    folder = OUT / unit.name
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Busy("another run is trying this unit; wait for its end") from None
    found = designs(unit, folder)
    chosen = parts(unit, found, folder)
    mutants = draw(chosen, count, seed, folder)
    used = [*sorted(RTL.rglob("*.v")), *sorted((ROOT / "tests" / "chip").glob("*.py"))]
    used += [*sorted((ROOT / "impl" / "chip").glob("*.py")), *sorted(Path(__file__).parent.glob("*.py"))]
    used += [file for design in found for file in sorted(design.source.iterdir()) if file.suffix in (".sv", ".svh")]
    used += [file for file in (FORMAL / f"{unit.name}.sby", FORMAL / "mutation" / f"{unit.name}.toml") if file.exists()]
    texts = [versions(), str(seconds), *(mutant.options for mutant in mutants)]
    store = Store(OUT / "found" / f"{unit.name}-{fingerprint(texts, used)}.jsonl")
    return Trial(unit, folder, lock, found, chosen, mutants, store, seconds, advance)


def agreed(unit: Unit, table: str, part: Part) -> dict[str, Any]:
    """What `formal/mutation/UNIT.toml` says of a part: when an output `matters`, which values of an input are `legal`.

    Without a file every output matters in every cycle, for all inputs that the harness allows.
    """
    file = FORMAL / "mutation" / f"{unit.name}.toml"
    if not file.exists():
        return {}
    found: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8")).get(table, {}).get(part.name, {})
    return found
