"""The peak at every batch size from two steps' events: by hand, and against brute force."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyline_jupyter.fit.memory import Levels, Line, envelope, largest_within, peak_at, peak_knots
from skyline_jupyter.fit.peak import PeakFit
from skyline_jupyter.report.curve import Knot, evaluate

EVENTS = st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**6)), min_size=1, max_size=30)


def levels(events: list[tuple[int, int]], batch_size: int) -> Levels:
    return Levels(batch_size, tuple(base + slope * batch_size for base, slope in events))


def test_levels_are_running_sums() -> None:
    assert Levels.from_deltas(4, 100, (50, -20, 70)) == Levels(4, (100, 150, 130, 200))
    assert Levels.from_deltas(4, 100, (50, -20, 70)).peak == 200


def test_two_lines_by_hand() -> None:
    # The optimizer's temporaries, 1,000 bytes at any size, and the activations, 200 + 100 B: they cross at B = 8.
    lines = envelope(Levels(2, (1000, 400)), Levels(4, (1000, 600)))
    assert lines == (Line(Fraction(1000), Fraction(0)), Line(Fraction(200), Fraction(100)))
    assert [peak_at(lines, size) for size in (1, 8, 9, 50)] == [1000, 1000, 1100, 5200]


def test_the_order_of_the_two_steps_does_not_matter() -> None:
    small, large = Levels(2, (1000, 400, 7)), Levels(4, (1000, 600, 3))
    assert envelope(small, large) == envelope(large, small)


def test_a_line_that_is_never_the_highest_is_left_out() -> None:
    # 10 + B, 8 + 2 B and 7 + 3 B: at B = 2 they are 12, 12 and 13, so the middle one is never alone on top.
    assert envelope(levels([(10, 1), (8, 2), (7, 3)], 3), levels([(10, 1), (8, 2), (7, 3)], 7)) == (
        Line(Fraction(10), Fraction(1)),
        Line(Fraction(7), Fraction(3)),
    )


def test_a_line_that_is_highest_only_below_size_1_is_left_out() -> None:
    assert envelope(levels([(10, 0), (0, 10)], 2), levels([(10, 0), (0, 10)], 3)) == (Line(Fraction(0), Fraction(10)),)


def test_steps_with_another_number_of_events_do_not_match() -> None:
    assert envelope(Levels(2, (1, 2)), Levels(4, (1, 2, 3))) is None
    assert envelope(Levels(2, (1, 2)), Levels(2, (1, 2))) is None


@given(EVENTS, st.integers(1, 64), st.integers(1, 64), st.integers(1, 5000))
def test_the_envelope_is_the_highest_line_at_every_size(
    events: list[tuple[int, int]], one: int, distance: int, batch_size: int
) -> None:
    lines = envelope(levels(events, one), levels(events, one + distance))
    assert lines is not None
    assert peak_at(lines, batch_size) == max(base + slope * batch_size for base, slope in events)
    assert [line.slope for line in lines] == sorted({line.slope for line in lines})


@given(EVENTS, st.integers(1, 300), st.integers(0, 700))
def test_the_knots_give_the_envelope_back_at_every_whole_size(
    events: list[tuple[int, int]], smallest: int, distance: int
) -> None:
    lines = envelope(levels(events, 2), levels(events, 5))
    assert lines is not None
    knots = peak_knots(lines, smallest, smallest + distance)
    for size in range(smallest, smallest + distance + 1, max(1, distance // 20)):
        assert evaluate(knots, size).value == pytest.approx(peak_at(lines, size), abs=1e-3)


@given(EVENTS, st.integers(0, 10**10))
def test_the_largest_size_fits_and_the_next_does_not(events: list[tuple[int, int]], limit: int) -> None:
    lines = envelope(levels(events, 2), levels(events, 5))
    assert lines is not None
    largest = largest_within(lines, limit)
    if largest is None:
        assert all(slope == 0 for _, slope in events)
    else:
        assert largest == 0 or peak_at(lines, largest) <= limit
        assert peak_at(lines, largest + 1) > limit


def test_knots_by_hand() -> None:
    lines = (Line(Fraction(1000), Fraction(0)), Line(Fraction(150), Fraction(100)))  # crossing at 8.5
    sizes_and_values = [(4, 1000), (8, 1000), (9, 1050), (100, 10150), (101, 10250)]
    assert peak_knots(lines, 4, 100) == tuple(
        Knot(batch_size=size, value=value, low=value, high=value) for size, value in sizes_and_values
    )


@pytest.mark.parametrize(("limit", "largest"), [(1000, 8), (1049, 8), (1050, 9), (999, 0), (10**6, 9998)])
def test_the_largest_size_by_hand(limit: int, largest: int) -> None:
    lines = (Line(Fraction(1000), Fraction(0)), Line(Fraction(150), Fraction(100)))
    assert largest_within(lines, limit) == largest


def test_memory_that_does_not_grow_has_no_largest_size() -> None:
    assert largest_within((Line(Fraction(1000), Fraction(0)),), 2000) is None


LINES = [(1_000_000, 0), (200_000, 100_000)]


def test_a_fit_that_a_third_step_confirms_is_exact() -> None:
    fit = PeakFit([levels(LINES, size) for size in (16, 4, 64)])
    assert (fit.source, fit.at(100), fit.largest_within(2_200_000)) == ("events", 10_200_000, 20)
    assert [knot.low == knot.value == knot.high for knot in fit.knots(2, 128)] == [True] * 5


def test_a_fit_that_is_off_by_some_pages_shows_it_in_its_band() -> None:
    rounded = Levels(16, (1_000_000, 1_800_000 + 18_000))
    fit = PeakFit([levels(LINES, 4), rounded, levels(LINES, 64)])
    assert fit.source == "events"
    knot = fit.knots(4, 64)[0]
    # 18,000 of 1,818,000 bytes.
    assert (knot.low, knot.high) == pytest.approx((1_000_000 * (1 - 18 / 1818), 1_000_000 * (1 + 18 / 1818)))


def test_a_step_on_another_path_leaves_no_more_than_the_measured_peaks() -> None:
    fit = PeakFit([levels(LINES, 4), Levels(16, (1_000_000, 3_000_000)), levels(LINES, 64)])
    assert (fit.source, fit.largest_within(10**12)) == ("samples", None)
    assert [(knot.batch_size, knot.value) for knot in fit.knots(2, 128)] == [(4, 1e6), (16, 3e6), (64, 6.6e6)]
    # As if all of the nearest peak grew with the size, and never less than it.
    assert (fit.at(128), fit.at(3)) == (2 * 6_600_000, 1_000_000)


def test_one_step_is_an_upper_bound_elsewhere_and_none_is_unknown() -> None:
    assert PeakFit([levels(LINES, 64)]).at(128) == 2 * 6_600_000
    nothing = PeakFit([])
    assert (nothing.source, nothing.at(8), nothing.knots(1, 8)) == ("unknown", None, ())
