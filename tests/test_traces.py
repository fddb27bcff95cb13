# SPDX-License-Identifier: Apache-2.0
"""The trace readers: both formats, every kind of malformed line, and the embedded trace against its rule."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from hypothesis import example, given
from hypothesis import strategies as st

from impl.studies.example_b import request_lengths
from impl.studies.traces import MAX_LINE, MAX_TOKENS, TraceError, TraceReader, TraceRequest, open_trace
from kvproof.data import embedded_trace

JSON_LINE = '{"timestamp": 0, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1, 2]}'
CSV_HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens"
CSV_LINE = "2023-11-16 18:15:46.6805900,374,44"


def read(content: str | bytes, skip_bad: bool = False) -> list[TraceRequest]:
    return list(reader(content, skip_bad))


def reader(content: str | bytes, skip_bad: bool = False) -> TraceReader:
    return TraceReader(io.BytesIO(content.encode() if isinstance(content, str) else content), skip_bad)


def fault(content: str | bytes) -> TraceError:
    with pytest.raises(TraceError) as caught:
        read(content)
    return caught.value


def test_json_lines() -> None:
    assert read(JSON_LINE + "\n" + JSON_LINE.replace("6758", "7") + "\n") == [(6758, 500), (7, 500)]


def test_csv() -> None:
    assert read(f"{CSV_HEADER}\n{CSV_LINE}\nx,1,0\n") == [(374, 44), (1, 0)]


def test_the_format_is_told_from_the_content() -> None:
    for content, name in ((JSON_LINE, "JSON lines"), (f"{CSV_HEADER}\n{CSV_LINE}", "CSV")):
        trace = reader("\n\n" + content)
        assert trace.format is None
        assert len(list(trace)) == 1
        assert trace.format == name
        assert trace.line == 2 + len(content.splitlines())


@pytest.mark.parametrize("content", [JSON_LINE + "\n" + JSON_LINE, f"{CSV_HEADER}\n{CSV_LINE}\n{CSV_LINE}"])
def test_forms_that_are_read_like_the_plain_one(content: str) -> None:
    plain = read(content)
    assert len(plain) == 2
    assert read(content + "\n") == plain
    assert read("\ufeff" + content) == plain
    assert read(content.replace("\n", "\r\n") + "\r\n") == plain
    assert read(content.replace("\n", "\n\n  \n")) == plain


def test_further_fields_and_their_order_do_not_matter() -> None:
    assert read('{"output_length": 2, "input_length": 1, "user": {"a": [1]}}') == [(1, 2)]
    assert read("ContextTokens,GeneratedTokens\n1,2") == [(1, 2)]
    assert read('GeneratedTokens, Model ,ContextTokens\n2,"a, b",1') == [(1, 2)]


BAD_JSON = {
    "not JSON": ("{input_length: 1}", "not valid JSON"),
    "cut off": (JSON_LINE[:-1], "not valid JSON"),
    "two on a line": (JSON_LINE + JSON_LINE, "not valid JSON"),
    "array": ("[1, 2]", "not a JSON object"),
    "number": ("12", "not a JSON object"),
    "missing field": ('{"input_length": 1}', '"output_length" is missing'),
    "float": ('{"input_length": 1.0, "output_length": 1}', '"input_length" is not a whole number: 1.0'),
    "true": ('{"input_length": true, "output_length": 1}', '"input_length" is not a whole number: true'),
    "text": ('{"input_length": 1, "output_length": "1"}', '"output_length" is not a whole number: "1"'),
    "null": ('{"input_length": 1, "output_length": null}', '"output_length" is not a whole number: null'),
    "nested": ('{"input_length": [[1]], "output_length": 1}', "not a whole number: a JSON array"),
    "nested object": ('{"input_length": {"a": 1}, "output_length": 1}', "not a whole number: a JSON object"),
    "not a number": ('{"input_length": NaN, "output_length": 1}', "not a whole number: NaN"),
    "negative": ('{"input_length": 1, "output_length": -1}', "output_length is -1, allowed are 0 …"),
    "no prompt": ('{"input_length": 0, "output_length": 1}', "input_length is 0, allowed are 1 …"),
    "too large": (f'{{"input_length": {MAX_TOKENS + 1}, "output_length": 1}}', "input_length is 2147483648, allowed"),
    "enormous": (f'{{"input_length": {"9" * 5000}, "output_length": 1}}', "not valid JSON"),
    "bottomless": ("[" * 100_000, "not valid JSON"),
    "bad UTF-8": (b'{"input_length": 1, "output_length": 1, "\xff": 1}', "not UTF-8"),
    "CSV": (CSV_LINE, "not valid JSON"),
    "endless": ("{" + " " * MAX_LINE, "longer than 1,048,576 bytes"),
    "terminal codes": ("\x1b[31m{", "not valid JSON: ·[31m{"),
}

BAD_CSV = {
    "too few": ("2023,374", "2 columns where the header has 3"),
    "too many": ("2023,374,44,1", "4 columns where the header has 3"),
    "float": ("2023,374.0,44", "ContextTokens is not a whole number in range: '374.0'"),
    "exponent": ("2023,1e3,44", "ContextTokens is not a whole number in range"),
    "empty cell": ("2023,374,", "GeneratedTokens is not a whole number in range: ''"),
    "text": ("2023,374,many", "GeneratedTokens is not a whole number in range: 'many'"),
    "other digits": ("2023,374,٤٤", "GeneratedTokens is not a whole number in range"),
    "underscore": ("2023,3_74,44", "ContextTokens is not a whole number in range"),
    "enormous": (f"2023,{'9' * 5000},44", "ContextTokens is not a whole number in range"),
    "too large": (f"2023,374,{MAX_TOKENS + 1}", "GeneratedTokens is 2147483648, allowed are 0 … 2,147,483,647"),
    "negative": ("2023,-374,44", "ContextTokens is -374, allowed are 1 …"),
    "no prompt": ("2023,0,44", "ContextTokens is 0, allowed are 1 …"),
    "open quote": ('2023,"374,44', "not valid CSV"),
    "bad UTF-8": (b"\xff\xfe,374,44", "not UTF-8"),
    "JSON": (JSON_LINE, "columns where the header has 3"),
    "endless": ("1" * MAX_LINE + ",1,1", "longer than 1,048,576 bytes"),
    "old line ends": ("2023,1,1\r2023,1,1", "not valid CSV"),
}


def surrounded(bad: object, before: str, after: str) -> bytes:
    middle = bad if isinstance(bad, bytes) else str(bad).encode()
    return f"{before}\n".encode() + middle + f"\n{after}\n".encode()


def malformed() -> Iterator[ParameterSet]:
    for name, (bad, reason) in BAD_JSON.items():
        yield pytest.param(surrounded(bad, JSON_LINE, JSON_LINE), 2, reason, id=f"JSON, {name}")
    for name, (bad, reason) in BAD_CSV.items():
        yield pytest.param(surrounded(bad, f"{CSV_HEADER}\n{CSV_LINE}", CSV_LINE), 3, reason, id=f"CSV, {name}")


@pytest.mark.parametrize(("content", "line", "reason"), list(malformed()))
def test_a_malformed_line_is_refused_with_its_number_or_counted(content: bytes, line: int, reason: str) -> None:
    error = fault(content)
    assert error.line == line
    assert str(error).startswith(f"line {line}: ")
    assert reason in error.reason
    assert len(error.reason) < 200

    trace = reader(content, skip_bad=True)
    assert len(list(trace)) == 2
    assert (trace.skipped, trace.requests) == (1, 2)


def test_requests_before_a_malformed_line_are_handed_out() -> None:
    requests = iter(reader(JSON_LINE + "\n{"))
    assert next(requests) == (6758, 500)
    with pytest.raises(TraceError, match=r"^line 2: "):
        next(requests)


def test_a_malformed_line_is_refused_unless_it_is_to_be_skipped() -> None:
    with pytest.raises(TraceError, match=r"^line 1: not UTF-8 text$"):
        list(TraceReader(io.BytesIO(b"\xff")))


def test_every_malformed_line_is_counted() -> None:
    trace = reader(f"{CSV_HEADER}\n1,2\n{CSV_LINE}\n1\n\n1,2,3,4", skip_bad=True)
    assert list(trace) == [(374, 44)]
    assert (trace.skipped, trace.line) == (3, 6)


@pytest.mark.parametrize("length", [MAX_LINE, MAX_LINE + 1, MAX_LINE + 2, 2 * MAX_LINE + 2, 3 * MAX_LINE])
def test_a_line_that_is_too_long_ends_where_it_ends(length: int) -> None:
    trace = reader(JSON_LINE + "\n" + " " * length + "\n" + JSON_LINE, skip_bad=True)
    assert list(trace) == [(6758, 500)] * 2
    assert (trace.skipped, trace.line) == (1, 3)


def test_a_message_shows_so_much_of_a_line() -> None:
    assert fault("x" * 60).reason.endswith(": " + "x" * 60)
    assert fault("x" * 61).reason.endswith(": " + "x" * 57 + "…")


def test_a_line_is_never_asked_for_whole() -> None:
    class Sized(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            assert size == MAX_LINE + 1
            return super().readline(size)

    assert list(TraceReader(Sized(JSON_LINE.encode()))) == [(6758, 500)]


def test_the_bounds_themselves_are_read() -> None:
    assert read(f"{CSV_HEADER}\n0,{MAX_TOKENS},{MAX_TOKENS}") == [(MAX_TOKENS, MAX_TOKENS)]
    padding = " " * (MAX_LINE - len(JSON_LINE) - 1)
    assert read(JSON_LINE + padding + "\n" + JSON_LINE) == [(6758, 500)] * 2


@pytest.mark.parametrize("content", ["", b"\xef\xbb\xbf"])
def test_an_empty_trace(content: str | bytes) -> None:
    assert fault(content).line == 0


def test_a_trace_without_requests() -> None:
    assert str(fault("")) == "is empty"
    assert str(fault("\n \n")) == "holds no request"
    assert str(fault(CSV_HEADER)) == "holds no request"
    with pytest.raises(TraceError, match=r"^holds no request$"):
        read("rubbish\nmore rubbish", skip_bad=True)


def test_a_first_line_that_is_neither_format() -> None:
    error = fault("a,b,c\n1,2,3")
    expected = "line 1: neither a JSON object nor a CSV header with ContextTokens and GeneratedTokens: a,b,c"
    assert str(error) == expected
    assert fault(CSV_LINE).line == 1
    trace = reader(f"# a comment\n{CSV_HEADER}\n{CSV_LINE}", skip_bad=True)
    assert (list(trace), trace.skipped) == ([(374, 44)], 1)


def test_what_is_no_readable_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.csv"):
        with pytest.raises(TraceError, match=r"^cannot be read: ") as caught:
            open_trace(path)
        assert caught.value.line == 0
    (tmp_path / "trace").write_text(JSON_LINE)
    with open_trace(tmp_path / "trace") as stream:
        assert list(TraceReader(stream)) == [(6758, 500)]


def test_a_stream_that_breaks_off() -> None:
    class Broken(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            line = super().readline(-1 if size is None else size)
            if line:
                return line
            raise OSError(5, "Input/output error")

    broken = TraceReader(Broken(JSON_LINE.encode()), skip_bad=True)
    with pytest.raises(TraceError, match=r"^cannot be read after line 1: Input/output error$"):
        list(broken)


@given(st.binary(max_size=200), st.booleans())
@example(b"\x00", True)
def test_any_bytes_are_read_or_refused(content: bytes, skip_bad: bool) -> None:
    for start in (b"", (CSV_HEADER + "\n").encode(), (JSON_LINE + "\n").encode()):
        line = 0
        try:
            assert all(request.prompt >= 1 and request.output >= 0 for request in reader(start + content, skip_bad))
        except TraceError as error:
            line = error.line
        assert not (skip_bad and line)


@given(st.lists(st.tuples(st.integers(1, MAX_TOKENS), st.integers(0, MAX_TOKENS)), min_size=1, max_size=10))
def test_both_formats_give_back_what_was_written(requests: list[tuple[int, int]]) -> None:
    lines = [json.dumps({"input_length": prompt, "output_length": output}) for prompt, output in requests]
    assert read("\n".join(lines)) == requests
    lines = [f"{number},{prompt},{output}" for number, (prompt, output) in enumerate(requests)]
    assert read("\n".join([CSV_HEADER, *lines])) == requests


def test_the_embedded_trace_holds_the_lengths_of_example_b() -> None:
    with embedded_trace().open("rb") as stream:
        requests = list(TraceReader(stream))
    assert requests == [(length - length // 4, length // 4) for length in request_lengths()]


def test_a_broken_first_line_decides_nothing() -> None:
    assert read("{broken\n" + f"{CSV_HEADER}\n{CSV_LINE}\n", skip_bad=True) == [(374, 44)]


def test_a_column_is_named_once() -> None:
    error = fault("\nContextTokens,GeneratedTokens,ContextTokens\n1,2,3\n")
    assert str(error) == "line 2: the header names ContextTokens more than once"
    assert error.line == 2
