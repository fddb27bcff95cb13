# SPDX-License-Identifier: Apache-2.0
"""Several processes that soak one target: worker w of n runs the rounds first+w, first+w+n, … of one seed.

Workers send what they did a few times a second. When a round breaks a law, the rounds before it are still run, so that
the one reported is the first, however many workers there are.
"""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from kvproof.targets.find import find
from spec.conformance.report import Report
from spec.conformance.soak import Broken, run_round

TELL_SECONDS = 0.25
"""How often a worker tells what it did."""

PATIENCE_SECONDS = 10.0
"""How long workers may take to end the round that they are in."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run: the target by name, the seed, the rounds from `first` on, so many or for so many seconds."""

    target: str
    seed: int
    first: int
    rounds: int | None
    seconds: float | None
    processes: int


@dataclass(slots=True)
class Soaked:
    """What came of it. Every round before `next_round` has been run; `died` is what is known of a worker that died."""

    report: Report
    next_round: int
    seconds: float = 0.0
    broken: Broken | None = None
    died: str = ""
    interrupted: bool = False
    told: dict[int, int] = field(default_factory=dict)


Told = Callable[[Soaked], None]


def soak(plan: Plan, told: Told) -> Soaked:
    """Run the plan. `told` is called whenever a worker has told something. Ctrl-C ends it early, with what is done."""
    context = get_context("spawn")
    limit = context.Value("q", 2**62 if plan.rounds is None else plan.first + plan.rounds)
    soaked = Soaked(Report(find(plan.target).capabilities), plan.first)
    connections: dict[Connection, tuple[int, Any]] = {}
    # Ctrl-C reaches every process of the terminal: the workers are to ignore it, and inherit that from here.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for worker in range(plan.processes):
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(plan, worker, limit, sender), daemon=True)
            process.start()
            sender.close()
            connections[receiver] = worker, process
            soaked.told[worker] = plan.first + worker
    finally:
        signal.signal(signal.SIGINT, handler)
    begin = time.perf_counter()
    processes = [process for _, process in connections.values()]
    try:
        while connections:
            _receive(connections, limit, soaked)
            soaked.seconds = time.perf_counter() - begin
            told(soaked)
    except KeyboardInterrupt:
        soaked.interrupted = True
        limit.value = -1
        end = time.perf_counter() + PATIENCE_SECONDS
        while connections and time.perf_counter() < end:
            _receive(connections, limit, soaked)
    finally:
        for process in processes:
            process.terminate()
            process.join()
    soaked.seconds = time.perf_counter() - begin
    soaked.next_round = min(soaked.told.values())
    return soaked


def _receive(connections: dict[Connection, tuple[int, Any]], limit: Any, soaked: Soaked) -> None:
    """Take in what the workers have sent; those that are through go."""
    for connection in wait(list(connections), timeout=1.0):
        assert isinstance(connection, Connection)
        worker, process = connections[connection]
        try:
            report, next_round, broken, over = connection.recv()
        except EOFError:  # it ended without saying so
            del connections[connection]
            process.join()
            soaked.died = f"worker {worker} died (exit code {process.exitcode}) in round {soaked.told[worker]} or later"
            limit.value = -1
            continue
        soaked.report.add(report)
        soaked.told[worker] = next_round
        if broken is not None and (soaked.broken is None or broken.round < soaked.broken.round):
            soaked.broken = broken
            limit.value = min(limit.value, broken.round)
        if over:
            del connections[connection]


def _work(plan: Plan, worker: int, limit: Any, sender: Connection) -> None:
    """One worker: rounds until the limit or the time is reached, or a law is broken."""
    found = find(plan.target)
    number = plan.first + worker
    begin = told = time.perf_counter()
    report = Report(found.capabilities)
    broken = None
    while broken is None and number < limit.value and not _over(plan, begin):
        broken = run_round(found.factory, plan.seed, number, report)
        number += plan.processes
        if broken is None and time.perf_counter() - told > TELL_SECONDS:
            sender.send((report, number, None, False))
            report = Report(found.capabilities)
            told = time.perf_counter()
    sender.send((report, number, broken, True))


def _over(plan: Plan, begin: float) -> bool:
    return plan.seconds is not None and time.perf_counter() - begin > plan.seconds
