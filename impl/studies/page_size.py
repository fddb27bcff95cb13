# SPDX-License-Identifier: Apache-2.0
"""How large a page should be: rows reserved, length of the table and gathers per step, for one request with a window.

Small pages waste nothing and take long tables and many gathers; large ones the other way round. Counted on the real
page table.
"""

from typing import Any

from impl import window as formulas
from impl.page_table import PageTable

WINDOW = 8
STEPS = 32
PAGE_SIZES = (1, 2, 4, 8, 16)


def page_size() -> dict[str, Any]:
    """A line for each page size."""
    return {"window": WINDOW, "steps": STEPS, "lines": [decode(size) for size in PAGE_SIZES]}


def decode(page: int) -> dict[str, Any]:
    """One request through all steps. A gather is one contiguous piece of a page that a step reads. O(steps)."""
    table = PageTable(formulas.peak_pages(WINDOW, page), page)
    request = table.open()
    gathers, held = [], []
    for step in range(1, STEPS + 1):
        gathers.append(len(table.pages_of(request, formulas.first_row(step, WINDOW), step - 1)))
        table.append(request, 1)
        held.append(table.held(request))
        table.trim(request, formulas.keep_from(step, WINDOW))
    table.check()
    return {
        "page": page,
        "rows_reserved": table.held(request) * page,
        "most_rows_reserved": max(held) * page,
        "pages_held": table.held(request),
        "table_length": len(table.table(request)),
        "gathers_mean": sum(gathers) / STEPS,
        "gathers_most": max(gathers),
    }
