"""What is benchmarked of one training: what a profile costs, and how far its predictions are from the truth."""

import gc
import statistics
from collections.abc import Callable, Sequence

import msgspec

from skyline_jupyter.fit import PeakFit, step_time_knots
from skyline_jupyter.measure.block import Block
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile
from skyline_jupyter.report.curve import evaluate
from skyline_jupyter.report.model import Report, Sample
from skyline_jupyter.subject import Subject
from tests.benchmarks.baseline import Baseline
from tests.benchmarks.exits import EXITS, identical_after
from tests.benchmarks.rehearsals import DryRun, rehearse
from tests.benchmarks.turns import Turns
from tests.benchmarks.workloads import Workload
from tests.measure.fingerprint import fingerprint

_MEMORY_FACTORS = (1, 5 / 4, 3 / 2, 2, 5 / 2, 3, 7 / 2, 4)


class Errors(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of the true value."""

    memory_largest: float
    time_median: float
    """At the held-out sizes, each of which lies between two that are measured."""
    time_95th: float
    time_at: dict[int, float]
    """The same size by size, with its sign: above 0 where too long a step is predicted."""
    time_beyond: dict[int, float]
    """At the smallest and at the largest size that a profile measures, predicted from the others: half of the smallest
    of those, and twice the largest."""
    steps: int
    """Spent to know it."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one training."""

    name: str
    parameters: int
    batch_size: int
    step_seconds: float
    memory_sizes: tuple[int, ...]
    """From today's size to four times it: there the peak is predicted, and then measured."""
    time_sizes: tuple[int, ...]
    """Held out, between two sizes that are measured: there the step time is predicted, and measured in turn in the same
    run."""
    ours: Errors
    baseline: Errors
    """The original's way, on the same training in the same run."""
    noise_median: float
    """Between two series of the held-out sizes, measured in turn with all the rest."""
    noise_95th: float
    profile_steps: int
    profile_seconds: float
    profile_in_todays_steps: float
    """Seconds of the profile over seconds of a step."""
    seconds_to_first_number: float
    dry_run: DryRun
    exits_identical: dict[str, bool]
    """By the tests' own comparison and by the report's proof."""


def benchmark(workload: Workload, *, quick: bool = False) -> Result:
    """Profile one training, then hold the predictions against the truth."""
    subject = workload.subject()
    dry_run = rehearse(workload, subject)
    before = fingerprint(workload.namespace)
    report = _profile(workload, subject, Options(time_budget=1.0) if quick else Options())
    exits = {"success": fingerprint(workload.namespace) == before and report.state_proof.identical}
    turns = Turns(subject.batch_size, subject.step.dataset_size or 0, quick=quick)
    _run(workload, subject, turns.strategy())
    memory_sizes, peaks = _peaks(workload, subject)
    if not quick:
        exits |= {end: identical_after(workload, subject, end) for end in EXITS if end != "success"}
    noise = _differences(turns.truth, turns.again)
    now = next(sample for sample in report.samples if sample.batch_size == subject.batch_size)
    return Result(
        name=workload.name,
        parameters=subject.step.parameters,
        batch_size=subject.batch_size,
        step_seconds=now.step_seconds,
        memory_sizes=memory_sizes,
        time_sizes=turns.held_out,
        ours=_ours(turns, peaks),
        baseline=_baseline(turns.baseline, turns, peaks),
        noise_median=statistics.median(noise),
        noise_95th=_95th(noise),
        profile_steps=report.cost.steps,
        profile_seconds=report.cost.seconds,
        profile_in_todays_steps=report.cost.seconds / now.step_seconds,
        seconds_to_first_number=report.cost.first_seconds or 0.0,
        dry_run=dry_run,
        exits_identical=exits,
    )


def _profile(workload: Workload, subject: Subject, options: Options) -> Report:
    """One profile."""
    gc.collect()
    return Profile(subject, options).measure_curve(Snapshot(workload.namespace, ()))


def _run(workload: Workload, subject: Subject, strategy: Strategy) -> None:
    snapshot = Snapshot(workload.namespace, ())
    stepper = Stepper(subject.device, subject.program, strategy)
    try:
        run_to_end(stepper, subject.program, subject.device, snapshot.restore)
    finally:
        snapshot.restore()


def _peaks(workload: Workload, subject: Subject) -> tuple[tuple[int, ...], dict[int, int]]:
    """The true peaks."""
    sizes = tuple(round(subject.batch_size * factor) for factor in _MEMORY_FACTORS)
    series = Series()

    def strategy() -> Strategy:
        for size in sizes:
            series.record((yield Block(size, settling=1, traced=True)))

    _run(workload, subject, strategy())
    return sizes, {size: trace.peak_bytes for size, trace in series.traces.items()}


def _ours(turns: Turns, peaks: dict[int, int]) -> Errors:
    """By the two smallest sizes that a profile follows: today's and half of it."""
    levels = sorted((trace.levels() for trace in turns.ours.traces.values()), key=lambda one: one.batch_size)
    fit = PeakFit([one for one in levels if one.batch_size <= min(peaks)] or levels)
    samples = turns.ours.samples(workers=0)
    knots = step_time_knots(samples, min(turns.held_out), max(turns.held_out))
    return _errors(
        time_at=_time_errors(turns, lambda size: evaluate(knots, size).value),
        time_beyond=_beyond(samples, lambda others, size: evaluate(step_time_knots(others, size, size), size).value),
        memory_largest=_memory_error(peaks, lambda size: fit.at(size) or 0),
        steps=turns.steps,
    )


def _baseline(baseline: Baseline, turns: Turns, peaks: dict[int, int]) -> Errors:
    samples = turns.ours.samples(workers=0)
    return _errors(
        time_at=_time_errors(turns, baseline.predicted_seconds),
        time_beyond=_beyond(samples, lambda _, size: baseline.predicted_seconds(size)),
        memory_largest=_memory_error(peaks, baseline.predicted_peak),
        steps=baseline.steps,
    )


def _errors(*, time_at: dict[int, float], time_beyond: dict[int, float], memory_largest: float, steps: int) -> Errors:
    """With what the errors between measured sizes amount to."""
    errors = [abs(error) for error in time_at.values()]
    return Errors(
        memory_largest=memory_largest,
        time_median=statistics.median(errors),
        time_95th=_95th(errors),
        time_at=time_at,
        time_beyond=time_beyond,
        steps=steps,
    )


def _beyond(samples: Sequence[Sample], predicted: Callable[[Sequence[Sample], int], float]) -> dict[int, float]:
    """At the first and at the last sample, from the others."""
    ends = ((samples[0], samples[1:]), (samples[-1], samples[:-1]))
    return {one.batch_size: predicted(others, one.batch_size) / one.step_seconds - 1 for one, others in ends}


def _memory_error(peaks: dict[int, int], predicted: Callable[[int], float]) -> float:
    return max(abs(predicted(size) - peak) / peak for size, peak in peaks.items())


def _time_errors(turns: Turns, predicted: Callable[[int], float]) -> dict[int, float]:
    """At the held-out sizes, against the median of both series."""
    truth = {size: [*turns.truth.times[size], *turns.again.times[size]] for size in turns.held_out}
    return {size: predicted(size) / statistics.median(times) - 1 for size, times in truth.items()}


def _differences(one: Series, other: Series) -> list[float]:
    medians = [{size: statistics.median(times) for size, times in series.times.items()} for series in (one, other)]
    return [abs(medians[0][size] / medians[1][size] - 1) for size in medians[0]]


def _95th(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]
