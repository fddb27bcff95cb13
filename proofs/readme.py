# SPDX-License-Identifier: Apache-2.0
"""The proofs in the README: a table made from the claims, and the assumptions and holes, between markers.

The table says what is claimed, not what one run found, so it carries no times. A full run fails when the README says
anything else than the claims, and a claim fails when its run reaches less: so the README says what was proved.
"""

from pathlib import Path

from proofs.catalogue import claims, holes
from proofs.output import write
from proofs.report import numbered, table


class NoMarkers(ValueError):
    """The README has no place for the proofs."""


def sections() -> dict[str, str]:
    """What belongs between the markers of each name."""
    rows = [(c.id, c.statement, c.about, c.method, c.strength) for _, c in claims().values()]
    return {
        "proofs": table(("id", "statement", "about", "method", "strength"), rows),
        "holes": numbered(holes()),
    }


def renewed(text: str) -> str:
    """The README with its sections renewed. Raises NoMarkers when the table has no place; the holes may have none."""
    for name, content in sections().items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
            if name == "holes" and begin not in text:
                continue
            raise NoMarkers(f"the README needs one {begin} and one {end} after it")
        before, rest = text.split(begin)
        text = f"{before}{begin}\n\n{content}\n\n{end}{rest.split(end)[1]}"
    return text


def stale(path: Path) -> str:
    """Why the README is stale, or ""."""
    try:
        text = path.read_text(encoding="utf-8")
        return "" if renewed(text) == text else "the proofs in README.md are STALE: run make readme-table"
    except OSError as error:
        return f"README.md cannot be read: {error.strerror}"
    except NoMarkers as error:
        return str(error)


def renew(path: Path) -> None:
    """Renew the README. Raises OSError, NoMarkers."""
    write(path, renewed(path.read_text(encoding="utf-8")))
