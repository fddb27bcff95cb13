# SPDX-License-Identifier: Apache-2.0
"""The append of rows to requests that may come several times: the appends one by one, decided first and then done.

All of it is decided in plain numbers before anything changes, so that a batch that is refused, or for which there is
no memory, has changed nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from impl import window as formulas
from impl.append import NO_COPIES, NOTHING, AppendedBatch, Copies, refuse_beyond_free, slots_in, spread_one
from impl.arguments import Ints
from impl.store import Store


class Piece(NamedTuple):
    """One append of `rows` ≥ 1 rows to the request of this index, which takes the pages from `first` to `end` of those
    that are handed out to the batch.

    Its table has `pages` logical pages before and `after` the append; `room` rows are left in the last page before and
    `left` after. `source` is the page that is copied first (into the page `first`), if any. The last page before is
    `tail` of those handed out; where it is none of them, the slot after its end is `end_slot`.
    """

    request: int
    rows: int
    first: int
    end: int
    pages: int
    after: int
    room: int
    left: int
    source: int | None
    tail: int | None
    end_slot: int


def append_in_order(store: Store, index: Ints, counts: Ints) -> AppendedBatch:
    """As `append_rows` for requests that may come several times. Raises OutOfPages, MemoryError."""
    pieces = pieces_of(store, index.tolist(), counts.tolist())
    taken = pieces[-1].end if pieces else 0
    refuse_beyond_free(store, taken)
    if not pieces:
        return AppendedBatch(NOTHING.copy(), NO_COPIES)
    handed, page = store.owners.top(taken), store.page_size
    slots = np.concatenate([_slots(store, piece, handed) for piece in pieces])
    copied = [piece for piece in pieces if piece.source is not None]
    copies = Copies(
        np.array([piece.source for piece in copied], dtype=np.int64),
        handed[[piece.first for piece in copied]] if copied else NOTHING.copy(),
        np.array([page - piece.room for piece in copied], dtype=np.int64),
    )
    store.make_room((piece.request, piece.after) for piece in pieces if piece.end > piece.first)
    if copied:
        store.owners.let_go(copies.source)
    for piece in pieces:
        _do(store, piece, handed)
    store.owners.take(taken)
    return AppendedBatch(slots, copies)


def pieces_of(store: Store, index: Sequence[int], counts: Sequence[int]) -> list[Piece]:
    """The appends of at least one row, in order, as if there were enough free pages. Changes nothing. O(B)."""
    requests, page = store.requests, store.page_size
    done: dict[int, Piece] = {}
    copies: dict[int, int] = {}
    pieces: list[Piece] = []
    first = 0
    for each, rows in zip(index, counts, strict=True):
        if not rows:
            continue
        source = None
        if each in done:
            last = done[each]
            pages, room, tail, end_slot = last.after, last.left, _last_handed(last), last.end_slot
        else:
            pages, room, tail = store.page_count(each), requests.room.item(each), None
            end_slot = requests.end_slot.item(each)
            if room < 0:
                room += page
                shared = formulas.page_of(end_slot - 1, page)
                if store.owners.counts.item(shared) - copies.get(shared, 0) > 1:
                    copies[shared] = copies.get(shared, 0) + 1
                    source = shared
        new = formulas.new_pages(room, rows, page)
        end = first + new + (source is not None)
        left = formulas.room_after(room, rows, page)
        piece = Piece(each, rows, first, end, pages, pages + new, room, left, source, tail, end_slot)
        done[each] = piece
        pieces.append(piece)
        first = end
    return pieces


def _last_handed(piece: Piece) -> int | None:
    """Which of the pages handed out is the last one after the piece, if it is one of them."""
    return piece.end - 1 if piece.end > piece.first else piece.tail


def _end_slot(store: Store, piece: Piece, handed: Ints, at: int | None) -> int:
    """The slot after page `at` of those handed out, or after the one that the request had before."""
    return piece.end_slot if at is None else formulas.slot_after(handed.item(at), store.page_size)


def _slots(store: Store, piece: Piece, handed: Ints) -> Ints:
    """The slots of its rows. Raises MemoryError."""
    page = store.page_size
    tail = piece.tail if piece.source is None else piece.first
    end_slot = _end_slot(store, piece, handed, tail)
    if piece.rows <= piece.room:
        return spread_one(end_slot - piece.room, piece.rows)
    fresh = handed[piece.end - (piece.after - piece.pages) : piece.end]
    pages = np.concatenate(([formulas.page_of(end_slot - 1, page)], fresh))
    return slots_in(pages, page - piece.room, piece.rows, store.page)


def _do(store: Store, piece: Piece, handed: Ints) -> None:
    """Do it: the table, and what is known of its last page. Allocates no array."""
    requests, index = store.requests, piece.request
    new = piece.after - piece.pages
    if piece.end > piece.first:
        copy = None if piece.source is None else handed.item(piece.first)
        store.extend(index, copy, handed[piece.end - new : piece.end])
    requests.room[index] = piece.left
    requests.end_row[index] = piece.after * store.page_size
    requests.end_slot[index] = _end_slot(store, piece, handed, _last_handed(piece))
