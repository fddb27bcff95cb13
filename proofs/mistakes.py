# SPDX-License-Identifier: Apache-2.0
"""Twelve one-line mistakes in the page table, each as a change of the shipped source: what every check has to find.

A mistake is applied by compiling the changed source of one function and putting it in the place of the function,
wherever the package refers to it. A change whose text is not found exactly once raises Stale: the list cannot outlive
the code.
"""

import inspect
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import FunctionType, ModuleType


class Stale(Exception):
    """The text that a mistake changes is not in the source, or more than once."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong, and the change: in `function` ("module:name" or "module:Class.name") `old` becomes `new`."""

    wrong: str
    function: str
    old: str
    new: str


MISTAKES: dict[str, Mistake] = {
    "not-returned": Mistake(
        "a page freed by its last owner is not returned to the free list",
        "impl.owners:Owners.let_go",
        "self.free += freed.size",
        "self.free += 0",
    ),
    "freed-while-shared": Mistake(
        "a page is put on the free list while others still share it",
        "impl.owners:Owners.let_go",
        "if np.count_nonzero(left):",
        "if False:",
    ),
    "fork-not-counted": Mistake(
        "fork does not count the new owner",
        "impl.owners:Owners.share",
        "+= 1",
        "+= 0",
    ),
    "no-copy": Mistake(
        "no copy before writing into a shared page",
        "impl.append:plan_growth",
        "- _times_before(source) > 1",
        "- _times_before(source) > 1_000",
    ),
    "empty-copy": Mistake(
        "the copy-on-write copy is empty",
        "impl.page_pool:PagePool.copy_page",
        "= self.data[source, :rows]",
        "= 0",
    ),
    "copy-keeps-reference": Mistake(
        "the copy keeps its reference on the shared page",
        "impl.append:_take",
        "owners.let_go(plan.copies.source)",
        "pass",
    ),
    "offset-of-larger-page": Mistake(
        "the offset in the page is computed with P+1",
        "impl.window:offset_of",
        "return row % page",
        "return row % (page + 1)",
    ),
    "dropped-ignored": Mistake(
        "the block-table lookup ignores the pages already dropped",
        "impl.store:Store.between",
        "behind = entries[base + max(first, tail) : base + max(end, tail)]",
        "behind = entries[base + first : base + end]",
    ),
    "trim-too-far": Mistake(
        "trim releases a page that still holds a needed row",
        "impl.page_table:PageTable.trim",
        "formulas.released_end(keep, self.page_size)",
        "formulas.pages_for(keep, self.page_size)",
    ),
    "trim-too-little": Mistake(
        "trim keeps pages that lie completely outside the window",
        "impl.page_table:PageTable.trim",
        "formulas.released_end(keep, self.page_size)",
        "formulas.released_end(keep, self.page_size) - 1",
    ),
    "release-forgets": Mistake(
        "release forgets the request's pages",
        "impl.page_table:PageTable.close",
        "store.owners.let_go(store.between(index, 0, store.page_count(index)))",
        "pass",
    ),
    "exhaustion-unreported": Mistake(
        "exhaustion is not reported",
        "impl.append:refuse_beyond_free",
        "if taken > free:",
        "if False:",
    ),
}


@contextmanager
def applied(mistake: Mistake) -> Iterator[None]:
    """With the mistake in the code of this process. Raises Stale."""
    module_name, _, path = mistake.function.partition(":")
    module = import_module(module_name)
    holder: object = module
    *classes, name = path.split(".")
    for part in classes:
        holder = getattr(holder, part)
    right: FunctionType = getattr(holder, name)
    wrong = _changed(mistake, right, module)
    places = [holder] if classes else [each for each in _modules() if vars(each).get(name) is right]
    for place in places:
        setattr(place, name, wrong)
    try:
        yield
    finally:
        for place in places:
            setattr(place, name, right)


def _changed(mistake: Mistake, right: FunctionType, module: ModuleType) -> FunctionType:
    source = textwrap.dedent(inspect.getsource(right))
    if source.count(mistake.old) != 1:
        raise Stale(f"{mistake.function} has {mistake.old!r} {source.count(mistake.old)} times; it should have it once")
    made: dict[str, FunctionType] = {}
    exec(compile(source.replace(mistake.old, mistake.new), module.__file__ or "", "exec"), vars(module), made)
    return made[right.__name__]


def _modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "impl"]
