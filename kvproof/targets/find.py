# SPDX-License-Identifier: Apache-2.0
"""From a name on the command line to a factory: a built-in one, or `module:factory` of anybody."""

import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from kvproof.errors import UsageError
from spec.conformance.target import Factory, TargetError, probed
from spec.conformance.violation import told

BUILT_IN = {
    "kvproof": "kvproof.targets.one_by_one:one_by_one",
    "kvproof-batch": "kvproof.targets.batched:BatchedCache",
    "plain": "kvproof.targets.plain:PlainCache",
}
"""The caches that ship with the package: our own, the same through its batch calls, and a plain one of lists."""


@dataclass(frozen=True, slots=True)
class Found:
    """A factory, what it can do, and the Python that names it: an import and an expression."""

    name: str
    factory: Factory
    capabilities: frozenset[str]
    imports: str
    expression: str


def find(name: str) -> Found:
    """The target of this name, tried out in a small pool. Modules are also looked for in the current folder.

    Raises UsageError that says what is wrong: no such module, no such factory, a factory that raises, no target.
    """
    place = BUILT_IN.get(name, name)
    module_name, _, attribute = place.partition(":")
    if not module_name or not attribute:
        known = ", ".join(BUILT_IN)
        raise UsageError(f"there is no target '{name}': give one of {known}, or your own as module:factory")
    factory = _attribute(_module(module_name), module_name, attribute)
    imports = f"from {module_name} import {attribute.partition('.')[0]}"
    try:
        capabilities = probed(factory)
    except TargetError as error:
        raise UsageError(f"{place}: {error}; the protocol is told in spec/conformance/target.py") from None
    return Found(name, factory, capabilities, imports, attribute)


def _module(name: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            raise UsageError(f"there is no module '{name}' here ({here}) or among the installed ones") from None
        raise UsageError(f"module '{name}' cannot be imported: {error}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise UsageError(f"module '{name}' cannot be imported: {told(error)}") from None


def _attribute(module: Any, module_name: str, attribute: str) -> Any:
    found = module
    for part in attribute.split("."):
        try:
            inside = hasattr(found, part)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise UsageError(f"'{part}' of '{attribute}' in module '{module_name}' raised {told(error)}") from None
        if not inside:
            public = [name for name in vars(module) if not name.startswith("_") and callable(getattr(module, name))]
            hint = f"; it has {', '.join(public[:8])}" if public else ""
            raise UsageError(f"module '{module_name}' has no '{attribute}'{hint}")
        found = getattr(found, part)
    if not callable(found):
        raise UsageError(f"{module_name}:{attribute} is no factory: it is not callable")
    return found
