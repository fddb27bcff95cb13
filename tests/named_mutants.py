# SPDX-License-Identifier: Apache-2.0
"""Which layer of checks finds which of the eighteen named mistakes: measured, kept in a file, shown in the README.

`python -m tests.named_mutants` measures all of it again and writes both. It takes some minutes.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proofs.mistakes import NAMED
from tests.layers import LAYERS, ROOT, said

FILE = Path(__file__).parent / "data" / "named_mutants.json"
BEGIN, END = "<!-- mistakes:begin -->", "<!-- mistakes:end -->"


def measured() -> dict[str, dict[str, str]]:
    """By mistake and layer, what the layer said. RuntimeError when one has something to say about the right code."""
    for layer in LAYERS:
        if message := said(layer, None):
            raise RuntimeError(f"{layer} finds a fault where there is none: {message}")
    found: dict[str, dict[str, str]] = {}
    for name, mistake in NAMED.items():
        found[name] = {layer: said(layer, mistake) for layer in LAYERS}
        caught = ", ".join(f"{layer} ({message})" for layer, message in found[name].items() if message)
        print(f"{name}: {caught}", file=sys.stderr, flush=True)
    return found


def recorded() -> dict[str, dict[str, str]]:
    """What was measured last."""
    data: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def matrix(found: Mapping[str, Mapping[str, str]]) -> str:
    """The table of the README: a dot where a layer finds a mistake."""
    rows: list[tuple[Any, ...]] = [("", "mistake", *LAYERS), ("---",) * (2 + len(LAYERS))]
    for number, (name, mistake) in enumerate(NAMED.items(), 1):
        rows.append((number, mistake.wrong, *("●" if found[name][layer] else "–" for layer in LAYERS)))
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def renewed(readme: str, found: Mapping[str, Mapping[str, str]]) -> str:
    """The README with the table renewed."""
    before, rest = readme.split(BEGIN)
    return f"{before}{BEGIN}\n\n{matrix(found)}\n\n{END}{rest.split(END)[1]}"


def main() -> None:
    """Measure, and write the file and the table."""
    found = measured()
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    readme = ROOT / "README.md"
    readme.write_text(renewed(readme.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
