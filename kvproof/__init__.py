# SPDX-License-Identifier: Apache-2.0
"""kvproof: a paged key/value cache, and the evidence that it is right.

    from kvproof import PagedCache, Target, assert_conforms, check

hands on what other people's code needs: the cache, the protocol that a cache of yours offers, and the two ways to hold
it against the spec. Each is imported when it is first used, so that the command line starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from impl.cache import PagedCache
    from spec.conformance.check import assert_conforms, check
    from spec.conformance.target import Target

__version__ = "0.1.0"
__all__ = ["PagedCache", "Target", "__version__", "assert_conforms", "check"]

_HOMES = {
    "PagedCache": "impl.cache",
    "Target": "spec.conformance.target",
    "assert_conforms": "spec.conformance.check",
    "check": "spec.conformance.check",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
