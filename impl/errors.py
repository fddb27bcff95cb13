# SPDX-License-Identifier: Apache-2.0
"""The refusals of the cache as typed errors. Each message says what was asked, what is allowed and what to do.

An operation that raises one of these has changed nothing. The names are those of the spec's refusals; when several
apply, the order of the classes in this file is the order of precedence.
"""


class CacheError(Exception):
    """Base of every refusal."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class UnknownRequest(CacheError, KeyError):
    """No live request has this id or handle."""


class RequestExists(CacheError, ValueError):
    """The id is already in use."""


class BadArgument(CacheError, ValueError):
    """A number is out of its range or is no integer."""


class RowsReleased(CacheError, LookupError):
    """The rows asked for were trimmed away and cannot come back."""


class OutOfPages(CacheError, RuntimeError):
    """The operation needs more pages than are free."""
