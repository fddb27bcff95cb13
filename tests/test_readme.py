# SPDX-License-Identifier: Apache-2.0
"""The README's Python runs, its commands exist, its links lead somewhere."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from kvproof.cli import main
from spec.conformance.lockstep import replay
from spec.conformance.operations import append, new
from spec.conformance.target import capabilities_of
from spec.conformance.violation import Violation

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


class Eager:
    """The cache that the README tells of: it stores the rows before it looks whether they fit."""

    capabilities = frozenset({"free_pages"})

    def __init__(self, pages: int, page_size: int) -> None:
        self.pages, self.page_size = pages, page_size
        self.requests: dict[str, list[int]] = {}

    def new(self, request: str) -> None:
        self.requests[request] = []

    def append(self, request: str, rows: Sequence[int]) -> None:
        self.requests[request].extend(rows)
        if self.free_pages() < 0:
            raise OutOfPages

    def rows(self, request: str, low: int, high: int) -> list[int]:
        return self.requests[request][low:high]

    def release(self, request: str) -> None:
        del self.requests[request]

    def free_pages(self) -> int:
        return self.pages - sum(-(-len(rows) // self.page_size) for rows in self.requests.values())


class OutOfPages(Exception):
    """Compared by its name."""


def test_the_first_example_runs_and_does_what_its_comments_say() -> None:
    names: dict[str, object] = {}
    exec(PYTHON[0], names)
    cache = names["cache"]
    assert cache.table("a") == [None, None, 2]  # type: ignore[attr-defined]
    assert cache.table("b") == [0, 1, 3]  # type: ignore[attr-defined]
    assert cache.copies() == 1  # type: ignore[attr-defined]


def test_the_adapter_of_the_readme_is_a_target() -> None:
    names: dict[str, type] = {}
    exec(PYTHON[1], names)
    assert capabilities_of(names["MyCache"](1, 1)) == {"fork", "free_pages"}


def test_the_failure_of_the_readme_is_what_a_cache_like_that_gets() -> None:
    with pytest.raises(Violation) as found:
        replay(Eager, pages=1, page_size=1, operations=[new("a"), append("a", 2)])
    told = found.value
    assert f"breaks the law of {told.law}:" in TEXT
    assert f"      asked     {told.asked}\n      expected  {told.expected}\n      got       {told.got}\n" in TEXT


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`kvproof ([a-z-]+)", TEXT))))
def test_every_command_named_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert "example" in capsys.readouterr().out


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`make ([a-z-]+)`", TEXT))))
def test_every_make_target_named_exists(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_link_within_the_project_leads_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / link).exists(), link
