# SPDX-License-Identifier: Apache-2.0
"""A page table for the replay loop that is a cache in lockstep with the spec."""

from typing import Any

from impl.errors import OutOfPages
from impl.studies.replay import Ints
from spec import block_table as spec
from spec.block_table import Refusal
from spec.conformance import operations as ops
from spec.conformance.lockstep import start
from spec.conformance.operations import Operation
from spec.conformance.target import Factory
from spec.conformance.views import compare_count
from spec.conformance.violation import Violation


class HeldTable:
    """Stands in for a page table: every operation of the loop goes to the target made by `factory` and to the spec.

    Every row has content of its own. After each operation the refusal, and of every request that it touched the length
    and the pages held are compared, and the pages that it wrote are read back; so is the number of free pages each time
    the loop asks for it. Everything visible is compared after every `every`-th operation, after every refusal and in
    `check()`. Raises Violation at the first difference.

    An operation costs O(pages of the pool + rows of the requests it touches), a comparison of everything O(pool).
    """

    def __init__(self, factory: Factory, pages: int, page_size: int, every: int) -> None:
        self.operations = 0
        self.every = every
        self._lockstep = start(factory, pages, page_size)
        self._target: Any = self._lockstep.target
        self._page_size = page_size
        self._opened = 0
        self._last: Operation | None = None
        self._free: int | None = None

    @property
    def free_count(self) -> int:
        """The free pages of the target, which are as many as those of the spec."""
        if self._free is None:
            free = len(spec.free_pages(self._lockstep.state))
            broken = compare_count("free-pages", "free_pages()", self._target.free_pages(), free)
            if broken is not None:
                raise Violation(broken[0], self._last, *broken[1:])
            self._free = free
        return self._free

    def open(self, sinks: int = 0) -> int:
        """Start a request; its handle is its number."""
        handle = self._opened
        self._opened += 1
        self._run(ops.new(_name(handle), sinks))
        return handle

    def append(self, handle: int, n: int) -> None:
        """Write n rows at the end of one request; OutOfPages when both sides refuse."""
        self._run(ops.append(_name(handle), n))
        self._look_at(handle, n)
        self._check_in_turn()

    def append_batch(self, handles: Ints, counts: Ints) -> None:
        """Write rows at the end of several requests, in order, all or nothing; OutOfPages when both sides refuse."""
        requests, rows = handles.tolist(), counts.tolist()
        self._run(ops.append_batch([_name(handle) for handle in requests], rows))
        for handle, n in zip(requests, rows, strict=True):
            self._look_at(handle, n)
        self._check_in_turn()

    def trim(self, handle: int, keep: int) -> None:
        """Release the whole pages before row `keep`."""
        self._run(ops.trim(_name(handle), keep))
        self._look_at(handle, 0)
        self._check_in_turn()

    def trim_batch(self, handles: Ints, keeps: Ints) -> None:
        """Trim several requests, in order."""
        requests = handles.tolist()
        self._run(ops.trim_batch([_name(handle) for handle in requests], keeps.tolist()))
        for handle in requests:
            self._look_at(handle, 0)
        self._check_in_turn()

    def close(self, handle: int) -> None:
        """End a request."""
        self._run(ops.release(_name(handle)))
        self._check_in_turn()

    def check(self) -> None:
        """Compare everything visible, and let the target check itself."""
        self._lockstep.check_all(self._last)

    def _run(self, operation: Operation) -> None:
        self._last = operation
        self._free = None
        self.operations += 1
        if self._lockstep.run(operation) is Refusal.OUT_OF_PAGES:
            raise OutOfPages(f"{operation}: refused by the cache and by the spec")

    def _look_at(self, handle: int, written: int) -> None:
        """Compare the length and the pages held, and read back the pages of the last `written` rows."""
        name = _name(handle)
        lockstep = self._lockstep
        lockstep.run(ops.length(name))
        lockstep.run(ops.pages_held(name))
        if written:
            length = len(lockstep.state.requests[name].rows)
            first_written = length - written
            lockstep.run(ops.rows(name, first_written - first_written % self._page_size, length))

    def _check_in_turn(self) -> None:
        if self.operations % self.every == 0:
            self.check()


def _name(handle: int) -> str:
    return f"r{handle}"
