# SPDX-License-Identifier: Apache-2.0
"""The invariants: what holds of every state between operations, as one inductive list, and what follows from it."""

from proofs.transitions.operations import read
from proofs.transitions.state import State, holds
from proofs.transitions.universe import Property, Term, Universe


def invariants(u: Universe, s: State) -> tuple[Property, ...]:
    """The inductive invariants of a state."""
    return (
        Property(
            "counts",
            "the reference count of page {0} is the number of its owners",
            ("page",),
            lambda p: s.count(p) == u.size(s.own(p)),
            lambda p: [[s.count(p)], [s.own(p)]],
        ),
        Property(
            "owners",
            "request {1} owns page {0} only if its table names the page",
            ("page", "request"),
            lambda p, r: u.implies(
                u.member(s.own(p), r), u.conj(s.live(r), s.has(r, s.index(p)), s.table(r, s.index(p)) == p)
            ),
            lambda p, r: [[u.member(s.own(p), r)]],
        ),
        Property(
            "owned",
            "request {0} owns the page at index {1} of its table, and all who own that page have it at index {1}",
            ("request", "index"),
            lambda r, j: u.implies(
                u.conj(s.live(r), s.has(r, j)), u.conj(u.member(s.own(s.table(r, j)), r), s.index(s.table(r, j)) == j)
            ),
            lambda r, j: [[s.table(r, j)]],
        ),
        Property(
            "capacity",
            "request {0} holds a page at index {1} exactly if that page has a retained row",
            ("request", "index"),
            lambda r, j: u.implies(
                s.live(r),
                s.has(r, j)
                == u.conj(u.within(0, j, u.pages_for(s.length(r))), u.neg(u.within(s.begin(r), j, s.end(r)))),
            ),
            lambda r, j: [[s.has(r, j)], [s.table(r, j)]],
        ),
        Property(
            "pages held",
            "the count of pages that request {0} holds is that of the pages with a retained row",
            ("request",),
            lambda r: u.implies(s.live(r), s.held(r) == u.pages_for(s.length(r)) - (s.end(r) - s.begin(r))),
            lambda r: [[s.live(r)], [s.held(r)]],
        ),
        Property(
            "hole",
            "request {0} has at most one hole: from the first page without a sink to a page not after its length",
            ("request",),
            lambda r: u.implies(
                s.live(r),
                u.conj(
                    s.length(r) >= 0,
                    s.sinks(r) >= 0,
                    u.disj(
                        u.conj(s.begin(r) == 0, s.end(r) == 0),
                        u.conj(
                            s.begin(r) == u.pages_for(s.sinks(r)),
                            s.begin(r) < s.end(r),
                            s.end(r) <= u.page_of(s.length(r)),
                        ),
                    ),
                ),
            ),
            lambda r: [[s.live(r)], [s.length(r)], [s.end(r)]],
        ),
        Property(
            "free or owned",
            "page {0} is on the free stack exactly if nobody owns it",
            ("page",),
            lambda p: (s.stacked(p) >= 1) == (s.count(p) == 0),
            lambda p: [[s.stacked(p)], [s.count(p)]],
        ),
        Property(
            "free once",
            "page {0} is at most once on the free stack",
            ("page",),
            lambda p: u.conj(s.stacked(p) >= 0, s.stacked(p) <= 1),
            lambda p: [[s.stacked(p)], [s.count(p)]],
        ),
        Property(
            "free set",
            "page {0} is in the set of free pages exactly if it is on the free stack",
            ("page",),
            lambda p: u.member(s.free(), p) == (s.stacked(p) >= 1),
            lambda p: [[u.member(s.free(), p)], [s.stacked(p)]],
        ),
        Property(
            "free count",
            "the height of the free stack is the number of free pages",
            (),
            lambda: s.height() == u.size(s.free()),
        ),
        Property(
            "content",
            "retained row {1} of request {0} reads back what was written",
            ("request", "row"),
            lambda r, i: u.implies(
                u.conj(s.live(r), u.within(0, i, s.length(r)), s.has(r, u.page_of(i))),
                read(u, s, r, i) == s.written(r, i),
            ),
            lambda r, i: [[s.written(r, i)], [s.table(r, u.page_of(i))]],
        ),
    )


def consequences(u: Universe, s: State) -> tuple[Property, ...]:
    """What follows from the invariants: the same facts in the words in which people ask for them."""
    return (
        Property(
            "no page twice in one table",
            "request {0} does not have one page at both indices {1} and {2}",
            ("request", "index", "index"),
            lambda r, j, k: u.implies(
                u.conj(s.live(r), s.has(r, j), s.has(r, k), s.table(r, j) == s.table(r, k)), j == k
            ),
        ),
        Property(
            "shared at one index",
            "requests {0} and {1} share a page at indices {2} and {3} only if these are equal",
            ("request", "request", "index", "index"),
            lambda r, q, j, k: u.implies(
                u.conj(s.live(r), s.live(q), s.has(r, j), s.has(q, k), s.table(r, j) == s.table(q, k)), j == k
            ),
        ),
        Property(
            "a held page is not free",
            "the page at index {1} of request {0} is not on the free stack",
            ("request", "index"),
            lambda r, j: u.implies(u.conj(s.live(r), s.has(r, j)), s.stacked(s.table(r, j)) == 0),
        ),
        Property(
            "a free page has no owner",
            "page {0} is not both on the free stack and owned by request {1}",
            ("page", "request"),
            lambda p, r: u.neg(u.conj(s.stacked(p) >= 1, u.member(s.own(p), r))),
        ),
        Property(
            "a page that is not free is in a table",
            "page {0} is on the free stack, or in the table of a live request",
            ("page",),
            lambda p: u.disj(s.stacked(p) == 1, _in_table(u, s, u.some(s.own(p)), p)),
        ),
        Property(
            "the writer of an unshared page is alone",
            "requests {0} and {1} both own page {2}, of count 1, only if they are one",
            ("request", "request", "page"),
            lambda r, q, p: u.implies(u.conj(s.count(p) == 1, u.member(s.own(p), r), u.member(s.own(p), q)), r == q),
        ),
        Property(
            "a row is lost only in the hole",
            "row {1} of request {0} is retained exactly if it is not in the hole",
            ("request", "row"),
            lambda r, i: u.implies(
                u.conj(s.live(r), u.within(0, i, s.length(r))),
                s.has(r, u.page_of(i)) == u.neg(u.within(s.begin(r), u.page_of(i), s.end(r))),
            ),
        ),
        Property(
            "every page held has a retained row",
            "the page at index {1} of request {0} has a first row, which is retained",
            ("request", "index"),
            lambda r, j: u.implies(
                u.conj(s.live(r), s.has(r, j)),
                u.conj(u.within(0, u.first_row(j), s.length(r)), u.page_of(u.first_row(j)) == j),
            ),
        ),
    )


def _in_table(u: Universe, s: State, request: Term, page: Term) -> Term:
    return u.conj(s.live(request), holds(u, s, request, page))
