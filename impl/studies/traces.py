# SPDX-License-Identifier: Apache-2.0
"""Real request traces, read one line at a time.

Two formats, told apart by their content:

* JSON lines as Mooncake publishes them: one object a line with `input_length` and `output_length`;
* CSV as Azure publishes it: a header that names `ContextTokens` and `GeneratedTokens`, then one request a line.

Only the two lengths are read: the timestamp, the prefix hashes and any further field are ignored, and may be missing
from JSON. Blank lines, a byte order mark and either kind of line end are fine. Everything else that is not a request is
a malformed line: it is refused with its number, or counted and passed over.
"""

import csv
import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

MAX_TOKENS = 2**31 - 1
"""Longest prompt and longest output that are believed: far beyond any model, and sums of them stay in 64 bits."""

MAX_LINE = 1 << 20
"""Longest line in bytes, so that a file without line ends is refused instead of read into memory."""

JSON, CSV = "JSON lines", "CSV"
JSON_FIELDS = ("input_length", "output_length")
CSV_FIELDS = ("ContextTokens", "GeneratedTokens")
_DIGITS = re.compile(r"[0-9]{1,18}\Z")


class TraceRequest(NamedTuple):
    """One request of a trace, in tokens: `prompt` ≥ 1 that it comes with, `output` ≥ 0 that it is answered with."""

    prompt: int
    output: int


class TraceError(ValueError):
    """A trace that cannot be read. `line` counts from 1; it is 0 when the fault is in no one line."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.line = line


class TraceReader:
    """The requests of one trace, in order. Iterate over it once; nothing but the current line is held in memory.

    `stream` yields bytes (a file opened with "rb", or standard input). With `skip_bad` malformed lines are counted in
    `skipped` and passed over, without it the first one raises TraceError; so does a trace without a single request.
    `line` is the number of lines read so far, `format` what the content turned out to be: `JSON` or `CSV`, None before
    the first line that tells.
    """

    def __init__(self, stream: IO[bytes], skip_bad: bool = False) -> None:
        self.skipped = 0
        self.requests = 0
        self.line = 0
        self.format: str | None = None
        self._stream = stream
        self._skip_bad = skip_bad
        self._columns: list[str] | None = None

    def __iter__(self) -> Iterator[TraceRequest]:
        for raw in self._lines():
            try:
                request = self._parse(raw)
            except TraceError:
                if not self._skip_bad:
                    raise
                self.skipped += 1
                continue
            if request is not None:
                self.requests += 1
                yield request
        if self.requests == 0:
            raise TraceError("holds no request" if self.line else "is empty")

    def _lines(self) -> Iterator[bytes]:
        """The lines with their ends; one that is too long comes back cut, one byte above the limit."""
        starts = True
        while raw := self._read():
            if starts:
                self.line += 1
                yield raw
            starts = raw.endswith(b"\n")

    def _read(self) -> bytes:
        try:
            return self._stream.readline(MAX_LINE + 1)
        except OSError as error:
            raise TraceError(f"cannot be read after line {self.line}: {error.strerror}") from None

    def _parse(self, raw: bytes) -> TraceRequest | None:
        """The request of one line, None for a blank line and the CSV header."""
        if len(raw) > MAX_LINE:
            raise TraceError(f"longer than {MAX_LINE:,} bytes", self.line)
        try:
            text = raw.removeprefix(BOM_UTF8).decode().strip()
        except UnicodeDecodeError:
            raise TraceError("not UTF-8 text", self.line) from None
        if not text:
            return None
        if self.format == JSON or (self.format is None and text.startswith("{")):
            return self._from_json(text)
        return self._from_csv(text)

    def _from_json(self, text: str) -> TraceRequest:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise TraceError(f"not valid JSON: {_shown(text)}", self.line) from None
        if not isinstance(value, dict):
            raise TraceError(f"not a JSON object: {_shown(text)}", self.line)
        self.format = JSON
        for field in JSON_FIELDS:
            if field not in value:
                raise TraceError(f'the field "{field}" is missing', self.line)
            if type(value[field]) is not int:
                raise TraceError(f'"{field}" is not a whole number: {_named(value[field])}', self.line)
        return self._checked(JSON_FIELDS, value[JSON_FIELDS[0]], value[JSON_FIELDS[1]])

    def _from_csv(self, text: str) -> TraceRequest | None:
        try:
            cells = [cell.strip() for cell in next(csv.reader([text], strict=True))]
        except csv.Error as error:
            raise TraceError(f"not valid CSV ({error}): {_shown(text)}", self.line) from None
        if self._columns is None:
            if not set(CSV_FIELDS) <= set(cells):
                raise TraceError(
                    f"neither a JSON object nor a CSV header with {' and '.join(CSV_FIELDS)}: {_shown(text)}", self.line
                )
            for field in CSV_FIELDS:
                if cells.count(field) > 1:
                    raise TraceError(f"the header names {field} more than once", self.line)
            self._columns, self.format = cells, CSV
            return None
        if len(cells) != len(self._columns):
            raise TraceError(f"{len(cells)} columns where the header has {len(self._columns)}", self.line)
        named = {field: cells[self._columns.index(field)] for field in CSV_FIELDS}
        for field, cell in named.items():
            if not _DIGITS.match(cell.removeprefix("-")):
                raise TraceError(f"{field} is not a whole number in range: {_shown(cell)!r}", self.line)
        prompt, output = map(int, named.values())
        return self._checked(CSV_FIELDS, prompt, output)

    def _checked(self, fields: tuple[str, str], prompt: int, output: int) -> TraceRequest:
        for field, value, least in ((fields[0], prompt, 1), (fields[1], output, 0)):
            if not least <= value <= MAX_TOKENS:
                raise TraceError(f"{field} is {_shown(str(value))}, allowed are {least} … {MAX_TOKENS:,}", self.line)
        return TraceRequest(prompt, output)


def open_trace(path: Path) -> IO[bytes]:
    """The file at `path`, to be closed by the caller; TraceError when there is none or it is no file."""
    try:
        return path.open("rb")
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror}") from None


def _named(value: object) -> str:
    """A JSON value in a message: itself when it is short by nature, else its kind."""
    if isinstance(value, (str, float, bool)) or value is None:
        return _shown(json.dumps(value))
    return f"a JSON {'object' if isinstance(value, dict) else 'array'}"


def _shown(text: str) -> str:
    """At most 60 characters of a line that goes into a message, with nothing in them that a terminal would act on."""
    cut = text if len(text) <= 60 else text[:57] + "…"
    return "".join(character if character.isprintable() else "·" for character in cut)
