# SPDX-License-Identifier: Apache-2.0
"""Files that a user names: that they can be written is found out before the work, and they are written whole."""

import argparse
import errno
import json
import os
import tempfile
from pathlib import Path


def output_file(text: str) -> Path:
    """A file to write, its folder made when it is not there. ArgumentTypeError when it cannot be written."""
    path = Path(text)
    if not text or path.is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is a folder; give the name of a file")
    if _special(path):
        return path
    _try_out(Path(os.path.realpath(path)).parent, text)
    return path


def output_folder(text: str) -> Path:
    """A folder to write into, made when it is not there. ArgumentTypeError when nothing can be written into it."""
    _try_out(Path(text), text)
    return Path(text)


def write_json(path: Path, data: object) -> None:
    """Write JSON to a file that is either the old one or the whole new one. Raises OSError."""
    write(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def write(path: Path, text: str) -> None:
    """Write a file that is either the old one or the whole new one. Raises OSError, which names the path given.

    What is no regular file, /dev/stdout or a pipe, is written to and not replaced; of a link what it leads to is.
    """
    if _special(path):
        path.write_text(text, encoding="utf-8")
        return
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _special(path: Path) -> bool:
    """Whether there is something else than a file or a folder, or it is an open file of this process."""
    opened = path.absolute().parts[1:3] in (("dev", "stdout"), ("dev", "stderr"), ("dev", "fd"))
    return path.exists() and not path.is_dir() and (opened or not path.is_file())


def _try_out(folder: Path, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot write '{text}': {error.strerror}") from None
