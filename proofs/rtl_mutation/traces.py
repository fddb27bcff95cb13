# SPDX-License-Identifier: Apache-2.0
"""A waveform of the inputs on which a mutant differs: what goes in, what the original shows, what the mutant shows."""

from collections.abc import Mapping, Sequence

PERIOD = 10


def vcd(trace: Mapping[str, Sequence[int]], title: str) -> str:
    """A VCD file of the ports of a trace; outputs of the mutant begin with `gate_`. A cycle lasts 10 ns."""
    widths = {name: max(1, *(value.bit_length() for value in values)) for name, values in trace.items()}
    keys = {name: _key(at) for at, name in enumerate(trace)}
    lines = [f"$comment {title} $end", "$timescale 1ns $end", "$scope module mutant $end"]
    lines += [f"$var wire {widths[name]} {keys[name]} {name.replace('.', '_')} $end" for name in trace]
    lines += ["$upscope $end", "$enddefinitions $end"]
    shown: dict[str, int] = {}
    length = max((len(values) for values in trace.values()), default=0)
    for cycle in range(length):
        lines.append(f"#{PERIOD * cycle}")
        for name, values in trace.items():
            if shown.get(name) != values[cycle]:
                shown[name] = values[cycle]
                lines.append(f"b{values[cycle]:b} {keys[name]}")
    return "\n".join([*lines, f"#{PERIOD * length}", ""])


def _key(at: int) -> str:
    """A short identifier of printable characters."""
    digits = ""
    while True:
        at, digit = divmod(at, 94)
        digits += chr(33 + digit)
        if not at:
            return digits


def told(trace: Mapping[str, Sequence[int]], ports: Sequence[str]) -> str:
    """The last cycle of a trace in a line: what the original shows in these ports and what the mutant shows."""
    found = [f"{name} {trace[name][-1]:#x}, mutant {trace[f'gate_{name}'][-1]:#x}" for name in ports]
    return "; ".join(found)
