# SPDX-License-Identifier: Apache-2.0
"""Operations on the corners of a state: what is right by accident almost everywhere, and wrong only there.

Free drawing meets them about once in a thousand operations; so they are also offered on purpose.
"""

from spec import block_table as spec
from spec.block_table import Request, State
from spec.conformance import operations as make
from spec.conformance.operations import Operation


def corners(state: State) -> list[Operation]:
    """The operations on shared last pages and on holes that this state has; often none. O(requests · pages)."""
    found: list[Operation] = []
    for group in _sharing_the_last_page(state):
        found += _on_shared_page(state, group)
    for name, request in state.requests.items():
        if None in request.pages:
            found += _on_hole(state, str(name), request)
    return found


def _sharing_the_last_page(state: State) -> list[list[str]]:
    """Requests that have the same last page, two or more."""
    groups: dict[object, list[str]] = {}
    for name, request in state.requests.items():
        if request.pages and request.pages[-1] is not None:
            groups.setdefault(request.pages[-1], []).append(str(name))
    return [group for group in groups.values() if len(group) > 1]


def _on_shared_page(state: State, group: list[str]) -> list[Operation]:
    """All, all but one, or none of the owners write; all of them let go at once; one is cut off within the page."""
    name = group[0]
    rows = len(state.requests[name].rows)
    return [
        make.append_batch(group, [1] * len(group)),
        make.append_batch(group, [0, *[1] * (len(group) - 1)]),
        *_taking_every_page(state, group),
        make.append(name, 0),
        make.append(name, 1),
        make.trim_batch(group, [len(state.requests[one].rows) for one in group]),
        make.truncate(name, max(0, rows - 1)),
        make.truncate(name, rows),
    ]


def _taking_every_page(state: State, group: list[str]) -> list[Operation]:
    """All owners write, which copies the page for all but the last; that one takes the pages left, and one row more."""
    last = state.requests[group[-1]]
    room = -len(last.rows) % state.page_size
    left = len(spec.free_pages(state)) - (len(group) - 1)
    if room == 0 or left < 0:
        return []
    ones = [1] * (len(group) - 1)
    fits = room + left * state.page_size
    return [make.append_batch(group, [*ones, fits]), make.append_batch(group, [*ones, fits + 1])]


def _on_hole(state: State, name: str, request: Request) -> list[Operation]:
    """Read and cut at both ends of the hole, and one row to either side of each."""
    first, end = spec.hole(state, request)
    rows = len(request.rows)
    return [
        make.rows(name, end, rows),
        make.rows(name, end - 1, rows),
        make.rows(name, 0, first),
        make.rows(name, 0, first + 1),
        make.rows(name, end, end),
        make.truncate(name, end),
        make.truncate(name, end - 1),
        make.truncate(name, min(end + 1, rows)),
        make.truncate(name, first),
        make.truncate(name, first + 1),
    ]
