# SPDX-License-Identifier: Apache-2.0
"""What an operation of the transition system is: a refusal and an effect, functions of the state before it."""

from collections.abc import Callable
from dataclasses import dataclass

from proofs.transitions.state import State, chosen
from proofs.transitions.universe import Term, Universe
from spec.block_table import Refusal

REFUSALS = ("", *(refusal.value for refusal in Refusal))
UNKNOWN, EXISTS, BAD, RELEASED, NO_PAGES = range(1, len(REFUSALS))


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its arguments with their kinds, its refusal (0: none), its effect when it is not refused."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    refusal: Callable[..., Term]
    effect: Callable[..., State]
    refusals: tuple[int, ...]  # those that it can be given
    given: Callable[..., Term] = lambda u, s, *_: u.conj()
    events: Callable[..., tuple[tuple[str, Term], ...]] = lambda u, s, *_: ()

    def cases(self, u: Universe, s: State, *arguments: Term) -> tuple[tuple[str, Term], ...]:
        """What can come to pass: it is done, it is refused, and what is worth telling apart when it is done."""
        done = self.refusal(u, s, *arguments) == 0
        events = ((name, u.conj(done, event)) for name, event in self.events(u, s, *arguments))
        return (("done", done), ("refused", u.neg(done)), *events)

    def after(self, u: Universe, s: State, *arguments: Term) -> State:
        """The state after the operation, refused or not."""
        refused = self.refusal(u, s, *arguments) != 0
        return chosen(u, refused, s, self.effect(u, s, *arguments))
