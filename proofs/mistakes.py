# SPDX-License-Identifier: Apache-2.0
"""Eighteen one-line mistakes, each as a change of the shipped source: what the checks have to find.

Twelve are in the page table, six in the window and in the host. A twin is a mutant that mutmut makes, in the same place
and with the same effect; the others mutmut cannot make.

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


IN_PAGE_TABLE: dict[str, Mistake] = {
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


IN_WINDOW_AND_HOST: dict[str, Mistake] = {
    "reference-row-more": Mistake(
        "the float reference keeps W rows instead of W−1",
        "impl.lm.reference:_decode",
        "slice(first_row(number, window_or_all(window, number)), number - 1)",
        "slice(max(0, first_row(number, window_or_all(window, number)) - 1), number - 1)",
    ),
    "context-token-more": Mistake(
        "the chip's context is W+1",
        "impl.window:context",
        "return min(step, window)",
        "return min(step, window + 1)",
    ),
    "gather-row-late": Mistake(
        "the gather starts one row late",
        "impl.host:Host.step",
        "formulas.first_row(number, window), number - 1)",
        "min(formulas.first_row(number, window) + 1, number - 1), number - 1)",
    ),
    "values-for-keys": Mistake(
        "the gather returns values where keys belong",
        "impl.host:Host.step",
        "gathered[:, 0]",
        "gathered[:, 1]",
    ),
    "never-released": Mistake(
        "pages outside the window are never released",
        "impl.host:Host.step",
        "formulas.keep_from(number, window)",
        "0",
    ),
    "trim-token-late": Mistake(
        "the trim point is one token too late",
        "impl.host:Host.step",
        "formulas.keep_from(number, window)",
        "formulas.keep_from(number - 1, window)",
    ),
}

NAMED: dict[str, Mistake] = {**IN_PAGE_TABLE, **IN_WINDOW_AND_HOST}
"""All eighteen, in the order of their numbers, from 1."""

TWINS: dict[str, Mistake] = {
    "freed-while-shared": Mistake(
        "a page is put on the free list while others still share it",
        "impl.owners:Owners.let_go",
        "if np.count_nonzero(left):",
        "if np.count_nonzero(None):",
    ),
    "fork-not-counted": Mistake(
        "fork counts the new owner as if there were no other",
        "impl.owners:Owners.share",
        "+= 1",
        "= 1",
    ),
    "no-copy": Mistake(
        "no copy before writing into a page that only two share",
        "impl.append:plan_growth",
        "- _times_before(source) > 1",
        "- _times_before(source) > 2",
    ),
    "empty-copy": Mistake(
        "the copy is never made, so its page is empty",
        "impl.page_table:PageTable.append",
        "if copies[0] else None",
        "if (copies[0]) and False else None",
    ),
    "release-forgets": Mistake(
        "release forgets the request's first page",
        "impl.page_table:PageTable.close",
        "store.between(index, 0, ",
        "store.between(index, 1, ",
    ),
    "values-for-keys": IN_WINDOW_AND_HOST["values-for-keys"],
    "trim-token-late": Mistake(
        "the trim point is two tokens too late",
        "impl.window:keep_from",
        "max(0, step + 1",
        "max(0, step - 1",
    ),
}
"""By the name of the mistake."""


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


def patched(mistake: Mistake) -> tuple[str, str]:
    """The name of the module that the mistake is in, and its source with the mistake. Raises Stale."""
    module_name, _, path = mistake.function.partition(":")
    module = import_module(module_name)
    function: object = module
    for part in path.split("."):
        function = getattr(function, part)
    assert isinstance(function, FunctionType)
    right, whole = inspect.getsource(function), inspect.getsource(module)
    if whole.count(right) != 1:
        raise Stale(f"the source of {mistake.function} is not once in its module")
    return module_name, whole.replace(right, _wrong(mistake, right))


def _changed(mistake: Mistake, right: FunctionType, module: ModuleType) -> FunctionType:
    source = _wrong(mistake, textwrap.dedent(inspect.getsource(right)))
    made: dict[str, FunctionType] = {}
    exec(compile(source, module.__file__ or "", "exec"), vars(module), made)
    return made[right.__name__]


def _wrong(mistake: Mistake, source: str) -> str:
    if source.count(mistake.old) != 1:
        raise Stale(f"{mistake.function} has {mistake.old!r} {source.count(mistake.old)} times; it should have it once")
    return source.replace(mistake.old, mistake.new)


def _modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "impl"]
