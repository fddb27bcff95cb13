# SPDX-License-Identifier: Apache-2.0
"""The facts about rows and pages that the other proofs use, each proved apart for every page size ≥ 1.

In the proofs over states `page_of`, `offset_of`, `pages_for` and `first_row` are unknown functions of which these facts
hold. Here they are the shipped functions of `impl/window.py`, lifted (`first_row` is the slot at offset 0).
"""

from proofs.transitions.universe import Property, Universe


def lemmas(u: Universe) -> tuple[Property, ...]:
    """The facts, for rows i, k, counts n, m and pages j."""
    return (
        Property(
            "place",
            "row {0} has a page and an offset below the page size",
            ("row",),
            lambda i: u.implies(i >= 0, u.conj(u.page_of(i) >= 0, u.within(0, u.offset_of(i), u.page_size))),
            lambda i: [[u.page_of(i)], [u.offset_of(i)]],
        ),
        Property(
            "one row at one place",
            "rows {0} and {1} are at one place only if they are one row",
            ("row", "row"),
            lambda i, k: u.implies(
                u.conj(i >= 0, k >= 0, u.page_of(i) == u.page_of(k), u.offset_of(i) == u.offset_of(k)), i == k
            ),
            lambda i, k: [[u.page_of(i), u.page_of(k)]],
        ),
        Property(
            "full and partial pages",
            "{0} rows take the full pages and one more for a rest",
            ("row",),
            lambda n: u.implies(n >= 0, u.pages_for(n) == u.page_of(n) + u.ite(u.offset_of(n) == 0, 0, 1)),
            lambda n: [[u.pages_for(n)], [u.offset_of(n)]],
        ),
        Property("no page for no row", "no row takes no page", (), lambda: u.pages_for(0) == 0),
        Property(
            "a row is in one of the pages",
            "row {0} is in one of the pages for {1} rows if it is one of them",
            ("row", "row"),
            lambda i, n: u.implies(u.conj(i >= 0, i < n), u.page_of(i) < u.pages_for(n)),
            lambda i, n: [[u.page_of(i), u.pages_for(n)]],
        ),
        Property(
            "the last page has a row",
            "{1} rows take no page after that of row {0} if it is the last one",
            ("row", "row"),
            lambda i, n: u.implies(u.conj(i >= 0, n >= 0, n <= i + 1), u.pages_for(n) <= u.page_of(i) + 1),
            lambda i, n: [[u.page_of(i), u.pages_for(n)]],
        ),
        Property(
            "order of pages",
            "row {1} is not in an earlier page than row {0} if it is not an earlier row",
            ("row", "row"),
            lambda i, k: u.implies(u.conj(i >= 0, i <= k), u.page_of(i) <= u.page_of(k)),
            lambda i, k: [[u.page_of(i), u.page_of(k)]],
        ),
        Property(
            "order of counts",
            "{1} rows do not take fewer pages than {0} rows if they are not fewer",
            ("row", "row"),
            lambda n, m: u.implies(u.conj(n >= 0, n <= m), u.pages_for(n) <= u.pages_for(m)),
            lambda n, m: [[u.pages_for(n), u.pages_for(m)]],
        ),
        Property(
            "first row of a page",
            "page {0} begins with its first row",
            ("index",),
            lambda j: u.implies(
                j >= 0,
                u.conj(u.first_row(j) >= 0, u.page_of(u.first_row(j)) == j, u.offset_of(u.first_row(j)) == 0),
            ),
            lambda j: [[u.first_row(j)]],
        ),
        Property(
            "pages before a row",
            "page {0} begins at or before row {1} exactly if it is not after the page of that row",
            ("index", "row"),
            lambda j, n: u.implies(u.conj(j >= 0, n >= 0), (u.first_row(j) <= n) == (j <= u.page_of(n))),
            lambda j, n: [[u.first_row(j), u.page_of(n)]],
        ),
        Property(
            "pages after a row",
            "page {0} begins at or after row {1} exactly if it is not one of the pages for {1} rows",
            ("index", "row"),
            lambda j, n: u.implies(u.conj(j >= 0, n >= 0), (u.first_row(j) >= n) == (j >= u.pages_for(n))),
            lambda j, n: [[u.first_row(j), u.pages_for(n)]],
        ),
    )
