"""Which sizes are measured, in which order, and how often.

The order is the story of a profile: warm up at today's size and time it (the first numbers), trace
the memory of a step there and at a smaller size (which predicts the peak at every other, so that
nothing runs out of memory), then time a geometric ladder of sizes, interleaved, so that a drift of
the machine hits all alike.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from skyline_jupyter.measure.block import Block
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Strategy

_SMALLER, _LARGER = (1 / 2, 1 / 4), (2, 4, 8)
"""The ladder around today's size, from it outwards."""
_BLOCK_SECONDS = 0.03
"""A block of steps lasts at least this long: below it, timers and other processes weigh too much."""
_MOST_STEPS_PER_BLOCK = 10
_FIRST_REPEATS = 3
_FEWEST_ROUNDS, _MOST_ROUNDS = 5, 9
_MOST_WARM_UPS = 8
_FASTER = 0.1
"""A warm-up step that is faster by more than this share shows that the next may be faster still."""
_VISIT_STEPS = 4
"""A further size costs two traced steps, which are slower, and one that is timed."""
_TRACES = 3
"""Two predict the peak at every size, and one more tells whether they do."""
_TRACE_SHARE = 0.05
"""Further sizes are traced if that takes less than this share of the budget."""
_SECONDS_FOR_ONE = 1.0
_FEWEST_FOR_ONE, _MOST_FOR_ONE = 3, 8

Clock = Callable[[], float]


@dataclass
class Plan:
    """What is to be sampled."""

    batch_size: int
    """Today's size."""
    smallest: int
    """Never fewer than this: batch normalisation needs two samples."""
    largest: int | None
    """Never more than this: the size of the data set."""
    varies: bool
    """Whether other sizes can be run at all."""
    traces: bool
    """Whether memory may be followed (not through compiled code)."""
    fits: Callable[[int], bool]
    """Whether a size is predicted to fit in memory, by what is known when it is asked."""
    time_budget: float


class _Budget:
    """Seconds that may be spent."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.seconds = seconds
        self._clock = clock
        self._deadline = clock() + seconds

    def allows(self, seconds: float) -> bool:
        return self._clock() + seconds <= self._deadline


def sample_curve(plan: Plan, series: Series, clock: Clock = time.perf_counter) -> Strategy:
    """Fill `series` with the whole curve."""
    budget = _Budget(clock, plan.time_budget)
    today = plan.batch_size
    yield from _warm_up(today, series, budget)
    for turn in range(_FIRST_REPEATS):
        if turn == 0 or budget.allows(series.expected_seconds(today)):
            yield from _time(today, series)
    series.done = 0.1
    if plan.traces:
        yield from _trace(today, series)
    sizes = [today]
    if plan.varies:
        yield from _climb(_smaller(plan), plan, series, budget, sizes)
        yield from _climb(_larger(plan), plan, series, budget, sizes)
    yield from _rounds(sizes, today, series, budget)
    series.done = 1.0


def sample_one(batch_size: int, series: Series, *, traces: bool, clock: Clock = time.perf_counter) -> Strategy:
    """Fill `series` with one size, at the cost of a few steps; earlier times of it are dropped."""
    budget = _Budget(clock, _SECONDS_FOR_ONE)
    series.see((yield Block(batch_size)))
    series.forget_times(batch_size)
    for turn in range(_MOST_FOR_ONE):
        if turn < _FEWEST_FOR_ONE or budget.allows(series.expected_seconds(batch_size)):
            yield from _time(batch_size, series)
    if traces and _is_worth_tracing(batch_size, series, budget):
        yield from _trace(batch_size, series)
    series.done = 1.0


def _smaller(plan: Plan) -> list[int]:
    """Sizes below today's, which fit because today's does."""
    sizes = {max(plan.smallest, round(plan.batch_size * factor)) for factor in _SMALLER}
    return sorted((size for size in sizes if size < plan.batch_size), reverse=True)


def _larger(plan: Plan) -> list[int]:
    """Sizes above today's, up to the whole data set where that is near."""
    sizes = {plan.batch_size * factor for factor in _LARGER}
    if plan.largest is not None:
        if plan.largest < 2 * max(sizes):
            sizes.add(plan.largest)
        sizes = {size for size in sizes if size <= plan.largest}
    return sorted(size for size in sizes if size > plan.batch_size)


def _climb(ladder: Iterable[int], plan: Plan, series: Series, budget: _Budget, sizes: list[int]) -> Strategy:
    """Visit the sizes of one direction, as far as memory and time allow; a failure ends the direction.

    The first further size of all is visited even when time is short, because one size is no curve.
    """
    for size in ladder:
        is_affordable = budget.allows(_VISIT_STEPS * series.expected_seconds(size)) or len(sizes) == 1
        if not is_affordable or (size > plan.batch_size and not plan.fits(size)):
            continue
        yield from _guarded(_visit(size, plan, series, budget), size, series)
        if size in series.failures:
            return
        sizes.append(size)
        series.done += 0.08


def _visit(size: int, plan: Plan, series: Series, budget: _Budget) -> Strategy:
    """Warm a size up, and trace it where that is cheap or needed."""
    if plan.traces and _is_worth_tracing(size, series, budget):
        yield from _trace(size, series)
    else:
        series.see((yield Block(size)))


def _is_worth_tracing(size: int, series: Series, budget: _Budget) -> bool:
    needed = len(series.traces.keys() | {size}) <= _TRACES
    return needed or 2 * series.expected_seconds(size) <= _TRACE_SHARE * budget.seconds


def _rounds(sizes: list[int], today: int, series: Series, budget: _Budget) -> Strategy:
    """Time all sizes in turn, until the bands are narrow or the time is spent; each at least once."""
    begun = series.done
    for turn in range(_MOST_ROUNDS):
        if turn >= _FEWEST_ROUNDS and series.is_steady():
            return
        for size in sorted(sizes):
            if size in series.times and not budget.allows(series.expected_seconds(size)):
                continue
            if size == today:
                yield from _time(size, series)
            elif size not in series.failures:
                yield from _guarded(_time(size, series), size, series)
        series.done = begun + (1 - begun) * (turn + 1) / _MOST_ROUNDS


def _guarded(strategy: Strategy, size: int, series: Series) -> Strategy:
    """A failure ends a size, not the profile."""
    try:
        yield from strategy
    except StepFailed as failure:
        series.failures[size] = failure


def _warm_up(size: int, series: Series, budget: _Budget) -> Strategy:
    """Steps until one is no longer clearly faster than those before; they count for nothing else."""
    fastest = float("inf")
    for _ in range(_MOST_WARM_UPS):
        result = yield Block(size)
        series.see(result)
        if result.step_seconds > (1 - _FASTER) * fastest or not budget.allows(result.step_seconds):
            return
        fastest = result.step_seconds


def _time(size: int, series: Series) -> Strategy:
    """A block of as many steps as make `_BLOCK_SECONDS`."""
    expected = max(series.expected_seconds(size), 1e-6)
    steps = max(1, min(_MOST_STEPS_PER_BLOCK, round(_BLOCK_SECONDS / expected)))
    series.record((yield Block(size, steps=steps)))


def _trace(size: int, series: Series) -> Strategy:
    series.record((yield Block(size, traced=True)))
