# SPDX-License-Identifier: Apache-2.0
"""Our cache as it is: single calls are single calls, batches are batches."""

from impl.cache import PagedCache


def one_by_one(pages: int, page_size: int) -> PagedCache:
    """A cache of `pages` pages of `page_size` rows of one int64 each. It has every capability."""
    return PagedCache(pages, page_size)
