# SPDX-License-Identifier: Apache-2.0
"""What a broken law is told as."""

from spec.conformance.operations import Operation

LAWS = {
    "content": "every row that is kept reads back as it was written, and the length counts them",
    "refusal": "an operation does what it should, or raises the one named refusal that applies",
    "unchanged-after-refusal": "a refused operation has changed nothing",
    "capacity": "pages held = pages that the retained rows need, exactly",
    "admission": "an append is refused if and only if it needs more pages than are free",
    "economy": "no page is taken, copied or moved without need",
    "sharing": "tables name the same pages as the spec's, up to a renaming of pages",
    "owners": "a page's owners are the requests whose tables name it",
    "free-pages": "free pages and held pages together are the pool",
    "types": "lengths, counts and pages are ints",
    "self-check": "the target's own check finds nothing",
}
"""The laws by name."""


class Violation(AssertionError):
    """The target broke a law.

    `operation` is the last one run (None when the pool was still new), `asked` the call that showed it; `expected`
    and `got` are texts. Who runs a whole history adds it, and the size of the pool.
    """

    pages: int = 0
    page_size: int = 0
    history: tuple[Operation, ...] | None = None

    def __init__(self, law: str, operation: Operation | None, asked: str, expected: str, got: str) -> None:
        assert law in LAWS, law
        self.law = law
        self.operation = operation
        self.asked = asked
        self.expected = expected
        self.got = got
        super().__init__(law, operation, asked, expected, got)

    def __str__(self) -> str:
        when = f"after {self.operation}, {self.asked}" if self.asked != str(self.operation) else self.asked
        broken = f"{self.law}: {when}: expected {self.expected}, got {self.got} (the law: {LAWS[self.law]})"
        if self.history is None:
            return broken
        listed = "".join(f"\n{number:4}. {operation}" for number, operation in enumerate(self.history, 1))
        return f"{broken}\nin a pool of {self.pages} pages of {self.page_size} rows:{listed}"


def told(error: BaseException) -> str:
    """Class and text of what a target raised, also when it has no text."""
    try:
        return f"{type(error).__name__}: {error}"
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"{type(error).__name__}, whose text cannot be read"
