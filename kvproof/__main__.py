# SPDX-License-Identifier: Apache-2.0
"""`python -m kvproof` is the same as `kvproof`."""

import sys

from kvproof.cli import main

sys.exit(main())
