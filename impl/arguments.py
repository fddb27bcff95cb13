# SPDX-License-Identifier: Apache-2.0
"""Integers from outside: what counts as one, and the messages when something else comes.

Anything with `__index__` is an integer, numpy's included; a bool is not, nor a float with an integral value. Integers
are at most `LARGEST`, so that sums and differences of a few of them fit into an int64.
"""

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impl.errors import BadArgument

Ints = NDArray[np.int64]

LARGEST = 2**62
"""Largest number of rows or pages that any argument may name."""

_LONGEST = 80


def shown(value: object) -> str:
    """A value in a message: its repr, cut short; its type when it has none (ints of thousands of digits have none)."""
    try:
        text = repr(value)
    except Exception:
        return "something that can't be shown"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def integer(value: object, what: str, least: int = 0, most: int = LARGEST) -> int:
    """`value` as a Python int. Raises BadArgument when it is none or not in least … most; `what` names it. O(1)."""
    if isinstance(value, bool):
        raise BadArgument(f"{what} is {shown(value)}, a bool; give an integer")
    try:
        number = index(value)  # type: ignore[arg-type]  # whatever has no __index__ is refused here
    except TypeError:
        raise BadArgument(f"{what} is {shown(value)}, a {type(value).__name__}; give an integer") from None
    if not least <= number <= most:
        raise BadArgument(f"{what} is {shown(number)}; give one from {least} to {most}")
    return number


def integers(values: object, what: str) -> Ints:
    """`values` as an int64 array of one dimension, not copied when they are one. O(size).

    Values are at least 0 unless they come in an array that is int64 already: the caller looks at the range then.
    Raises BadArgument for anything else than integers in one dimension.
    """
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise BadArgument(f"{what} have the shape {values.shape}; give an array of one dimension")
        if values.dtype == np.int64:
            whole: Ints = values
            return whole
        values = values.tolist()
    if not isinstance(values, Iterable) or isinstance(values, str | bytes):
        raise BadArgument(
            f"{what} are {shown(values)}, a {type(values).__name__}; give an array or a sequence of integers"
        )
    return np.array([integer(value, f"one of {what}") for value in values], dtype=np.int64)


def items(values: object, what: str) -> list[Any]:
    """What `values` gives, in order, in a new list. Raises BadArgument when it is not iterable. O(size)."""
    try:
        each = iter(values)  # type: ignore[call-overload]  # whatever can't be iterated is refused here
    except TypeError:
        raise BadArgument(f"{what} are {shown(values)}, a {type(values).__name__}; give a sequence") from None
    return list(each)


def integers_for(index: Ints, values: object, what: str) -> Ints:
    """`values` as by `integers`, as many as there are in `index`. Raises BadArgument. O(size)."""
    numbers = integers(values, what)
    if numbers.size != index.size:
        raise BadArgument(
            f"{numbers.size} values for {what}, {index.size} handles; give as many of one as of the other"
        )
    return numbers


def refuse_beyond(numbers: Ints, most: Ints, what: str) -> None:
    """Raise BadArgument unless each number is from 0 to `most` ≥ 0, one for each or one for all. O(size)."""
    wrong = numbers.view(np.uint64) > most.view(np.uint64)  # a negative number is a large one here
    if np.count_nonzero(wrong):
        at = int(wrong.argmax())
        integer(numbers.item(at), f"entry {at} of {what}", most=np.broadcast_to(most, numbers.shape).item(at))
