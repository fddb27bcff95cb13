# SPDX-License-Identifier: Apache-2.0
"""The proofs about the Verilog as claims of the evidence table: everything that the catalogues in `formal/` list.

Claims of a unit share runs of sby, so they are proved together: each run once, two at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from os.path import relpath
from shutil import copyfile

from proofs.evidence import BOUNDED, PROVED, TIMEOUT, Claim, Options, Progress, Result, result, silent
from proofs.output import write
from proofs.report import ROOT
from proofs.rtl.judging import judge, needed, traces
from proofs.rtl.outcome import Outcome
from proofs.rtl.picture import picture
from proofs.rtl.run import Job, Runner, jobs
from proofs.rtl.sbyfile import UnitError
from proofs.rtl.tools import ToolMissing
from proofs.rtl.units import Place, Unit, load, names

PLACE = Place(ROOT / "formal", ROOT / "rtl", ROOT / "out" / "formal")
PROCESSES = 2


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The units of a place, those whose catalogue is wrong with what is wrong, and the claims of all."""

    place: Place
    units: dict[str, Unit]
    wrong: dict[str, str]

    def claims(self) -> tuple[Claim, ...]:
        """Every claim, by unit; a catalogue that is wrong is one claim, which falls short."""
        found = []
        for name in sorted({*self.units, *self.wrong}):
            if name in self.wrong:
                about = f"formal/{name}.toml"
                found.append(
                    Claim(name, "The catalogue of the unit is in order.", about, "reading", PROVED, exclusive=True)
                )
                continue
            unit = self.units[name]
            about = ", ".join(f"rtl/{source}" for source in unit.sources)
            for claim in unit.claims:
                method = f"sby {unit.sby.options(claim.task)['mode']}, {unit.sby.engine(claim.task)}"
                found.append(Claim(claim.id, claim.statement, about, method, claim.strength, exclusive=True))
        return tuple(found)

    def prove(
        self, claims: Sequence[Claim], options: Options, done: Callable[[Result], None], progress: Progress
    ) -> None:
        """Prove these claims, all runs of their units once; `done` hears of each claim as it is settled."""
        units = []
        for claim in claims:
            name = unit_of(claim)
            if name in self.wrong:
                done(result(claim, TIMEOUT, (), 0.0, self.wrong[name]))
            elif self.units[name] not in units:
                units.append(self.units[name])
        wanted = {claim.id: claim for claim in claims}
        for unit in units:
            for stale in (self.place.out / unit.name).glob("*.[sv][vc][gd]"):
                stale.unlink()
        outcomes: dict[str, dict[str, Outcome]] = {unit.name: {} for unit in units}
        for unit, name, outcome in self._runs(units, wanted, options.force, progress):
            outcomes[unit.name][name] = outcome
            for inner in unit.claims:
                runs = {job.name for job in needed(unit, inner)}
                if inner.id in wanted and name in runs and runs <= outcomes[unit.name].keys():
                    told = self._pictures(unit, inner.task, outcomes[unit.name])
                    done(judge(unit, inner, wanted[inner.id], outcomes[unit.name], told))

    def _runs(
        self, units: Sequence[Unit], wanted: dict[str, Claim], force: bool, progress: Progress
    ) -> Iterator[tuple[Unit, str, Outcome]]:
        """Every run that the claims need, as it ends. Bugs come last: they are short and fill both processes."""
        todo: list[Job] = []
        for unit in units:
            used = {job.name for claim in unit.claims if claim.id in wanted for job in needed(unit, claim)}
            todo += [job for job in jobs(unit) if job.name in used]
        todo.sort(key=lambda job: job.bug is not None)
        runner = Runner(self.place, force)
        with ThreadPoolExecutor(PROCESSES) as pool:
            futures: dict[Future[Outcome], Job] = {pool.submit(runner.run, job): job for job in todo}
            waiting = set(futures)
            try:
                while waiting:
                    ended, waiting = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
                    for future in ended:
                        job = futures[future]
                        progress(f"{len(todo) - len(waiting)} of {len(todo)} runs of sby, {job.unit.name} {job.name}")
                        try:
                            outcome = future.result()
                        except (OSError, ToolMissing, UnitError) as error:
                            outcome = Outcome("ERROR", said=str(error))
                        yield job.unit, job.name, outcome
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                runner.stop()
                raise

    def _pictures(self, unit: Unit, task: str, outcomes: dict[str, Outcome]) -> dict[str, str]:
        """Copy each failing trace of a task beside a picture of it, and say where both are."""
        told = {}
        for name, trace in traces(task, outcomes[task], self.place.formal).items():
            label = name.split("/")[1]
            vcd = self.place.out / unit.name / f"{label}.vcd"
            svg = vcd.with_suffix(".svg")
            copyfile(trace, vcd)
            write(svg, picture(vcd.read_text(encoding="utf-8"), f"{unit.name}: {label}"))
            told[name] = f": {relpath(vcd)}, {relpath(svg)}"
        return told


def unit_of(claim: Claim) -> str:
    """The unit of a claim."""
    return claim.id.split(".", 1)[0]


def read(place: Place) -> Catalogue:
    """The catalogue of a place."""
    units, wrong = {}, {}
    for name in names(place):
        try:
            units[name] = load(place, name)
        except UnitError as error:
            wrong[name] = str(error)
    return Catalogue(place, units, wrong)


CATALOGUE = read(PLACE)
CLAIMS: tuple[Claim, ...] = CATALOGUE.claims()

HOLES: tuple[str, ...] = (
    "Yosys, SymbiYosys' smtbmc and Yices are trusted to mean by the Verilog what the simulators mean, and to answer "
    "right. All values are two-valued: an x of a simulator does not exist in the proofs.",
    "A unit is proved inside the assumptions of its harness, for the size that its strength names. Every assumption is "
    "in `formal/*.toml` and `out/proofs.md` with the reason why the surroundings guarantee it. Where the surroundings "
    "are Verilog of ours, their harness asserts the same sentence; that it is the same is checked by eye.",
    *(hole for unit in CATALOGUE.units.values() for hole in unit.holes),
    *(
        f"{claim.id} is {claim.strength}: {claim.because}"
        for unit in CATALOGUE.units.values()
        for claim in unit.claims
        if claim.strength.startswith(BOUNDED)
    ),
)

TRUSTED: tuple[str, ...] = (
    *sorted({relpath(path, ROOT) for unit in CATALOGUE.units.values() for path in unit.harnesses}),
    "proofs/rtl/formulas.py",
    "proofs/rtl/judging.py",
    "proofs/rtl/outcome.py",
    "proofs/rtl/run.py",
)

ASSUMPTIONS: tuple[str, ...] = tuple(
    f"{unit.name}, {', '.join(assumption.label)}: {assumption.says}, because {assumption.because}"
    for unit in CATALOGUE.units.values()
    for assumption in unit.assumptions
)


def prove(claim: Claim, options: Options, progress: Progress) -> Result:
    """Prove one claim alone."""
    found: list[Result] = []
    CATALOGUE.prove([claim], options, found.append, progress)
    return found[0]


def prove_together(
    claims: Sequence[Claim], options: Options, done: Callable[[Result], None], progress: Progress = silent
) -> None:
    """Prove several claims with every run once; `done` hears of each as it is settled."""
    CATALOGUE.prove(claims, options, done, progress)
