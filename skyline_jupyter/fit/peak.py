"""Peak memory against batch size, from the steps that were traced so far, and how well it is known."""

from collections.abc import Sequence
from functools import cached_property

import msgspec

from skyline_jupyter.fit.memory import Levels, Line, envelope, largest_within, peak_at, peak_knots, sampled_knots
from skyline_jupyter.report.curve import Knot

_SHARE, _BYTES = 0.02, 64 * 2**10
"""Libraries round what they take up to whole pages, which is not affine in the batch size. A peak that is off by more
than both, the share of it and the bytes, comes from a program that takes another path at some sizes."""


class PeakFit:
    """Exact where two traces can be matched and no other contradicts them; else no more than the traced peaks."""

    def __init__(self, levels: Sequence[Levels]) -> None:
        """From traces at sizes of any order."""
        self._levels = sorted(levels, key=lambda level: level.batch_size)

    @cached_property
    def lines(self) -> tuple[Line, ...] | None:
        """The envelope of the two traces that lie farthest apart; `None` where the traces do not agree on one."""
        for other in reversed(self._levels[1:]):
            lines = envelope(self._levels[0], other)
            if lines is not None:
                agree = all(abs(peak_at(lines, one.batch_size) - one.peak) <= _tolerance(one) for one in self._levels)
                return lines if agree else None
        return None

    @property
    def source(self) -> str:
        """`events`, `samples` or `unknown`."""
        return "events" if self.lines is not None else "samples" if self._levels else "unknown"

    def at(self, batch_size: int) -> int | None:
        """The peak at a size; where the traces do not agree, an upper bound, as if all of it grew with the size."""
        if self.lines is not None:
            return peak_at(self.lines, batch_size)
        if not self._levels:
            return None
        nearest = min(self._levels, key=lambda one: max(one.batch_size / batch_size, batch_size / one.batch_size))
        return int(nearest.peak * max(1.0, batch_size / nearest.batch_size))

    def largest_within(self, limit_bytes: int) -> int | None:
        """The largest size whose peak is within the limit; `None` where that is unknown, or every size is."""
        return None if self.lines is None else largest_within(self.lines, limit_bytes)

    def knots(self, smallest: int, largest: int) -> tuple[Knot, ...]:
        """The curve over the sizes on offer; its band is what other traces differ from it."""
        if self.lines is None:
            return sampled_knots([(one.batch_size, one.peak) for one in self._levels])
        share = self._deviation(self.lines)
        return tuple(
            msgspec.structs.replace(knot, low=knot.value * (1 - share), high=knot.value * (1 + share))
            for knot in peak_knots(self.lines, smallest, largest)
        )

    def _deviation(self, lines: Sequence[Line]) -> float:
        """How far the traced peaks are from the lines at most, as a share."""
        return max(abs(peak_at(lines, one.batch_size) - one.peak) / max(one.peak, 1) for one in self._levels)


def _tolerance(one: Levels) -> float:
    return max(_SHARE * one.peak, _BYTES)
