"""What the original did, written from its description: three sizes close together, and two straight lines."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from skyline_jupyter.measure.block import Block, BlockResult

_STRIDES = (20, 10, 5, 1)
_FIRST_REPEATS, _MOST_REPEATS = 3, 50
_CLOSE = 0.05

Unit: TypeAlias = Generator[Block, BlockResult, None]


@dataclass
class Baseline:
    """Measures in units that nothing may interrupt, one a size."""

    seconds: dict[int, float] = field(default_factory=dict)
    peaks: dict[int, int] = field(default_factory=dict)
    steps: int = 0

    def units(self, today: int, largest: int) -> list[Unit]:
        """Today's size, and two above it, by the first stride that stays below a guess of the limit."""
        stride = next((stride for stride in _STRIDES if today + 2 * stride <= largest), 1)
        return [self._unit(today + turn * stride) for turn in range(3)]

    def _unit(self, size: int) -> Unit:
        """One warm-up; repeats, doubled until two means are within 5 % or there are fifty; the smaller mean counts."""
        yield Block(size)
        repeats, before = _FIRST_REPEATS, float("inf")
        self.steps += 1
        while True:
            mean = (yield Block(size, steps=repeats)).step_seconds
            self.steps += repeats
            self.seconds[size] = min(mean, before)
            if abs(mean - before) < _CLOSE * min(mean, before) or repeats > _MOST_REPEATS:
                break
            before, repeats = self.seconds[size], 2 * repeats
        trace = (yield Block(size, settling=1, traced=True)).trace
        assert trace is not None
        self.peaks[size] = trace.peak_bytes
        self.steps += 1  # it would read the peak off the device after one step

    def predicted_seconds(self, size: int) -> float:
        """By the line through the times."""
        return _on_line(list(self.seconds.items()), size)

    def predicted_peak(self, size: int) -> float:
        """By the line through the peaks."""
        return _on_line(list(self.peaks.items()), size)


def _on_line(points: Sequence[tuple[int, float]], size: int) -> float:
    """The least-squares line at a size."""
    middle_size, middle = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((x - middle_size) ** 2 for x, _ in points)
    slope = sum((x - middle_size) * (y - middle) for x, y in points) / spread
    return float(middle + slope * (size - middle_size))
