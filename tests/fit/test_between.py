"""What may lie between two sizes, with the arithmetic of each number beside it."""

import pytest

from skyline_jupyter.fit import size_between_disagreeing, step_time_knots
from skyline_jupyter.report.curve import Knot
from skyline_jupyter.report.model import Sample
from tests.reports import sample


def samples(seconds: tuple[float, ...], spread: float = 0.0, first: int = 16) -> list[Sample]:
    """At sizes that double; `spread` is a share of each value."""
    return [
        sample(first * 2**n, value, step_seconds_spread=spread * value, repeats=4) for n, value in enumerate(seconds)
    ]


def corners(measured: list[Sample]) -> list[Knot]:
    knots = step_time_knots(measured, measured[0].batch_size, measured[-1].batch_size)
    sizes = {one.batch_size for one in measured}
    return [knot for knot in knots if knot.batch_size not in sizes]


def test_where_the_lines_from_both_sides_meet_below_the_chord_the_curve_is_half_way_to_there() -> None:
    # From 16 and 32 the line is flat at 1; from 64 and 128 it is 0.025 a sample and reaches 1 at 40. The chord from
    # 1 at 32 to 1.6 at 64 is at 1.15 there.
    (corner,) = corners(samples((1.0, 1.0, 1.6, 3.2)))
    assert corner.batch_size == 40
    assert (corner.low, corner.value, corner.high) == pytest.approx((1.0, 1.075, 1.15))


def test_a_curve_that_flattens_bends_the_other_way() -> None:
    # The line from the left is B / 16, from the right 3.4 + (B - 64) / 160. They meet at 53.3.
    (corner,) = corners(samples((1.0, 2.0, 3.4, 3.8)))
    assert corner.batch_size == 53
    assert (corner.low, corner.high) == pytest.approx((2 + 1.4 * 21 / 32, 53 / 16))
    assert corner.value == pytest.approx((corner.low + corner.high) / 2)


def test_below_the_first_size_a_floor_is_as_likely_as_a_slope() -> None:
    # The line from the right, 3 / 64 a sample, is at 1 at 21.3; the chord at 21 is at 1.15625.
    (corner,) = corners(samples((1.0, 1.5, 3.0)))
    assert corner.batch_size == 21
    assert (corner.low, corner.value, corner.high) == pytest.approx((1.0, (1.0 + 1.15625) / 2, 1.15625))


@pytest.mark.parametrize(
    "seconds",
    [
        (1.0, 1.0, 1.0, 1.0),  # a floor
        (1.0, 2.0, 4.0, 8.0),  # in proportion
        (1.5, 2.0, 3.0, 5.0),  # both
        (1.0, 1.0, 2.0, 4.0),  # a bend at a size that was measured
        (1.0, 2.0, 6.0, 12.0),  # a jump, which may be anywhere between 32 and 64
    ],
)
def test_there_is_no_corner_where_the_samples_show_none(seconds: tuple[float, ...]) -> None:
    assert corners(samples(seconds)) == []


def test_a_bend_that_noise_explains_is_none() -> None:
    # The notches are 1.57 × 0.1 / 2 = 7.9 % each, of four samples 15.7 %: more than the 13 % of the bend.
    assert corners(samples((1.0, 1.0, 1.6, 3.2), spread=0.1)) == []


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ((1, 1, 1, 2, 4), None),  # a bend at a size that was measured
        ((1, 1, 1.5, 3, 6), 45),  # flat up to 43, then in proportion: between 32 and 64
        ((1, 2, 4, 8, 16), None),
        ((1, 2, 4, 12, 24), 88),  # a jump between 64 and 128
        ((1, 1, 1.1, 2, 4), None),  # a bend of 6 %, of which the curve takes half
    ],
)
def test_a_further_size_is_wanted_where_the_curve_is_least_known(
    seconds: tuple[float, ...], expected: int | None
) -> None:
    assert size_between_disagreeing(samples(seconds)) == expected


def test_no_size_is_wanted_where_noise_explains_the_bend() -> None:
    assert size_between_disagreeing(samples((1, 1, 1.5, 3, 6), spread=0.2)) is None
