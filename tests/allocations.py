# SPDX-License-Identifier: Apache-2.0
"""Allocations that fail: numpy's own, one by one.

numpy takes the memory of every array, results of arithmetic and of indexing included, from a handler that can be put
in (PyDataMem_SetHandler of the C interface). The one here counts, and refuses one allocation: numpy then raises
MemoryError in the middle of whatever it was doing, as when there is no memory.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy._core import multiarray

SET_HANDLER, GET_HANDLER = 304, 305
"""The places of both functions in the table of numpy's C interface, which never change."""

_SIZE, _POINTER = ctypes.c_size_t, ctypes.c_void_p
_MALLOC = ctypes.CFUNCTYPE(_POINTER, _POINTER, _SIZE)
_CALLOC = ctypes.CFUNCTYPE(_POINTER, _POINTER, _SIZE, _SIZE)
_REALLOC = ctypes.CFUNCTYPE(_POINTER, _POINTER, _POINTER, _SIZE)
_FREE = ctypes.CFUNCTYPE(None, _POINTER, _POINTER, _SIZE)
_HOLDING_THE_LOCK = {
    _MALLOC: ctypes.PYFUNCTYPE(_POINTER, _POINTER, _SIZE),
    _CALLOC: ctypes.PYFUNCTYPE(_POINTER, _POINTER, _SIZE, _SIZE),
    _REALLOC: ctypes.PYFUNCTYPE(_POINTER, _POINTER, _POINTER, _SIZE),
}
"""The same for calls out of Python that keep its lock, as numpy's own functions expect."""


class _Handler(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", _POINTER),
        ("malloc", _MALLOC),
        ("calloc", _CALLOC),
        ("realloc", _REALLOC),
        ("free", _FREE),
    )


_NAME = b"mem_handler"  # a capsule keeps only the address of its name
_of_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_of_capsule.restype, _of_capsule.argtypes = _POINTER, (ctypes.py_object, ctypes.c_char_p)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, (_POINTER, ctypes.c_char_p, _POINTER)

_table = ctypes.cast(_of_capsule(multiarray._ARRAY_API, None), ctypes.POINTER(_POINTER))
_set: Any = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(_table[SET_HANDLER])
_get: Any = ctypes.PYFUNCTYPE(ctypes.py_object)(_table[GET_HANDLER])
_usual = _Handler.from_address(_of_capsule(_get(), _NAME))
_malloc, _calloc, _realloc = (
    ctypes.cast(function, _HOLDING_THE_LOCK[type(function)])
    for function in (_usual.malloc, _usual.calloc, _usual.realloc)
)


class Allocations:
    """How many allocations there were in a block, and which of them, from 1, was refused (0: none)."""

    def __init__(self, refused: int) -> None:
        self.refused = refused
        self.count = 0

    def granted(self) -> bool:
        """One more; whether it is granted."""
        self.count += 1
        return self.count != self.refused


_now = Allocations(0)

# Arrays keep their handler until they are freed, so it lives as long as the process. They are freed by numpy's own
# function: while an exception is on its way no Python may run.
_HANDLER = _Handler(
    b"kvproof",
    1,
    None,
    _MALLOC(lambda context, size: _malloc(context, size) if _now.granted() else None),
    _CALLOC(lambda context, count, size: _calloc(context, count, size) if _now.granted() else None),
    _REALLOC(lambda context, old, size: _realloc(context, old, size) if _now.granted() else None),
    _usual.free,
)
_OURS = _new_capsule(ctypes.addressof(_HANDLER), _NAME, None)


@contextmanager
def allocations(refused: int = 0) -> Iterator[Allocations]:
    """Counts the arrays that numpy allocates in the block, and refuses the `refused`-th. Not for several threads."""
    global _now
    outer, _now = _now, Allocations(refused)
    before = _set(_OURS)
    try:
        yield _now
    finally:
        _set(before)
        _now = outer


def raises_without_memory() -> bool:
    """Whether a refused allocation really is a MemoryError here."""
    with allocations(1):
        try:
            np.zeros(3)
        except MemoryError:
            return True
    return False
