# SPDX-License-Identifier: Apache-2.0
"""Reads a trace of smtbmc: the value of every signal in every step."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal: the scopes it is in and its name, its width in bits, its value in every step (x is 0)."""

    path: tuple[str, ...]
    width: int
    values: tuple[int, ...]


def signals(text: str) -> list[Signal]:
    """The signals of a VCD file, which marks each step by an event, in the order of the file.

    Raises ValueError when it is not such a file.
    """
    scopes: list[str] = []
    declared: list[tuple[tuple[str, ...], int, str]] = []
    now: dict[str, int] = {}
    steps: list[dict[str, int]] = []
    event = ""
    for line in text.splitlines():
        words = line.split()
        match words:
            case ["$scope", _, name, "$end"]:
                scopes.append(name)
            case ["$upscope", "$end"]:
                scopes.pop()
            case ["$var", "event", _, id, _, "$end"]:
                event = id
            case ["$var", _, width, id, name, *_]:
                declared.append(((*scopes, name), int(width), id))
            case [word] if event and word == f"1{event}":
                steps.append(now)
            case [word, id] if word.startswith("b"):
                now[id] = int(word[1:].replace("x", "0").replace("z", "0"), 2)
            case [word] if word[0] in "01xz" and word[1:] != event:
                now[word[1:]] = int(word[0] == "1")
            case [word] if word.startswith("#"):
                now = dict(now)
    del steps[-1:]  # one more event ends the last step
    if not steps or not declared:
        raise ValueError("the trace has no step")
    return [Signal(path, width, tuple(step.get(id, 0) for step in steps)) for path, width, id in declared]
