# SPDX-License-Identifier: Apache-2.0
"""The checks of `kvproof verify`, in the order of the screen."""

import json
from typing import TYPE_CHECKING, Any

from kvproof.ui import Advance
from kvproof.verify.rows import Check, Outcome

if TYPE_CHECKING:
    from impl.chip.cosim import Outcome as Replayed
    from impl.studies.replay import Settings, Summary
    from kvproof.replay.run import Report

WINDOW, SINKS, EVERY = 64, 4, 500
TARGETS = ("kvproof", "kvproof-batch")
EXAMPLES, STEPS = 100, 40
DECODE_WINDOWS, DECODE_PAGE, DECODE_STEPS = (None, 8, 4), 4, 32


def trace(seed: int, advance: Advance) -> Outcome:
    """The embedded trace, in a small pool without a window and again with one, each in lockstep with the spec."""
    from impl.studies.replay import Settings
    from kvproof.data import EMBEDDED_PAGES

    requests = operations = tokens = 0
    for settings in (Settings(EMBEDDED_PAGES, 16), Settings(EMBEDDED_PAGES, 16, WINDOW, SINKS)):
        report = _replayed(settings, advance)
        if report.interrupted:
            raise KeyboardInterrupt
        requests += report.summary.requests
        tokens += report.summary.tokens
        operations += report.operations or 0
        if report.failure:
            window = f"window {settings.window}, {settings.sinks} sinks" if settings.window else "no window"
            return Outcome(operations, f"{requests:,} requests", f"{window}: {report.failure}")
    return Outcome(operations, f"{requests:,} requests, {tokens:,} tokens, {operations:,} operations")


def machine(seed: int, advance: Advance) -> Outcome:
    """Named and random histories on our cache: one operation at a time, and through the batch calls."""
    from kvproof.targets.find import find
    from spec.conformance.check import check

    histories = operations = 0
    for name in TARGETS:
        advance(text=name)
        verdict = check(find(name).factory, EXAMPLES, STEPS, seed, lambda: advance())
        histories += len(verdict.histories) + verdict.report.histories
        operations += verdict.report.operations
        if verdict.interrupted:
            raise KeyboardInterrupt
        if not verdict.held():
            return Outcome(operations, f"{histories:,} histories", f"{name}: {verdict}")
    return Outcome(operations, f"{histories:,} histories, {operations:,} operations")


def examples(seed: int, advance: Advance) -> Outcome:
    """Examples A and B, computed now, against the figures recorded in the package."""
    from impl.studies.example_a import example_a
    from impl.studies.example_b import example_b
    from kvproof import data

    count, wrong = 0, []
    for name, compute in (("a", example_a), ("b", example_b)):
        recorded = data.recorded(name)
        computed = json.loads(json.dumps(compute()))
        count += _figures(recorded)
        wrong += differences(f"example_{name}", recorded, computed)
    return Outcome(count, f"{count:,} figures", "\n".join(wrong))


def proofs(seed: int, advance: Advance) -> Outcome:
    """The quick part of the proofs, each with its wrong variants."""
    from proofs.quick import quick

    found = quick(seed, lambda text: advance(text=text))
    short = [f"{result.id} falls short: {result.short}" for result in found.results if result.short]
    amount = f"{len(found.results)} claims, {found.refuted()} wrong variants"
    return Outcome(len(found.results), amount, "\n".join(short))


def decoding(seed: int, advance: Advance) -> Outcome:
    """The structured and a random model on the model of the chip, over pages and over lists, with three windows."""
    from impl.studies.decode import MODELS, decode, failures, model_named, strays

    steps, wrong = 0, []
    for name in MODELS:
        for window in DECODE_WINDOWS:
            advance(text=f"{name}, window {window}")
            paged, plain, programs = decode(model_named(name, seed), window, DECODE_PAGE, DECODE_STEPS, 0)
            steps += len(paged)
            found = failures(window, DECODE_PAGE, paged, plain, programs)
            found += strays(paged) if name == "structured" else []
            wrong += [f"{name}, window {window}: {line}" for line in found]
    return Outcome(steps, f"{steps:,} steps", "\n".join(wrong))


def _where_installed(check: Check) -> tuple[Check, ...]:
    """The check where Icarus and the Verilog are there; none otherwise."""
    from impl.chip.simulators import SimulatorMissing, find, sources

    try:
        find(("iverilog",), "")
    except SimulatorMissing:
        return ()
    return (check,) if sources() else ()


def _said(outcome: "Replayed") -> str:
    return "" if outcome.passed else f"{outcome.simulator}: {outcome.line}"


def verilog(seed: int, advance: Advance) -> Outcome:
    """The programs of the structured model with three windows, each in the Verilog by Icarus against the model.

    With a window every one of them; without one, every fourth of the contexts beyond that.
    """
    from impl.chip.config import DEFAULT
    from impl.chip.cosim import Record, replay
    from impl.studies.decode import decode, model_named

    records = []
    for window in DECODE_WINDOWS:
        steps, _, programs = decode(model_named("structured", seed), window, DECODE_PAGE, DECODE_STEPS, 0)
        chosen = steps[:programs] if window else steps[max(filter(None, DECODE_WINDOWS)) + 3 :: 4]
        records += [Record(step.image, step.result) for step in chosen]
    advance(text=f"{len(records)} programs")
    outcome = replay("icarus", DEFAULT, records)
    return Outcome(outcome.programs, f"{outcome.programs} programs, {outcome.cycles:,} cycles", _said(outcome))


CHECKS = (
    Check("trace", "cache on a trace", "in lockstep with the spec", trace),
    Check("machine", "cache, all operations", "state machine and named histories", machine),
    Check("examples", "worked examples A, B", "against the recorded figures", examples),
    Check("decode", "decode on the chip", "Python machine, pages against lists", decoding),
    *_where_installed(Check("verilog", "the same programs", "Verilog in Icarus: memory and counters", verilog)),
    Check("proofs", "formulas, for all values", "z3, wrong variants refuted", proofs),
)


def differences(where: str, recorded: Any, computed: Any) -> list[str]:
    """Every figure that is not as recorded: "example_a.setup.pages: recorded 8, computed 9"."""
    if isinstance(recorded, dict) and isinstance(computed, dict) and recorded.keys() == computed.keys():
        return [line for key in recorded for line in differences(f"{where}.{key}", recorded[key], computed[key])]
    if isinstance(recorded, list) and isinstance(computed, list) and len(recorded) == len(computed):
        pairs = enumerate(zip(recorded, computed, strict=True))
        return [line for index, pair in pairs for line in differences(f"{where}[{index}]", *pair)]
    same = type(recorded) is type(computed) and recorded == computed
    return [] if same else [f"{where}: recorded {recorded}, computed {computed}"]


def _figures(recorded: Any) -> int:
    """How many single values there are."""
    if isinstance(recorded, dict | list):
        return sum(_figures(value) for value in (recorded.values() if isinstance(recorded, dict) else recorded))
    return 1


def _replayed(settings: "Settings", advance: Advance) -> "Report":
    from impl.studies.traces import TraceReader
    from kvproof.data import embedded_trace
    from kvproof.replay.run import Lockstep, replay

    def show(summary: "Summary") -> None:
        advance(0, f"{summary.settled:,} requests")

    with embedded_trace().open("rb") as stream:
        return replay(TraceReader(stream), settings, Lockstep(EVERY), show)
