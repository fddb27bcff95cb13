# SPDX-License-Identifier: Apache-2.0
"""What `kvproof bench` measures: the list of cases.

Pages are of 16 rows throughout. The yardstick is `kvproof.targets.plain`, which also stores the row it is given; our
page table is bookkeeping alone, its rows are stored by the pool, whose speed is the gather.
"""

from kvproof.bench import decode, exports, gather, pools, requests
from kvproof.bench.case import Case


def cases(only: str | None = None) -> list[Case]:
    """Every case, or those of one group."""
    found = [*decode.CASES, *requests.CASES, *gather.CASES, *exports.CASES, *pools.CASES]
    return [case for case in found if only in (None, case.group)]
