# SPDX-License-Identifier: Apache-2.0
"""Proves claims in two long-lived processes; a claim that takes too long is killed and counts as TIMEOUT."""

import multiprocessing
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from proofs.catalogue import group
from proofs.evidence import TIMEOUT, Claim, Options, Progress, Result, judged, result, silent

Job = tuple[str, Claim]
PROCESSES = 2


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: "Connection[object, object]"
    claim: Claim | None = None
    since: float = 0.0

    def seconds(self) -> float:
        return time.monotonic() - self.since


def prove_here(module: str, claim: Claim, options: Options, progress: Progress) -> Result:
    """Prove one claim in this process. An error of the proof itself is a claim that falls short, not a traceback."""
    begin = time.perf_counter()
    try:
        found = group(module).prove(claim, options, progress)
    except Exception as error:  # whatever a proof raises, the claim is not proved; the other claims still are
        seconds = time.perf_counter() - begin
        found = result(claim, TIMEOUT, (), seconds, f"{type(error).__name__}: {error}")
    return judged(claim, found, options)


def prove_all(
    jobs: Sequence[Job], options: Options, done: Callable[[Result], None], progress: Progress = silent
) -> list[Result]:
    """Prove every claim, in the order given; `done` hears of each result as it comes. Exclusive claims are last."""
    results: dict[str, Result] = {}

    def keep(found: Result) -> None:
        results[found.id] = found
        done(found)

    _in_processes([job for job in jobs if not job[1].exclusive], options, keep)
    for module in dict.fromkeys(module for module, claim in jobs if claim.exclusive):
        alone = [claim for name, claim in jobs if name == module and claim.exclusive]
        _here(module, alone, options, keep, progress)
    return [results[claim.id] for _, claim in jobs]


def _here(
    module: str, claims: Sequence[Claim], options: Options, keep: Callable[[Result], None], progress: Progress
) -> None:
    """Prove claims in this process: at once when their group can, else one after the other."""
    together = getattr(group(module), "prove_together", None)
    if together is None:
        for claim in claims:
            keep(prove_here(module, claim, options, progress))
        return
    left = {claim.id: claim for claim in claims}

    def settle(found: Result) -> None:
        keep(judged(left.pop(found.id), found, options))

    short = "it was left out"
    try:
        together(claims, options, settle, progress)
    except Exception as error:  # as in prove_here: no traceback, and what was not proved is not proved
        short = f"{type(error).__name__}: {error}"
    for claim in list(left.values()):
        settle(result(claim, TIMEOUT, (), 0.0, short))


def _in_processes(jobs: Sequence[Job], options: Options, keep: Callable[[Result], None]) -> None:
    waiting = list(reversed(jobs))
    workers = [_start() for _ in range(min(PROCESSES, len(waiting)))]
    try:
        while waiting or any(worker.claim for worker in workers):
            for worker in workers:
                if worker.claim is None and waiting:
                    module, worker.claim = waiting.pop()
                    worker.since = time.monotonic()
                    with suppress(ConnectionError):  # a process that died says so when it is asked for its answer
                        worker.pipe.send((module, worker.claim, options))
            wait([worker.pipe for worker in workers if worker.claim], timeout=0.5)
            for place, worker in enumerate(workers):
                found = _answer(worker, options) if worker.claim else None
                if found is not None:
                    keep(found)
                    worker.claim = None
                    if not worker.process.is_alive():
                        workers[place] = _start()
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()


def _answer(worker: _Worker, options: Options) -> Result | None:
    """What the worker has to say: nothing yet, a result, or that it took too long or died."""
    assert worker.claim is not None
    claim = worker.claim
    try:
        if worker.pipe.poll():
            found = worker.pipe.recv()
            assert isinstance(found, Result)
            return found
    except (EOFError, ConnectionError):
        worker.process.join()
        return judged(claim, result(claim, TIMEOUT, (), worker.seconds(), "its process died"), options)
    if worker.seconds() <= claim.limit:
        return None
    worker.process.kill()
    worker.process.join()
    short = f"no answer within {claim.limit:g} s"
    return judged(claim, result(claim, TIMEOUT, (), worker.seconds(), short), options)


def _start() -> _Worker:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there,), daemon=True)
    process.start()
    there.close()
    return _Worker(process, here)


def _work(pipe: "Connection[object, object]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            job = pipe.recv()
        except (EOFError, ConnectionError):
            return
        assert isinstance(job, tuple)
        module, claim, options = job
        pipe.send(prove_here(module, claim, options, silent))
