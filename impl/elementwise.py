# SPDX-License-Identifier: Apache-2.0
"""The formulas of `impl/window.py` that work elementwise, typed for arrays. They are the very same functions.

The page size may be an array of no dimensions: numpy is twice as fast with it as with an int, on arrays as short as
here.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import NDArray

from impl import window

Ints = NDArray[np.int64]

_Formula = Callable[[Ints, Ints | int], Ints]

pages_for = cast(_Formula, window.pages_for)
page_of = cast(_Formula, window.page_of)
offset_of = cast(_Formula, window.offset_of)
slot_after = cast(_Formula, window.slot_after)
last_page_rows = cast(_Formula, window.last_page_rows)
room_in_last_page = cast(_Formula, window.room_in_last_page)
released_begin = cast(_Formula, window.released_begin)
released_end = cast(_Formula, window.released_end)
slot_of = cast(Callable[[Ints, Ints | int, Ints | int], Ints], window.slot_of)
new_pages = cast(Callable[[Ints, Ints, Ints | int], Ints], window.new_pages)
room_after = cast(Callable[[Ints, Ints, Ints | int], Ints], window.room_after)


def constant(value: int) -> Ints:
    """`value` as an array of no dimensions that can't be written to."""
    array = np.asarray(np.int64(value))
    array.setflags(write=False)
    return array


ZERO, ONE = constant(0), constant(1)
