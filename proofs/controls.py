# SPDX-License-Identifier: Apache-2.0
"""The wrong variants of the window theorems, each with the sentence that its counterexample fills in."""

from proofs import controls_pages, controls_steps
from proofs.variants import Wrong

CONTROLS: dict[str, tuple[Wrong, ...]] = {**controls_steps.CONTROLS, **controls_pages.CONTROLS}
