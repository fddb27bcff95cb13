# SPDX-License-Identifier: Apache-2.0
"""The tiny language model: float reference, calibration, quantisation."""
