"""Peak memory against batch size, from the steps that were traced so far, and how well it is known."""

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

import msgspec

from skyline_jupyter.fit.memory import (
    Levels,
    Line,
    envelope,
    exact_knot,
    largest_within,
    peak_at,
    peak_knots,
    sampled_knots,
    split_at,
)
from skyline_jupyter.report.curve import CategoryCurve, Knot
from skyline_jupyter.report.model import MEMORY_CATEGORIES

_SHARE, _BYTES = 0.02, 64 * 2**10
"""Libraries round what they take up to whole pages, which is not affine in the batch size. A peak that is off by more
than both, the share of it and the bytes, comes from a program that takes another path at some sizes."""


class PeakFit:
    """Exact where two traces can be matched and no other contradicts them; else no more than the traced peaks."""

    def __init__(self, levels: Sequence[Levels]) -> None:
        """From traces at sizes of any order."""
        self._levels = sorted(levels, key=lambda level: level.batch_size)

    @cached_property
    def _pair(self) -> tuple[Levels, Levels, tuple[Line, ...]] | None:
        """The two traces that lie farthest apart of those that match, if no other contradicts what they predict."""
        pairs = sorted(combinations(self._levels, 2), key=lambda pair: pair[0].batch_size / pair[1].batch_size)
        for one, other in pairs:
            lines = envelope(one, other)
            if lines is not None:
                return None if self._contradicting(lines) else (one, other, lines)
        return None

    def _contradicting(self, lines: Sequence[Line]) -> Levels | None:
        """The trace that is farthest from the lines, if that is more than rounding explains."""
        worst = max(self._levels, key=lambda one: abs(peak_at(lines, one.batch_size) - one.peak) / _tolerance(one))
        return worst if abs(peak_at(lines, worst.batch_size) - worst.peak) > _tolerance(worst) else None

    @property
    def lines(self) -> tuple[Line, ...] | None:
        """The envelope; `None` where the traces do not agree on one."""
        return None if self._pair is None else self._pair[2]

    @cached_property
    def reason(self) -> str | None:
        """One sentence where the peak is not known exactly at every size: why."""
        if self.lines is not None or not self._levels:
            return None
        if len(self._levels) == 1:
            return f"Memory was followed at batch size {self._levels[0].batch_size:,} only."
        for one, other in combinations(self._levels, 2):
            lines = envelope(one, other)
            if lines is not None and (odd := self._contradicting(lines)) is not None:
                return (
                    f"The peak at batch size {odd.batch_size:,} is not in line with those at {one.batch_size:,} and"
                    f" {other.batch_size:,}, so it is known at the sizes measured only."
                )
        one, other = self._levels[0], self._levels[-1]
        return (
            f"Your step allocates in another order at batch size {other.batch_size:,} ({len(other.purposes):,}"
            f" allocations and frees) than at {one.batch_size:,} ({len(one.purposes):,}), so the peak is known at the"
            " sizes measured only."
        )

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

    @property
    def grows(self) -> bool:
        """Whether the peak is larger at larger sizes; taken for granted where it is not known exactly."""
        return self.lines is None or any(line.slope > 0 for line in self.lines)

    def split(self, batch_size: int) -> tuple[int, ...]:
        """The peak at a size by category; empty where it is not known exactly, or was not split."""
        if self._pair is None or not self._pair[0].start_split:
            return ()
        one, other, lines = self._pair
        return split_at(one, other, max(lines, key=lambda line: line.at(batch_size)), batch_size)

    def category_curves(self, smallest: int, largest: int) -> tuple[CategoryCurve, ...]:
        """The parts of the peak over the sizes on offer; at whole sizes they add up to it."""
        sizes = [knot.batch_size for knot in self.knots(smallest, largest)]
        splits = [self.split(size) for size in sizes]
        if not splits or not splits[0]:
            return ()
        return tuple(
            CategoryCurve(
                category=category,
                knots=tuple(exact_knot(size, split[position]) for size, split in zip(sizes, splits, strict=True)),
            )
            for position, category in enumerate(MEMORY_CATEGORIES)
        )

    def _deviation(self, lines: Sequence[Line]) -> float:
        """How far the traced peaks are from the lines at most, as a share."""
        return max(abs(peak_at(lines, one.batch_size) - one.peak) / max(one.peak, 1) for one in self._levels)


def _tolerance(one: Levels) -> float:
    return max(_SHARE * one.peak, _BYTES)
