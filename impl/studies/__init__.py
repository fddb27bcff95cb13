# SPDX-License-Identifier: Apache-2.0
"""Examples and experiments on the cache. Each returns plain data; drawing and printing is for others."""
