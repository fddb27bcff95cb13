# SPDX-License-Identifier: Apache-2.0
"""The groups of proofs, in the order of the table. A new group is one more line here."""

from importlib import import_module
from typing import Protocol, cast

from proofs.evidence import Claim, Options, Progress, Result

GROUPS = (
    "proofs.window",
    "proofs.division",
    "proofs.softmax",
    "proofs.transitions.group",
    "proofs.crosshair_run",
    "proofs.explore",
    "proofs.rtl.group",
)


class Group(Protocol):
    """What a module in `GROUPS` offers.

    One whose claims share work also has `prove_together(claims, options, done, progress)`; its claims are exclusive.
    """

    CLAIMS: tuple[Claim, ...]

    def prove(self, claim: Claim, options: Options, progress: Progress) -> Result:
        """Try to prove `claim` and refute its wrong variants."""
        ...


def group(module: str) -> Group:
    """The group in the module of that name."""
    return cast(Group, import_module(module))


def claims() -> dict[str, tuple[str, Claim]]:
    """Every claim with the module that proves it, by id, in the order of the table. Ids are unique: else ValueError."""
    found: dict[str, tuple[str, Claim]] = {}
    for module in GROUPS:
        for claim in group(module).CLAIMS:
            if claim.id in found:
                raise ValueError(f"two claims have the id {claim.id}")
            found[claim.id] = (module, claim)
    return found


def holes() -> list[str]:
    """What is assumed and what is not proved, in the order of the groups."""
    return [sentence for module in GROUPS for sentence in getattr(import_module(module), "HOLES", ())]


def assumptions() -> list[str]:
    """What single proofs assume of the surroundings of what they are about, in the order of the groups."""
    return [sentence for module in GROUPS for sentence in getattr(import_module(module), "ASSUMPTIONS", ())]


def trusted() -> list[str]:
    """The files whose lines have to be believed, each once."""
    return list(dict.fromkeys(file for module in GROUPS for file in getattr(import_module(module), "TRUSTED", ())))
