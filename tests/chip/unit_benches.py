# SPDX-License-Identifier: Apache-2.0
"""What each arithmetic unit and each memory of the chip has to show, cycle by cycle, from its header comment."""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from impl.chip.config import DEFAULT, Config
from impl.chip.integers import EXP_TABLE, requant
from impl.chip.isa import FIELDS, USED, Instruction, Op, encode
from impl.chip.legal import fault
from impl.chip.random_programs import illegal_instruction, random_instruction, seeded
from impl.chip.simulators import parameters
from impl.chip.unit_bench import Bench, Cycle

RESET = Cycle({"rst": 1}, {})
OCTETS = (-128, -127, -1, 0, 1, 126, 127)


def octets(values: ArrayLike) -> int:
    """int8 values side by side, the first one lowest."""
    return int.from_bytes(np.array(values, dtype=np.int8).tobytes(), "little")


def mul() -> Bench:
    """All products of int8."""
    cycles = [Cycle({"a": a, "b": b}, {"p": a * b}) for a in range(-128, 128) for b in range(-128, 128, 3)]
    return Bench("mul", {"A": 8, "B": 8}, {"a": 8, "b": 8}, {"p": 16}, cycles, clocked=False)


def mul_wide() -> Bench:
    """The widths that requant uses."""
    draw = random.Random(1)
    extremes = [-(2**31), 2**31 - 1, -1, 0, 1]
    pairs = [(a, b) for a in extremes for b in (-(2**16), 2**16 - 1, -1, 0, 1)]
    pairs += [(draw.randint(-(2**31), 2**31 - 1), draw.randint(-(2**16), 2**16 - 1)) for _ in range(500)]
    cycles = [Cycle({"a": a, "b": b}, {"p": a * b}) for a, b in pairs]
    return Bench("mul", {"A": 32, "B": 17}, {"a": 32, "b": 17}, {"p": 49}, cycles, clocked=False)


def pe() -> Bench:
    """Weight, x and sum held against three variables."""
    draw = random.Random(2)
    weight = x = total = 0
    cycles = [RESET]
    for step in range(2000):
        load, en, rst = draw.random() < 0.3, draw.random() < 0.8, step % 500 == 499
        w_in, x_in = draw.choice(OCTETS), draw.randint(-128, 127)
        sum_in = draw.choice([0, 2**31 - 1, -(2**31), draw.randint(-(10**6), 10**6)])
        given = {"rst": rst, "load": load, "w_in": w_in, "en": en, "x_in": x_in, "sum_in": sum_in}
        cycles.append(Cycle(given, {"x_out": x, "sum_out": total}))
        if en:
            x, total = x_in, sum_in + weight * x_in
        weight = w_in if load else weight
        if rst:
            weight = x = total = 0
    ports = {"rst": 1, "load": 1, "w_in": 8, "en": 1, "x_in": 8, "sum_in": 32}
    return Bench("pe", {}, ports, {"x_out": 8, "sum_out": 32}, cycles)


def systolic(n: int = 4) -> Bench:
    """Matrix after matrix, loaded row by row just in time, with steps left out at random.

    In step n·t + k row k of matrix t is loaded; x[k] enters a step later; sum j is there n + j steps after x[0].
    """
    draw = np.random.default_rng(3)
    count = 40
    matrices = draw.integers(-128, 128, (count, n, n))
    vectors = draw.integers(-128, 128, (count, n))
    expected = np.einsum("tk,tkj->tj", vectors, matrices)
    cycles = [RESET]
    step = 0
    while step < n * count + 2 * n:
        stepping = bool(draw.random() < 0.9)
        given = {"en": int(stepping), "x_in": 0}
        tile, k = divmod(step, n)
        if stepping and tile < count:
            given |= {"load": 1, "load_row": k, "w_in": octets(matrices[tile, k])}
        if step >= 1 and (step - 1) // n < count:
            entering = [0] * n
            entering[(step - 1) % n] = int(vectors[(step - 1) // n, (step - 1) % n])
            given["x_in"] = octets(entering)
        sums = [0] * n
        mask = 0
        for j in range(n):
            tile, phase = divmod(step - 1 - n - j, n)
            if 0 <= tile < count and phase == 0:
                sums[j] = int(expected[tile, j]) % 2**32
                mask |= (2**32 - 1) << 32 * j
        cycles.append(Cycle(given, {"sum_out": joined(sums, 32)}, {"sum_out": mask}))
        step += int(stepping)
    inputs = {"rst": 1, "load": 1, "load_row": (n - 1).bit_length(), "w_in": 8 * n, "en": 1, "x_in": 8 * n}
    return Bench("systolic", {"N": n}, inputs, {"sum_out": 32 * n}, cycles)


def requant_bench() -> Bench:
    """One value a cycle, two cycles later the result; multiplier and shift change only when the pipeline is empty."""
    draw = random.Random(4)
    cycles = []
    for _ in range(300):
        shift = draw.randint(1, 47)
        multiplier = draw.choice([0, 1, 2**15, 2**16 - 1, draw.randint(0, 2**16 - 1)])
        scale = {"multiplier": multiplier, "shift": shift}
        near = (1 << shift) * draw.randint(-130, 130) // max(1, multiplier)
        totals = [draw.choice([near, near + 1, draw.randint(-(2**20), 2**20), 2**31 - 1, -(2**31)]) for _ in range(4)]
        totals = [max(-(2**31), min(2**31 - 1, total)) for total in totals]
        results = requant(np.array(totals), multiplier, shift).tolist()
        for at in range(len(totals) + 2):
            total = totals[at] if at < len(totals) else 0
            cycles.append(Cycle({"total": total, **scale}, {"q": results[at - 2]} if at >= 2 else {}))
    return Bench("requant", {}, {"total": 32, "multiplier": 16, "shift": 6}, {"q": 8}, cycles)


def exp_lut() -> Bench:
    """Every entry."""
    cycles = [Cycle({"index": i}, {"value": value}) for i, value in enumerate(EXP_TABLE.tolist())]
    return Bench("exp_lut", {}, {"index": 8}, {"value": 8}, cycles, clocked=False)


def divu(width: int = 24) -> Bench:
    """Constant latency, results that hold, a start that comes too early, division by 0."""
    draw = random.Random(5)
    largest = (1 << width) - 1
    cycles = [RESET, Cycle({}, {"busy": 0, "done": 0})]
    for _ in range(60):
        dividend, divisor = (
            draw.choice([0, 1, 2, largest, draw.randint(0, largest), draw.randint(0, min(300, largest))]) for _ in "ab"
        )
        quotient, remainder = divmod(dividend, divisor) if divisor else (largest, dividend)
        cycles.append(Cycle({"start": 1, "dividend": dividend, "divisor": divisor}, {"busy": 0, "done": 0}))
        for left in range(width, 0, -1):
            early = {"start": draw.randint(0, 1), "dividend": draw.randint(0, largest), "divisor": 1}
            cycles.append(Cycle(early, {"busy": 1, "done": int(left == 1)}))
        for _ in range(draw.randint(1, 3)):
            cycles.append(Cycle({}, {"busy": 0, "done": 0, "quotient": quotient, "remainder": remainder}))
    inputs = {"rst": 1, "start": 1, "dividend": width, "divisor": width}
    outputs = {"busy": 1, "done": 1, "quotient": width, "remainder": width}
    return Bench("divu", {"W": width}, inputs, outputs, cycles)


def sram(rows: int = 16, words: int = 2) -> Bench:
    """Random writes by words and reads; what was read holds; reading and writing at once reads the old row."""
    draw = random.Random(6)
    memory = [[0] * words for _ in range(rows)]
    cycles = [Cycle({"we": 2**words - 1, "waddr": row}, {}) for row in range(rows)]
    shown: dict[str, int] = {}
    for _ in range(3000):
        we, waddr, re, raddr = draw.randrange(2**words), draw.randrange(rows), draw.randint(0, 1), draw.randrange(rows)
        data = [draw.getrandbits(32) for _ in range(words)]
        raddr = waddr if draw.random() < 0.3 else raddr
        given = {"we": we, "waddr": waddr, "wdata": joined(data, 32), "re": re, "raddr": raddr}
        cycles.append(Cycle(given, shown))
        if re:
            shown = {"rdata": joined(memory[raddr], 32)}
        memory[waddr] = [
            new if we >> i & 1 else old for i, (old, new) in enumerate(zip(memory[waddr], data, strict=True))
        ]
    address = (rows - 1).bit_length()
    inputs = {"we": words, "waddr": address, "wdata": 32 * words, "re": 1, "raddr": address}
    return Bench("sram", {"ROWS": rows, "WORDS": words}, inputs, {"rdata": 32 * words}, cycles)


def rowmem(rows: int = 32, n: int = 8) -> Bench:
    """Random writes by words; rows and columns read; a column slice may begin at any row."""
    draw = np.random.default_rng(7)
    memory = np.zeros((rows, n), dtype=np.int8)
    cycles = [Cycle({"we": 2 ** (n // 4) - 1, "waddr": row}, {}) for row in range(rows)]
    shown: dict[str, int] = {}
    for _ in range(3000):
        we, re, by_column = (int(draw.integers(0, high)) for high in (2 ** (n // 4), 2, 2))
        waddr, rcolumn, raddr = (int(draw.integers(0, high)) for high in (rows, n, rows - n + 1 if by_column else rows))
        data = draw.integers(-128, 128, n)
        given = {"we": we, "waddr": waddr, "wdata": octets(data), "re": re, "by_column": by_column}
        cycles.append(Cycle({**given, "raddr": raddr, "rcolumn": rcolumn}, shown))
        if re:
            shown = {"rdata": octets(memory[raddr : raddr + n, rcolumn] if by_column else memory[raddr])}
        for word in range(n // 4):
            if we >> word & 1:
                memory[waddr, 4 * word : 4 * word + 4] = data[4 * word : 4 * word + 4]
    address, lane = (rows - 1).bit_length(), (n - 1).bit_length()
    inputs = {
        "we": n // 4,
        "waddr": address,
        "wdata": 8 * n,
        "re": 1,
        "by_column": 1,
        "raddr": address,
        "rcolumn": lane,
    }
    return Bench("rowmem", {"ROWS": rows, "N": n}, inputs, {"rdata": 8 * n}, cycles)


def ga2_decode(config: Config = DEFAULT) -> Bench:
    """Legal and illegal instructions of every kind on a chip, and the edge of every operand."""
    instructions = [illegal_instruction(seeded(seed), config) for seed in range(1000)]
    for seed in range(300):
        legal = random_instruction(seeded(seed), config)
        instructions.append(legal)
        for name in FIELDS:
            last = _last_legal(legal, name, config)
            instructions += [replace(legal, **{name: value}) for value in (0, last, last + 1) if value < 2**16]
    instructions += [Instruction(Op.HALT), Instruction(Op.HALT, b=1), Instruction(0)]
    cycles = [_decoded(instruction, config) for instruction in instructions]
    fields = {"d": 16, "a": 16, "b": 16, "length": 16, "multiplier": 16, "shift": 6}
    flags = {op.name.lower(): 1 for op in Op}
    inputs = {"word0": 32, "word1": 32, "word2": 32}
    return Bench("ga2_decode", parameters(config), inputs, {**fields, **flags, "legal": 1}, cycles, clocked=False)


def _last_legal(i: Instruction, name: str, config: Config) -> int:
    """A value of a field from which it is one step to an illegal one."""
    legal: int = getattr(i, name)
    illegal = 0xFF if name == "shift" else 0xFFFF
    while illegal - legal > 1:
        middle = (legal + illegal) // 2
        if fault(replace(i, **{name: middle}), config):
            illegal = middle
        else:
            legal = middle
    return legal


def _decoded(i: Instruction, config: Config) -> Cycle:
    words = dict(zip(("word0", "word1", "word2"), encode(i), strict=True))
    fields = {"d": i.d, "a": i.a, "b": i.b, "length": i.length, "multiplier": i.multiplier, "shift": i.shift}
    flags = {op.name.lower(): int(op == i.op) for op in USED}
    return Cycle(words, {**fields, **flags, "legal": int(fault(i, config) is None)})


def joined(values: Sequence[int], width: int) -> int:
    return sum(value << width * at for at, value in enumerate(values))
