# SPDX-License-Identifier: Apache-2.0
"""Turns the runs of a unit into the result of a claim. Whatever is unknown, absent, late or unreached is short."""

import re
from collections.abc import Mapping
from pathlib import Path

from proofs.evidence import BOUNDED, PROVED, REFUTED, TIMEOUT, VACUOUS, Claim, Control, Result, result
from proofs.rtl.outcome import FAIL, PASS, UNKNOWN, Found, Outcome
from proofs.rtl.run import Job, jobs
from proofs.rtl.units import Bug, Unit, UnitClaim, is_cover

Pictures = Mapping[str, str]
"""What to say of the trace of a label, by task and label: where its files are."""

UNCHANGED = "unchanged, so not proved again (--force repeats)"


def needed(unit: Unit, claim: UnitClaim) -> list[Job]:
    """The runs that a claim rests on: its task, the covers, the bugs that break one of its properties."""
    return [job for job in jobs(unit) if job.name == claim.task or is_cover(job.name) or _breaks(job, claim)]


def _breaks(job: Job, claim: UnitClaim) -> bool:
    """Whether a bug breaks a property of the claim, if under another task: one of another size of the same harness."""
    return job.bug is not None and not set(job.bug.breaks).isdisjoint(claim.properties)


def judge(unit: Unit, claim: UnitClaim, as_claim: Claim, outcomes: Mapping[str, Outcome], pictures: Pictures) -> Result:
    """The result of a claim; `outcomes` has at least every run that it needs, by name.

    Its seconds are an equal part of each run that it shares with other claims of the unit, nothing of what was kept.
    """
    task = outcomes[claim.task]
    strength, reasons = _proved(unit, claim, task, pictures)
    reached, unreached = _covers(unit, claim, outcomes)
    controls = []
    for job in needed(unit, claim):
        if job.bug is not None:
            control, missed = _control(job.bug, outcomes[job.name])
            controls.append(control)
            reasons += missed
    used = {job.name: outcomes[job.name] for job in needed(unit, claim)}
    shared = [job.name for other in unit.claims for job in needed(unit, other)]
    spent = (0.0 if run.unchanged else run.seconds / shared.count(name) for name, run in used.items())
    note = UNCHANGED if all(run.unchanged for run in used.values()) else ""
    return result(
        as_claim,
        strength,
        tuple(controls),
        sum(spent),
        "; ".join([*reasons, *unreached]),
        note,
        covers=f"{reached}/{len(claim.covers)}",
    )


def _proved(unit: Unit, claim: UnitClaim, task: Outcome, pictures: Pictures) -> tuple[str, list[str]]:
    """The strength that was reached, and why it is not what is claimed."""
    reasons = []
    for label in claim.properties:
        found = task.labels.get(label)
        if found is None:
            reasons.append(f"{label} is absent from what sby reports")
        elif found.status != PASS:
            where = f" in cycle {found.cycle}" if found.status == FAIL else ""
            what = "fails" if found.status == FAIL else "does not follow by induction" if found.trace else "is unknown"
            reasons.append(f"{label} {what}{where}{pictures.get(f'{claim.task}/{label}', '')}")
    listed = {label for other in unit.claims if other.task == claim.task for label in other.properties}
    there = {label for label, found in task.labels.items() if found.kind == "assert"}
    if strange := sorted(there - listed):
        reasons.append(f"in no claim of task {claim.task}: {', '.join(strange)}")
    if task.verdict != PASS:
        reasons.append(
            f"task {claim.task} of {unit.name}.sby ends with {task.verdict}" + f": {task.said}" * bool(task.said)
        )
    if any(found.status == FAIL for label in claim.properties if (found := task.labels.get(label))):
        return REFUTED, reasons
    if "nsatisfiable" in task.said:
        return VACUOUS, reasons
    if reasons:
        return TIMEOUT, reasons
    return _strength(claim, task), []


def _strength(claim: UnitClaim, task: Outcome) -> str:
    """What a task that passed has shown: the words of the claim when the run backs them."""
    word = claim.strength.split(" ", 1)[0]
    if task.mode == "prove" and (task.inductive or task.engine == "abc pdr"):
        return claim.strength if word == PROVED else PROVED
    if task.mode == "bmc" and word == BOUNDED:
        number = re.search(r"\d[\d,]*", claim.strength)
        if number and int(number[0].replace(",", "")) <= task.depth:
            return claim.strength
    return f"{BOUNDED} to {task.depth} cycles"


def _covers(unit: Unit, claim: UnitClaim, outcomes: Mapping[str, Outcome]) -> tuple[int, list[str]]:
    """How many covers of the claim are reached, in every cover task that has them, and what is missing."""
    reasons = []
    reached = 0
    found: dict[str, list[Found]] = {}
    for name, outcome in outcomes.items():
        if is_cover(name):
            if outcome.verdict not in (PASS, FAIL):
                said = f": {outcome.said}" if outcome.said else ""
                reasons.append(f"task {name} of {unit.name}.sby ends with {outcome.verdict}{said}")
            for label, item in outcome.labels.items():
                if item.kind == "cover":
                    found.setdefault(label, []).append(item)
    for label in claim.covers:
        if found.get(label) and all(item.status == PASS for item in found[label]):
            reached += 1
        else:
            reasons.append(f"not reached: {label}" if label in found else f"{label} is absent from what sby reports")
    if strange := sorted(found.keys() - {label for other in unit.claims for label in other.covers}):
        reasons.append(f"covers in no claim: {', '.join(strange)}")
    return reached, reasons


def _control(bug: Bug, outcome: Outcome) -> tuple[Control, list[str]]:
    absent = Found(UNKNOWN, "assert")
    found = {label: outcome.labels.get(label, absent) for label in bug.breaks}
    missed = [label for label, item in found.items() if item.status != FAIL]
    if not missed:
        return Control(bug.what, ", ".join(f"{label} fails in cycle {item.cycle}" for label, item in found.items())), []
    said = f" ({outcome.verdict}: {outcome.said})" if outcome.said and outcome.verdict not in (PASS, FAIL) else ""
    return Control(bug.what, ""), [f"'{bug.what}' does not break {', '.join(missed)} within {bug.depth} cycles{said}"]


def traces(task: str, outcome: Outcome, formal: Path) -> dict[str, Path]:
    """The VCD of every property of a task that failed or is not inductive, by task and label."""
    return {
        f"{task}/{label}": formal / found.trace
        for label, found in outcome.labels.items()
        if found.kind == "assert" and found.status != PASS and found.trace.endswith(".vcd")
    }
