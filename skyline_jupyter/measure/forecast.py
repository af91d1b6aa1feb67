"""The memory that a step is predicted to take at any size, before one of today's size was run."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

from skyline_jupyter.fit import PeakFit
from skyline_jupyter.measure.memory import StepTrace
from skyline_jupyter.measure.purposes import GRADIENTS, OPTIMIZER_STATE, WEIGHTS
from skyline_jupyter.measure.rehearsal import Rehearsal

Prepare: TypeAlias = Callable[[int], Callable[[], object]]
"""Makes the data of a step of a size, where they are not made in the step; returns the step."""

_OF_NO_SIZE = frozenset({WEIGHTS, GRADIENTS, OPTIMIZER_STATE})


@dataclass(frozen=True)
class Forecast:
    """From whole steps of two sizes."""

    first: StepTrace
    """A very first step."""
    steady: tuple[StepTrace, StepTrace]
    """Later ones; the first of them is of the same size."""

    @classmethod
    def rehearsed(cls, rehearsal: Rehearsal, prepare: Prepare, size: int, other: int) -> "Forecast":
        """Run four steps, each size once more than it counts: what a step leaves behind is of its size."""
        first, same, _, last = (rehearsal.step(one, prepare(one)) for one in (size, size, other, other))
        return cls(first, (same, last))

    @property
    def held_bytes(self) -> int:
        """What the step found: weights, gradients, optimizer state, data."""
        return self.first.start_bytes

    @cached_property
    def peaks(self) -> PeakFit:
        """Of a step that is not the first."""
        return PeakFit([trace.levels() for trace in self.steady])

    @property
    def first_bytes(self) -> int:
        """What a very first step takes beyond the others."""
        return max(0, self.first.peak_bytes - self.steady[0].peak_bytes)

    def needs(self, batch_size: int) -> int:
        """Bytes that suffice for any step of a size."""
        peak = self.peaks.at(batch_size)
        assert peak is not None, "there are two traces"
        return peak + self.first_bytes

    def largest_within(self, limit_bytes: int) -> int:
        """The largest size that needs no more; 0 where no size is known to."""
        largest = self.peaks.largest_within(limit_bytes - self.first_bytes)
        if largest is not None:
            return largest
        return max(
            (trace.batch_size for trace in self.steady if self.needs(trace.batch_size) <= limit_bytes), default=0
        )


def most_needed(trace: StepTrace, batch_size: int) -> int:
    """What a step of a size takes at most, judged by a very first one of a smaller size.

    All but weights, gradients and optimizer state is taken to grow with the size.
    """
    split = list(enumerate(trace.start_split))
    lasting = _most(trace, sum(size for purpose, size in split if purpose in _OF_NO_SIZE), of_no_size=True)
    growing = _most(trace, sum(size for purpose, size in split if purpose not in _OF_NO_SIZE), of_no_size=False)
    return lasting + growing * batch_size // trace.batch_size


def _most(trace: StepTrace, start: int, *, of_no_size: bool) -> int:
    deltas = (
        delta if (purpose in _OF_NO_SIZE) is of_no_size else 0
        for delta, purpose in zip(trace.deltas, trace.purposes, strict=True)
    )
    return max(accumulate(deltas, initial=start))
