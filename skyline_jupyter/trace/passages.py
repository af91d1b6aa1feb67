"""What passed in a step, in the order in which it did; whose time that was is summed up when the step is over.

Until then an event is one entry of a list. From one landmark to the next all is scaled to what that takes without
looking. (To take the same from each event instead was tried: it leaves too little to small operators.)
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skyline_jupyter.trace.landmarks import Landmark, Pace, mapped
from skyline_jupyter.trace.lines import Lines, LineStack
from skyline_jupyter.trace.spots import Spot

FORWARD, BACKWARD, BETWEEN = range(3)
"""An operator forward; what a backward pass does; what passed between two events of no backward pass."""
Entry = tuple[Spot, LineStack, float, int]
"""Whose time, on which lines, seconds, and one of the three above."""


class Part(NamedTuple):
    """From one landmark to the next."""

    entries: Sequence[Entry]
    seconds: float | None
    """It takes without looking, if that is known."""


class Passages:
    """Of one step."""

    def __init__(self) -> None:
        """Nothing has passed."""
        self.entries: list[Entry] = []
        self.way: list[Landmark] = []
        self._cuts: list[int] = []
        self._before = [0.0]
        """When landmarks were passed by the watch, and when without looking."""
        self._after = [0.0]

    def passed(self, landmark: Landmark, seconds: float) -> None:
        """From here on it is another part of the step, so many seconds after its beginning."""
        self.way.append(landmark)
        self._cuts.append(len(self.entries))
        self._before.append(seconds)

    def settle(self, lines: Lines, pace: Pace) -> None:
        """The step is over: give all seconds to whom they belong."""
        for part in self._parts(pace):
            whole = sum(entry[2] for entry in part.entries)
            factor = part.seconds / whole if part.seconds is not None and whole > 0 else 1.0
            for spot, stack, seconds, kind in part.entries:
                spot.add(factor * seconds, backward=kind == BACKWARD)
                if kind == BETWEEN:
                    lines.add_between(stack, spot, factor * seconds)
                elif stack:
                    lines.add(stack, spot, factor * seconds, backward=kind == BACKWARD)
            self._after.append(self._after[-1] + factor * whole)
        self.entries = []

    def settled(self, seconds: float) -> float:
        """When, without looking, a moment of the step was."""
        return mapped(seconds, self._before, self._after[: len(self._before)])

    def _parts(self, pace: Pace) -> Iterator[Part]:
        """From landmark to landmark; what comes after the last is one more."""
        seconds = pace.along(self.way)
        begin = 0
        for index, end in enumerate(self._cuts):
            yield Part(self.entries[begin:end], None if seconds is None else seconds[index])
            begin = end
        yield Part(self.entries[begin:], None)
