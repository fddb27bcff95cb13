# SPDX-License-Identifier: Apache-2.0
"""Example B: what pages buy. Admission into a small pool, prefix sharing, and the arithmetic of serving.

Parts 1 and 2 are counted on the real page table, request by request and row by row; part 4 is arithmetic.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

from impl import window as formulas
from impl.errors import OutOfPages
from impl.page_table import PageTable

SEED = 11
REQUESTS = 400
LONGEST = 2048
GENERATOR = f"random.Random({SEED}), {REQUESTS} draws of min({LONGEST}, max(16, int(lognormvariate(5.2, 0.9))))"
POOL_ROWS = 8192
PAGE_SIZES = (1, 4, 16, 64, 256)

SHARED_BY = 8
OWN_ROWS = 40
PROMPTS = (96, 100, 250)
SHARED_PAGE_SIZES = (16, 40)
SHARED_POOL = 400

CHIP_BYTES = 80e9
WEIGHT_BYTES = 7e9
BYTES_PER_TOKEN = 256 * 1024
CONTEXTS = (2048, 8192, 32768, 131072)
WINDOW = 4096


def example_b() -> dict[str, Any]:
    """Parts 1, 2 and 4 as plain data, in the form of the recorded figures."""
    lengths = request_lengths()
    return {
        "lengths": {
            "generator": GENERATOR,
            "mean": sum(lengths) / REQUESTS,
            "median": sorted(lengths)[REQUESTS // 2],
            "max": max(lengths),
        },
        "pool_rows": POOL_ROWS,
        "admission": [
            {"scheme": "contiguous", "reserve": LONGEST, **admit(lengths, LONGEST)},
            *({"scheme": "paged", "page": size, **admit(lengths, size)} for size in PAGE_SIZES),
        ],
        "prefix_sharing": [share(prompt, size) for prompt in PROMPTS for size in SHARED_PAGE_SIZES],
        "serving_arithmetic": {
            "assumptions": {
                "chip_bytes": CHIP_BYTES,
                "weight_bytes": WEIGHT_BYTES,
                "kv_bytes_per_token": BYTES_PER_TOKEN,
                "window": WINDOW,
            },
            "rows": [serving(context) for context in CONTEXTS],
        },
    }


def request_lengths() -> list[int]:
    """The 400 request lengths, in rows."""
    rng = random.Random(SEED)
    return [min(LONGEST, max(16, int(rng.lognormvariate(5.2, 0.9)))) for _ in range(REQUESTS)]


def admit(lengths: Sequence[int], page_size: int) -> dict[str, int]:
    """Part 1. Take requests in order, row by row, until one does not fit; its pages go back.

    A contiguous reservation is a page as long as the longest request.
    """
    table = PageTable(POOL_ROWS // page_size, page_size)
    held = 0
    rows_used = 0
    for length in lengths:
        handle = table.open()
        try:
            for _ in range(length):
                table.append(handle, 1)
        except OutOfPages:
            table.close(handle)
            break
        held += 1
        rows_used += length
    table.check()
    return {"held": held, "rows_used": rows_used, "rows_reserved": _pages_in_use(table) * page_size}


def share(prompt: int, page_size: int) -> dict[str, int]:
    """Part 2. Eight requests with one prompt and 40 rows of their own: pages with a copy each, with forks of one."""
    copied = PageTable(SHARED_POOL, page_size)
    for _ in range(SHARED_BY):
        copied.append(copied.open(), prompt + OWN_ROWS)

    shared, copies = forked(prompt, page_size)
    copied.check()
    return {
        "prompt": prompt,
        "page": page_size,
        "requests": SHARED_BY,
        "own_rows": OWN_ROWS,
        "pages_copied": _pages_in_use(copied),
        "pages_shared": _pages_in_use(shared),
        "cow_copies": copies,
    }


def forked(prompt: int, page_size: int) -> tuple[PageTable, int]:
    """A table in which eight requests share a prompt by forks and append 40 rows each; and the copies that it took.

    The base that held the prompt is released at the end. O(rows).
    """
    table = PageTable(SHARED_POOL, page_size)
    base = table.open()
    table.append(base, prompt)
    copies = 0
    for _ in range(SHARED_BY):
        fork = table.fork(base)
        for _ in range(OWN_ROWS):
            copies += table.append(fork, 1).copies is not None
    table.close(base)
    table.check()
    return table, copies


def serving(context: int) -> dict[str, float]:
    """Part 4. Cache of one request in GiB and the largest batch, with the whole context and with a window of it."""
    full = context * BYTES_PER_TOKEN
    windowed = formulas.context(context, WINDOW) * BYTES_PER_TOKEN
    return {
        "context": context,
        "kv_gib_full": full / 2**30,
        "max_batch_full": _largest_batch(full),
        f"kv_gib_window_{WINDOW}": windowed / 2**30,
        "max_batch_window": _largest_batch(windowed),
    }


def _largest_batch(bytes_per_request: int) -> int:
    return math.floor((CHIP_BYTES - WEIGHT_BYTES) / bytes_per_request)


def _pages_in_use(table: PageTable) -> int:
    return table.pages - table.free_count
