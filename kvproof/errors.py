# SPDX-License-Identifier: Apache-2.0
"""What a command raises to stop with a message instead of a traceback."""


class UsageError(Exception):
    """What was asked for cannot be done: the message says what and what to do instead. Exit status 2."""
