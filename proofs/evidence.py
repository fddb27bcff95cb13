# SPDX-License-Identifier: Apache-2.0
"""What a proof run consists of: claims (what is to be shown), results (what was shown just now), and when one is short.

A group of proofs is a module with `CLAIMS: tuple[Claim, ...]` and `prove(claim, options, progress) -> Result`; the
groups are listed in `proofs/catalogue.py`. A claim is cheap to import: the README table is made from claims alone.
Strengths are sentences that begin with one of the words below.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

PROVED = "PROVED"  # for all values, no bound
INDUCTIVE = "INDUCTIVE"  # from any state that satisfies the invariant
EXHAUSTED = "EXHAUSTED"  # every state up to the sizes that follow
BOUNDED = "BOUNDED"  # up to the bound that follows
CONFIRMED = "CONFIRMED"  # all paths, by symbolic execution
TESTED = "TESTED"  # so many runs; proves nothing
REFUTED = "REFUTED"  # there is a counterexample
VACUOUS = "VACUOUS"  # the hypotheses cannot hold together
STALE = "STALE"  # of an older version of what it is about
TIMEOUT = "TIMEOUT"  # no answer in time, or the solver said unknown

WORDS = (PROVED, INDUCTIVE, EXHAUSTED, BOUNDED, CONFIRMED, TESTED, REFUTED, VACUOUS, STALE, TIMEOUT)
FAILED = (REFUTED, VACUOUS, STALE, TIMEOUT)

Progress = Callable[[str], None]


def silent(_: str) -> None:
    """A progress callback that shows nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run. `budget` scales the sizes of what is bounded (1 is what the claims say); `timeout` is per query, in
    seconds; the queries are written to `smt` as SMT-LIB unless it is None; `force` repeats what was kept."""

    seed: int = 0
    quick: bool = False
    budget: float = 1.0
    timeout: float = 20.0
    smt: Path | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of the evidence table before it is proved.

    `strength` is what a run must reach, word for word (with another budget or in a quick run: the first word).
    `quick` claims are run by the quick part. An `exclusive` claim starts processes of its own, so it is run alone, in
    the main process, and gets a progress callback that reaches the screen. After `limit` seconds a claim that is not
    exclusive is killed and counts as TIMEOUT.
    """

    id: str
    statement: str
    about: str
    method: str
    strength: str
    quick: bool = False
    exclusive: bool = False
    limit: float = 60.0


@dataclass(frozen=True, slots=True)
class Control:
    """A wrong variant that the same method must refute: what is wrong with it, and the counterexample as a sentence.

    `found` is empty when it was not refuted.
    """

    wrong: str
    found: str


@dataclass(frozen=True, slots=True)
class Result:
    """What was shown for one claim just now. `short` says what is missing, and is empty when nothing is.

    `covers` is how many covers of its premises were reached, of how many ("3/3"), for proofs that have covers.
    """

    id: str
    statement: str
    about: str
    method: str
    strength: str
    controls: tuple[Control, ...] = ()
    seconds: float = 0.0
    short: str = ""
    note: str = ""
    files: tuple[str, ...] = field(default=())
    covers: str = ""

    @property
    def word(self) -> str:
        """The first word of the strength."""
        return self.strength.split(" ", 1)[0]


def result(
    claim: Claim,
    strength: str,
    controls: tuple[Control, ...],
    seconds: float,
    short: str = "",
    note: str = "",
    files: tuple[str, ...] = (),
    covers: str = "",
) -> Result:
    """The result for a claim."""
    about = claim.id, claim.statement, claim.about, claim.method
    return Result(*about, strength, controls, seconds, short, note, files, covers)


def judged(claim: Claim, found: Result, options: Options) -> Result:
    """`found` with every reason why it is less than `claim` asks for. Nothing else decides what passes."""
    reasons = [found.short] if found.short else []
    if found.word in FAILED or found.word not in WORDS:
        reasons.append(f"is {found.strength}")
    elif options.quick or options.budget != 1.0:
        if found.word != claim.strength.split(" ", 1)[0]:
            reasons.append(f"claimed {claim.strength}, reached {found.strength}")
    elif found.strength != claim.strength:
        reasons.append(f"claimed {claim.strength}, reached {found.strength}")
    if not found.controls:
        reasons.append("has no wrong variant")
    reasons.extend(f"not refuted: {control.wrong}" for control in found.controls if not control.found)
    if (found.id, found.statement, found.about) != (claim.id, claim.statement, claim.about):
        reasons.append("answers another claim")
    return replace(found, short="; ".join(dict.fromkeys(reasons)))
