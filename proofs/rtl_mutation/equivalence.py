# SPDX-License-Identifier: Apache-2.0
"""Which mutants differ from the original at all: a miter inside the harness, searched step by step, then induction.

Both copies of a part start in the same state, get the same inputs, and the harness assumes what it assumes of its
surroundings and what it has proved of the original. They differ when an output differs, or an input of a module that
the part instantiates, in a cycle in which anybody looks at it, on inputs that are legal (`formal/mutation/UNIT.toml`).
A mutant that differs has a trace; one that is proved not to, by induction over registers that stay equal, is
equivalent; the rest is not known.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from proofs.rtl_mutation.mutants import CLOCK, SELECT
from proofs.rtl_mutation.smt import Model, OutOfTime, Solver

Trace = dict[str, list[int]]
"""Values of ports in every cycle; `gate_x` is what the mutant shows where the original shows `x`."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A mutant, the cycle in which it differs (from 0), the ports that differ, and all ports in all cycles."""

    mutant: int
    cycle: int
    ports: tuple[str, ...]
    trace: Trace


@dataclass(slots=True)
class Compared:
    """Differences, mutants proved equivalent, and how many cycles were searched completely for those left."""

    differences: list[Difference] = field(default_factory=list)
    equivalent: set[int] = field(default_factory=set)
    cycles: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """The pair in its model: the name of the module, what matters when, and the legal values of inputs (both ends)."""

    model: Model
    module: str
    when: Mapping[str, str]
    legal: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def places(self) -> list[str]:
        """The paths of all instances of the pair."""
        return [path for path, kind in self.model.instances(self.model.top) if kind == self.module]

    def copy(self, name: str, path: str, state: str) -> str:
        """The state of `gold` or `gate` in the pair at a path."""
        return f"(|{self.module}_h {name}| {self.model.state(path, state)})"

    def port(self, copy: str, name: str, path: str, state: str) -> str:
        """An output of a copy, or `child.port`, an input of a module in it."""
        at, kind = self.copy(copy, path, state), self.gate
        if "." in name:
            child, _, name = name.rpartition(".")
            at, kind = f"(|{kind}_h {child}| {at})", self.model.modules[kind].cells[child]
        return f"(|{kind}_n {name}| {at})"

    @property
    def gate(self) -> str:
        """The type of both copies."""
        return self.model.modules[self.module].cells["gate"]

    def watched(self) -> dict[str, int]:
        """What is compared, with widths: outputs, and inputs of modules inside except clock and select."""
        gate = self.model.modules[self.gate]
        found = {name: wide for name, wide in gate.outputs.items() if not name.startswith("f_")}
        for child, kind in gate.cells.items():
            inner = self.model.modules[kind].inputs
            found |= {f"{child}.{name}": wide for name, wide in inner.items() if name not in (CLOCK, SELECT)}
        return found

    def differs(self, name: str, path: str, state: str) -> str:
        """That a port differs where it matters."""
        unequal = f"(distinct {self.port('gold', name, path, state)} {self.port('gate', name, path, state)})"
        condition = self.when.get(name)
        if condition is None:
            return unequal
        wanted = "(not %s)" if condition.startswith("!") else "%s"
        looked_at = wanted % self.true(condition.lstrip("!"), path, state)
        return f"(and {looked_at} {unequal})"

    def true(self, name: str, path: str, state: str) -> str:
        """That an output of the original, one bit wide, is 1."""
        return self.port("gold", name, path, state)

    def any(self, state: str) -> str:
        """That some pair differs somewhere."""
        return _or(self.differs(name, path, state) for path in self.places() for name in self.watched())

    def tie(self, solver: Solver, state: str, first: bool) -> None:
        """Both copies are mutant `chosen` and original, see the same free values and begin in the same state."""
        for path in self.places():
            solver.add(f"(= chosen (|{self.module}_n {SELECT}| {self.model.state(path, state)}))")
            gold, gate = self.copy("gold", path, state), self.copy("gate", path, state)
            for name, (least, most) in self.legal.items():
                wide, given = self.model.modules[self.gate].inputs[name], self.port("gold", name, path, state)
                bits = f"(ite {given} #b1 #b0)" if wide == 1 else given
                solver.add(f"(and (bvule (_ bv{least} {wide}) {bits}) (bvule {bits} (_ bv{most} {wide})))")
            for inner, kind in [("", self.gate), *self.model.instances(self.gate)]:
                left, right = (self.model.state(inner, copy, self.gate) for copy in (gold, gate))
                module = self.model.modules[kind]
                for name in module.free:
                    solver.add(f"(= (|{name}| {left}) (|{name}| {right}))")
                for name in (*module.states, *module.memories) if first else ():
                    solver.add(f"(= (|{name}| {left}) (|{name}| {right}))")
        self.deduce(solver, state)

    def deduce(self, solver: Solver, state: str) -> None:
        """Modules inside both copies are the same: with equal states and equal inputs they show equal outputs.

        That follows, but no solver finds it quickly for two multipliers.
        """
        for path in self.places():
            gold, gate = self.copy("gold", path, state), self.copy("gate", path, state)
            for child, kind in self.model.modules[self.gate].cells.items():
                left, right = (f"(|{self.gate}_h {child}| {copy})" for copy in (gold, gate))
                module = self.model.modules[kind]
                same = [f"(= (|{kind}_n {name}| {left}) (|{kind}_n {name}| {right}))" for name in module.inputs]
                for inner, below in [("", kind), *self.model.instances(kind)]:
                    one, other = (self.model.state(inner, at, kind) for at in (left, right))
                    known = self.model.modules[below]
                    held = [*known.states, *known.memories, *(f"{below}_n {name}" for name in known.registers)]
                    same += [f"(= (|{name}| {one}) (|{name}| {other}))" for name in held]
                shown = [f"(= (|{kind}_n {name}| {left}) (|{kind}_n {name}| {right}))" for name in module.outputs]
                if shown:
                    solver.add(f"(=> (and true {' '.join(same)}) (and {' '.join(shown)}))")

    def equalities(self, state: str) -> dict[str, str]:
        """That a register or a memory is the same in both copies, for every one in every pair."""
        found: dict[str, str] = {}
        for path in self.places():
            gold, gate = self.copy("gold", path, state), self.copy("gate", path, state)
            for inner, kind in [("", self.gate), *self.model.instances(self.gate)]:
                left, right = (self.model.state(inner, copy, self.gate) for copy in (gold, gate))
                module = self.model.modules[kind]
                for name in (*module.states, *module.memories):
                    found[f"{path}/{inner}/{name}"] = f"(= (|{name}| {left}) (|{name}| {right}))"
        return found

    def conditions(self, state: str) -> dict[str, str]:
        """One-bit outputs, registers and named wires of the original, both ways: equal registers may need one."""
        found: dict[str, str] = {}
        gate = self.model.modules[self.gate]
        names = {**gate.outputs, **gate.registers, **gate.wires}
        for path in self.places()[:1]:
            gold = self.copy("gold", path, state)
            for name in (one for one, wide in names.items() if wide == 1 and one not in gate.inputs and "$" not in one):
                term = f"(|{self.gate}_n {name}| {gold})"
                found |= {name: term, f"!{name}": f"(not {term})"}
        return found


def compare(
    pair: Pair, mutants: Collection[int], depth: int, seconds: float, found: Callable[[Difference], None]
) -> Compared:
    """Search traces of up to `depth` states, then prove the rest equivalent. `seconds` for each of the two.

    Raises SolverFailed.
    """
    done = Compared()
    left = set(mutants)
    wide = pair.model.modules[pair.module].wires[SELECT]
    with Solver(pair.model, seconds) as solver:
        _choose(solver, left, wide)
        states = []
        try:
            for cycle in range(depth):
                state = solver.step(initial=True)
                states.append(state)
                pair.tie(solver, state, first=cycle == 0)
                if cycle == 0:  # the cycle of the reset: whatever the registers hold before it
                    continue
                while left and solver.satisfiable(pair.any(state)):
                    difference = _difference(solver, pair, states)
                    solver.forget()
                    solver.add(f"(distinct chosen (_ bv{difference.mutant} {wide}))")
                    left.remove(difference.mutant)
                    done.differences.append(difference)
                    found(difference)
                if not left:
                    break
                solver.add(f"(not {pair.any(state)})")
                done.cycles = cycle + 1
        except OutOfTime:
            pass
    unspent = seconds
    for mutant in sorted(left):
        if unspent <= 0:
            break
        proved, spent = _proved(pair, mutant, wide, min(unspent, seconds / 5))
        unspent -= spent
        if proved:
            done.equivalent.add(mutant)
    return done


def _choose(solver: Solver, mutants: Collection[int], wide: int) -> None:
    solver.say(f"(declare-fun chosen () (_ BitVec {wide}))")
    solver.add(_or(f"(= chosen (_ bv{number} {wide}))" for number in sorted(mutants)))


def _proved(pair: Pair, mutant: int, wide: int, seconds: float) -> tuple[bool, float]:
    """Whether induction shows that a mutant never differs, and the seconds that it took.

    Registers that stay equal are found, then outputs follow. It begins after the cycle of the reset: in that one the
    two may differ, so what is equal afterwards is asked for as well.
    """
    with Solver(pair.model, seconds) as begin, Solver(pair.model, seconds) as solver:
        _choose(begin, [mutant], wide)
        pair.tie(begin, begin.step(initial=True), first=True)
        after_reset = begin.step(initial=True)
        pair.tie(begin, after_reset, first=False)
        _choose(solver, [mutant], wide)
        now = solver.step(initial=False)
        then = solver.step(initial=False)
        for state in (now, then):
            pair.tie(solver, state, first=False)
        try:
            proved = not begin.satisfiable(pair.any(after_reset)) and any(
                _inductive(solver, pair, now, then, _equal(begin, _candidates(pair, after_reset, more)), more)
                for more in (False, True)
            )
        except OutOfTime:
            proved = False
        return proved, begin.spent() + solver.spent()


def _equal(solver: Solver, terms: Mapping[str, str]) -> list[str]:
    """The names of those terms that always hold in what the solver was told."""
    kept = list(terms)
    while kept and solver.satisfiable(_or(f"(not {terms[name]})" for name in kept)):
        kept = _true(solver, terms, kept)
    return kept


def _true(solver: Solver, terms: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """Those names whose terms hold in the solver's model, which is left."""
    values = solver.values([terms[name] for name in names])
    solver.forget()
    return [name for name, value in zip(names, values, strict=True) if value]


def _inductive(solver: Solver, pair: Pair, now: str, then: str, kept: list[str], conditional: bool) -> bool:
    """Whether some of the conditions in `kept`, which hold after the reset, always hold, and no output differs then."""
    before, after = _candidates(pair, now, conditional), _candidates(pair, then, conditional)
    same_now = f"(not {pair.any(now)})"
    while kept:
        hold = [before[name] for name in kept]
        if not solver.satisfiable(same_now, *hold, _or(f"(not {after[name]})" for name in kept)):
            break
        kept = _true(solver, after, kept)
    if solver.satisfiable(same_now, *(before[name] for name in kept), pair.any(then)):
        solver.forget()
        return False
    return True


def _candidates(pair: Pair, state: str, conditional: bool) -> dict[str, str]:
    found = pair.equalities(state)
    if conditional:
        given = pair.conditions(state)
        found |= {f"{c}/{n}": f"(or (not {given[c]}) {term})" for n, term in list(found.items()) for c in given}
    return found


def _difference(solver: Solver, pair: Pair, states: list[str]) -> Difference:
    """Which mutant differs, in which ports, and every port in every cycle, from the solver's model."""
    last, watched = states[-1], pair.watched()
    names = [(path, name) for path in pair.places() for name in watched]
    mutant, *differ = solver.values(["chosen", *(pair.differs(name, path, last) for path, name in names)])
    at = next(path for (path, _), value in zip(names, differ, strict=True) if value)
    ports = tuple(name for (path, name), value in zip(names, differ, strict=True) if value and path == at)
    inputs = pair.model.modules[pair.gate].inputs
    terms = {
        **{name: [pair.port("gold", name, at, s) for s in states] for name in inputs if name not in (SELECT, CLOCK)},
        **{name: [pair.port("gold", name, at, s) for s in states] for name in watched},
        **{f"gate_{name}": [pair.port("gate", name, at, s) for s in states] for name in watched},
    }
    flat = solver.values([term for column in terms.values() for term in column])
    size = len(states)
    trace = {name: flat[k * size : (k + 1) * size] for k, name in enumerate(terms)}
    return Difference(mutant, len(states) - 1, ports, trace)


def _or(terms: Iterable[str]) -> str:
    listed = list(terms)
    return f"(or {' '.join(listed)})" if listed else "false"
