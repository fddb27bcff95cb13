# SPDX-License-Identifier: Apache-2.0
"""kvproof: a paged key/value cache, and the evidence that it is right."""

__version__ = "0.1.0"
