# SPDX-License-Identifier: Apache-2.0
"""The protocol of a cache under test. An adapter with the four methods of `Target` is enough to start.

    class MyCache:
        capabilities = frozenset({"fork", "trim", "length"})   # leave it out when there are none

        def __init__(self, pages, page_size): ...              # the factory: an empty pool of `pages` pages
        def new(self, request): ...
        def append(self, request, rows): ...
        def rows(self, request, low, high): ...                # the rows low ≤ i < high, in order
        def release(self, request): ...
        def fork(self, source, request): ...                   # because it says "fork"; and so on

    kvproof check mymodule:MyCache

What the methods get and give:

* A request is named by a string. A row is one int > 0 that stands for a key and a value; rows are numbered in the order
  they are offered, so no two are equal and a row from the wrong place is seen. `append` gets a tuple of them (it may be
  empty); `rows` may give a list, a tuple or a one-dimensional array. Other results of `new`, `append`, … are ignored.
* Lengths, counts and pages are ints: anything with `__index__` (so numpy integers too), but no bool and no float.
* Physical pages are numbered 0 … pages−1 and all of them are for rows: a cache that keeps one for itself is given
  one more by its adapter. Which page is handed out is free.
* Every method that names a request refuses one that it does not know.
* A refused operation raises, and nothing has changed. The exception's class, or one of its bases, has the name of
  the refusal, whatever module it is from: UnknownRequest (no such request), RequestExists (`new` or `fork` onto a name
  in use), BadArgument (a number out of range), RowsReleased (trimmed rows are asked for), OutOfPages (more pages are
  needed than are free). When several apply, the first in this order. Any other exception is a failure.
* A batch is its operations one by one in the given order, or nothing at all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from spec.conformance.violation import told


class Target(Protocol):
    """What every cache under test can do."""

    def new(self, request: str, /) -> object:
        """Start an empty request. With the capability "sinks" it is also called as new(request, sinks=S)."""

    def append(self, request: str, rows: Sequence[int], /) -> object:
        """Write all of `rows` at the end, or none."""

    def rows(self, request: str, low: int, high: int, /) -> Iterable[object]:
        """The rows low ≤ i < high, in order."""

    def release(self, request: str, /) -> object:
        """End a request; its name may be used again."""


Factory = Callable[[int, int], Target]
"""Makes a target with an empty pool: factory(pages, page_size)."""


PROBE = 4, 4
"""The pool in which a factory is tried for what its targets can do: pages, rows of a page."""


class TargetError(Exception):
    """The object is no target: a method is missing, or a capability is unknown."""


MANDATORY = ("new", "append", "rows", "release")
"""The methods that every target has."""


@dataclass(frozen=True, slots=True)
class Capability:
    """What a target may be able to do: the methods that it then has, and what they mean."""

    methods: tuple[str, ...]
    meaning: str


CAPABILITIES = {
    "fork": Capability(("fork",), "fork(source, request): a second request that shares every page"),
    "trim": Capability(("trim",), "trim(request, keep_from): release the whole pages before a row"),
    "truncate": Capability(("truncate",), "truncate(request, length): forget the rows from length on"),
    "sinks": Capability(("new",), "new(request, sinks=S): the first S rows are never trimmed"),
    "batch": Capability(
        ("append_batch", "trim_batch"),
        "append_batch(requests, rows of each), trim_batch(requests, keep_from of each): all or nothing",
    ),
    "length": Capability(("length",), "length(request): rows appended so far, released ones included"),
    "pages_needed": Capability(("pages_needed",), "pages_needed(request, n): pages that n more rows would take"),
    "pages_held": Capability(("pages_held",), "pages_held(request): pages that the request holds"),
    "free_pages": Capability(("free_pages",), "free_pages(): how many pages nobody holds"),
    "table": Capability(("table",), "table(request): physical page by logical index, None where released"),
    "owners": Capability(("owners",), "owners(page): how many requests hold a physical page"),
    "copies": Capability(("copies",), "copies(): page copies made so far"),
    "self_check": Capability(("check",), "check(): raises when an invariant of its own is broken"),
}
"""Every capability by name."""


def capabilities_of(target: object) -> frozenset[str]:
    """The capabilities that a target declares; an attribute that is missing means none.

    Raises TargetError when it is not a target or declares what it does not have.
    """
    kind = type(target).__name__
    try:
        declared = getattr(target, "capabilities", ())
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise TargetError(f"{kind}.capabilities raised {told(error)}") from None
    if not isinstance(declared, set | frozenset | list | tuple) or not all(isinstance(name, str) for name in declared):
        given = repr(declared) if isinstance(declared, str) else f"a {type(declared).__name__}"
        raise TargetError(f"{kind}.capabilities must be a set of names, not {given}")
    names = sorted(set(declared))
    unknown = [name for name in names if name not in CAPABILITIES]
    if unknown:
        known = ", ".join(CAPABILITIES)
        raise TargetError(f"{kind} declares unknown capabilities: {', '.join(unknown)}. Known: {known}")
    missing = [method for method in MANDATORY if not callable(getattr(target, method, None))]
    if missing:
        raise TargetError(f"{kind} is no target: it has no {missing[0]}(). Every target has {', '.join(MANDATORY)}")
    for name in names:
        for method in CAPABILITIES[name].methods:
            if not callable(getattr(target, method, None)):
                raise TargetError(f'{kind} declares "{name}" but has no {method}()')
    return frozenset(names)


def probed(factory: Factory) -> frozenset[str]:
    """The capabilities of what a factory makes, tried in a small pool.

    Raises TargetError when it raises, makes no target, or one that declares what it does not have.
    """
    try:
        target = factory(*PROBE)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        pages, page_size = PROBE
        raise TargetError(
            f"factory({pages}, {page_size}) raised {told(error)}; "
            "a factory takes the number of pages and the rows of a page, and gives a cache"
        ) from None
    return capabilities_of(target)
