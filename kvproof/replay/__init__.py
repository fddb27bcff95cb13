# SPDX-License-Identifier: Apache-2.0
"""The replay of traces as a command runs it: on the page table alone, or on a whole cache in lockstep with the spec."""
