"""One profile, from top to bottom: isolate, sample, fit, advise, report.

What a training step *is* was found out before (`discovery`); here is a program that can run it.
"""

import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone

import msgspec

from skyline_jupyter.attribution import Attribution
from skyline_jupyter.conclusions import explanation_of, largest_that_fits, range_of, warnings_of, with_check
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.findings import advise
from skyline_jupyter.fit import PeakFit, shape_of, step_time_knots
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.memory import StepTrace, StorageTracker
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.measure.room import Room
from skyline_jupyter.measure.sampling import Plan, sample_curve, sample_one
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Stepper, Strategy, forget_frames, run_to_end
from skyline_jupyter.monitor import undisturbed
from skyline_jupyter.options import Options
from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.report.curve import Curves
from skyline_jupyter.report.format import format_bytes
from skyline_jupyter.report.model import REPORT_VERSION, Cost, Report, Sample, StateProof
from skyline_jupyter.subject import Subject
from skyline_jupyter.trace.tracer import Tracer

_TRACE_SHARE = 0.05
"""Of the time budget; left for the breakdown."""
_SECONDS_BETWEEN_REPORTS = 0.5
"""Each is drawn by a browser, which may be on the same machine: more of them would disturb what is measured."""
_UNPROVEN = StateProof(identical=True, tensors=0, objects=0, digest_before="", digest_after="", differences=())
"""While it is measured: nothing was compared so far, and so nothing differs."""


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
    _first_seconds: float | None = None
    _copied_bytes: int = 0
    _peaks: PeakFit = field(default_factory=lambda: PeakFit(()))
    _traces: tuple[StepTrace, ...] = ()
    """From which `_peaks` was fitted."""
    _told: float = 0.0
    _room: Room | None = None
    _today: int = 0
    """The report's batch size; what is measured first is another where today's does not fit."""
    _attribution: Attribution | None = None

    def measure_curve(self, snapshot: Snapshot) -> Report:
        """The whole curve, of time only where a step fits.

        Args:
            snapshot: the user's state, which is put back when this ends, however it ends.

        Raises:
            SkylineError: today's size cannot be run.
            KeyboardInterrupt: after the state was put back; `report` then holds what was measured.
        """
        subject = self.subject
        room = self._begin(snapshot)
        begins_at = subject.batch_size if subject.begins_at is None else subject.begins_at
        self._today = subject.batch_size
        if subject.forecast is not None and not begins_at:
            self.series.foretell(subject.forecast, subject.device)
            self.report = self._report(self._today, snapshot.prove())
            return self.report
        plan = Plan(
            batch_size=begins_at,
            smallest=subject.smallest,
            largest=subject.step.dataset_size,
            varies=subject.varies,
            traces=subject.traces,
            fits=lambda size: self._predicted_bytes(size) <= room.usable_bytes(),
            peaks_known=lambda: self._peak_fit().lines is not None and not any(self.series.workspaces.values()),
            time_budget=(1 - _TRACE_SHARE) * self.options.time_budget,
        )
        return self._measure(sample_curve(plan, self.series), snapshot, begins_at)

    def measure_one(self, batch_size: int, snapshot: Snapshot) -> Report:
        """One more size, which becomes today's; the report then says how well it was predicted.

        Raises:
            SkylineError: the size cannot be run, or is predicted not to fit.
            KeyboardInterrupt: as for the curve.
        """
        before = self.report
        self._refuse_what_does_not_fit(batch_size, self._begin(snapshot))
        self._today = batch_size
        strategy = sample_one(batch_size, self.series, traces=self.subject.traces)
        report = self._measure(strategy, snapshot, batch_size)
        if before is not None:
            self.report = report = with_check(report, before, batch_size)
        return report

    def _refuse_what_does_not_fit(self, batch_size: int, room: Room) -> None:
        needed, limit, here = self._predicted_bytes(batch_size), room.limit().limit_bytes, room.usable_bytes()
        if needed <= here:
            return
        takes = f"Batch size {batch_size:,} was not measured: it needs {format_bytes(needed)}"
        if needed > limit:
            message = f"{takes}, over the limit of {format_bytes(limit)}. Drag the handle to a smaller size."
        else:
            message = f"{takes}, and there are {format_bytes(here)} here. Its step time is a prediction."
        raise SkylineError(message)

    def _begin(self, snapshot: Snapshot) -> Room:
        self._copied_bytes = snapshot.copied_bytes
        self._room = Room.at_first(self.subject.device, self.options, self.series, snapshot.copied_bytes)
        return self._room

    def _measure(self, strategy: Strategy, snapshot: Snapshot, batch_size: int) -> Report:
        started, steps_before, seconds_before = time.perf_counter(), self._steps, self._seconds
        subject = self.subject
        device, program = subject.device, subject.program
        attribution = self._attribution = self._attribute()
        strategy = attribution.after(strategy, batch_size)
        stepper = Stepper(device, program, self._reported(strategy, batch_size, started))
        try:
            with undisturbed(), attribution.tracer:
                run_to_end(stepper, program, device, snapshot.restore, subject.code)
        except StepFailed as failure:
            raise SkylineError(explanation_of(failure)) from None
        except KeyboardInterrupt as interrupt:
            forget_frames(interrupt)
            raise
        finally:
            proof = snapshot.prove()
            self._steps = steps_before + stepper.steps
            self._seconds = seconds_before + time.perf_counter() - started
            if self.series.times:
                self.report = self._report(batch_size, proof)
        if self.report is None:
            message = "No step could be timed. Run the training cell once without %%skyline to see whether it trains."
            raise SkylineError(message)
        return self.report

    def _attribute(self) -> Attribution:
        """The breakdown of the steps that are about to run."""
        subject = self.subject
        kind, state = subject.device.facts.kind, subject.program.state
        storages = (lambda: StorageTracker(kind, state())) if subject.traces else None
        tracer = Tracer(subject.device, state, subject.sources, storages)
        return Attribution(tracer, self.series, self.options.time_budget)

    def _reported(self, strategy: Strategy, batch_size: int, started: float) -> Strategy:
        """The same strategy; progress is told whenever a block is done."""
        try:
            block = next(strategy)
            while True:
                try:
                    result = yield block
                except StepFailed as failure:
                    block = strategy.throw(failure)
                else:
                    self._steps += block.settling + block.steps
                    block = strategy.send(result)
                self._note_first(batch_size, started)
                self._tell(batch_size)
        except StopIteration:
            return

    def _note_first(self, batch_size: int, started: float) -> None:
        """The moment at which throughput and peak memory are known, as far as they can be."""
        memory = batch_size in self.series.traces or not self.subject.traces
        if self._first_seconds is None and memory and batch_size in self.series.times:
            self._first_seconds = time.perf_counter() - started

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
            return predicted + self._beside_bytes()
        taken = self.subject.device.most_taken_bytes()  # of which the step's own share is not known
        return int(taken * max(0.0, batch_size / self.subject.batch_size - 1))

    def _beside_bytes(self) -> int:
        """What a step may take beyond its steady peak: in its very first step, and for workspace of libraries."""
        traces, firsts = self.series.traces, self.series.first_peaks
        first = max((peak - traces[size].peak_bytes for size, peak in firsts.items() if size in traces), default=0)
        workspace = max((taken or 0 for taken in self.series.workspaces.values()), default=0)
        return max(first, 0) + workspace

    def _peak_fit(self) -> PeakFit:
        """Fitted anew only when there are other traces: it is asked for often, while other sizes are measured."""
        traces = tuple(self.series.traces.values())
        if traces != self._traces:
            self._traces = traces
            self._peaks = PeakFit([trace.levels() for trace in traces])
        return self._peaks

    def _report(self, batch_size: int, proof: StateProof) -> Report:
        """Fit and advise on what was measured so far."""
        subject, peaks = self.subject, self._peak_fit()
        samples = self.series.samples(workers=subject.workers)
        assert self._room is not None, "nothing was begun"
        limit = self._room.limit(afterwards=True)
        failures = self.series.failures
        fits = largest_that_fits(peaks.largest_within(limit.limit_bytes - self._beside_bytes()), failures)
        offered = range_of(subject, samples, fits, failures)
        knots = step_time_knots(samples, offered.smallest, offered.largest)
        report = Report(
            version=REPORT_VERSION,
            id=self._id,
            created=self._created,
            device=subject.device.facts,
            limit=limit,
            step=subject.step,
            batch_size=self._today,
            samples=samples,
            curves=Curves(
                step_seconds_knots=knots,
                peak_bytes_knots=peaks.knots(offered.smallest, offered.largest),
                peak_bytes_source=peaks.source,
                peak_bytes_reason=peaks.reason,
                peak_by_category=peaks.category_curves(offered.smallest, offered.largest),
            ),
            shape=shape_of(samples, knots, fits),
            max_batch_size=fits,
            range=offered,
            checks=() if self.report is None else self.report.checks,
            site=None,
            site_reason=None,
            site_candidates=(),
            findings=(),
            breakdown_columns=self._breakdown(batch_size, samples),
            state_proof=proof,
            cost=Cost(
                seconds=self._seconds,
                steps=self._steps,
                first_seconds=self._first_seconds,
                copied_bytes=self._copied_bytes,
                first_look_seconds=subject.first_look_seconds,
            ),
            warnings=warnings_of(subject, self.series, samples, peaks),
        )
        if self._attribution is not None and self._attribution.reason:
            report = msgspec.structs.replace(report, warnings=(*report.warnings, self._attribution.reason))
        return msgspec.structs.replace(report, findings=advise(report))

    def _breakdown(self, batch_size: int, samples: Sequence[Sample]) -> Breakdown | None:
        """Of the size that was traced, where it was timed too."""
        timed = next((sample for sample in samples if sample.batch_size == batch_size), None)
        if self._attribution is None or timed is None:
            return None
        waits = timed.waiting_seconds
        return self._attribution.breakdown(batch_size, timed.step_seconds - waits, waits)
