# SPDX-License-Identifier: Apache-2.0
"""Asks a second solver, cvc5, the questions that z3 answered: `python -m proofs --again`.

Each SMT-LIB file says which answer is expected. Another answer is a disagreement and fails. No answer in time is shown
as "not re-checked" and never counts as agreement. `python -m proofs.again FILE SECONDS` asks one question.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from proofs.evidence import Result

AGREES, DISAGREES, OPEN = "agrees", "DISAGREES", "not re-checked"
PARALLEL = 2
STATUS = re.compile(r"\(set-info :status (\w+)\)")
NEEDED = 2 / 3  # of the claims that have a query must be re-checked


@dataclass(frozen=True, slots=True)
class Again:
    """What cvc5 says about one claim: agrees (with every query of it), DISAGREES, or not re-checked."""

    id: str
    verdict: str
    detail: str = ""


def again(results: Sequence[Result], folder: Path, seconds: float, done: Callable[[Again], None]) -> list[Again]:
    """Re-check every claim that has queries, two at a time; `done` hears of each as it comes."""

    def one(result: Result) -> Again:
        found = claim(result, folder, seconds)
        done(found)
        return found

    with ThreadPoolExecutor(PARALLEL) as pool:
        return list(pool.map(one, [result for result in results if result.files]))


def claim(result: Result, folder: Path, seconds: float) -> Again:
    """Re-check the queries of one claim."""
    verdict, details = AGREES, []
    for name in result.files:
        answer = ask(folder / name, seconds)
        expected = STATUS.search((folder / name).read_text(encoding="utf-8"))
        if expected is not None and answer == expected[1]:
            continue
        details.append(f"{name}: {answer}")
        if answer in ("sat", "unsat"):
            verdict = DISAGREES
        elif verdict == AGREES:
            verdict = OPEN
    return Again(result.id, verdict, "; ".join(details))


def ask(file: Path, seconds: float) -> str:
    """cvc5's answer: sat, unsat, unknown, timeout, or an error in its words."""
    command = [sys.executable, "-m", "proofs.again", str(file), str(seconds)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 10, check=False)
    except subprocess.TimeoutExpired:
        return "timeout"
    lines = (run.stdout if run.returncode == 0 else run.stderr).strip().splitlines()
    return lines[-1] if lines else "no answer"


def short(found: Sequence[Again]) -> str:
    """Why the re-check falls short, or ""."""
    wrong = [item.id for item in found if item.verdict == DISAGREES]
    if wrong:
        return f"cvc5 disagrees about {', '.join(wrong)}"
    agreed = sum(item.verdict == AGREES for item in found)
    if not found or agreed < NEEDED * len(found):
        return f"only {agreed} of {len(found)} claims re-checked, two thirds are needed"
    return ""


def main(file: str, seconds: str) -> None:
    """Ask cvc5 the question in `file` and print its answer."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(round(float(seconds) * 1000)))
    # cvc5 is not told which answer is expected: it takes another one for an error of its own.
    text = STATUS.sub("", Path(file).read_text(encoding="utf-8"))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, file)
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, symbols)).strip()
        if answer:
            print(answer.split()[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
