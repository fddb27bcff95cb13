# SPDX-License-Identifier: Apache-2.0
"""The checks of `kvproof verify`, in the order of the screen."""

from kvproof.verify.rows import Check

CHECKS: tuple[Check, ...] = ()
