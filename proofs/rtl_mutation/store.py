# SPDX-License-Identifier: Apache-2.0
"""What was found, kept as it is found, in a file named after the content of all that went into it.

So a run that was interrupted goes on where it was, and an unchanged unit is not tried twice.
"""

import hashlib
import json
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def fingerprint(texts: Iterable[str], files: Iterable[Path]) -> str:
    """A name for these texts and the contents of these files."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"\0{text}".encode())
    for file in files:
        digest.update(f"\0{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


class Store:
    """Facts, one line of JSON each. A line cut off by a crash is left out."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()
        self.facts: list[dict[str, Any]] = []
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                try:
                    self.facts.append(json.loads(line))
                except ValueError:
                    continue

    def add(self, **fact: Any) -> None:
        """Keep a fact."""
        with self._lock:
            self.facts.append(fact)
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as file:
                file.write("\n" + json.dumps(fact))

    def about(self, phase: str) -> list[dict[str, Any]]:
        """All facts of a phase."""
        with self._lock:
            return [fact for fact in self.facts if fact["phase"] == phase]

    def mutants(self, phase: str) -> dict[int, dict[str, Any]]:
        """Facts of a phase by mutant; facts about no mutant are left out."""
        return {fact["mutant"]: fact for fact in self.about(phase) if "mutant" in fact}

    def ended(self, phase: str) -> bool:
        """Whether a phase came to its end."""
        return any(fact.get("end") for fact in self.about(phase))
