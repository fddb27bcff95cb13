# SPDX-License-Identifier: Apache-2.0
"""The rows low ≤ i < high of one request: where they lie. The one place in which such a range is looked at."""

from typing import NamedTuple

from impl import window as formulas
from impl.arguments import integer
from impl.errors import RowsReleased
from impl.owners import Pages
from impl.store import Store


class Span(NamedTuple):
    """`rows` rows in order: from offset `first` of the first of the physical `pages`, int32 and read-only, on."""

    pages: Pages
    first: int
    rows: int


def span_of(store: Store, handle: int, low: int, high: int) -> Span:
    """The span of these rows, its numbers as Python ints whatever kind of integer `low` and `high` are.

    Raises UnknownRequest, BadArgument, RowsReleased. O(pages). `pages` may be a view, valid until the next operation.
    """
    page = store.page_size
    index = store.requests.find(handle)
    high = integer(high, "the end of the rows", most=store.length(index))
    low = integer(low, "the first row", most=high)
    begin, tail = store.hole(index)
    if low < tail * page and begin * page < high and begin < tail and low < high:
        raise RowsReleased(
            f"rows {begin * page} … {tail * page - 1} were released; rows {low} … {high - 1} were asked for"
        )
    end = formulas.pages_for(high, page) if low < high else 0
    pages = store.between(index, formulas.page_of(low, page), end)
    pages.setflags(write=False)
    return Span(pages, formulas.offset_of(low, page), high - low)
