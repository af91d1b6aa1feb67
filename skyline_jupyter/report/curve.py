"""Curves against batch size, and their evaluation, which the browser repeats line for line.

A curve is a tuple of knots in increasing batch size: linear between two knots, and beyond the last
knot the last slope goes on. `tests/fixtures/curves.json` holds the vectors that both languages must meet.
"""

from collections.abc import Sequence

import msgspec

from skyline_jupyter.errors import ReportError


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A value with its band."""

    value: float
    low: float
    high: float


class Knot(msgspec.Struct, frozen=True, kw_only=True):
    """A point of a curve."""

    batch_size: int
    value: float
    low: float
    high: float


class CategoryCurve(msgspec.Struct, frozen=True, kw_only=True):
    """One part of the peak against batch size. At whole sizes the parts add up to the peak."""

    category: str
    knots: tuple[Knot, ...]


class Curves(msgspec.Struct, frozen=True, kw_only=True):
    """Step time and peak memory against batch size. Empty knots: unknown."""

    step_seconds_knots: tuple[Knot, ...]
    peak_bytes_knots: tuple[Knot, ...]
    peak_bytes_source: str
    """`events` (exact, from two traced steps), `samples` (through the measured peaks) or `unknown`."""
    peak_bytes_reason: str | None
    """One sentence where the peak is not known exactly at every size: why."""
    peak_by_category: tuple[CategoryCurve, ...]
    """Empty where the peak is not known exactly at every size."""

    def step_seconds(self, batch_size: float) -> Estimate:
        """Seconds of one training step at `batch_size`.

        Raises:
            ReportError: no step was timed, because none could be run.
        """
        if not self.step_seconds_knots:
            message = "No step was timed, because none fits in the memory there was; the report's warnings say more."
            raise ReportError(message)
        return evaluate(self.step_seconds_knots, batch_size)

    def throughput(self, batch_size: float) -> Estimate:
        """Samples per second at `batch_size`.

        Raises:
            ReportError: as for the step's seconds.
        """
        step = self.step_seconds(batch_size)
        return Estimate(value=batch_size / step.value, low=batch_size / step.high, high=batch_size / step.low)

    def peak_bytes(self, batch_size: float) -> Estimate | None:
        """Bytes of peak memory at `batch_size`, or `None` where memory could not be measured."""
        if not self.peak_bytes_knots:
            return None
        return evaluate(self.peak_bytes_knots, batch_size)

    def peak_bytes_by_category(self, batch_size: int) -> dict[str, int]:
        """What the peak is made of at `batch_size`, in bytes; empty where that is unknown."""
        return {curve.category: round(evaluate(curve.knots, batch_size).value) for curve in self.peak_by_category}


def evaluate(knots: Sequence[Knot], batch_size: float) -> Estimate:
    """The curve through `knots` (at least one) at `batch_size`."""
    if len(knots) == 1 or batch_size <= knots[0].batch_size:
        first = knots[0]
        return Estimate(value=first.value, low=first.low, high=first.high)
    right = 1
    while right < len(knots) - 1 and knots[right].batch_size < batch_size:
        right += 1
    a, b = knots[right - 1], knots[right]
    share = (batch_size - a.batch_size) / (b.batch_size - a.batch_size)
    return Estimate(
        value=a.value + share * (b.value - a.value),
        low=a.low + share * (b.low - a.low),
        high=a.high + share * (b.high - a.high),
    )
