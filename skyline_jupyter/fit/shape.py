"""What the curve of the step time amounts to: floor, slope, knee, the most that can be had, and how good the fit is.

A curve through the samples has no residuals, so its quality is judged by leaving one out: how far
is each sample from the curve through the others, and does it lie in their band?
"""

import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise

from skyline_jupyter.fit.noise import notch
from skyline_jupyter.fit.step_time import grows, step_time_knots
from skyline_jupyter.report.curve import Estimate, Knot, evaluate
from skyline_jupyter.report.model import Sample, Shape

_NEARLY = 0.95
"""The knee has this share of the most throughput."""
_FEWEST = 3
_GOOD, _FAIR = 0.05, 0.12
"""Median error of a sample left out. Its neighbours are a factor of four apart, twice as far as in the whole curve."""


def shape_of(samples: Sequence[Sample], knots: Sequence[Knot], fits: int | None) -> Shape | None:
    """From the samples, and the curve through them over the sizes on offer.

    Args:
        samples: in increasing batch size.
        knots: of the curve.
        fits: the largest size that fits in memory; `None` where that is unknown.

    Returns:
        None for fewer than two sizes.
    """
    if len(samples) < 2 or len(knots) < 2:  # noqa: PLR2004  no curve from one size
        return None
    slope = _last_slope(knots) if grows(samples) else None
    sizes = [size for size in _sizes(knots, fits) if not fits or size <= fits]
    throughputs = {size: size / evaluate(knots, size).value for size in sizes or [knots[0].batch_size]}
    best = max(throughputs, key=lambda size: (throughputs[size], -size))
    errors = [abs(expected.value / one.step_seconds - 1) for one, expected in _left_out(samples)]
    within = [_overlap(one, expected) for one, expected in _left_out(samples)]
    error = statistics.median(errors) if errors else None
    return Shape(
        floor_seconds=min(knot.value for knot in knots),
        seconds_per_sample=slope,
        asymptote=max(1 / slope, throughputs[best]) if slope else None,
        most=throughputs[best],
        most_batch_size=best,
        knee=min(size for size, throughput in throughputs.items() if throughput >= _NEARLY * throughputs[best]),
        error=error,
        within_band=sum(within) / len(within) if within else None,
        quality=_quality(error),
    )


def _left_out(samples: Sequence[Sample]) -> Iterator[tuple[Sample, Estimate]]:
    """Each sample but the first and the last, and what the curve through the others expects there."""
    for position in range(1, len(samples) - 1):
        others = [*samples[:position], *samples[position + 1 :]]
        knots = step_time_knots(others, samples[0].batch_size, samples[-1].batch_size)
        yield samples[position], evaluate(knots, samples[position].batch_size)


def _overlap(one: Sample, expected: Estimate) -> bool:
    half = notch(one.step_seconds_spread, one.repeats) + 1e-9 * one.step_seconds
    return expected.low <= one.step_seconds + half and one.step_seconds - half <= expected.high


def _quality(error: float | None) -> str:
    if error is None:
        return "unknown"
    return "good" if error <= _GOOD else "fair" if error <= _FAIR else "poor"


def _last_slope(knots: Sequence[Knot]) -> float:
    a, b = knots[-2:]
    return (b.value - a.value) / (b.batch_size - a.batch_size)


def _sizes(knots: Sequence[Knot], fits: int | None) -> list[int]:
    """Where the knee may be: every knot, eight sizes between two, and the largest that fits."""
    between = 8
    sizes = {knot.batch_size for knot in knots}
    if fits and knots[0].batch_size <= fits <= knots[-1].batch_size:
        sizes.add(fits)
    for a, b in pairwise(knots):
        ratio = b.batch_size / a.batch_size
        sizes |= {round(a.batch_size * ratio ** (step / between)) for step in range(1, between)}
    return sorted(sizes)
