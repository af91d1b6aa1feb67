"""The curve of the step time, with the arithmetic of each number beside it."""

import math
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyline_jupyter.fit import is_rough, notch, rough_warning, step_time_knots
from skyline_jupyter.report.curve import Estimate, Knot, evaluate
from skyline_jupyter.report.model import Sample
from tests.reports import report, sample


def quiet(batch_size: int, step_seconds: float, repeats: int = 5) -> Sample:
    return sample(batch_size, step_seconds, step_seconds_spread=0.0, repeats=repeats)


def values(samples: list[Sample], smallest: int, largest: int) -> list[tuple[int, float]]:
    return [(knot.batch_size, knot.value) for knot in step_time_knots(samples, smallest, largest)]


def test_the_curve_goes_through_the_samples_and_is_linear_between() -> None:
    knots = step_time_knots([quiet(10, 1.0), quiet(20, 1.5), quiet(40, 2.5)], 10, 40)
    assert [evaluate(knots, size).value for size in (10, 15, 20, 30, 40)] == [1.0, 1.25, 1.5, 2.0, 2.5]


def test_above_the_samples_the_last_slope_goes_on() -> None:
    # (3 - 1.5) / 20 = 0.075 a sample.
    assert values([quiet(10, 1.0), quiet(20, 1.5), quiet(40, 3.0)], 10, 80)[-1] == (80, 3.0 + 40 * 0.075)


def test_the_band_above_spans_the_last_two_slopes() -> None:
    # 0.05 and 0.075 a sample; no spread, so that it is a point at 40.
    last = step_time_knots([quiet(10, 1.0), quiet(20, 1.5), quiet(40, 3.0)], 10, 80)[-1]
    assert (last.low, last.value, last.high) == pytest.approx((5.0, 6.0, 6.0))


def test_below_the_samples_the_first_slope_goes_on() -> None:
    # 0.05 a sample: 1.0 - 5 * 0.05. It may also be proportional, or not fall at all.
    first = step_time_knots([quiet(10, 1.0), quiet(20, 1.5)], 5, 20)[0]
    assert (first.batch_size, first.value, first.low, first.high) == (5, 0.75, 0.5, 1.0)


def test_below_the_samples_it_falls_no_faster_than_in_proportion() -> None:
    # The slope would be 0.3 a sample, from 1.0 at 10: below zero at 5.
    assert values([quiet(10, 1.0), quiet(20, 4.0)], 5, 20)[0] == (5, 0.5)


def test_samples_that_fall_are_pooled_by_the_number_of_their_repeats() -> None:
    # (2.0 * 1 + 1.0 * 3) / 4 = 1.25
    assert values([quiet(10, 2.0, repeats=1), quiet(20, 1.0, repeats=3), quiet(40, 3.0)], 10, 40) == [
        (10, 1.25),
        (20, 1.25),
        (40, 3.0),
    ]


def test_pools_grow_backwards() -> None:
    # 3 and 1 make 2, which 1 again draws down: (3 + 1 + 1) / 3.
    pooled = values([quiet(10, 3.0), quiet(20, 1.0), quiet(40, 1.0)], 10, 40)
    assert [value for _, value in pooled] == pytest.approx([5 / 3] * 3)


@given(st.lists(st.tuples(st.floats(1e-4, 1e3), st.integers(1, 9)), min_size=1, max_size=12))
def test_the_curve_never_falls_and_keeps_the_mean(measured: list[tuple[float, int]]) -> None:
    samples = [quiet(2 ** (n + 1), seconds, repeats) for n, (seconds, repeats) in enumerate(measured)]
    knots = step_time_knots(samples, 1, 2 ** (len(samples) + 1))
    found = [knot.value for knot in knots]
    assert all(a <= b * (1 + 1e-12) for a, b in pairwise(found))
    assert all(0 < knot.low <= knot.value * (1 + 1e-12) <= knot.high * (1 + 1e-9) for knot in knots)
    at_samples = {knot.batch_size: knot.value for knot in knots}
    weighted = sum(at_samples[one.batch_size] * one.repeats for one in samples)
    assert weighted == pytest.approx(sum(one.step_seconds * one.repeats for one in samples))


def test_the_band_of_a_sample_is_the_notch_of_its_box() -> None:
    # 1.57 * 0.2 / sqrt(4) = 0.157
    (knot,) = step_time_knots([sample(10, 1.0, step_seconds_spread=0.2, repeats=4)], 10, 10)
    assert knot == Knot(batch_size=10, value=1.0, low=1.0 - 0.157, high=1.0 + 0.157)
    assert notch(0.2, 4) == pytest.approx(1.57 * 0.2 / math.sqrt(4))
    assert notch(None, 1) == 0.0


def test_the_band_of_a_pooled_sample_holds_its_own_median() -> None:
    first, second = step_time_knots([quiet(10, 2.0), quiet(20, 1.0)], 10, 20)
    assert (first.low, first.value, first.high) == (1.5, 1.5, 2.0)
    assert (second.low, second.value, second.high) == (1.0, 1.5, 1.5)


def test_no_band_is_narrower_than_the_usual_one_because_a_few_repeats_may_agree_by_chance() -> None:
    samples = [
        sample(10 * 2**n, 1.0 + n, step_seconds_spread=spread, repeats=4) for n, spread in enumerate((0, 0.2, 0.6))
    ]
    first, *_, last = step_time_knots(samples, 10, 40)
    # The notches are 0, 0.157 / 2 and 0.471 / 3: the usual one is 7.85 % of a step.
    assert first.high - first.value == pytest.approx(0.0785)
    assert last.high - last.value == pytest.approx(0.471)


def test_a_throughput_stays_finite_however_wide_the_band() -> None:
    (knot,) = step_time_knots([sample(10, 1.0, step_seconds_spread=9.0, repeats=1)], 10, 10)
    assert knot.low == 0.1
    curves = msgspec.structs.replace(report([sample(10, 1.0)]).curves, step_seconds_knots=(knot,))
    assert curves.throughput(10) == Estimate(value=10.0, low=10 / 15.13, high=100.0)


def test_one_sample_is_a_floor_in_proportion_and_says_nothing_above() -> None:
    assert values([quiet(10, 1.0)], 5, 40) == [(5, 0.5), (10, 1.0)]


@pytest.mark.parametrize(("spreads", "rough"), [((0.2, 0.3, 0.24), False), ((0.2, 0.3, 0.26), True), ((0.9,), True)])
def test_times_are_rough_where_the_usual_spread_is_over_a_quarter(spreads: tuple[float, ...], rough: bool) -> None:  # noqa: FBT001  expected
    samples = [sample(2**n, 1.0, step_seconds_spread=spread) for n, spread in enumerate(spreads)]
    assert is_rough(samples) is rough


def test_a_rough_curve_says_how_rough() -> None:
    samples = [sample(8, 0.5, step_seconds_spread=0.47), sample(16, 1.0, step_seconds_spread=0.3)]
    assert rough_warning(samples) == (
        "Step times varied by up to 94 % while measuring; other work runs on this machine, so take the curve as rough."
    )


def test_a_quiet_one_says_nothing_nor_does_one_that_was_measured_once() -> None:
    assert rough_warning([sample(8, 0.5)]) is None
    assert rough_warning([sample(8, 0.5, step_seconds_spread=None, repeats=1)]) is None
