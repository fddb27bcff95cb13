# SPDX-License-Identifier: Apache-2.0
"""The contracts of `impl/window.py`, checked by CrossHair on all paths and once more by z3 through the lifter.

CrossHair says nothing about a condition that it gave up on: so every condition is asked for by its line, and only
"Confirmed over all paths" counts. Contracts elsewhere in `impl/` are reported as what they are.
"""

import ast
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import z3

from impl import window
from proofs.contracts import Condition, conditions, modules_with_conditions, stricter, with_wrong_copies
from proofs.evidence import (
    CONFIRMED,
    PROVED,
    REFUTED,
    TESTED,
    TIMEOUT,
    Claim,
    Control,
    Options,
    Progress,
    Result,
    result,
)
from proofs.lift import Lifter
from proofs.prover import Query, smallest
from proofs.solve import entails
from proofs.source import Function, source_of
from proofs.statements import shipped
from proofs.values import Maybe, all_of, contracts

SECONDS_PER_CONDITION = 30
SECONDS_PER_HELPER = 3
CONFIRMED_BY_CROSSHAIR = "Confirmed over all paths."
LINE = re.compile(r"^.*?:(\d+): (info|error): (.*)$")

HOLES = ("CrossHair is trusted when it says that it has been through all paths.",)
TRUSTED = ("proofs/contracts.py", "proofs/crosshair_run.py")

HELPERS = [name for name in modules_with_conditions(Path(window.__file__).parent) if name != window.__name__]

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "C1",
        "Every post-condition in the docstrings of impl/window.py holds whenever its pre-condition does.",
        "all of impl/window.py",
        "CrossHair",
        f"{CONFIRMED} on all paths",
        limit=300.0,
    ),
    Claim(
        "C2",
        "The same, through the lifter: and no function calls another one outside that one's contract.",
        "all of impl/window.py",
        "z3",
        PROVED,
        quick=True,
        limit=120.0,
    ),
    Claim(
        "C3",
        "The post-conditions elsewhere in impl/ hold on every path that CrossHair went through.",
        ", ".join(HELPERS),
        "CrossHair",
        f"{TESTED} on the paths found in {SECONDS_PER_HELPER} s",
        limit=300.0,
    ),
)[: 3 if HELPERS else 2]


def prove(claim: Claim, options: Options, progress: Progress) -> Result:
    """Check all contracts one way, and refute a stricter variant of each."""
    if claim.id == "C2":
        return by_z3(claim, options)
    if claim.id == "C1":
        return by_crosshair(claim, [window], SECONDS_PER_CONDITION)
    return by_crosshair(claim, [import_module(name) for name in HELPERS], SECONDS_PER_HELPER)


def by_crosshair(claim: Claim, modules: Sequence[ModuleType], seconds: int) -> Result:
    """Run CrossHair over the modules, and over copies with a wrong contract for each condition.

    "Not confirmed" is enough only for a claim that does not say CONFIRMED; a refuted condition never is.
    """
    begin = time.perf_counter()
    asked: list[tuple[Condition, str]] = []
    controls: list[Control] = []
    for module in modules:
        text, wrong_conditions = with_wrong_copies(module)
        with tempfile.TemporaryDirectory() as folder:
            wrong = Path(folder) / f"wrong_{module.__name__.rpartition('.')[2]}.py"
            wrong.write_text(text, encoding="utf-8")
            runs = [start(module.__name__, seconds), start(str(wrong), seconds)]
            said, said_of_wrong = (answers(run) for run in runs)
        asked += [(condition, said.get(condition.line, "said nothing")) for condition in conditions(module)]
        controls += [told(condition, said_of_wrong.get(condition.line, "")) for condition in wrong_conditions]
    enough = {CONFIRMED_BY_CROSSHAIR} | (set() if claim.strength.startswith(CONFIRMED) else {"Not confirmed."})
    open_ones = [
        f"{condition.function}, line {condition.line}: {said}" for condition, said in asked if said not in enough
    ]
    refuted = any(said.startswith("false") for _, said in asked)
    strength = REFUTED if refuted else TIMEOUT if open_ones else claim.strength
    confirmed = sum(said == CONFIRMED_BY_CROSSHAIR for _, said in asked)
    others = [condition.function for condition, said in asked if said != CONFIRMED_BY_CROSSHAIR]
    note = f"{len(asked)} conditions, {confirmed} confirmed over all paths"
    note += f"; not confirmed: {', '.join(others)}" if others else ""
    return result(claim, strength, tuple(controls), time.perf_counter() - begin, "; ".join(open_ones), note)


def start(target: str, seconds: int) -> "subprocess.Popen[str]":
    """Start CrossHair on a module or a file."""
    command = [sys.executable, "-m", "crosshair", "check", target, "--analysis_kind=PEP316", "--report_all"]
    command.append(f"--per_condition_timeout={seconds}")
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def answers(run: "subprocess.Popen[str]") -> dict[int, str]:
    """What CrossHair said of each line; a refutation overrides the rest."""
    output, _ = run.communicate()
    said: dict[int, str] = {}
    for match in filter(None, map(LINE.match, output.splitlines())):
        line, kind, text = int(match[1]), match[2], match[3]
        if kind == "error" or line not in said:
            said[line] = text
    return said


def told(condition: Condition, said: str) -> Control:
    """The control of one condition, a stricter variant: the call for which CrossHair found it false."""
    wrong = f"{condition.function.removeprefix('wrong_')}: {condition.text}"
    match = re.match(r"false when calling (.*?)(?: \(which returns (.*)\))?$", said)
    if match is None:
        return Control(wrong, "")
    call = match[1].removeprefix("wrong_")
    return Control(wrong, f"{call} returns {match[2]}" if match[2] else call)


def by_z3(claim: Claim, options: Options) -> Result:
    """Prove each contract from the lifted source, and refute its stricter variant."""
    begin = time.perf_counter()
    controls: list[Control] = []
    files: list[str] = []
    shorts: list[str] = []
    word = PROVED
    for condition in conditions(window):
        function = shipped()[condition.function]
        asked = contract(function, condition.text)
        name = f"{claim.id}.{condition.function}.{condition.line}"
        verdict = entails(name, asked.given, asked.conclusion, options, comment=condition.text)
        files.append(verdict.file)
        if verdict.word != PROVED:
            word = verdict.word
            shorts.append(f"{condition.function}: {verdict.word} {verdict.reason}".rstrip())
        controls.append(refuted(function, condition, replace(options, smt=None)))
    note = f"{len(controls)} conditions"
    seconds = time.perf_counter() - begin
    files = [file for file in files if file]
    return result(claim, word, tuple(controls), seconds, "; ".join(shorts), note, tuple(files))


def contract(function: Function, post: str) -> Query:
    """That `post` holds of what the function returns wherever its pre-condition does, as a query."""
    source = source_of(function)
    terms: dict[str, z3.ExprRef] = {}
    seen: dict[str, object] = {}
    for argument in source.node.args.args:
        name, kind = argument.arg, ast.unparse(argument.annotation or ast.Constant(None))
        terms[name] = z3.Bool(name) if kind == "bool" else z3.Int(name)
        seen[name] = terms[name]
        if kind == "int | None":
            terms[f"{name}_is_none"] = z3.Bool(f"{name}_is_none")
            seen[name] = Maybe(terms[f"{name}_is_none"], terms[name])
    lifter = Lifter()
    given = [lifter.expression(text, source, seen) for text in contracts(source.node, "pre")]
    lifter.assume(*given)
    returned = lifter.call(function, list(seen.values()))
    holds = lifter.expression(post, source, {**seen, "_": returned})
    return Query(terms, given, lifter.facts, all_of([*lifter.obligations, holds]))


def refuted(function: Function, condition: Condition, options: Options) -> Control:
    """The stricter variant, and the smallest arguments for which z3 and Python both find it false."""
    wrong = stricter(condition.text)
    found = smallest(contract(function, wrong), options)
    arguments: dict[str, int | None] = {}
    for name in source_of(function).node.args.args:
        arguments[name.arg] = None if found.get(f"{name.arg}_is_none") else found.get(name.arg)
    label = f"{condition.function}: {wrong}"
    if not found:
        return Control(label, "")
    returned = function(**arguments)
    if eval(wrong, {**source_of(function).names, **arguments, "_": returned}):
        return Control(label, "")
    call = ", ".join(f"{name} = {value}" for name, value in arguments.items())
    return Control(label, f"{condition.function}({call}) returns {returned}")
