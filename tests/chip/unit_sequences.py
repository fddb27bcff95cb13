# SPDX-License-Identifier: Apache-2.0
"""What the units that run commands have to show in every cycle: reads, writes, busy, done, from their header comments.

While a unit is busy its operands change at random and another start may come: neither may matter.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from impl.chip import cost
from impl.chip.config import Config
from impl.chip.integers import argmax, requant, saturating_add, softmax
from impl.chip.unit_bench import Bench, Cycle
from tests.chip.unit_benches import RESET, joined, octets

N = 8
CONFIG = Config(lanes=N)
LONGEST = 64
Row = np.ndarray

ADDRESSES = {"d": 16, "a": 16, "b": 16, "length": 16}


@dataclass
class Command:
    """Operands, busy cycles, and what happens in which of them, counted from 0."""

    operands: Mapping[str, int]
    busy: int
    reads: dict[int, Mapping[str, int]] = field(default_factory=dict)
    arrives: dict[int, Row] = field(default_factory=dict)
    writes: dict[int, tuple[int, Row]] = field(default_factory=dict)


def played(commands: Sequence[Command], widths: Mapping[str, int], draw: random.Random) -> list[Cycle]:
    """The cycles of commands, one after another, some with idle cycles between them."""
    cycles = [RESET, Cycle({}, {"busy": 0, "done": 0, "r_en": 0, "w_en": 0})]
    data = 0
    for command in commands:
        cycles.append(Cycle({**command.operands, "start": 1, "r_data": data}, {"busy": 0, "r_en": 0, "w_en": 0}))
        for at in range(command.busy):
            noise = {name: draw.getrandbits(width) for name, width in widths.items()} | {"start": draw.randint(0, 1)}
            expected = {"busy": 1, "done": int(at == command.busy - 1), "r_en": 0, "w_en": 0}
            if at in command.reads:
                expected |= {"r_en": 1, **command.reads[at]}
            if at in command.writes:
                row, written = command.writes[at]
                expected |= {"w_en": 1, "w_row": row, "w_data": octets(written)}
            cycles.append(Cycle({**noise, "r_data": data}, expected))
            if at in command.reads:
                data = octets(command.arrives[at])
        cycles += [Cycle({"r_data": data}, {"busy": 0, "done": 0, "w_en": 0})] * draw.randint(0, 2)
    return cycles


class Memory:
    """Random rows, made when they are first read."""

    def __init__(self, draw: random.Random, choices: Sequence[int]) -> None:
        self.draw, self.choices = draw, choices
        self.rows: dict[int, Row] = {}

    def __getitem__(self, row: int) -> Row:
        if row not in self.rows:
            self.rows[row] = np.array([self.draw.choice(self.choices) for _ in range(N)], dtype=np.int8)
        return self.rows[row]

    def packed(self, row: int, length: int) -> Row:
        """The first `length` int8 from a row on."""
        return np.concatenate([self[row + i] for i in range(CONFIG.rows_for(length))])[:length]


def padded(values: Row, rows: int) -> Row:
    """Values and zeros up to the end of a row, as rows."""
    whole = np.zeros(rows * N, dtype=np.int8)
    whole[: len(values)] = values
    return whole.reshape(rows, N)


def read(command: Command, memory: Memory, at: int, row: int, **how: int) -> None:
    """A row is read in cycle `at`, whole or (by_column, column) a column of the rows from it on."""
    command.reads[at] = {"r_row": row, **how}
    if how.get("r_by_column"):
        command.arrives[at] = np.array([memory[row + i][how["r_column"]] for i in range(N)], dtype=np.int8)
    else:
        command.arrives[at] = memory[row]


def vec_command(draw: random.Random) -> Command:
    """A sum, a copy or an argmax."""
    memory = Memory(draw, draw.choice([range(-128, 128), (-128, 127, 100, -100), (0, 1), (-128,)]))
    kind = draw.choice(["add", "copy", "argmax"])
    d, a, b, length = 0x8000, draw.randint(0, 99), draw.randint(200, 299), draw.randint(1, 30)
    operands = {"d": d, "a": a, "b": b, "length": length, "add": kind == "add", "copy": kind == "copy"}
    if kind == "argmax":
        rows = CONFIG.rows_for(length)
        command = Command(operands, cost.argmax(length, CONFIG))
        for row in range(rows):
            read(command, memory, row, a + row)
        index = argmax(memory.packed(a, length))
        command.writes[rows + 1] = (d, padded(np.array([index]), 1)[0])
        return command
    command = Command(operands, cost.add(length) if kind == "add" else cost.copy(length))
    period = 3 if kind == "add" else 2
    for row in range(length):
        read(command, memory, period * row, a + row)
        if kind == "add":
            read(command, memory, period * row + 1, b + row)
        result = saturating_add(memory[a + row], memory[b + row]) if kind == "add" else memory[a + row]
        command.writes[period * row + period - 1] = (d + row, result)
    return command


def sm_command(draw: random.Random) -> Command:
    """A softmax. One in four has weights of 4.5 and 2.5, to be rounded up: there R is exactly 2^14."""
    memory = Memory(draw, draw.choice([range(-128, 128), range(-20, 20), (7,), (-128, 127), (-128,), (-128, -127)]))
    d, a, length = (
        draw.randint(100, 199),
        draw.randint(0, 99),
        draw.choice([1, 2, 7, 8, 9, draw.randint(1, LONGEST), LONGEST]),
    )
    if draw.randint(0, 3) == 0:
        memory.rows[a] = padded(np.array([0, -1, -21, -26]), 1)[0]
        length = 4
    rows = CONFIG.rows_for(length)
    command = Command({"d": d, "a": a, "length": length}, cost.softmax(length, CONFIG))
    for row in range(rows):
        read(command, memory, row, a + row)
    read(command, memory, rows, a)
    read(command, memory, rows + 1 + length, a)
    scale = rows + 1 + length + 1 + 25
    weights = padded(softmax(memory.packed(a, length)), rows)
    for row in range(rows):
        last = min(N * (row + 1), length) - 1
        if row + 1 < rows:
            read(command, memory, rows + 1 + last, a + row + 1)
            read(command, memory, scale + last, a + row + 1)
        command.writes[scale + last + 2] = (d + row, weights[row])
    return command


def mm_command(draw: random.Random) -> Command:
    """A product, by rows or by columns."""
    memory = Memory(draw, draw.choice([range(-128, 128), (-128, 127), range(-9, 10)]))
    d, a, b = draw.randint(0, 99), draw.randint(100, 199), 0x8000 | draw.randint(0, 99)
    length = draw.choice([1, N - 1, N, N + 1, draw.randint(1, 40)])
    transposed, multiplier, shift = draw.randint(0, 1), draw.getrandbits(16), draw.randint(14, 26)
    operands = {"d": d, "a": a, "b": b, "length": length, "multiplier": multiplier, "shift": shift}
    command = Command({**operands, "transposed": transposed}, cost.matmul(length, CONFIG))
    tiles = CONFIG.rows_for(length)
    matrix = np.array([memory[b + i] for i in range(length)], dtype=np.int64)
    for tile in range(tiles):
        begin = tile * (N + 1)
        if not (transposed and tile):
            read(command, memory, begin, a + tile, r_by_column=0)
        for k in range(N):
            if transposed:
                read(command, memory, begin + 1 + k, b + N * tile, r_by_column=1, r_column=k)
            elif N * tile + k < length:
                read(command, memory, begin + 1 + k, b + N * tile + k, r_by_column=0)
    if transposed:
        sums = matrix @ memory[a].astype(np.int64)
        for tile, row in enumerate(padded(requant(sums, multiplier, shift), tiles)):
            command.writes[tile * (N + 1) + 2 * N + 5] = (d + tile, row)
    else:
        sums = memory.packed(a, length).astype(np.int64) @ matrix
        command.writes[(tiles - 1) * (N + 1) + 2 * N + 5] = (d, requant(sums, multiplier, shift))
    return command


def _bench(
    unit: str, make: Callable[[random.Random], Command], inputs: Mapping[str, int], outputs: Mapping[str, int]
) -> Bench:
    draw = random.Random(unit)
    cycles = played([make(draw) for _ in range(60)], inputs, draw)
    ports = {"rst": 1, "start": 1, **inputs, "r_data": 8 * N}
    memory = {"r_en": 1, "r_row": 16, "w_en": 1, "w_row": 16, "w_data": 8 * N}
    return Bench(unit, {"N": N}, ports, {"busy": 1, "done": 1, **memory, **outputs}, cycles)


def ga2_vec() -> Bench:
    """Sums, copies and argmaxes."""
    return _bench("ga2_vec", vec_command, {**ADDRESSES, "add": 1, "copy": 1}, {})


def ga2_sm() -> Bench:
    """Softmaxes."""
    return _bench("ga2_sm", sm_command, dict.fromkeys(("d", "a", "length"), 16), {})


def ga2_mm() -> Bench:
    """Products."""
    scale = {"transposed": 1, "multiplier": 16, "shift": 6}
    return _bench("ga2_mm", mm_command, {**ADDRESSES, **scale}, {"r_by_column": 1, "r_column": (N - 1).bit_length()})


def dma(words: int = 2) -> Bench:
    """Loads and stores with and without wait states: the bus stands still until a word is taken."""
    draw = random.Random(8)
    cycles = [RESET, Cycle({}, {"busy": 0, "done": 0, "mem_valid": 0, "w_en": 0, "r_en": 0})]
    operands = {"store": 1, "row": 16, "address": 16, "length": 16}
    for number in range(80):
        store, length = draw.randint(0, 1), draw.choice([1, words, words + 1, draw.randint(1, 20)])
        row, address = 0x8000 * draw.randint(0, 1) + draw.randint(0, 999), draw.randint(0, 60000)
        data = [draw.getrandbits(32) for _ in range(length + words)]
        given = {"start": 1, "store": store, "row": row, "address": address, "length": length}
        cycles.append(Cycle(given, {"busy": 0, "mem_valid": 0, "r_en": 0, "w_en": 0}))
        r_data = 0
        if store:
            noise = {name: draw.getrandbits(width) for name, width in operands.items()}
            cycles.append(
                Cycle({**noise, "mem_ready": 1}, {"busy": 1, "done": 0, "mem_valid": 0, "r_en": 1, "r_row": row})
            )
            r_data = joined(data[:words], 32)
        at = 0
        while at < length:
            ready = int(number % 3 == 0 or draw.random() < 0.6)
            noise = {name: draw.getrandbits(width) for name, width in operands.items()} | {"start": draw.randint(0, 1)}
            bus = {"mem_valid": 1, "mem_write": store, "mem_addr": address + at}
            expected = {"busy": 1, "done": int(ready and at == length - 1), **bus}
            next_row = store and ready and at % words == words - 1 and at < length - 1
            expected |= {"r_en": int(next_row), "w_en": int(ready and not store)}
            if store:
                expected |= {"mem_wdata": data[at]}
            elif ready:
                expected |= {"w_row": row + at // words, "w_word": 1 << at % words, "w_data": data[at]}
            if next_row:
                expected |= {"r_row": row + at // words + 1}
            cycles.append(Cycle({**noise, "mem_ready": ready, "mem_rdata": data[at], "r_data": r_data}, expected))
            if next_row:
                r_data = joined(data[at + 1 : at + 1 + words], 32)
            at += ready
    inputs = {"rst": 1, "start": 1, **operands, "mem_ready": 1, "mem_rdata": 32, "r_data": 32 * words}
    bus = {"mem_valid": 1, "mem_write": 1, "mem_addr": 16, "mem_wdata": 32}
    chip = {"w_en": 1, "w_row": 16, "w_word": words, "w_data": 32, "r_en": 1, "r_row": 16}
    return Bench("dma", {"WORDS": words}, inputs, {"busy": 1, "done": 1, **bus, **chip}, cycles)
