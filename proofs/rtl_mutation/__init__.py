# SPDX-License-Identifier: Apache-2.0
"""The mutation score of the harnesses of the Verilog: mutants by yosys, tried by simulation, proofs and a miter."""
