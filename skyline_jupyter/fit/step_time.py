"""Step time against batch size: through the samples, never falling, with a band.

Between two sizes the curve is linear, or has a corner (`between.py`). It does not fall as the batch
grows: samples that say so are pooled (the pool-adjacent-violators algorithm of isotonic regression,
Ayer et al., 1955). The band at a sample is that of its median. Beyond the samples the last slope
goes on, and the band spans what the last two slopes would give.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from skyline_jupyter.fit.between import least_known_size, slope, with_corners
from skyline_jupyter.fit.noise import half_bands, notch
from skyline_jupyter.report.curve import Knot
from skyline_jupyter.report.model import Sample

_FLAT = 0.02
"""A rise by less than this share, over twice the batch, is none: what lies beyond cannot be told from it."""


@dataclass
class _Pool:
    """Neighbouring samples that share one value."""

    seconds: float
    weight: int
    members: int = 1


def grows(samples: Sequence[Sample]) -> bool:
    """Whether the step takes longer at the largest size than at half of it or less, by more than noise explains."""
    last = samples[-1]
    others = [one for one in samples if one.batch_size <= last.batch_size / 2] or list(samples[:-1])
    if not others:
        return False
    first = others[-1]
    noise = notch(first.step_seconds_spread, first.repeats) + notch(last.step_seconds_spread, last.repeats)
    return last.step_seconds - first.step_seconds > noise + _FLAT * last.step_seconds


def step_time_knots(samples: Sequence[Sample], smallest: int, largest: int) -> tuple[Knot, ...]:
    """The curve from `smallest` to `largest` through samples in increasing batch size; empty without any."""
    if not samples:
        return ()
    knots = _knots(samples)
    below = [_floor(knots, smallest)] if smallest < knots[0].batch_size else []
    above = [_continued(knots, largest)] if largest > knots[-1].batch_size and len(knots) > 1 else []
    return tuple(below + with_corners(knots) + above)


def size_between_disagreeing(samples: Sequence[Sample]) -> int | None:
    """Where a further sample tells most, if the samples leave much open between two sizes."""
    return least_known_size(_knots(samples))


def _knots(samples: Sequence[Sample]) -> list[Knot]:
    """At the samples."""
    pooled = _pool([(sample.step_seconds, sample.repeats) for sample in samples])
    bands = half_bands(samples)
    return [_knot(sample, seconds, half) for sample, seconds, half in zip(samples, pooled, bands, strict=True)]


def _pool(values: Sequence[tuple[float, int]]) -> list[float]:
    """The nearest sequence that never falls, weighted by the number of repeats."""
    pools: list[_Pool] = []
    for seconds, weight in values:
        pools.append(_Pool(seconds, weight))
        while len(pools) > 1 and pools[-2].seconds > pools[-1].seconds:
            last, before = pools.pop(), pools[-1]
            total = before.weight + last.weight
            before.seconds = (before.seconds * before.weight + last.seconds * last.weight) / total
            before.weight = total
            before.members += last.members
    return [pool.seconds for pool in pools for _ in range(pool.members)]


def _knot(sample: Sample, seconds: float, half: float) -> Knot:
    """The pooled value; the band holds the sample's own median as well."""
    low = min(seconds, sample.step_seconds) - half
    return Knot(
        batch_size=sample.batch_size,
        value=seconds,
        low=max(low, seconds / 10),  # a throughput has to stay finite, however noisy the machine
        high=max(seconds, sample.step_seconds) + half,
    )


def _floor(knots: Sequence[Knot], smallest: int) -> Knot:
    """Below the smallest sample: down its first slope, but no faster than in proportion to the size."""
    first = knots[0]
    proportional = first.value / first.batch_size
    rise = min(slope(knots[0], knots[1]), proportional) if len(knots) > 1 else proportional
    distance = first.batch_size - smallest
    return Knot(
        batch_size=smallest,
        value=first.value - rise * distance,
        low=first.low * smallest / first.batch_size,
        high=first.high,
    )


def _continued(knots: Sequence[Knot], largest: int) -> Knot:
    """Above the largest sample."""
    last = knots[-1]
    slopes = [slope(a, b) for a, b in pairwise(knots[-3:])]
    distance = largest - last.batch_size
    return Knot(
        batch_size=largest,
        value=last.value + slopes[-1] * distance,
        low=last.low + min(slopes) * distance,
        high=last.high + max(slopes) * distance,
    )
