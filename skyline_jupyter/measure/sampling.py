"""Which sizes are measured, in which order, and how often.

The order is the story of a profile: warm up at today's size and trace a step there (the first
numbers), then visit a geometric ladder of sizes around it, as far as memory and time allow, then
time all sizes again on the way back, so that a drift of the machine hits all alike. Sizes whose
repeats disagree are visited again until they agree or the time is spent. Two traced sizes predict
the peak at every other, so that nothing runs out of memory.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from skyline_jupyter.fit import size_between_disagreeing
from skyline_jupyter.measure.block import Block
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Strategy

_SMALLER, _LARGER = (1 / 2, 1 / 4), (2, 4, 8)
"""The ladder around today's size, from it outwards."""
_FEWEST_ROUNDS, _MOST_ROUNDS = 1, 5
"""Beside the visit."""
_FEWEST_WARM_UPS, _MOST_WARM_UPS = 3, 8
_WARM_UP_SECONDS = 0.7
"""Beyond the fewest."""
_FASTER = 0.05
"""A warm-up step that is faster by more than this share shows that the next may be faster still."""
_DISTURBED = 1.3
"""Times as long as the fastest so far: something else ran meanwhile."""
_TRACES = 2
"""They predict the peak at every size; a first larger one tells whether they do."""
_MOST_REFINED = 2
_STEPS_OF_TODAY, _SECONDS_BESIDE = 36, 2.5
"""After the warm-up the whole curve takes no longer than this, whatever the user's budget allows."""
_SECONDS_FOR_ONE = 1.0
_CHEAP = 0.1
"""Seconds of a step from which a size alone is traced only if its peak cannot be predicted."""
_FEWEST_FOR_ONE, _USUAL_FOR_ONE, _MOST_FOR_ONE = 2, 3, 8

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
    peaks_known: Callable[[], bool]
    """Whether the sizes traced so far tell the peak at every other."""
    time_budget: float


class _Budget:
    """Seconds that may be spent."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.seconds = seconds
        self._clock = clock
        self._begun = clock()

    @property
    def spent(self) -> float:
        return self._clock() - self._begun

    def allows(self, seconds: float) -> bool:
        return self.spent + seconds <= self.seconds

    def tighten(self, seconds: float) -> None:
        self.seconds = min(self.seconds, seconds)


def sample_curve(plan: Plan, series: Series, clock: Clock = time.perf_counter) -> Strategy:
    """Fill `series` with the whole curve."""
    budget = _Budget(clock, plan.time_budget)
    today = plan.batch_size
    yield from _warm_up(plan, series, budget)
    budget.tighten(budget.spent + _STEPS_OF_TODAY * series.expected_seconds(today) + _SECONDS_BESIDE)
    if budget.allows(series.expected_seconds(today)):
        yield from _time(today, series)
    series.done = 0.1
    sizes = [today]
    if plan.varies:
        yield from _climb(_smaller(plan), plan, series, budget, sizes)
        yield from _climb(_larger(plan), plan, series, budget, sizes)
    yield from _rounds(range(_FEWEST_ROUNDS), sizes, today, series, budget)
    if plan.varies:
        yield from _refine(plan, series, budget, sizes)
    yield from _rounds(range(_FEWEST_ROUNDS, _MOST_ROUNDS), sizes, today, series, budget)
    series.done = 1.0


def sample_one(batch_size: int, series: Series, *, traces: bool, clock: Clock = time.perf_counter) -> Strategy:
    """Fill `series` with one size, at the cost of a few steps; earlier times of it are dropped."""
    budget = _Budget(clock, _SECONDS_FOR_ONE)
    series.see((yield Block(batch_size)))
    series.forget_times(batch_size)
    for turn in range(_MOST_FOR_ONE):
        wanted = turn < _USUAL_FOR_ONE or not series.is_steady(batch_size)
        if turn < _FEWEST_FOR_ONE or (wanted and budget.allows(series.expected_seconds(batch_size))):
            yield from _time(batch_size, series)
    is_cheap = series.expected_seconds(batch_size) <= _CHEAP
    if traces and batch_size not in series.traces and (is_cheap or len(series.traces) < _TRACES):
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
        if size > plan.batch_size and not plan.fits(size):
            continue
        if len(sizes) == 1 or budget.allows(_seconds_with(size, sizes, series)):
            yield from _visit(size, plan, series, sizes)
        if size in series.failures:
            return
        series.done += 0.08


def _seconds_with(size: int, sizes: Sequence[int], series: Series) -> float:
    """What a visit takes, and after it the fewest rounds of all sizes."""
    visit = 3 * series.expected_seconds(size)
    return visit + _FEWEST_ROUNDS * sum(_seconds_of_turn(one, series) for one in (*sizes, size))


def _seconds_of_turn(size: int, series: Series) -> float:
    """What a size takes in one round."""
    return (2 if series.switch_costs(size) else 1) * series.expected_seconds(size)


def _visit(size: int, plan: Plan, series: Series, sizes: list[int]) -> Strategy:
    """Warm a size up, by tracing it where that is needed, and time it while it is warm."""

    def steps() -> Strategy:
        is_first_larger = size > plan.batch_size >= max(series.traces, default=size)
        if plan.traces and (is_first_larger or len(series.traces) < _TRACES or not plan.peaks_known()):
            yield from _trace(size, series)
        yield from _time(size, series)

    yield from _guarded(steps(), series)
    if size not in series.failures:
        sizes.append(size)


def _rounds(turns: range, sizes: Sequence[int], today: int, series: Series, budget: _Budget) -> Strategy:
    """Time all sizes in turn, upwards and downwards; after the fewest rounds only those whose repeats disagree."""
    begun = series.done
    for turn in turns:
        wide = [size for size in sizes if turn < _FEWEST_ROUNDS or not series.is_steady(size)]
        for size in sorted(wide, reverse=turn % 2 == 0):
            if size in series.failures or not budget.allows(_seconds_of_turn(size, series)):
                continue
            if size == today:
                yield from _time(size, series)
                series.forget_colder_times(size)
            else:
                yield from _guarded(_time(size, series), series)
        series.done = max(begun, turn / _MOST_ROUNDS)


def _refine(plan: Plan, series: Series, budget: _Budget, sizes: list[int]) -> Strategy:
    """Measure between two sizes where the curve is least known, beyond what its bands explain."""
    for _ in range(_MOST_REFINED):
        size = size_between_disagreeing(series.samples(workers=0))
        if size is None or size in series.failures or not budget.allows(_seconds_with(size, (), series)):
            return
        yield from _visit(size, plan, series, sizes)
        for _turn in range(_FEWEST_ROUNDS):
            if size in sizes and budget.allows(series.expected_seconds(size)):
                yield from _guarded(_time(size, series), series)


def _guarded(strategy: Strategy, series: Series) -> Strategy:
    """A failure ends a size, not the profile."""
    try:
        yield from strategy
    except StepFailed as failure:
        series.fail(failure)


def _warm_up(plan: Plan, series: Series, budget: _Budget) -> Strategy:
    """Steps until one is no longer clearly faster than those before; that one counts, unless it was disturbed.

    The very first is traced: it is the one in which an optimizer makes its state. So is one of those that only warm up.
    """
    size, fastest = plan.batch_size, float("inf")
    series.record_first((yield Block(size, traced=plan.traces)))
    if plan.traces:
        yield from _trace(size, series)
    series.see(result := (yield Block(size)))
    for turn in range(_FEWEST_WARM_UPS, _MOST_WARM_UPS + 1):
        fastest = result.step_seconds
        series.see(result := (yield Block(size)))
        is_last = turn == _MOST_WARM_UPS or budget.spent >= _WARM_UP_SECONDS
        if is_last or result.step_seconds > (1 - _FASTER) * fastest:
            break
    if result.step_seconds < _DISTURBED * fastest:
        series.record(result)
    else:
        yield from _time(size, series)


def _time(size: int, series: Series) -> Strategy:
    """One step, after one that settles where that matters."""
    series.record((yield Block(size, settling=1 if series.settles(size) else 0)))


def _trace(size: int, series: Series) -> Strategy:
    series.record((yield Block(size, settling=1, traced=True)))
