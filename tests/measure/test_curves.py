"""How far the curve is from the truth, and for how many steps: known curves on a fake clock, with a machine's habits.

The truth is known at every size, a step after one of another size takes longer, and noise comes from
a seeded generator.
"""

import math
import random
import statistics
from collections.abc import Callable, Iterable
from functools import partial
from itertools import product

import pytest

from skyline_jupyter.fit import step_time_knots
from skyline_jupyter.measure.sampling import Plan, sample_curve
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.report.curve import evaluate
from skyline_jupyter.testing import FakeClock, FakeDevice, FakeProgram
from tests.benchmarks.baseline import Baseline

Curve = Callable[[int], float]
TODAY = 16
HELD_OUT = (6, 11, 23, 45)
"""Half way, on a log axis, between a quarter, half, once, twice and four times today's size."""
CURVES: dict[str, Curve] = {
    "affine": lambda size: 0.004 + 0.0002 * size,
    "in proportion": lambda size: 0.001 * size,
    "flat": lambda _: 0.008,
    "floor, then slope": lambda size: max(0.008, 0.0006 * size),
    "late slope": lambda size: max(0.008, 0.0002 * size),
    "smooth bend": lambda size: (0.006**3 + (0.0005 * size) ** 3) ** (1 / 3),
    "knee": lambda size: 0.003 + 0.0004 * size + 0.0004 * max(0, size - 24),
    "stairs": lambda size: 0.01 * math.ceil(size / 12),
    "cliff": lambda size: (0.002 + 0.0005 * size) * (1.4 if size >= 30 else 1.0),
}


def program(  # noqa: PLR0913  the habits of a machine, each by its name
    clock: FakeClock, curve: Curve, *, cold: float = 1.1, noise: float = 0.0, bursts: float = 0.0, seed: int = 0
) -> FakeProgram:
    """Steps of a curve.

    Args:
        clock: passes as they run.
        curve: seconds of a settled step.
        cold: times as long takes one after another size, and a first one three times as long.
        noise: relative standard deviation of a visit to a size, and of each step.
        bursts: share of the steps that take half as long again.
        seed: of the noise.
    """
    random_ = random.Random(seed)
    sizes: list[int] = []
    visit = 0.0

    def step(size: int) -> float:
        nonlocal visit
        factor = 1.0 if sizes else 3.0
        if sizes and sizes[-1] != size:
            factor, visit = cold, random_.gauss(0, noise)
        sizes.append(size)
        disturbed = 1.5 if random_.random() < bursts else 1.0
        return curve(size) * factor * disturbed * math.exp(visit + random_.gauss(0, noise))

    return FakeProgram(clock, step)


def run(strategy: Callable[[FakeClock], Strategy], made: Callable[[FakeClock], FakeProgram]) -> FakeProgram:
    clock = FakeClock()
    steps, device = made(clock), FakeDevice(clock)
    run_to_end(Stepper(device, steps, strategy(clock)), steps, device, lambda: None)
    return steps


def ours(made: Callable[[FakeClock], FakeProgram]) -> tuple[Curve, int]:
    """What the curve predicts, and the steps it took."""
    plan = Plan(
        batch_size=TODAY,
        smallest=2,
        largest=4096,
        varies=True,
        traces=True,
        fits=lambda _: True,
        peaks_known=lambda: True,
        time_budget=10.0,
    )
    series = Series()
    steps = run(lambda clock: sample_curve(plan, series, clock), made)
    knots = step_time_knots(series.samples(workers=0), 2, 256)
    return lambda size: evaluate(knots, size).value, len(steps.sizes)


def baseline(made: Callable[[FakeClock], FakeProgram]) -> tuple[Curve, int]:
    """The original's way."""
    original = Baseline()

    def strategy() -> Strategy:
        for unit in original.units(TODAY, 4096):
            yield from unit

    run(lambda _: strategy(), made)
    return original.predicted_seconds, original.steps


def errors(predicted: Curve, curve: Curve, sizes: Iterable[int] = HELD_OUT) -> list[float]:
    return [abs(predicted(size) / curve(size) - 1) for size in sizes]


@pytest.mark.parametrize(
    ("name", "median", "most", "steps"),
    [
        ("affine", 1e-9, 1e-9, 31),
        ("in proportion", 1e-9, 1e-9, 31),
        ("flat", 1e-9, 1e-9, 31),
        ("floor, then slope", 0.005, 0.04, 31),
        ("late slope", 1e-9, 0.07, 31),
        ("smooth bend", 0.01, 0.015, 31),
        ("knee", 1e-9, 1e-9, 34),
        ("stairs", 0.03, 0.16, 37),
        ("cliff", 1e-9, 0.01, 37),
    ],
)
def test_where_nothing_disturbs_the_curve_is_known_after_about_thirty_steps(
    name: str, median: float, most: float, steps: int
) -> None:
    curve = CURVES[name]
    predicted, spent = ours(lambda clock: program(clock, curve))
    found = errors(predicted, curve)
    assert (statistics.median(found) <= median, max(found) <= most, spent) == (True, True, steps), (found, spent)


@pytest.mark.parametrize("name", CURVES)
def test_the_curve_goes_through_the_settled_times_whatever_a_switch_costs(name: str) -> None:
    curve = CURVES[name]
    predicted, _ = ours(lambda clock: program(clock, curve, cold=2.0))
    assert errors(predicted, curve, (4, 8, 16, 32, 64, 128)) == pytest.approx([0.0] * 6)


@pytest.mark.parametrize(
    ("noise", "bursts", "median", "most", "steps"),
    [(0.01, 0.0, 0.02, 0.06, 31), (0.02, 0.03, 0.03, 0.09, 38), (0.04, 0.08, 0.06, 0.14, 52)],
)
def test_noise_costs_repeats_and_little_else(
    noise: float, bursts: float, median: float, most: float, steps: int
) -> None:
    made = {
        name: ours(lambda clock, curve=curve: program(clock, curve, noise=noise, bursts=bursts))  # type: ignore[misc]
        for name, curve in CURVES.items()
    }
    found = {name: errors(predicted, CURVES[name]) for name, (predicted, _) in made.items()}
    assert statistics.median(statistics.median(each) for each in found.values()) <= median
    assert statistics.median(max(each) for each in found.values()) <= most
    assert statistics.median(spent for _, spent in made.values()) <= steps


@pytest.mark.parametrize(("noise", "bursts"), [(0.01, 0.0), (0.02, 0.03), (0.04, 0.08)])
def test_both_errors_and_the_steps_are_fewer_than_the_originals(noise: float, bursts: float) -> None:
    figures: dict[str, list[tuple[float, float, int]]] = {"ours": [], "original": []}
    for curve, seed in product(CURVES.values(), range(3)):
        made = partial(program, curve=curve, noise=noise, bursts=bursts, seed=seed)
        for way, measured in (("ours", ours), ("original", baseline)):
            predicted, spent = measured(made)
            found = errors(predicted, curve)
            figures[way].append((statistics.median(found), max(found), spent))
    told = {way: summary(rows) for way, rows in figures.items()}
    assert all(mine < its for mine, its in zip(told["ours"], told["original"], strict=True)), told


def summary(rows: Iterable[tuple[float, float, int]]) -> tuple[float, float, float]:
    """Errors in the median, steps in the mean: they add up."""
    medians, largest, steps = zip(*rows, strict=True)
    return statistics.median(medians), statistics.median(largest), statistics.mean(steps)
