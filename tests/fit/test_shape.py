"""What a curve amounts to: by hand."""

import pytest

from skyline_jupyter.fit import grows, shape_of, step_time_knots
from skyline_jupyter.report.model import Sample, Shape
from tests.reports import sample


def quiet(batch_size: int, step_seconds: float) -> Sample:
    return sample(batch_size, step_seconds, step_seconds_spread=0.0)


def shape(samples: list[Sample], fits: int | None = None) -> Shape | None:
    return shape_of(samples, step_time_knots(samples, samples[0].batch_size, samples[-1].batch_size), fits)


LINE = [quiet(size, 0.1 + 0.001 * size) for size in (100, 200, 400, 800)]


def test_a_line_has_a_floor_a_slope_and_an_asymptote() -> None:
    found = shape(LINE)
    assert found is not None
    assert found.floor_seconds == pytest.approx(0.2)  # at the smallest size on offer
    assert found.seconds_per_sample == pytest.approx(0.001)
    assert found.asymptote == pytest.approx(1000)
    assert found.most_batch_size == 800
    assert found.most == pytest.approx(800 / 0.9)
    assert found.error == pytest.approx(0, abs=1e-9)
    assert (found.within_band, found.quality) == (1.0, "good")


def test_the_knee_is_the_smallest_size_with_nearly_the_most() -> None:
    # B / (0.1 + 0.001 B) is 95 % of 800 / 0.9 from B = 542.9 on; the sizes looked at are 800 / 2 ** (n / 8).
    found = shape(LINE)
    assert found is not None
    assert found.knee == round(400 * 2 ** (4 / 8))


def test_the_most_is_what_memory_allows() -> None:
    found = shape(LINE, fits=300)
    assert found is not None
    assert found.most_batch_size == 300
    assert found.most == pytest.approx(300 / 0.4)
    assert found.asymptote == pytest.approx(1000)


def test_the_asymptote_is_no_less_than_what_was_seen() -> None:
    # Near the end the slope is steeper than in proportion: 1 / 0.02 would be less than the 64 / 1.0 that were measured.
    found = shape([quiet(32, 0.7), quiet(64, 1.0), quiet(128, 2.28)])
    assert found is not None
    assert found.seconds_per_sample == pytest.approx(0.02)
    assert found.asymptote == found.most == pytest.approx(64.0)


def test_a_step_that_takes_no_longer_has_no_asymptote() -> None:
    flat = [quiet(size, 0.1) for size in (16, 32, 64)]
    found = shape(flat)
    assert not grows(flat)
    assert found is not None
    assert (found.seconds_per_sample, found.asymptote) == (None, None)


def test_a_rise_within_the_noise_is_none() -> None:
    noisy = [sample(32, 1.0, step_seconds_spread=0.2, repeats=4), sample(64, 1.2, step_seconds_spread=0.2, repeats=4)]
    assert not grows(noisy)  # the notches are 1.57 × 0.2 / 2 each
    assert grows([quiet(32, 1.0), quiet(64, 1.2)])


def test_a_curve_that_jumps_about_is_called_poor() -> None:
    found = shape([quiet(16, 1.0), quiet(32, 2.0), quiet(64, 2.0), quiet(128, 4.5)])
    assert found is not None
    # Left out, 32 is expected half way between the chord, 1.33, and a floor of 1.0, and 64 at 2.83; both took 2.0.
    assert found.error == pytest.approx((5 / 12 + 5 / 12) / 2)
    assert (found.within_band, found.quality) == (0.0, "poor")


def test_two_sizes_tell_no_quality_and_one_no_shape() -> None:
    found = shape(LINE[:2])
    assert found is not None
    assert (found.error, found.within_band, found.quality) == (None, None, "unknown")
    assert shape(LINE[:1]) is None
