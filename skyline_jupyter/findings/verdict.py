"""What bounds the step, and what another batch size would bring."""

import math
from collections.abc import Iterable

from skyline_jupyter.findings.registry import finding
from skyline_jupyter.fit import is_rough
from skyline_jupyter.report.format import (
    format_bytes,
    format_count,
    format_milliseconds,
    format_multiple,
    format_percent,
)
from skyline_jupyter.report.model import Finding, Report, Sample

_DATA_SHARE = 0.5
"""From this share of the step on, waiting for the batch is what bounds it."""
_PROPORTIONAL = 0.8
_FLAT = 0.4
"""Elasticity of the step time in the batch size: near 1 the arithmetic takes the time, near 0 the overhead."""
_KNEE = 0.95
"""The smallest size with this share of the most throughput is the one worth taking."""
_WORTH_SAYING = 1.1


@finding(0)
def verdict(report: Report) -> Finding | None:
    """The sentence on top of every view."""
    if not report.samples and not report.curves.peak_bytes_knots:
        return None
    now = _sample_at(report.samples, report.batch_size)
    if report.max_batch_size is not None and report.max_batch_size < report.batch_size:
        return _does_not_fit(report, report.max_batch_size)
    if now is None:
        return _not_measured(report) if report.samples else _not_run(report)
    best = _worth_taking(report)
    gain = best.throughput / now.throughput
    if best.batch_size == now.batch_size or gain < _WORTH_SAYING:
        return _keep(report, now)
    if not _is_beyond_noise(report, best, now):
        return _lost_in_noise(report, now, best)
    return _take(report, now, best)


def _take(report: Report, now: Sample, best: Sample) -> Finding:
    """Another size is faster."""
    gain = best.throughput / now.throughput
    fits = ", which still fits" if report.max_batch_size is not None and best.batch_size > now.batch_size else ""
    size = format_count(best.batch_size)
    return _finding(
        report,
        statement=f"{_bound(report, now)} {format_multiple(gain)} the throughput at batch size {size}{fits}.",
        evidence=_evidence(report, now),
        next_step=f"Drag the handle to {size}{_room(report, best)}, and check that the learning rate still suits.",
        gain=gain,
        batch_size=best.batch_size,
    )


def _room(report: Report, best: Sample) -> str:
    """What the proposed size leaves of the limit."""
    peak = report.curves.peak_bytes(best.batch_size)
    if peak is None or report.max_batch_size is None or peak.value > report.limit_bytes:
        return ""
    left = report.limit_bytes - peak.value
    return f" (it leaves {format_bytes(left)} of the memory limit, {format_percent(left / report.limit_bytes)})"


def _keep(report: Report, now: Sample) -> Finding:
    """No other size is much faster."""
    more = (
        f"None of the {len(report.samples)} sizes measured gives more than {format_multiple(_WORTH_SAYING)}"
        " the throughput."
        if len(report.samples) > 1
        else "Only today's size could be measured."
    )
    return _finding(
        report,
        statement=f"{_bound(report, now)} {more}",
        evidence=_evidence(report, now),
        next_step="Keep the batch size.",
    )


def _lost_in_noise(report: Report, now: Sample, best: Sample) -> Finding:
    """Another size looks faster, but the bands overlap."""
    gain, size = format_multiple(best.throughput / now.throughput), format_count(best.batch_size)
    return _finding(
        report,
        statement=f"{_bound(report, now)} No other size is faster beyond the noise.",
        evidence=f"Batch size {size} looks {gain} as fast, which lies within the spread of the step times.",
        next_step="Run the cell again while the machine is quiet, or keep the batch size.",
    )


def _not_measured(report: Report) -> Finding:
    """The notebook has a size that could not be run."""
    predicted = report.curves.step_seconds(report.batch_size)
    return _finding(
        report,
        statement=f"Batch size {format_count(report.batch_size)} could not be measured.",
        evidence=f"A step was predicted to take {format_milliseconds(predicted.value)}.",
        next_step=(
            "Take that as a prediction for the memory that you asked for, or drag the handle to a size that runs here."
            if report.limit.budget
            else "Run the training cell to see what fails there, or drag the handle to another size."
        ),
        confidence="predicted",
    )


def _not_run(report: Report) -> Finding:
    """Today's size fits in a budget that is larger than what there is here, where no size fits."""
    size, limit = format_count(report.batch_size), format_bytes(report.limit_bytes)
    return _finding(
        report,
        statement=f"Batch size {size} needs {_needs(report, report.batch_size)}, which fits in {limit}.",
        evidence="No step could be run here, so its time is unknown.",
        next_step="Run the cell where there is that much memory to measure the time.",
        confidence="predicted",
    )


def _does_not_fit(report: Report, largest: int) -> Finding:
    """Today's size is over the limit."""
    limit, smallest = format_bytes(report.limit_bytes), report.range.smallest
    if largest < smallest:
        needed = _needs(report, smallest)
        statement = f"Even batch size {format_count(smallest)} needs {needed}, over the limit of {limit}."
        next_step = f"Make the model or each sample smaller, or {_more_memory(report)}."
    else:
        size, today = format_count(largest), format_count(report.batch_size)
        statement = f"Batch size {today} is over the limit of {limit}; {size} still fits."
        next_step = f"Drag the handle to {size} or below, or {_more_memory(report)}."
    return _finding(
        report,
        statement=statement,
        evidence=f"Batch size {format_count(report.batch_size)} needs {_needs(report, report.batch_size)}.",
        next_step=next_step,
        confidence="predicted",
        batch_size=largest if largest >= smallest else None,
    )


def _more_memory(report: Report) -> str:
    """How the limit may be higher."""
    if report.limit.budget:
        return "raise the budget (--memory in a notebook, memory= in a script)"
    others = report.limit.others_bytes
    return f"free what others hold of the memory ({format_bytes(others)})" if others else "use a larger device"


def _needs(report: Report, batch_size: int) -> str:
    peak = report.curves.peak_bytes(batch_size)
    return "more" if peak is None else format_bytes(peak.value)


def _finding(  # noqa: PLR0913  the fields of a finding, some of them the same in all
    report: Report,
    *,
    statement: str,
    evidence: str,
    next_step: str,
    confidence: str | None = None,
    gain: float | None = None,
    batch_size: int | None = None,
) -> Finding:
    """Rough times are no measurement of small differences."""
    return Finding(
        kind="verdict",
        statement=statement,
        evidence=evidence,
        next_step=next_step,
        confidence=confidence or ("assumed" if is_rough(report.samples) else "measured"),
        gain=gain,
        batch_size=batch_size,
    )


def _bound(report: Report, now: Sample) -> str:
    """What takes the time."""
    if _is_data_bound(now):
        return "Data-bound."
    elasticity = _elasticity(report.samples, now)
    if elasticity is None:
        return "Measured."
    if elasticity >= _PROPORTIONAL:
        return "Compute-bound."
    return "Overhead-bound." if elasticity <= _FLAT else "Partly overhead-bound."


def _evidence(report: Report, now: Sample) -> str:
    """Why that is said."""
    if _is_data_bound(now):
        return f"Waiting for the batch takes {format_percent(now.waiting_seconds / now.step_seconds)} of the step."
    elasticity = _elasticity(report.samples, now)
    if elasticity is None:
        return "One size was measured, which cannot show what bounds the step."
    size, multiple = format_count(now.batch_size), format_multiple(2**elasticity)
    return f"Around batch size {size} twice the batch takes {multiple} the time."


def _is_data_bound(now: Sample) -> bool:
    return now.waiting_seconds > _DATA_SHARE * now.step_seconds


def _elasticity(samples: Iterable[Sample], now: Sample) -> float | None:
    """``d log(step time) / d log(batch size)`` at today's size, from its neighbours."""
    others = [sample for sample in samples if sample.batch_size != now.batch_size]
    if not others:
        return None
    below = max((s for s in others if s.batch_size < now.batch_size), key=lambda s: s.batch_size, default=now)
    above = min((s for s in others if s.batch_size > now.batch_size), key=lambda s: s.batch_size, default=now)
    return math.log(above.step_seconds / below.step_seconds) / math.log(above.batch_size / below.batch_size)


def _worth_taking(report: Report) -> Sample:
    """The smallest measured size that has nearly the most throughput of those that fit."""
    most_fitting = report.max_batch_size or report.range.largest
    fitting = [sample for sample in report.samples if sample.batch_size <= most_fitting] or list(report.samples)
    most = max(sample.throughput for sample in fitting)
    return next(sample for sample in fitting if sample.throughput >= _KNEE * most)


def _is_beyond_noise(report: Report, best: Sample, now: Sample) -> bool:
    """Whether the bands of the two sizes leave no doubt which one is faster."""
    return report.curves.throughput(best.batch_size).low > report.curves.throughput(now.batch_size).high


def _sample_at(samples: Iterable[Sample], batch_size: int) -> Sample | None:
    return next((sample for sample in samples if sample.batch_size == batch_size), None)
