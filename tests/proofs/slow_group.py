# SPDX-License-Identifier: Apache-2.0
"""A group of claims that go wrong in every way, for the tests of what runs them."""

import os
import time

from proofs.evidence import PROVED, Claim, Control, Options, Progress, Result, result

CLAIMS = tuple(
    Claim(name, f"This one is {name}.", "nothing", "none", PROVED, exclusive=name == "alone", limit=1.0)
    for name in ("good", "endless", "dying", "raising", "alone", "after")
)


def prove(claim: Claim, options: Options, progress: Progress) -> Result:
    """Do what the claim's name says."""
    if claim.id == "endless":
        time.sleep(60)
    if claim.id == "dying":
        os._exit(3)
    if claim.id == "raising":
        raise RuntimeError("went wrong")
    progress(claim.id)
    return result(claim, PROVED, (Control("wrong", f"found by process {os.getpid()}"),), 0.0)
