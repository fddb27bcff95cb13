# SPDX-License-Identifier: Apache-2.0
"""Files that a command writes: whole or not at all, and known to be writable before the work starts.

A file is written beside its target under another name and put in its place in one step, so that a reader, a crash or a
full disk never leaves half a file. What is no regular file (a pipe, a device) is written to directly.
"""

import json
import os
from pathlib import Path
from typing import Any

from kvproof.errors import UsageError

_STREAMS = {("dev", name) for name in ("fd", "stdin", "stdout", "stderr")}


def writable(path: Path) -> Path:
    """`path` itself when a file can be written there; UsageError otherwise. Leaves nothing behind."""
    if str(path) == "-":
        raise UsageError("cannot write '-': give the name of a file, or /dev/stdout for the standard output")
    try:
        if _is_special(path):
            return path
        if path.is_dir():
            raise UsageError(f"cannot write '{path}': it is a folder; give the name of a file")
        if not _real(path).parent.is_dir():
            raise UsageError(f"cannot write '{path}': there is no folder '{_real(path).parent}'")
        if path.exists():
            os.close(os.open(path, os.O_WRONLY))
        temporary = _beside(path)
        os.close(_create(temporary))
        temporary.unlink()
    except OSError as error:
        raise _failed(path, error) from None
    return path


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8; see `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all. UsageError when it cannot be written."""
    writable(path)
    if _is_special(path):
        try:
            path.write_bytes(data)
        except OSError as error:
            raise _failed(path, error) from None
        return
    temporary = _beside(path)
    try:
        with os.fdopen(_create(temporary), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(_real(path))
    except OSError as error:
        raise _failed(path, error) from None
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, data: Any) -> None:
    """Write plain data as JSON with a line end; see `write_text`."""
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def _is_special(path: Path) -> bool:
    """Whether `path` exists and is no regular file, or names an open file of this process, as /dev/stdout does."""
    if not path.exists() or path.is_dir():
        return False
    whole = path.absolute()
    return not path.is_file() or whole.parts[1] == "proc" or whole.parts[1:3] in _STREAMS


def _real(path: Path) -> Path:
    """The file itself where `path` is a link to it."""
    return Path(os.path.realpath(path))


def _beside(path: Path) -> Path:
    return _real(path).with_name(f".kvproof-{os.getpid()}.tmp")


def _create(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)


def _failed(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write '{path}': {error.strerror}")
