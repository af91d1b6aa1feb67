"""The few moments of a step at which it passes from one thing to the next: noting them takes next to no time.

Steps of which nothing else is noted say how long the step really is from one landmark to the next, and so what is to be
taken out of the steps of which everything is noted. Roots among the modules, backward passes, updates, scopes and
batches are landmarks.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import torch

from skyline_jupyter.trace.watch import Clock, Watch

Landmark = tuple[str, object]
"""What is passed; the same in each step that takes the same way."""


class Landmarks:
    """Told of what happens, it says when a landmark is passed."""

    def __init__(self, passed: Callable[[Landmark], None]) -> None:
        """Nothing has happened."""
        self._passed = passed
        self._modules = 0
        self._backwards = 0

    @property
    def goes_back(self) -> bool:
        """Whether a backward pass runs."""
        return self._backwards > 0

    def fetching(self) -> None:
        """The step, which has several batches, fetches one more."""
        self._passed(("fetching", 0))

    def fetched(self) -> None:
        """A batch is there."""
        self._passed(("fetched", 0))

    def end(self) -> None:
        """The step is over."""
        self._passed(("end", 0))

    def module_begins(self, module: torch.nn.Module) -> None:
        """Those that others call are no landmarks, nor those that a checkpoint calls again."""
        if not self._backwards:
            if not self._modules:
                self._passed(("module", id(module)))
            self._modules += 1

    def module_ended(self, module: torch.nn.Module) -> None:
        """It has returned, or raised."""
        if not self._backwards and self._modules:
            self._modules -= 1
            if not self._modules:
                self._passed(("module ended", id(module)))

    def backward_begins(self) -> None:
        """A backward pass; one within another is no landmark."""
        if not self._backwards:
            self._passed(("backward", 0))
        self._backwards += 1

    def backward_ended(self) -> None:
        """It is over."""
        self._backwards -= 1
        if not self._backwards:
            self._passed(("backward ended", 0))

    def optimizer_begins(self, optimizer: torch.optim.Optimizer) -> None:
        """An update."""
        self._passed(("update", id(optimizer)))

    def optimizer_ended(self, optimizer: torch.optim.Optimizer) -> None:
        """It is done."""
        self._passed(("update ended", id(optimizer)))

    def scope_begins(self, name: str) -> None:
        """A scope of the user's own."""
        self._passed(("scope", name))

    def scope_ended(self, name: str) -> None:
        """It was left."""
        self._passed(("scope ended", name))


class Stride(Landmarks):
    """A step of which the landmarks alone are noted."""

    def __init__(self, clock: Clock, wait: Callable[[], None]) -> None:
        """It begins."""
        super().__init__(self.passed)
        self.landmarks: list[Landmark] = []
        self.seconds: list[float] = []
        """Up to each."""
        self._watch = Watch(clock)
        self._wait = wait
        self._watch.start()

    def passed(self, landmark: Landmark) -> None:
        """From here on it is another part of the step."""
        self._wait()
        self.seconds.append(self._watch.stop())
        self.landmarks.append(landmark)
        self._watch.start()


class Pace:
    """How long steps take from landmark to landmark. What else the machine does only makes them slower."""

    def __init__(self, strides: Sequence[Stride]) -> None:
        """Lower quartiles of the steps that take the same way; of no way at all where there are no steps."""
        ways: dict[tuple[Landmark, ...], list[list[float]]] = {}
        for stride in strides:
            ways.setdefault(tuple(stride.landmarks), []).append(stride.seconds)
        self._ways = {
            way: tuple(sorted(part)[len(part) // 4] for part in zip(*seconds, strict=True))
            for way, seconds in ways.items()
        }

    def along(self, way: Sequence[Landmark]) -> Sequence[float] | None:
        """Seconds up to each landmark; `None` where no step took this way."""
        return self._ways.get(tuple(way))


def mapped(seconds: float, before: Sequence[float], after: Sequence[float]) -> float:
    """A moment between some that have been moved, moved with them; both begin with 0."""
    for (begin, end), (new_begin, new_end) in zip(pairwise(before), pairwise(after), strict=True):
        if seconds <= end:
            return new_begin + (new_end - new_begin) * ((seconds - begin) / (end - begin) if end > begin else 0.0)
    return after[-1]
