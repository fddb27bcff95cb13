# SPDX-License-Identifier: Apache-2.0
"""Mutation scores: how many small changes of `impl/` the tests notice.

`python -m kvproof.mutation` lets mutmut make every change that it can and run the tests that reach it (the selection in
`setup.cfg`), then reports. A change that no test notices is a survivor: either a test is missing, or the change makes
no difference and is listed, with evidence, in `tests/equivalent_mutants.toml`. Time-outs are no kills.
"""
