# SPDX-License-Identifier: Apache-2.0
"""A group whose claims share work: it settles one, forgets one, and raises when asked for the third."""

from collections.abc import Callable, Sequence

from proofs.evidence import PROVED, Claim, Control, Options, Progress, Result, result

CLAIMS = tuple(
    Claim(name, f"This one is {name}.", "nothing", "none", PROVED, exclusive=True)
    for name in ("settled", "forgotten", "raising")
)


def prove_together(
    claims: Sequence[Claim], options: Options, done: Callable[[Result], None], progress: Progress
) -> None:
    """Settle the first claim, pass over the second, raise at the third."""
    for claim in claims:
        progress(claim.id)
        if claim.id == "raising":
            raise RuntimeError("went wrong")
        if claim.id == "settled":
            done(result(claim, PROVED, (Control("wrong", "found"),), 0.0))
