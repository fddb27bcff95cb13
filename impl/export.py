# SPDX-License-Identifier: Apache-2.0
"""Block tables in the formats that attention kernels read, for a batch of requests at once.

| function | format | read by |
| --- | --- | --- |
| `padded`, `flat_write` | block table by logical page and slot mapping | vLLM |
| `csr` | pages one after the other, their bounds, rows in each last page | FlashInfer |
| `flat_read`, `flat_write` | index of every row to read, of every row to write | transformers |
| `compact` | block table without the released pages, and how many those are | kernels that take an offset |
| `view` | the table of one request, not copied | code on the host |

`handles` is an int64 array [n] (or a sequence of ints) of live requests of one table; a request may occur several
times, and n may be 0. A handle that is not live is UnknownRequest, a number out of its range, or a result that int32
cannot hold, BadArgument. Every call makes new arrays and costs O(n + its output), whatever the size of the pool and of
the released part of a request.

A request holds its pages in at most two runs of logical pages: before the hole of released pages (the sinks) and after
it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from impl import elementwise as formulas
from impl.append import spread
from impl.arguments import Ints, integer, integers_for
from impl.errors import BadArgument, RowsReleased
from impl.page_table import PageTable
from impl.runs import Runs, runs_of

Ints32 = NDArray[np.int32]

LARGEST = 2**31 - 1
"""The largest number that fits the int32 of the formats."""


class Csr(NamedTuple):
    """The pages held by n requests: those of request i are indices[indptr[i] : indptr[i + 1]], in logical order.

    `indptr` int32 [n + 1], `indices` int32 [pages held by all], `last_page_len` int32 [n].
    """

    indptr: Ints32
    indices: Ints32
    last_page_len: Ints32


class Compact(NamedTuple):
    """The pages held by n requests, a line each: `pages` int32 [n, most pages held by one], the rest of a line null.

    `held` int32 [n] pages of a line count. The logical page of column c of line i is c when c < before[i], otherwise
    c + dropped[i]: `before` int32 [n] counts the pages before the hole, `dropped` int64 [n] the released ones in it.
    """

    pages: Ints32
    held: Ints32
    before: Ints32
    dropped: Ints


class Flat(NamedTuple):
    """The slots of n ranges of rows, one after the other: range i is indices[indptr[i] : indptr[i + 1]].

    `indices` int64 [rows of all], `indptr` int32 [n + 1], which is also what kernels call cumulative sequence lengths.
    """

    indices: Ints
    indptr: Ints32


class View(NamedTuple):
    """The pages of one request where they lie, int32, read-only: `before` the hole (logical pages 0, 1, …) and
    `behind` it (logical pages `resume`, `resume` + 1, …). Without a hole all are behind, and `resume` is 0.
    """

    before: Ints32
    behind: Ints32
    resume: int


def padded(table: PageTable, handles: object, null: int = -1) -> Ints32:
    """The block tables as int32 [n, most logical pages of one]: entry [i, j] is the physical page of logical page j of
    request i, `null` where that page was released or lies beyond the end.

    vLLM's block tables are int32, one line per request, addressed by logical page (row // page size), and the pages
    that a window has left are replaced in place by one null page, page 0, which is never handed out
    (vllm/v1/worker/block_table.py, vllm/v1/core/block_pool.py and single_type_kv_cache_manager.py). So give it the
    number of a page that no request writes: one that is kept out of the table's pool, or one behind it. −1 is for
    kernels that test for it.

    BadArgument when `null` is neither −1 nor a page number that fits int32.
    """
    runs = runs_of(table.store, handles)
    null = integer(null, "the null page", least=-1, most=LARGEST)
    counts, resume = runs.counts, runs.resume
    width = int((resume + counts[:, 1]).max(initial=0))
    lines = np.arange(len(counts)) * width
    pages = np.full((len(counts), width), null, dtype=np.int32)
    pages.ravel()[spread(np.column_stack((lines, lines + resume)).ravel(), counts.ravel())] = _held(runs)
    return pages


def csr(table: PageTable, handles: object) -> Csr:
    """The pages held, one request after the other.

    FlashInfer wants int32 throughout, and 1 ≤ last_page_len ≤ page size (docs/tutorials/kv_layout.rst): a full last
    page is page size, not 0. A request without pages has indptr[i] == indptr[i + 1] and last_page_len 0 here: its
    kernels take such a request for one of length 0 and do not look at last_page_len (`get_length` in
    include/flashinfer/page.cuh), but its `get_seq_lens` (flashinfer/page.py) adds last_page_len whatever the number of
    pages, so any other value is a wrong length.

    A kernel that reads this sees the rows held as one sequence without the hole: sinks, then tail, at positions 0, 1,
    … Every page before the last is full, so no row that was not held is read. Distances within the tail are as they
    were, those across the hole are smaller by the rows in it; `compact` tells how many pages that is. Keys that carry
    their position already are not affected.
    """
    runs = runs_of(table.store, handles)
    if table.page_size > LARGEST:
        raise BadArgument(f"a page of {table.page_size:,} rows does not fit the int32 of this format")
    held = runs.counts.sum(axis=1)
    indptr = _bounds(held)
    last = np.where(held > 0, formulas.last_page_rows(runs.lengths, table.page_size), 0)
    return Csr(indptr, _held(runs), last.astype(np.int32))


def compact(table: PageTable, handles: object, null: int = -1) -> Compact:
    """The block tables without the released pages, and what it takes to know which logical page a column is.

    With a window and no sinks every line starts `dropped` pages late, and is no longer than the window needs, however
    long the request is. `null` as in `padded`.
    """
    runs = runs_of(table.store, handles)
    null = integer(null, "the null page", least=-1, most=LARGEST)
    counts = runs.counts
    held, before = counts.sum(axis=1), counts[:, 0]
    width = int(held.max(initial=0))
    lines = np.arange(len(counts)) * width
    pages = np.full((len(counts), width), null, dtype=np.int32)
    pages.ravel()[spread(lines, held)] = _held(runs)
    return Compact(pages, held.astype(np.int32), before.astype(np.int32), runs.resume - before)


def view(table: PageTable, handle: int) -> View:
    """The table of one request without a copy, for as long as no operation changes the table. O(1)."""
    store = table.store
    index = store.requests.find(handle)
    begin, resume = store.hole(index)
    if begin == resume:
        begin = resume = 0
    start, base = store.requests.start.item(index), store.requests.base.item(index)
    before = store.arena.entries[start : start + begin]
    behind = store.arena.entries[base + resume : base + store.page_count(index)]
    before.setflags(write=False)
    behind.setflags(write=False)
    return View(before, behind, resume)


def flat_read(table: PageTable, handles: object, lows: object = None, highs: object = None) -> Flat:
    """The slots of the rows lows[i] ≤ row < highs[i] of each request, in order. Without `lows` from row 0, without
    `highs` to the end. A slot is physical page · page size + row within the page: an index into the rows of the pool.

    transformers reads the cache by one such int64 index per row, all requests one after the other
    (src/transformers/generation/continuous_batching: `get_read_indices` in cache_manager.py, `read_index` in
    cache.py). With full attention it writes the new rows first and reads 0 … length, so export after the append. With
    a window it reads the old rows first and puts −1 for each new row behind those of its request; here that is the
    range of the old rows, and the −1 are the caller's. To read sinks and window give the request twice, once with each
    range.

    BadArgument unless 0 ≤ low ≤ high ≤ length, RowsReleased when a range has a row in the hole.
    """
    runs = runs_of(table.store, handles)
    end = runs.lengths
    first = np.zeros_like(end) if lows is None else integers_for(end, lows, "the first rows")
    if highs is not None:
        end = integers_for(end, highs, "the ends of the rows")
    return _flat(runs, table.page_size, first, end)


def flat_write(table: PageTable, handles: object, counts: object) -> Ints:
    """The slots, int64, of the last counts[i] rows of each request: those that an append of so many rows is to write.

    This is vLLM's slot mapping (int64, one per token of the step; it pads with −1 behind them) and transformers'
    `write_index`. It equals the slots of the `append_batch` before it when the handles are distinct; when one occurs
    twice both entries count from the end.

    BadArgument unless 0 ≤ count ≤ length, RowsReleased when one of the rows has been released since.
    """
    runs = runs_of(table.store, handles)
    end = runs.lengths
    first = end - integers_for(end, counts, "the numbers of rows written")
    return _flat(runs, table.page_size, first, end).indices


def _flat(runs: Runs, page_size: int, lows: Ints, highs: Ints) -> Flat:
    """The slots of a range of rows of each request: page by page first, then the rows of each page."""
    if np.any((lows < 0) | (lows > highs) | (highs > runs.lengths)):
        raise BadArgument("every range of rows must be 0 ≤ low ≤ high ≤ length")
    before, resume = runs.counts[:, 0], runs.resume
    some = lows < highs
    if np.any(some & (lows < resume * page_size) & (highs > before * page_size)):
        raise RowsReleased("a range has rows that were trimmed away; give ranges on either side of the hole")
    indptr = _bounds(highs - lows)
    lows, highs = lows[some], highs[some]
    first, end = formulas.page_of(lows, page_size), formulas.pages_for(highs, page_size)
    starts = np.where(first >= resume[some], runs.starts[some, 1] - resume[some], runs.starts[some, 0]) + first
    pages = end - first
    slots = runs.entries[spread(starts, pages)].astype(np.int64) * page_size
    rows = np.full(len(slots), page_size)
    last = np.cumsum(pages) - 1
    skipped = formulas.offset_of(lows, page_size)
    slots[last - pages + 1] += skipped
    rows[last - pages + 1] -= skipped
    rows[last] -= formulas.room_in_last_page(highs, page_size)
    return Flat(spread(slots, rows), indptr)


def _held(runs: Runs) -> Ints32:
    """The pages of all runs, one after the other."""
    return runs.entries[spread(runs.starts.ravel(), runs.counts.ravel())]


def _bounds(counts: Ints) -> Ints32:
    """0 and the running sums, as int32; BadArgument when they do not fit."""
    bounds = np.concatenate(([0], np.cumsum(counts)))
    if bounds[-1] > LARGEST:
        raise BadArgument(f"{bounds[-1]:,} entries do not fit the int32 of this format; export fewer requests at once")
    return bounds.astype(np.int32)
