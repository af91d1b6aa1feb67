"""What is concluded from the measurements besides the curves: the sizes on offer, and what went wrong in words."""

from collections.abc import Mapping, Sequence

import msgspec

from skyline_jupyter.fit import PeakFit, grows, rough_warning
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.measure.series import Series
from skyline_jupyter.report.model import BatchRange, Check, Report, Sample
from skyline_jupyter.subject import Subject

_LARGEST = 8
_BEYOND = 2
"""The handle goes this far beyond the largest size measured."""


def with_check(report: Report, before: Report, batch_size: int) -> Report:
    """The report with what the earlier one predicted for a size that is now measured."""
    measured = next(sample for sample in report.samples if sample.batch_size == batch_size)
    check = Check(
        batch_size=batch_size,
        predicted_step_seconds=before.curves.step_seconds(batch_size).value,
        measured_step_seconds=measured.step_seconds,
    )
    others = tuple(other for other in before.checks if other.batch_size != batch_size)
    return msgspec.structs.replace(report, checks=(*others, check))


def largest_that_fits(predicted: int | None, failures: Mapping[int, StepFailed]) -> int | None:
    """The prediction, corrected by a size that ran out of memory all the same."""
    exhausted = [size for size, failure in failures.items() if failure.out_of_memory]
    return predicted if predicted is None else min([predicted, *(size - 1 for size in exhausted)])


def range_of(
    subject: Subject, samples: Sequence[Sample], fits: int | None, failures: Mapping[int, StepFailed]
) -> BatchRange:
    """The sizes that the handle may take: around those measured, down to one that fits, up to one that still does."""
    if not samples:
        return _of_memory_alone(subject, fits)
    least, most = samples[0].batch_size, samples[-1].batch_size
    if not subject.varies or len(samples) < 2:  # noqa: PLR2004  no curve from one size
        return _with_today(subject, BatchRange(smallest=least, largest=most, reason="only today's size was measured"))
    bounds = [(_BEYOND * most, f"{_BEYOND} times the largest size measured")]
    if subject.step.dataset_size is not None:
        bounds.append((subject.step.dataset_size, f"{subject.step.dataset_size:,} samples in the data set"))
    if fits is not None:
        bounds.append((fits, "the memory limit"))
    if not grows(samples):
        bounds.append((most, "up to here larger batches take no longer, so nothing is predicted beyond"))
    bounds += [
        (
            size - 1,
            f"batch size {size:,} ran out of memory" if failure.out_of_memory else f"your code fails at {size:,}",
        )
        for size, failure in failures.items()
        if size > subject.batch_size
    ]
    failed_below = max((size for size in failures if size < subject.batch_size), default=0)
    largest, reason = min(bounds)
    smallest = least // 2 if fits is None else min(least // 2, fits)
    smallest = max(subject.smallest, smallest, failed_below + 1)
    return _with_today(subject, BatchRange(smallest=smallest, largest=max(largest, most), reason=reason))


def _of_memory_alone(subject: Subject, fits: int | None) -> BatchRange:
    """Where no step could be run: up to the largest that would fit, or up to today's."""
    bounds = [(_LARGEST * subject.batch_size, f"{_LARGEST} times today's size")]
    if subject.step.dataset_size is not None:
        bounds.append((subject.step.dataset_size, f"{subject.step.dataset_size:,} samples in the data set"))
    if fits is not None:
        bounds.append((fits, "the memory limit"))
    largest, reason = min(bounds)
    return _with_today(subject, BatchRange(smallest=subject.smallest, largest=largest, reason=reason))


def _with_today(subject: Subject, offered: BatchRange) -> BatchRange:
    """Today's size is shown, even where it does not fit and was not run."""
    if offered.largest >= subject.batch_size:
        return offered
    return BatchRange(smallest=offered.smallest, largest=subject.batch_size, reason="today's size")


def warnings_of(subject: Subject, series: Series, samples: Sequence[Sample], peaks: PeakFit) -> tuple[str, ...]:
    """A sentence each: sizes that failed, and what the numbers cannot say."""
    texts = [
        f"Batch size {failure.batch_size:,} ran out of memory."
        if failure.out_of_memory
        else f"Your code fails at batch size {failure.batch_size:,}: {failure.text}"
        if failure.may_pass
        else f"Batch size {failure.batch_size:,} was not measured: {failure.text}."
        for failure in series.failures.values()
    ]
    if not subject.traces:
        texts.append("Compiled code was found, which is not slowed down to follow its memory.")
    if not peaks.grows:
        texts.append("Peak memory does not grow with the batch size, so no largest size is predicted.")
    more = (peaks.reason if len(samples) > 1 else None, rough_warning(samples))
    return (*subject.remarks(), *texts, *(text for text in more if text is not None))


def explanation_of(failure: StepFailed) -> str:
    """Why the size that was asked for cannot be measured."""
    if failure.out_of_memory:
        return (
            f"Batch size {failure.batch_size:,} does not fit in memory. Make the batch size smaller"
            " and run the cell again."
        )
    return (
        f"The training step failed when it was run again at batch size {failure.batch_size:,}: {failure.text}."
        " Your state was put back; run the cell without %%skyline to see whether it fails there too."
    )
