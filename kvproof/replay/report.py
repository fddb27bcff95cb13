# SPDX-License-Identifier: Apache-2.0
"""The figures of a replay, on the screen and as plain data."""

from dataclasses import asdict
from typing import Any

from impl.studies.traces import TraceReader
from kvproof.replay.run import Report
from kvproof.ui import say, table


def show(report: Report, name: str, trace: TraceReader) -> None:
    """Print what was replayed, in which pool, the figures, and the verdict as the last line."""
    settings, summary = report.settings, report.summary
    skipped = f", {trace.skipped:,} malformed lines passed over" if trace.skipped else ""
    say(f"{name}: {summary.requests:,} requests in {trace.format or 'no format'}{skipped}", style="bold")
    rows = settings.pages * settings.page_size
    say(f"pool: {settings.pages:,} pages of {settings.page_size:,} rows ({rows:,} rows), {_window(report)}")
    table(("", "count", ""), _figures(report))
    say(verdict(report), style="bold red" if report.failure or report.interrupted else "bold green")


def as_json(report: Report, name: str, trace: TraceReader) -> dict[str, Any]:
    """The same as plain data. `waste` is a share of the rows reserved, 0 … 1."""
    summary = report.summary
    return {
        "trace": name,
        "format": trace.format,
        "skipped_lines": trace.skipped,
        **asdict(report.settings),
        **asdict(summary),
        "tokens": summary.tokens,
        "waste": summary.waste,
        "seconds": round(report.seconds, 3),
        "tokens_per_second": round(report.tokens_per_second),
        "lockstep_operations": report.operations,
        "lockstep_every": report.every,
        "interrupted": report.interrupted,
        "failure": report.failure,
    }


def verdict(report: Report) -> str:
    """What was found wrong, or what was checked."""
    if report.failure:
        return f"FAILED: {report.failure}"
    if report.interrupted:
        return "INTERRUPTED: the figures are those up to here, and were not checked to the end"
    if report.operations is not None:
        return (
            f"VERIFIED: {report.operations:,} operations in lockstep with the spec;\n"
            f"all invariants after every {report.every:,} operations and at the end"
        )
    return f"CHECKED: all invariants hold ({report.summary.checks:,} × check()), all pages are free again"


def _window(report: Report) -> str:
    settings = report.settings
    if settings.window is None:
        return "no window"
    return f"window of {settings.window:,} tokens, {settings.sinks:,} of them sinks"


def _figures(report: Report) -> list[tuple[str, int | str, str]]:
    settings, summary = report.settings, report.summary
    again = f"{summary.refilled:,} of them again, after a preemption" if summary.refilled else ""
    return [
        ("requests finished", summary.finished, ""),
        ("never fit", summary.never_fit, "too long for the pool, refused at once"),
        ("preempted", summary.preempted, "for lack of pages, and queued again"),
        ("failed", summary.failed, "preempted a second time"),
        ("tokens filled in", summary.filled, again),
        ("tokens decoded", summary.decoded, f"in {summary.steps:,} batches of up to {summary.peak_running:,}"),
        ("peak pages", summary.peak_pages, f"{summary.peak_pages / settings.pages:.1%} of the pool"),
        ("waste", f"{summary.waste:.1%}", "of the rows reserved, over all steps"),
        ("fullest step", summary.fullest_used, f"rows used of {summary.fullest_reserved:,} reserved"),
        ("appends refused", summary.refusals, "OutOfPages, each time with a preemption"),
        ("steps with a queue", summary.waits, "the next request waited for pages"),
        ("tokens a second", round(report.tokens_per_second), f"{summary.tokens:,} in {report.seconds:.1f} s"),
    ]
