"""Peak memory at every batch size from the allocation events of two traced steps.

If two steps allocate and free in the same order, the size of event k is affine in the batch size
B, so what is live after it is ``a_k + b_k B``, and the peak is ``max_k (a_k + b_k B)``: an upper
envelope of lines, exact at every size at which the program takes the same path.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise

from skyline_jupyter.report.curve import Knot


@dataclass(frozen=True)
class Levels:
    """Live bytes after each event of a step, at one batch size; the first is the level at its beginning."""

    batch_size: int
    live: tuple[int, ...]
    start_split: tuple[int, ...] = ()
    """The first level by category."""
    purposes: tuple[int, ...] = ()
    """The category of each event, as a position in `start_split`."""

    @classmethod
    def from_deltas(
        cls,
        batch_size: int,
        start_bytes: int,
        deltas: Sequence[int],
        start_split: Sequence[int] = (),
        purposes: Sequence[int] = (),
    ) -> "Levels":
        """Add the events up."""
        live = tuple(accumulate(deltas, initial=start_bytes))
        return cls(batch_size, live, tuple(start_split), tuple(purposes))

    @property
    def peak(self) -> int:
        """The most that was live at once."""
        return max(self.live)

    def split_at(self, event: int) -> tuple[int, ...]:
        """Live bytes by category at the level of that index; they add up to it."""
        split = list(self.start_split)
        for purpose, before, after in zip(self.purposes[:event], self.live, self.live[1:], strict=False):
            split[purpose] += after - before
        return tuple(split)

    @property
    def peak_split(self) -> tuple[int, ...]:
        """What the peak is made of; empty where that was not followed."""
        return self.split_at(self.live.index(self.peak)) if self.start_split else ()

    def follows(self, other: "Levels") -> bool:
        """Whether both steps allocated and freed for the same ends in the same order."""
        return len(self.live) == len(other.live) and self.purposes == other.purposes


@dataclass(frozen=True)
class Line:
    """Live bytes after one event: ``base + slope * batch_size``."""

    base: Fraction
    slope: Fraction
    event: int = field(default=0, compare=False)

    def at(self, batch_size: int) -> int:
        """Bytes at a size, to the nearest."""
        return round(self.base + self.slope * batch_size)


def envelope(one: Levels, other: Levels) -> tuple[Line, ...] | None:
    """The lines that are the peak somewhere at sizes ≥ 1, in increasing slope.

    Returns:
        None where the two steps took different paths, so that their events cannot be matched.
    """
    if not one.follows(other) or one.batch_size == other.batch_size:
        return None
    width = other.batch_size - one.batch_size
    sign = 1 if width > 0 else -1
    levels = zip(one.live, other.live, strict=True)
    rises = ((sign * (there - here), here, event) for event, (here, there) in enumerate(levels))
    # In whole numbers, `width` times too large: there are thousands of events, and few lines in the end.
    scaled = sorted({(rise, here * abs(width) - rise * one.batch_size, event) for rise, here, event in rises})
    return tuple(
        Line(Fraction(base, abs(width)), Fraction(rise, abs(width)), event) for rise, base, event in _upper_hull(scaled)
    )


def _upper_hull(lines: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Of lines (slope, base, event) in increasing order, those on the upper envelope at sizes ≥ 1.

    A sweep over the slopes: a line stays while the next one overtakes it later than it overtook the last.
    """
    hull: list[tuple[int, int, int]] = []
    for line in lines:
        if hull and hull[-1][0] == line[0]:
            hull.pop()
        while len(hull) > 1 and not _is_ever_above(hull[-2], hull[-1], line):
            hull.pop()
        hull.append(line)
    while len(hull) > 1 and sum(hull[0][:2]) <= sum(hull[1][:2]):
        hull.pop(0)
    return hull


def _is_ever_above(flat: tuple[int, int, int], line: tuple[int, int, int], steep: tuple[int, int, int]) -> bool:
    """Whether `line` overtakes `flat` before `steep` does."""
    return (flat[1] - line[1]) * (steep[0] - flat[0]) < (flat[1] - steep[1]) * (line[0] - flat[0])


def peak_at(lines: Sequence[Line], batch_size: int) -> int:
    """The peak at a size."""
    return max(line.at(batch_size) for line in lines)


def peak_knots(lines: Sequence[Line], smallest: int, largest: int) -> tuple[Knot, ...]:
    """The envelope as knots: linear interpolation between them gives it back at every whole size."""
    sizes = {smallest, largest, largest + 1}
    for flat, steep in pairwise(lines):
        below = math.floor((flat.base - steep.base) / (steep.slope - flat.slope))
        sizes |= {below, below + 1}
    return tuple(exact_knot(size, peak_at(lines, size)) for size in sorted(sizes) if smallest <= size <= largest + 1)


def sampled_knots(peaks: Sequence[tuple[int, int]]) -> tuple[Knot, ...]:
    """A curve through measured peaks, where the events of two steps could not be matched."""
    return tuple(exact_knot(size, peak) for size, peak in sorted(peaks))


def split_at(one: Levels, other: Levels, line: Line, batch_size: int) -> tuple[int, ...]:
    """The peak at a size by category, if `line` is the peak there. Each category is affine in the size too."""
    width = other.batch_size - one.batch_size
    parts = zip(one.split_at(line.event), other.split_at(line.event), strict=True)
    split = [round(here + Fraction(there - here, width) * (batch_size - one.batch_size)) for here, there in parts]
    split[split.index(max(split))] += line.at(batch_size) - sum(split)  # what rounding has left over
    return tuple(split)


def largest_within(lines: Sequence[Line], limit_bytes: int) -> int | None:
    """The largest size whose peak is within the limit.

    Returns:
        0 where not even size 1 fits, None where memory does not grow with the size.
    """
    if peak_at(lines, 1) > limit_bytes:
        return 0
    growing = [line for line in lines if line.slope > 0]
    if not growing:
        return None
    return min(math.floor((limit_bytes - line.base) / line.slope) for line in growing)


def exact_knot(size: int, value: int) -> Knot:
    """A point without a band."""
    return Knot(batch_size=size, value=float(value), low=float(value), high=float(value))
