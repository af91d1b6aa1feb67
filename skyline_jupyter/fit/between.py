"""What may lie between two measured sizes: a corner of the curve, and how far it is unknown.

Between two samples the chord is expected. The lines through the pairs to the left and to the right
say what else may be. Where both leave the chord on the same side the curve bends, and lies between
the chord and the nearer of the two lines: it is the chord if the bend is at a sample, and the lines if it is at
the corner where they meet. Where they leave it on different sides the curve may jump, anywhere between the samples.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skyline_jupyter.report.curve import Knot

_LARGE, _MULTIPLE = 64, 8
_UNKNOWN = 0.05
"""A share of the step time from which another size is measured between two."""


@dataclass(frozen=True)
class Between:
    """Two neighbouring knots, with the slopes of the lines that reach them from outside."""

    one: Knot
    other: Knot
    left: float
    right: float
    noise: float
    """How far the lines may be off because of the spread of their samples, as a share."""

    def chord_at(self, size: float) -> float:
        """Straight from one to the other."""
        share = (size - self.one.batch_size) / (self.other.batch_size - self.one.batch_size)
        return self.one.value + share * (self.other.value - self.one.value)

    def left_at(self, size: float) -> float:
        """By the line from the left."""
        return self.one.value + self.left * (size - self.one.batch_size)

    def right_at(self, size: float) -> float:
        """By the line from the right."""
        return self.other.value - self.right * (self.other.batch_size - size)

    def gaps_at(self, size: float) -> tuple[float, float]:
        """How far the lines from the left and from the right are above the chord, as shares of it."""
        chord = self.chord_at(size)
        return self.left_at(size) / chord - 1, self.right_at(size) / chord - 1

    def bend_at(self, size: float) -> float:
        """How far the nearer line is from the chord if both are on the same side, beyond noise; else 0."""
        left, right = self.gaps_at(size)
        if left * right <= 0:
            return 0.0
        nearer = min(left, right, key=abs)
        return math.copysign(max(0.0, abs(nearer) - self.noise), nearer)

    @property
    def corner(self) -> Knot | None:
        """Half way between the chord and the corner of the lines, with a band that holds both."""
        if self.left == self.right:
            return None
        (x, y), (z, w) = (self.one.batch_size, self.one.value), (self.other.batch_size, self.other.value)
        size = round((w - y + self.left * x - self.right * z) / (self.left - self.right))
        if not x < size < z or not (bend := self.bend_at(size)):
            return None
        chord = self.chord_at(size)
        share = (size - x) / (z - x)
        low, high = (a + share * (b - a) for a, b in ((self.one.low, self.other.low), (self.one.high, self.other.high)))
        return Knot(
            batch_size=size,
            value=min(w, chord * (1 + bend / 2)),
            low=low + min(0.0, bend * chord),
            high=high + max(0.0, bend * chord),
        )

    @property
    def middle(self) -> int:
        """The whole size half way on a log axis; a large one is a multiple of eight, as hardware likes them."""
        size = math.sqrt(self.one.batch_size * self.other.batch_size)
        return round(size / _MULTIPLE) * _MULTIPLE if size >= _LARGE else round(size)

    @property
    def unknown(self) -> float:
        """How far the curve may be off at the middle, as a share: half of a bend, or the whole of a jump."""
        left, right = self.gaps_at(self.middle)
        if left * right > 0:
            return abs(self.bend_at(self.middle)) / 2
        return min(abs(left), abs(right)) - self.noise


def intervals(knots: Sequence[Knot]) -> Iterator[Between]:
    """All but the last, beyond which nothing is known.

    Below the first knot a floor is as likely as a slope, so the line from there is flat; and a line from the right that
    is steeper than in proportion comes from a jump, and tells nothing of what lies to the left of it.
    """
    for position, (one, other, after) in enumerate(zip(knots, knots[1:], knots[2:], strict=False)):
        lines = [one, other, after]
        left, right = 0.0, slope(other, after)
        if position:
            lines.append(knots[position - 1])
            left = slope(knots[position - 1], one)
        else:
            right = min(right, other.value / other.batch_size)
        noise = math.hypot(*((knot.high - knot.low) / 2 / knot.value for knot in lines))
        yield Between(one=one, other=other, left=left, right=right, noise=noise)


def with_corners(knots: Sequence[Knot]) -> list[Knot]:
    """The same knots, and the corners between them."""
    corners = [between.corner for between in intervals(knots)]
    return sorted([*knots, *(corner for corner in corners if corner)], key=lambda knot: knot.batch_size)


def least_known_size(knots: Sequence[Knot]) -> int | None:
    """Where a further sample tells most; `None` where none tells much."""
    found = [
        (between.unknown, between.middle)
        for between in intervals(knots)
        if between.one.batch_size < between.middle < between.other.batch_size
    ]
    return max((one for one in found if one[0] > _UNKNOWN), default=(0.0, None))[1]


def slope(one: Knot, other: Knot) -> float:
    """Seconds a sample from one knot to another."""
    return (other.value - one.value) / (other.batch_size - one.batch_size)
