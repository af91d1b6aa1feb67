"""The step waits for its batch: workers could put it together meanwhile."""

import math

from skyline_jupyter.findings.registry import finding, hint
from skyline_jupyter.report.format import format_milliseconds, format_percent
from skyline_jupyter.report.model import Finding, Report

_SHARE = 0.15
"""From this share of the step on it is said."""
_HANDOVER_SECONDS = 2e-3
"""A batch that comes from a worker takes about this long to be handed over, so a shorter wait gains nothing."""
_MOST_WORKERS = 8
"""More are not proposed: a batch that costs this much is better made cheaper."""


@finding(1)
def waiting(report: Report) -> Finding | None:
    """How many workers would keep up with the step."""
    now = next((sample for sample in report.samples if sample.batch_size == report.batch_size), None)
    if now is None or now.data_seconds is None:
        return None
    waits = now.waiting_seconds
    if waits < _SHARE * now.step_seconds or waits < _HANDOVER_SECONDS:
        return None
    enough = math.ceil(now.data_seconds / max(now.compute_seconds, _HANDOVER_SECONDS))
    workers = min(max(enough, 1), _MOST_WORKERS)
    after = max(now.compute_seconds, now.data_seconds / workers)
    return hint(
        "waiting",
        statement=f"Waiting for the batch takes {format_percent(waits / now.step_seconds)} of the step.",
        evidence=(
            f"One process needs {format_milliseconds(now.data_seconds)} to put a batch together,"
            f" and the step computes for {format_milliseconds(now.compute_seconds)}."
        ),
        next_step=_next_step(workers, enough),
        most_gain=now.step_seconds / after,
    )


def _next_step(workers: int, enough: int) -> str:
    """Workers, and where they cannot keep up, a cheaper batch."""
    proposed = f"Give the loader `num_workers={workers}`, so that batches are made while the step computes"
    if enough > workers:
        return f"{proposed}, and make a batch cheaper: keep what its transforms give, or index whole batches at once."
    cores = "a free processor core" if workers == 1 else f"{workers} free processor cores"
    return f"{proposed}; that takes {cores}."
