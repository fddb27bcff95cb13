# SPDX-License-Identifier: Apache-2.0
"""Room that is made in the arena is enough for the moves it was made for, and no more than they take."""

from hypothesis import event, given
from hypothesis import strategies as st

from impl.arena import Arena, end_at

POWERS = st.integers(3, 6).map(lambda power: 1 << power)


def moved(arena: Arena, who: int, capacity: int, held: dict[int, tuple[int, int]]) -> None:
    """Go to a segment of a capacity."""
    start = arena.take(capacity)
    old, size = held.get(who, (0, 0))
    if size:
        arena.give_back(old, size)
    held[who] = start, capacity


@given(st.lists(st.tuples(st.integers(0, 5), POWERS), max_size=20), st.lists(st.tuples(st.integers(0, 5), POWERS)))
def test_room_for_moves_one_after_the_other(before: list[tuple[int, int]], moves: list[tuple[int, int]]) -> None:
    arena, held = Arena(), dict[int, tuple[int, int]]()
    for who, capacity in before:
        moved(arena, who, capacity, held)
    arena.entries = arena.entries[: arena.top].copy()
    vacant, top, size = [dict(starts) for starts in arena.vacant], arena.top, arena.entries.size
    arena.make_room(moves, {who: held.get(who, (0, 0)) for who, _ in moves})
    assert (arena.vacant, arena.top) == (vacant, top)
    entries = arena.entries
    for who, capacity in moves:
        moved(arena, who, capacity, held)
    assert arena.entries is entries
    assert entries.size == size or entries.size == max(arena.top, size * 5 // 4)
    if entries.size > size:
        event("more entries")
    if arena.top < top + sum(capacity for _, capacity in moves):
        event("segments given back are used again")


@given(st.integers(0, 10_000), POWERS)
def test_where_a_segment_at_the_top_ends(top: int, capacity: int) -> None:
    end = end_at(top, capacity)
    assert (end - capacity) % capacity == 0
    assert top <= end - capacity < top + capacity
