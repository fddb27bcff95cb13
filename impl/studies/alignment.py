# SPDX-License-Identifier: Apache-2.0
"""Padding a shared prompt to a page boundary before it is forked, against example B.2 as it is.

Padding saves every copy-on-write and costs at most one page for the prompt; whether it saves pages depends on where the
prompt and the rows after it end.
"""

from typing import Any

from impl import window as formulas
from impl.studies.example_b import OWN_ROWS, PROMPTS, SHARED_BY, SHARED_PAGE_SIZES, forked, share


def alignment() -> dict[str, Any]:
    """A line for each prompt and page size of example B.2."""
    lines = []
    for prompt in PROMPTS:
        for page in SHARED_PAGE_SIZES:
            plain, padded = share(prompt, page), share_padded(prompt, page)
            lines.append(
                {
                    "prompt": prompt,
                    "page": page,
                    "padding": padded["padding"],
                    "pages_copied": plain["pages_copied"],
                    "pages_shared": plain["pages_shared"],
                    "pages_padded": padded["pages"],
                    "pages_saved": plain["pages_shared"] - padded["pages"],
                    "copies_shared": plain["cow_copies"],
                    "copies_padded": padded["copies"],
                }
            )
    return {"requests": SHARED_BY, "own_rows": OWN_ROWS, "lines": lines}


def share_padded(prompt: int, page: int) -> dict[str, int]:
    """As the shared case of example B.2, with the prompt padded before the forks. O(rows)."""
    padding = formulas.room_in_last_page(prompt, page)
    table, copies = forked(prompt + padding, page)
    return {"padding": padding, "pages": table.pages - table.free_count, "copies": copies}
