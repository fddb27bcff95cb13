# SPDX-License-Identifier: Apache-2.0
"""A target and the spec side by side: every operation is given to both, every result and every law compared.

The state machine, the soak driver, the histories, the shrinker, the replay of real traces and the exhaustive
exploration all go through this class, so there is one answer to the question what a target owes.
"""

from collections.abc import Callable, Iterable
from typing import Any, NoReturn, Protocol

from spec import block_table as spec
from spec.block_table import Appended, Refusal, State
from spec.conformance.operations import NEEDS, Operation
from spec.conformance.target import Factory, TargetError, capabilities_of
from spec.conformance.views import Broken, Views, as_int, compare_count, compare_rows, compare_shape, shown
from spec.conformance.violation import Violation, told

FIRST_ROW = 100
"""The first row that is written. Not 0: a row of a new pool that was never written is often that."""


class Comparison(Protocol):
    """Holds everything visible of a target against a state of the spec: `Views`, or a quicker one for one target."""

    def forget(self) -> None:
        """Forget which page of the target stood for which page of the spec."""

    def compare(self, state: State, steady: bool = False, own_check: bool = True) -> Broken | None:
        """What is broken, None when all agrees; see `Views.compare`."""


Outcome = None | Refusal | int | tuple[object, ...]
"""What an operation comes to by the spec: a refusal, a count, rows (for `table`: pages of the spec), or nothing."""

_Step = tuple[State, Any, Callable[..., object], tuple[object, ...]]


class Lockstep:
    """Runs operations on a target and on the spec.

    `state` is the spec's state, `next_row` the number of the next row to be written. Raises TargetError when the target
    declares what it does not have, and Violation when it breaks a law. An operation costs what the target takes plus
    O(requests · pages).
    """

    def __init__(self, target: object, pages: int, page_size: int) -> None:
        self.target = target
        self.capabilities = capabilities_of(target)
        self.state = State(pages, page_size)
        self.next_row = FIRST_ROW
        self.views: Comparison = Views(target, self.capabilities)
        self._since_check = 0
        self._handlers: dict[str, Callable[..., _Step]] = {
            kind: getattr(self, f"_{kind}")
            for kind, capability in NEEDS.items()
            if capability is None or capability in self.capabilities
        }
        any_target: Any = target
        self._call = {kind: getattr(any_target, kind) for kind in self._handlers}
        self._copies: Callable[[], int] | None = any_target.copies if "copies" in self.capabilities else None

    def resume(self, state: State, next_row: int) -> None:
        """Go on from another state of the spec, which the caller has put the target into and has checked once."""
        self.state = state
        self.next_row = next_row
        self.views.forget()
        self._since_check = 0

    def run(self, operation: Operation) -> Outcome:
        """Do one operation on both and compare; what it comes to by the spec, except an append's pages: None.

        After a refusal everything visible is compared, after a success the result and the copies made. That a refused
        operation moved no page is seen when everything was compared just before it.
        """
        handler = self._handlers.get(operation.kind)
        if handler is None:
            raise TargetError(f'{operation} needs the capability "{NEEDS[operation.kind]}"')
        after, expected, call, arguments = handler(*operation.arguments)
        if type(expected) is Refusal:
            self._refused(operation, expected, call, arguments)
            return expected
        copies = self._copies
        before = self._copied(operation) if copies is not None else 0
        try:
            got = call(*arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._raised(operation, error)
        self._since_check += 1
        if type(expected) is Appended:
            if copies is not None:
                made = self._copied(operation) - before
                if made != expected.copied:
                    _fail("economy", operation, f"{operation}", _copied(expected.copied), _copied(made))
            if expected.copied:
                self._since_check += 1
            expected = None
        elif expected is not None:
            expected = self._compared(operation, expected, got)
        self.state = after
        outcome: Outcome = expected
        return outcome

    def check_all(self, operation: Operation | None = None) -> None:
        """Compare everything visible: every length, page count, table, owner, free page and retained row.

        `operation` is the one to name in a violation: the last one run. Costs O(requests · pages + rows).
        """
        # Pages may have moved only when a copy was made, or when several operations could free and take them again.
        broken = self.views.compare(self.state, steady=self._since_check <= 1)
        if broken is not None:
            _fail(broken[0], operation, *broken[1:])
        self._since_check = 0

    # What an operation is on both sides: (state afterwards, result by the spec, call on the target, its arguments).

    def _new(self, name: str, sinks: int = 0) -> _Step:
        state, result = spec.new(self.state, name, sinks)
        call = self._call["new"]
        if sinks == 0:
            return state, result, call, (name,)
        if "sinks" not in self.capabilities:
            raise TargetError(f'new({name!r}, {sinks}) needs the capability "sinks"')
        return state, result, lambda: call(name, sinks=sinks), ()

    def _append(self, name: str, count: int) -> _Step:
        rows = self._numbered(count)
        state, result = spec.append(self.state, name, rows)
        return state, result, self._call["append"], (name, rows)

    def _append_batch(self, names: tuple[str, ...], counts: tuple[int, ...]) -> _Step:
        batch = [self._numbered(count) for count in counts]
        steps = [_appending(name, rows) for name, rows in zip(names, batch, strict=True)]
        state, results = spec.in_order(self.state, steps)
        return state, _summed(results), self._call["append_batch"], (list(names), batch)

    def _trim_batch(self, names: tuple[str, ...], keep_froms: tuple[int, ...]) -> _Step:
        steps = [_trimming(name, keep_from) for name, keep_from in zip(names, keep_froms, strict=True)]
        state, results = spec.in_order(self.state, steps)
        result = results if isinstance(results, Refusal) else None
        return state, result, self._call["trim_batch"], (list(names), list(keep_froms))

    def _fork(self, source: str, name: str) -> _Step:
        return *spec.fork(self.state, source, name), self._call["fork"], (source, name)

    def _trim(self, name: str, keep_from: int) -> _Step:
        return *spec.trim(self.state, name, keep_from), self._call["trim"], (name, keep_from)

    def _truncate(self, name: str, length: int) -> _Step:
        return *spec.truncate(self.state, name, length), self._call["truncate"], (name, length)

    def _rows(self, name: str, low: int, high: int) -> _Step:
        return *spec.rows(self.state, name, low, high), self._call["rows"], (name, low, high)

    def _release(self, name: str) -> _Step:
        return *spec.release(self.state, name), self._call["release"], (name,)

    def _pages_needed(self, name: str, count: int) -> _Step:
        return *spec.pages_needed(self.state, name, count), self._call["pages_needed"], (name, count)

    def _length(self, name: str) -> _Step:
        request = self.state.requests.get(name)
        result = Refusal.UNKNOWN_REQUEST if request is None else len(request.rows)
        return self.state, result, self._call["length"], (name,)

    def _pages_held(self, name: str) -> _Step:
        request = self.state.requests.get(name)
        result = Refusal.UNKNOWN_REQUEST if request is None else spec.pages_held(request)
        return self.state, result, self._call["pages_held"], (name,)

    def _table(self, name: str) -> _Step:
        request = self.state.requests.get(name)
        result = Refusal.UNKNOWN_REQUEST if request is None else request.pages
        return self.state, result, self._call["table"], (name,)

    def _numbered(self, count: int) -> tuple[int, ...]:
        """The next `count` rows; each number is used once."""
        first = self.next_row
        self.next_row = first + count
        return tuple(range(first, first + count))

    # How the two sides are compared.

    def _refused(
        self, operation: Operation, expected: Refusal, call: Callable[..., object], arguments: tuple[object, ...]
    ) -> None:
        copies = self._copies
        before = self._copied(operation) if copies is not None else 0
        try:
            got = call(*arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if expected.value not in _names(error):
                _fail("refusal", operation, f"{operation}", expected.value, told(error))
        else:
            law = "admission" if expected is Refusal.OUT_OF_PAGES else "refusal"
            _fail(law, operation, f"{operation}", expected.value, f"it succeeded, with {shown(got)}")
        broken = self.views.compare(self.state, steady=self._since_check == 0, own_check=False)
        if broken is None and copies is not None:
            now = self._copied(operation)
            if now != before:
                broken = "economy", "copies()", f"{before}", f"{now}"
        if broken is not None:
            # Only when all was well just before is it known to be this operation that changed something.
            law = "unchanged-after-refusal" if self._since_check == 0 else broken[0]
            _fail(law, operation, *broken[1:])
        self._since_check = 0

    def _raised(self, operation: Operation, error: BaseException) -> NoReturn:
        """The target raised though the operation is possible."""
        names = _names(error)
        out_of_pages = Refusal.OUT_OF_PAGES.value in names
        _fail("admission" if out_of_pages else "refusal", operation, f"{operation}", "it succeeds", told(error))

    def _copied(self, operation: Operation) -> int:
        """What the target's copies() says, which must be an int."""
        assert self._copies is not None
        try:
            got = self._copies()
            number = got if type(got) is int else as_int(got)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            _fail("refusal", operation, "copies()", "an answer", told(error))
        if number is None:
            _fail("types", operation, "copies()", "an int", f"{shown(got)}, a {type(got).__name__}")
        return number

    def _compared(self, operation: Operation, expected: Any, got: object) -> Outcome:
        """Hold the answer to a question against the spec's. Laws: content, capacity, admission, types."""
        kind = operation.kind
        try:
            if kind == "rows":
                broken = compare_rows(f"{operation}", got, expected)
            elif kind == "table":
                broken = compare_shape(f"{operation}", got, expected)
            else:
                law = {"length": "content", "pages_held": "capacity", "pages_needed": "admission"}[kind]
                broken = compare_count(law, f"{operation}", got, expected)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an answer that raises when it is read
            self._raised(operation, error)
        if broken is not None:
            _fail(broken[0], operation, *broken[1:])
        return expected  # type: ignore[no-any-return]


def replay(factory: Factory, pages: int, page_size: int, operations: Iterable[Operation], every: int = 1) -> Lockstep:
    """Run operations on a new target, everything compared after every `every`-th one and at the end.

    Raises Violation at the first difference.
    """
    lockstep = start(factory, pages, page_size)
    for number, operation in enumerate(operations, 1):
        lockstep.run(operation)
        if number % every == 0:
            lockstep.check_all(operation)
    lockstep.check_all()
    return lockstep


def start(factory: Factory, pages: int, page_size: int, capabilities: frozenset[str] | None = None) -> Lockstep:
    """A new target in lockstep, its empty pool checked. Violation when the factory raises or makes no target.

    When `capabilities` are given, the new target must declare the same ones.
    """
    asked = f"factory({pages}, {page_size})"
    try:
        lockstep = Lockstep(factory(pages, page_size), pages, page_size)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        _fail("refusal", None, asked, "a new target", told(error))
    if capabilities is not None and lockstep.capabilities != capabilities:
        _fail("refusal", None, asked, f"capabilities {sorted(capabilities)}", f"{sorted(lockstep.capabilities)}")
    lockstep.check_all()
    return lockstep


def _appending(name: str, rows: tuple[int, ...]) -> Callable[[State], tuple[State, object]]:
    return lambda state: spec.append(state, name, rows)


def _trimming(name: str, keep_from: int) -> Callable[[State], tuple[State, object]]:
    return lambda state: spec.trim(state, name, keep_from)


def _summed(results: list[object] | Refusal) -> Refusal | Appended:
    """The appends of a batch as one."""
    if isinstance(results, Refusal):
        return results
    done = [result for result in results if isinstance(result, Appended)]
    return Appended(sum(one.taken for one in done), sum(one.copied for one in done))


def _names(error: BaseException) -> set[str]:
    return {kind.__name__ for kind in type(error).__mro__}


def _copied(count: int) -> str:
    return f"{count} pages copied"


def _fail(law: str, operation: Operation | None, asked: str, expected: str, got: str) -> NoReturn:
    """Raise a Violation: all on this one line, so that Hypothesis takes them for one failure, whatever the law."""
    raise Violation(law, operation, asked, expected, got)
