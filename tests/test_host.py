# SPDX-License-Identifier: Apache-2.0
"""The host: paged rows against plain ones, integer by integer, and the pages and programs against the formulas."""

import json
from collections.abc import Hashable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl import window as formulas
from impl.cache import PagedCache
from impl.chip.config import DEFAULT, SMALL
from impl.chip.decode import decode_inputs
from impl.chip.integers import requant
from impl.chip.place import CompileError
from impl.errors import BadArgument, OutOfPages
from impl.host import ROW, ChipError, Host, PlainRows, Programs, Step
from impl.lm.model import random_model, structured, successor
from impl.lm.quantise import Quantised, quantise
from impl.lm.reference import float_forced

RECORDED = json.loads((Path(__file__).parent / "data" / "decode_pages.json").read_text())
PAIRS = [(None, 4), (8, 4), (6, 2), (4, 4), (3, 1)]


@cache
def model(seed: int, window: int | None) -> Quantised:
    """A random model, quantised over few steps."""
    return quantise(random_model(seed), window, 8)


def paged(window: int | None, page: int, pages: int = 64, seed: int = 0) -> Host:
    """A host of a random model over a pool."""
    return Host(Programs(model(seed, window)), PagedCache(pages, page, ROW, np.int8), window)


def plain(window: int | None, seed: int = 0) -> Host:
    """The same over lists."""
    return Host(Programs(model(seed, window)), PlainRows(), window)


def compare(window: int | None, page: int, steps: int, seed: int = 0) -> None:
    """Identical integers, and the exact number of pages, at every step of one request."""
    one, other = paged(window, page, seed=seed), plain(window, seed)
    for host in (one, other):
        host.rows.new("r")
    token = seed % 16
    for number in range(1, steps + 1):
        step = one.step("r", token)
        assert step.integers() == other.step("r", token).integers()
        reach = formulas.window_or_all(window, number)
        assert step.number == number
        assert step.context == min(number, reach)
        assert step.pages == formulas.pages_in_use(number, reach, page)
        assert step.pages <= step.most_pages <= formulas.peak_pages(reach, page)
        assert step.pages_left == formulas.pages_in_use(number + 1, formulas.window_or_all(window, number), page)
        token = step.following
    assert len(one.programs) == len(other.programs) == formulas.programs(steps, window or steps)


@pytest.mark.parametrize(("window", "page"), PAIRS)
def test_paged_equals_plain(window: int | None, page: int) -> None:
    for seed in range(3):
        compare(window, page, 24, seed)


def test_a_cache_of_wider_rows_will_do() -> None:
    """Also one whose type of rows was not chosen: int64."""
    streams = []
    for rows in (PagedCache(8, 4, ROW, np.int8), PagedCache(8, 4, ROW), PagedCache(8, 4, ROW, np.float32)):
        host = Host(Programs(quantise(random_model(0), 4)), rows, 4)
        host.rows.new("r")
        streams.append([step.integers() for step in host.forced("r", range(6))])
    assert streams == [streams[0]] * 3


@given(st.one_of(st.none(), st.integers(1, 20)), st.integers(1, 20), st.integers(1, 24), st.integers(0, 3))
def test_paged_equals_plain_for_any_window_and_page(window: int | None, page: int, steps: int, seed: int) -> None:
    compare(window, page, steps, seed)


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: f"W={recorded['window']}")
def test_the_recorded_pages_and_the_structured_model(recorded: dict[str, object]) -> None:
    window, page, count = recorded["window"], recorded["page"], recorded["steps"]
    assert isinstance(page, int)
    assert isinstance(count, int)
    assert window is None or isinstance(window, int)
    host = Host(Programs(quantise(structured(), window)), PagedCache(8, page, ROW, np.int8), window)
    host.rows.new("r")
    steps = host.greedy("r", 0, count)
    computed = {
        "window": window,
        "page": page,
        "steps": len(steps),
        "pages_in_use_before_step": [step.pages for step in steps],
        "pages_at_end": steps[-1].pages_left,
        "peak": max(step.pages_left for step in steps),
        "programs": len(host.programs),
    }
    assert computed == recorded
    for step in steps:
        assert step.following == successor(step.token)
    cycles = [step.result.counters.values() for step in steps]
    flat = len(steps) if window is None else window
    assert len(set(cycles[:flat])) == flat
    assert len(set(cycles[flat - 1 :])) == 1


def test_pages_by_hand() -> None:
    """W = 4, P = 2, so the pages when steps 1 … 8 start hold rows –, 0, 0–1, 0–2, 1–3, 2–4, 3–5, 4–6."""
    host = paged(4, 2)
    host.rows.new("r")
    steps = host.greedy("r", 0, 8)
    assert [step.pages for step in steps] == [0, 1, 1, 2, 2, 2, 2, 2]
    assert [step.most_pages for step in steps] == [1, 1, 2, 2, 3, 2, 3, 2]


def test_rows_hold_the_key_and_then_the_value() -> None:
    """Of the token alone, so computed here without the chip; float logits say that neither is taken for the other."""
    int8, reference = model(1, 4), float_forced(random_model(1), range(16), 4)
    host = paged(4, 2, seed=1)
    host.rows.new("r")
    for step, real in zip(host.forced("r", range(16)), reference, strict=True):
        x = int8.embedding[step.token].astype(np.int64)
        for row, matrix, scale in zip(step.row, (int8.key, int8.value), (int8.to_key, int8.to_value), strict=True):
            assert row.tolist() == requant(x @ matrix, scale.multiplier, scale.shift).tolist()
        error = np.array(step.logits) * int8.logit_unit - real.logits
        assert np.linalg.norm(error) < 0.15 * np.linalg.norm(real.logits)


def test_a_program_is_compiled_once() -> None:
    programs = Programs(model(0, 4))
    assert programs[3] is programs[3]
    assert programs[2] is not programs[3]
    assert len(programs) == 2


def decoded(host: Host, prompt: list[int], count: int, steps: int) -> dict[Hashable, list[Step]]:
    """A prompt, `count` forks of it that go on with tokens of their own, the base released; turn by turn."""
    host.rows.new("base")
    host.forced("base", prompt)
    for request in range(count):
        host.rows.fork("base", request)
    host.rows.release("base")
    streams = host.turns({request: request for request in range(count)}, steps)
    assert not any(stream.error for stream in streams.values())
    return {request: stream.steps for request, stream in streams.items()}


@given(st.one_of(st.none(), st.integers(1, 12)), st.integers(1, 8), st.integers(0, 10), st.integers(1, 4))
def test_a_batch_with_a_shared_prompt_equals_plain_and_each_on_its_own(
    window: int | None, page: int, prompt: int, count: int
) -> None:
    tokens = [(7 * at + 2) % 16 for at in range(prompt)]
    host = paged(window, page)
    together = decoded(host, tokens, count, 6)
    lists = decoded(plain(window), tokens, count, 6)
    assert isinstance(host.rows, PagedCache)
    host.rows.check()
    for request, steps in together.items():
        alone = plain(window)
        alone.rows.new("r")
        alone.forced("r", tokens)
        expected = [step.integers() for step in alone.greedy("r", int(str(request)), 6)]
        assert [step.integers() for step in steps] == expected
        assert [step.integers() for step in lists[request]] == expected
        for step in steps:
            assert step.pages == formulas.pages_in_use(step.number, formulas.window_or_all(window, step.number), page)
        host.rows.release(request)
    assert host.rows.free_pages() == 64


def test_a_shared_prompt_is_stored_once_and_its_tail_copied() -> None:
    """A prompt of 6 rows in pages of 4 and 3 forks: 1 page shared, 3 own tails, of which the last owner copies none."""
    host = paged(None, 4)
    cache = host.rows
    assert isinstance(cache, PagedCache)
    decoded(host, [1, 2, 3, 4, 5, 6], 3, 2)
    assert cache.copies() == 2
    assert 64 - cache.free_pages() == 1 + 3


def test_a_request_that_runs_out_of_pages_ends_and_the_others_go_on() -> None:
    """3 pages of 4 rows for two requests: at row 8 the first takes the last page, and the second's end frees two."""
    host, roomy = paged(None, 4, pages=3), paged(None, 4)
    for each in (host, roomy):
        each.rows.new("a")
        each.rows.new("b")
    streams, expected = (each.turns({"a": 1, "b": 2}, 12) for each in (host, roomy))
    assert streams["a"].error == ""
    assert [step.integers() for step in streams["a"].steps] == [step.integers() for step in expected["a"].steps]
    assert len(streams["b"].steps) == 4
    assert "request 'b' ended after 4 steps: " in streams["b"].error
    assert "page" in streams["b"].error
    assert isinstance(host.rows, PagedCache)
    host.rows.check()
    assert host.rows.free_pages() == 0
    with pytest.raises(KeyError):
        host.rows.length("b")


def test_a_step_without_a_page_changes_nothing() -> None:
    host = paged(None, 2, pages=1)
    cache = host.rows
    assert isinstance(cache, PagedCache)
    cache.new("r")
    host.greedy("r", 3, 2)
    before = cache.snapshot()
    with pytest.raises(OutOfPages):
        host.step("r", 5)
    assert cache.snapshot() == before


def test_a_context_beyond_the_chip_is_refused() -> None:
    host = plain(None)
    host.rows.new("r")
    host.forced("r", [0] * DEFAULT.max_context)
    with pytest.raises(CompileError, match="softmax"):
        host.step("r", 0)
    assert host.rows.length("r") == DEFAULT.max_context


def test_an_error_of_the_chip_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chip with fewer rows than the program was compiled for."""
    from impl.chip import machine

    host = plain(None)
    host.rows.new("r")
    monkeypatch.setattr("impl.host.run", lambda image, config: machine.run(image[:400], SMALL))
    with pytest.raises(ChipError, match="step 1 of request 'r': instruction"):
        host.step("r", 0)


def test_the_chip_may_be_smaller_than_it_is() -> None:
    """The same integers on a chip with a smaller external memory; the programs say how many words they move."""
    from dataclasses import replace

    programs = Programs(model(0, None), replace(DEFAULT, external_words=700))
    host, usual = Host(programs, PlainRows()), plain(None)
    for each in (host, usual):
        each.rows.new("r")
    steps = host.greedy("r", 0, 4)
    assert [step.integers() for step in steps] == [step.integers() for step in usual.greedy("r", 0, 4)]
    assert [step.data_words for step in steps] == [337 + 8 * at for at in range(4)]


def test_a_window_of_any_integer_kind() -> None:
    programs = Programs(model(0, 2))
    host = Host(programs, PlainRows(), np.uint8(2))  # type: ignore[arg-type]
    assert type(host.window) is int
    for wrong in (0, -1, 2.0, True):
        with pytest.raises(BadArgument, match="the window"):
            Host(programs, PlainRows(), wrong)  # type: ignore[arg-type]


def test_requests_behind_one_that_has_ended_go_on() -> None:
    """Four pages of one row: in turn 2 a takes the last and c gets that of b, in turn 3 c gets one of a."""
    host = paged(None, 1, pages=4)
    for name in "abc":
        host.rows.new(name)
    streams = host.turns({"a": 1, "b": 2, "c": 3}, 3)
    assert {name: len(stream.steps) for name, stream in streams.items()} == {"a": 2, "b": 1, "c": 3}
    assert [name for name, stream in streams.items() if stream.error] == ["a", "b"]


def test_a_greedy_step_goes_on_with_the_token_of_the_one_before() -> None:
    host = plain(4, seed=3)
    for name in "ab":
        host.rows.new(name)
    alone = host.greedy("a", 1, 6)
    turns = host.turns({"b": 1}, 6)["b"].steps
    for steps in (alone, turns):
        assert [step.token for step in steps] == [1, *(step.following for step in steps[:-1])]
        assert len({step.token for step in steps}) > 2


def test_rows_in_lists() -> None:
    rows = PlainRows()
    rows.new("a")
    assert (rows.rows("a", 0, 0).shape, rows.rows("a", 0, 0).dtype) == ((0, *ROW), np.dtype(np.int8))
    first, second = (np.full((1, *ROW), number, dtype=np.int8) for number in (1, 2))
    rows.append("a", first)
    rows.fork("a", "b")
    rows.append("b", second)
    rows.append("a", -second)
    assert (rows.length("a"), rows.length("b")) == (2, 2)
    assert np.array_equal(rows.rows("b", 0, 2), np.concatenate((first, second)))
    assert np.array_equal(rows.rows("a", 1, 2), -second)
    assert rows.rows("a", 0, 2).dtype == np.int8
    rows.trim("a", 2)
    assert np.array_equal(rows.rows("a", 0, 1), first)
    assert rows.pages_held("a") == 0
    rows.release("a")
    with pytest.raises(KeyError):
        rows.length("a")


def test_a_step_tells_what_the_chip_started_from_and_gave_back() -> None:
    host = plain(3, seed=2)
    host.rows.new("r")
    step = host.forced("r", [5, 6])[1]
    program = host.programs[2]
    cached = host.rows.rows("r", 0, 1)
    started = program.image(decode_inputs(host.programs.model, 6, cached[:, 0], cached[:, 1]))
    assert np.array_equal(step.image, started)
    assert step.data_words == program.data_words
    assert np.array_equal(step.row, host.rows.rows("r", 1, 2)[0])
    row = tuple(int(number) for vector in step.row for number in vector)
    assert step.integers() == (2, 2, 6, step.following, step.logits, row)
    assert step.logits == tuple(program.output(step.result.memory, "logits").tolist())
    assert (step.pages, step.most_pages, step.pages_left) == (0, 0, 0)
