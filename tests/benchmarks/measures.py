"""What is benchmarked of one training: the cost of a profile, and how far its predictions are from the truth."""

import gc
import math
import statistics
import time
from itertools import pairwise

import msgspec

from skyline_jupyter.fit import Levels, PeakFit, step_time_knots
from skyline_jupyter.measure.block import Block
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile, Subject
from skyline_jupyter.report.curve import evaluate
from skyline_jupyter.report.model import Report
from tests.benchmarks.workloads import Workload
from tests.measure.fingerprint import fingerprint

FACTORS = (1 / 4, 1 / 2, 1, 2, 4)
"""Of today's size: the ladder from which the curve is fitted. Sizes half way between, on a log axis, are held out."""
ROUNDS = 7
BLOCK_SECONDS = 0.03


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one training. Shares are of the true value; ratios are times in steps of today's size."""

    name: str
    parameters: int
    batch_size: int
    step_seconds: float
    memory_sizes: tuple[int, ...]
    memory_error_largest: float
    """Of the peak, predicted from two traced steps, at the sizes above."""
    time_sizes: tuple[int, ...]
    time_error_median: float
    time_error_largest: float
    """Of the step time, at held-out sizes that were measured in turn with the ladder."""
    noise_median: float
    noise_largest: float
    """Between two series of the same sizes, measured in turn with them."""
    profile_steps: int
    profile_seconds: float
    profile_in_todays_steps: float
    """Seconds of the profile over seconds of a step."""
    seconds_to_first_number: float
    state_identical: bool
    """By the tests' own comparison."""
    state_proof_identical: bool


def benchmark(workload: Workload) -> Result:
    """Profile one training, then hold the predictions against the truth."""
    subject = workload.subject()
    before = fingerprint(workload.namespace)
    report, first = _profile(workload, subject)
    identical = fingerprint(workload.namespace) == before
    memory_sizes, memory_error = _memory(workload, subject)
    time_sizes, time_errors, noise = _time(workload, subject)
    now = next(sample for sample in report.samples if sample.batch_size == subject.batch_size)
    return Result(
        name=workload.name,
        parameters=subject.step.parameters,
        batch_size=subject.batch_size,
        step_seconds=now.step_seconds,
        memory_sizes=memory_sizes,
        memory_error_largest=memory_error,
        time_sizes=time_sizes,
        time_error_median=statistics.median(time_errors),
        time_error_largest=max(time_errors),
        noise_median=statistics.median(noise),
        noise_largest=max(noise),
        profile_steps=report.cost.steps,
        profile_seconds=report.cost.seconds,
        profile_in_todays_steps=report.cost.seconds / now.step_seconds,
        seconds_to_first_number=first,
        state_identical=identical,
        state_proof_identical=report.state_proof.identical,
    )


def _profile(workload: Workload, subject: Subject) -> tuple[Report, float]:
    """One profile with the usual options, and the time to its first number."""
    firsts: list[float] = []

    def progress(report: Report | None, _: float) -> None:
        if report is not None and not firsts:
            firsts.append(time.perf_counter() - begin)

    gc.collect()
    begin = time.perf_counter()
    snapshot = Snapshot(workload.namespace, ())
    report = Profile(subject, Options(), progress).measure_curve(snapshot)
    return report, firsts[0]


def _run(workload: Workload, subject: Subject, strategy: Strategy) -> None:
    snapshot = Snapshot(workload.namespace, ())
    stepper = Stepper(subject.device, subject.program, strategy)
    try:
        run_to_end(stepper, subject.program, subject.device, snapshot.restore)
    finally:
        snapshot.restore()


def _memory(workload: Workload, subject: Subject) -> tuple[tuple[int, ...], float]:
    """The largest error of the peak at eight sizes up to 4 times today's, from traces at 1/4 of it and at it."""
    today = subject.batch_size
    sizes = tuple(max(2, round(today * factor)) for factor in (1 / 8, 1 / 3, 1 / 2, 3 / 4, 3 / 2, 2, 3, 4))
    series = Series()

    def strategy() -> Strategy:
        yield Block(today)
        for size in (today // 4, today, *sizes):
            series.record((yield Block(size, settling=1, traced=True)))

    _run(workload, subject, strategy())
    levels = {size: Levels.from_deltas(size, trace.start_bytes, trace.deltas) for size, trace in series.traces.items()}
    fit = PeakFit([levels[today // 4], levels[today]])
    return sizes, max(abs((fit.at(size) or 0) - levels[size].peak) / levels[size].peak for size in sizes)


def _time(workload: Workload, subject: Subject) -> tuple[tuple[int, ...], list[float], list[float]]:
    """Errors at held-out sizes, and differences between two series of the ladder, all measured in turn."""
    ladder = [round(subject.batch_size * factor) for factor in FACTORS]
    held_out = [round(math.sqrt(a * b)) for a, b in pairwise(ladder)]
    fitted, again, truth = Series(), Series(), Series()
    turns = [(size, fitted) for size in ladder] + [(size, truth) for size in held_out]

    def strategy() -> Strategy:
        paces: dict[int, float] = {}
        for size in sorted(ladder + held_out):
            paces[size] = (yield Block(size)).step_seconds
        for _ in range(ROUNDS):
            for size, series in (*sorted(turns, key=lambda turn: turn[0]), *((size, again) for size in ladder)):
                steps = max(1, min(10, round(BLOCK_SECONDS / paces[size])))
                series.record((yield Block(size, steps=steps)))

    _run(workload, subject, strategy())
    knots = step_time_knots(fitted.samples(workers=0), ladder[0], ladder[-1])
    errors = [
        abs(evaluate(knots, sample.batch_size).value / sample.step_seconds - 1) for sample in truth.samples(workers=0)
    ]
    pairs = zip(fitted.samples(workers=0), again.samples(workers=0), strict=True)
    return tuple(held_out), errors, [abs(one.step_seconds / other.step_seconds - 1) for one, other in pairs]
