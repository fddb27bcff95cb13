# SPDX-License-Identifier: Apache-2.0
"""The evidence for each mutant that is listed as equivalent, produced anew; and that it tells other mutants apart."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from kvproof.mutation.equivalents import Entry, load
from proofs.evidence import PROVED, REFUTED
from tests.mutation import histories
from tests.mutation.evidence import change, proved

ROOT = Path(__file__).resolve().parent.parent.parent
ENTRIES = load(ROOT / "tests" / "equivalent_mutants.toml")
LEAST = 100_000


def compared(entry: Entry) -> int:
    """What the script of the entry says: how many inputs it compared, or -1 when those are all there are."""
    path = ROOT / entry.text
    spec = spec_from_file_location(f"tests.mutation.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    if path.stem == "histories":
        return histories.compare(entry)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    inputs: int = module.compare(entry)
    return inputs


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_the_evidence(entry: Entry) -> None:
    change(entry)
    if entry.evidence == "proof":
        assert entry.text == "z3"
        assert proved(entry) == PROVED
    elif entry.evidence == "differential":
        inputs = compared(entry)
        assert inputs == -1 or inputs >= LEAST
    else:
        assert len(entry.text) > 40


def window(function: str, old: str, new: str) -> Entry:
    return Entry("impl/window.py", function, f"-{old}\n+{new}", "proof", "z3")


def test_a_change_that_makes_a_difference_is_refuted() -> None:
    assert proved(window("programs", "return min(steps, window)", "return min(steps, window + 1)")) == REFUTED
    assert (
        proved(window("span_pages", "return 0 if rows == 0 else pages_for(rows - 1, page) + 1", "return 0")) == REFUTED
    )
    assert proved(window("programs", "return min(steps, window)", "return min(window, steps)")) == PROVED
    with pytest.raises(AssertionError, match="0 times in the source"):
        proved(window("programs", "return max(steps, window)", "return 0"))


def test_histories_tell_mutants_apart() -> None:
    """Ten of the hundreds that the tests kill."""
    changes = [
        ("impl/owners.py", "Owners.take", "self.free -= count", "self.free -= count + 0"),
        ("impl/store.py", "Store.hole", "return begin, self.requests.tail.item(index)", "return begin, begin"),
        ("impl/trim.py", "release_before", "if end > tail:", "if end > tail + 1:"),
        ("impl/arena.py", "Segments.give_back", "size += 1", "size += 2"),
    ]
    told = []
    for file, function, old, new in changes:
        entry = Entry(file, function, f"-{old}\n+{new}", "differential", "tests/mutation/histories.py")
        try:
            histories.compare(entry)
            told.append(False)
        except Exception:
            told.append(True)
    assert told == [False, True, True, True]
