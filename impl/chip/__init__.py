# SPDX-License-Identifier: Apache-2.0
"""The chip: instruction set, compiler, cycle costs, bit- and cycle-exact model, co-simulation."""
