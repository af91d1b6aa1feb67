"""One profile, from top to bottom: isolate, sample, fit, advise, report.

What a training step *is* was found out before (`discovery`); here is a program that can run it.
"""

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone

import msgspec

from skyline_jupyter.devices import Device
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.findings import advise
from skyline_jupyter.fit import Levels, PeakFit, rough_warning, step_time_knots
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.memory import StepTrace
from skyline_jupyter.measure.program import Program, StepFailed
from skyline_jupyter.measure.sampling import Plan, sample_curve, sample_one
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Stepper, Strategy, forget_frames, run_to_end
from skyline_jupyter.options import Options
from skyline_jupyter.report.curve import Curves
from skyline_jupyter.report.format import format_bytes
from skyline_jupyter.report.model import (
    REPORT_VERSION,
    BatchRange,
    Check,
    Cost,
    Limit,
    Report,
    Sample,
    StateProof,
    Step,
)

_MARGIN = 0.05
"""Of the device's capacity; left free for what is not seen at the level of tensors."""
_BEYOND = 2
"""The handle goes this far beyond the largest size measured."""
_SECONDS_BETWEEN_REPORTS = 0.5
"""Each is drawn by a browser, which may be on the same machine: more of them would disturb what is measured."""
_UNPROVEN = StateProof(identical=True, tensors=0, objects=0, differences=())
"""While it is measured: nothing was compared so far, and so nothing differs."""


@dataclass(frozen=True)
class Subject:
    """The step that is to be profiled."""

    program: Program
    step: Step
    batch_size: int
    device: Device
    varies: bool
    """Whether it can be run at other sizes."""
    traces: bool
    """Whether its memory may be followed."""
    data_counts: bool
    """Whether fetching a batch is part of the step's time."""
    smallest: int = 1


Progress = Callable[[Report | None, float], None]
"""Receives what is known so far, and the share of the work that is done."""


def no_progress(_report: Report | None, _share: float) -> None:
    """Nobody is told."""


@dataclass
class Profile:
    """One run of the measurements, and what is kept of it for a later size."""

    subject: Subject
    options: Options
    progress: Progress = no_progress
    series: Series = field(default_factory=Series)
    report: Report | None = None
    _id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    _created: str = field(default_factory=lambda: datetime.now(timezone.utc).isoformat(timespec="seconds"))
    _steps: int = 0
    _seconds: float = 0.0
    _free_at_first: int = 0
    """Bytes, when the measurement began."""
    _copied_bytes: int = 0
    """What the snapshot takes of the device's memory, until the end of the profile."""
    _peaks: PeakFit = field(default_factory=lambda: PeakFit(()))
    _traces: tuple[StepTrace, ...] = ()
    """From which `_peaks` was fitted."""
    _told: float = 0.0

    def measure_curve(self, snapshot: Snapshot) -> Report:
        """The whole curve.

        Args:
            snapshot: the user's state, which is put back when this ends, however it ends.

        Raises:
            SkylineError: today's size cannot be run.
            KeyboardInterrupt: after the state was put back; `report` then holds what was measured.
        """
        subject = self.subject
        self._begin(snapshot)
        plan = Plan(
            batch_size=subject.batch_size,
            smallest=subject.smallest,
            largest=subject.step.dataset_size,
            varies=subject.varies,
            traces=subject.traces,
            fits=lambda size: self._predicted_bytes(size) <= self._limit().limit_bytes,
            time_budget=self.options.time_budget,
        )
        return self._measure(sample_curve(plan, self.series), snapshot, subject.batch_size)

    def measure_one(self, batch_size: int, snapshot: Snapshot) -> Report:
        """One more size, which becomes today's; the report then says how well it was predicted.

        Raises:
            SkylineError: the size cannot be run, or is predicted not to fit.
            KeyboardInterrupt: as for the curve.
        """
        before = self.report
        self._begin(snapshot)
        needed, limit = self._predicted_bytes(batch_size), self._limit().limit_bytes
        if needed > limit:
            message = (
                f"Batch size {batch_size:,} was not measured: it needs {format_bytes(needed)}, over the limit of"
                f" {format_bytes(limit)}. Drag the handle to a smaller size."
            )
            raise SkylineError(message)
        strategy = sample_one(batch_size, self.series, traces=self.subject.traces)
        report = self._measure(strategy, snapshot, batch_size)
        if before is not None:
            self.report = report = with_check(report, before, batch_size)
        return report

    def _begin(self, snapshot: Snapshot) -> None:
        device = self.subject.device
        self._free_at_first = device.available_bytes()
        self._copied_bytes = snapshot.copied_bytes if device.facts.kind == "cpu" else 0

    def _measure(self, strategy: Strategy, snapshot: Snapshot, batch_size: int) -> Report:
        started, steps_before, seconds_before = time.perf_counter(), self._steps, self._seconds
        device, program = self.subject.device, self.subject.program
        stepper = Stepper(device, program, self._reported(strategy, batch_size))
        try:
            run_to_end(stepper, program, device, snapshot.restore)
        except StepFailed as failure:
            raise SkylineError(_explain(failure)) from None
        except KeyboardInterrupt as interrupt:
            forget_frames(interrupt)
            raise
        finally:
            proof = snapshot.restore()
            self._steps = steps_before + stepper.steps
            self._seconds = seconds_before + time.perf_counter() - started
            if self.series.times:
                self.report = self._report(batch_size, proof)
        if self.report is None:
            message = "No step could be timed. Run the training cell once without %%skyline to see whether it trains."
            raise SkylineError(message)
        return self.report

    def _reported(self, strategy: Strategy, batch_size: int) -> Strategy:
        """The same strategy; progress is told whenever a block is done."""
        try:
            block = next(strategy)
            while True:
                try:
                    result = yield block
                except StepFailed as failure:
                    block = strategy.throw(failure)
                else:
                    self._steps += block.steps + block.traced
                    block = strategy.send(result)
                self._tell(batch_size)
        except StopIteration:
            return

    def _tell(self, batch_size: int) -> None:
        now = time.perf_counter()
        if now - self._told < _SECONDS_BETWEEN_REPORTS:
            return
        self._told = now
        known = batch_size in self.series.times
        self.progress(self._report(batch_size, _UNPROVEN) if known else None, self.series.done)

    def _predicted_bytes(self, batch_size: int) -> int:
        """What a step at a size is predicted to take, before it is run there."""
        predicted = self._peak_fit().at(batch_size)
        if predicted is not None:
            return predicted
        taken = self.subject.device.most_taken_bytes()  # of which the step's own share is not known
        return int(taken * max(0.0, batch_size / self.subject.batch_size - 1))

    def _peak_fit(self) -> PeakFit:
        """Fitted anew only when there are other traces: it is asked for often, while other sizes are measured."""
        traces = tuple(self.series.traces.values())
        if traces != self._traces:
            self._traces = traces
            self._peaks = PeakFit(
                [Levels.from_deltas(trace.batch_size, trace.start_bytes, trace.deltas) for trace in traces]
            )
        return self._peaks

    def _limit(self, *, given_back: int = 0) -> Limit:
        """What a step may take: what is free, and what it holds itself."""
        device, budget = self.subject.device, self.options.memory_bytes
        capacity = device.facts.capacity_bytes
        room = self._free_at_first if self.series.room_bytes is None else self.series.room_bytes
        room = min(capacity, room + given_back)
        margin = 0 if budget is not None else int(_MARGIN * capacity)
        return Limit(
            limit_bytes=budget if budget is not None else max(0, room - margin),
            others_bytes=capacity - room,
            margin_bytes=margin,
            budget=budget is not None,
        )

    def _report(self, batch_size: int, proof: StateProof) -> Report:
        """Fit and advise on what was measured so far."""
        subject, peaks = self.subject, self._peak_fit()
        samples = self.series.samples(data_counts=subject.data_counts)
        limit = self._limit(given_back=self._copied_bytes)
        failures = self.series.failures
        fits = _largest_that_fits(peaks.largest_within(limit.limit_bytes), failures)
        offered = _range(subject, [sample.batch_size for sample in samples], fits, failures)
        report = Report(
            version=REPORT_VERSION,
            id=self._id,
            created=self._created,
            device=subject.device.facts,
            limit=limit,
            step=subject.step,
            batch_size=batch_size,
            samples=samples,
            curves=Curves(
                step_seconds_knots=step_time_knots(samples, offered.smallest, offered.largest),
                peak_bytes_knots=peaks.knots(offered.smallest, offered.largest),
                peak_bytes_source=peaks.source,
            ),
            max_batch_size=fits,
            range=offered,
            checks=() if self.report is None else self.report.checks,
            site=None,
            site_reason=None,
            site_candidates=(),
            findings=(),
            breakdown_columns=None,
            state_proof=proof,
            cost=Cost(seconds=self._seconds, steps=self._steps),
            warnings=_warnings(subject, self.series, samples),
        )
        return msgspec.structs.replace(report, findings=advise(report))


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


def _largest_that_fits(predicted: int | None, failures: Mapping[int, StepFailed]) -> int | None:
    """The prediction, corrected by a size that ran out of memory all the same."""
    exhausted = [size for size, failure in failures.items() if failure.out_of_memory]
    return predicted if predicted is None else min([predicted, *(size - 1 for size in exhausted)])


def _range(subject: Subject, sizes: Sequence[int], fits: int | None, failures: Mapping[int, StepFailed]) -> BatchRange:
    """The sizes that the handle may take: around those measured, down to one that fits, up to one that still does."""
    least, most = min(sizes), max(sizes)
    if not subject.varies or len(sizes) < 2:  # noqa: PLR2004  no curve from one size
        return BatchRange(smallest=least, largest=most, reason="only today's size was measured")
    bounds = [(_BEYOND * most, f"{_BEYOND} times the largest size measured")]
    if subject.step.dataset_size is not None:
        bounds.append((subject.step.dataset_size, f"{subject.step.dataset_size:,} samples in the data set"))
    if fits is not None:
        bounds.append((fits, "the memory limit"))
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
    return BatchRange(smallest=smallest, largest=max(largest, most), reason=reason)


def _warnings(subject: Subject, series: Series, samples: Sequence[Sample]) -> tuple[str, ...]:
    texts = [
        f"Batch size {failure.batch_size:,} ran out of memory."
        if failure.out_of_memory
        else f"Your code fails at batch size {failure.batch_size:,}: {failure.text}"
        for failure in series.failures.values()
    ]
    if not subject.traces:
        texts.append("Compiled code was found, which is not slowed down to follow its memory.")
    rough = rough_warning(samples)
    return (*texts, rough) if rough else tuple(texts)


def _explain(failure: StepFailed) -> str:
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
