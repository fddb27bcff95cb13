# SPDX-License-Identifier: Apache-2.0
"""Which numbers of one dtype may become numbers of another, so that at most the precision of floats is lost."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]


def converted(given: Numbers, dtype: np.dtype[Any]) -> Numbers | None:
    """`given` in `dtype`, of the kind bool, integer or float, or None when more than precision would be lost. O(size).

    Integers stay what they are; floats are rounded, but no finite one to an infinite.
    """
    kinds = given.dtype.kind, dtype.kind
    if kinds not in _KINDS:
        return None
    with np.errstate(all="ignore"):
        cast: Numbers = given.astype(dtype)
    if kinds[1] in _INTEGERS:
        fits = np.array_equal(cast, given)  # exact, also of integers with a sign and without
    elif kinds[0] in _INTEGERS:
        fits = _exact(given, dtype) and bool(np.isfinite(cast).all())
    else:
        fits = np.array_equal(np.isfinite(cast), np.isfinite(given))
    return cast if fits else None


_INTEGERS = ("i", "u")
_KINDS = {("i", "i"), ("i", "u"), ("u", "i"), ("u", "u"), ("i", "f"), ("u", "f"), ("f", "f"), ("b", "b")}


def _exact(whole: Numbers, dtype: np.dtype[Any]) -> bool:
    """Whether the significant bits of each integer fit into those of the floats of `dtype`."""
    bits = np.finfo(dtype).nmant + 1
    size = whole.astype(np.uint64) if whole.dtype.kind == "u" else abs(whole.astype(np.int64)).astype(np.uint64)
    odd = size // np.maximum(size & (~size + np.uint64(1)), np.uint64(1))
    return not (odd >> np.uint64(bits)).any()  # nothing is left of 64 bits that are shifted by 64 or more
