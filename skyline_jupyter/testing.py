"""Stand-ins for a clock, a device and a program of training steps, with which measuring code is tested exactly.

```python
clock = FakeClock()
program = FakeProgram(clock, lambda batch_size: 0.01 + 0.001 * batch_size)
stepper = Stepper(FakeDevice(clock), program, strategy)
```
"""

from collections.abc import Callable, Iterable

import torch

from skyline_jupyter.devices import Mark
from skyline_jupyter.devices.exhaustion import says_out_of_memory
from skyline_jupyter.measure.program import Boundaries
from skyline_jupyter.report.model import DeviceFacts

__all__ = ["FakeClock", "FakeDevice", "FakeProgram"]

_GIB = 2**30


class FakeClock:
    """Time that passes only when it is told to. A call returns it, as `time.perf_counter` does."""

    def __init__(self) -> None:
        """It is 0."""
        self.now = 0.0

    def __call__(self) -> float:
        """Seconds since the beginning."""
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


class FakeDevice:
    """A device on a fake clock, with as much memory as a test wants. Its tensors are those of the CPU."""

    def __init__(self, clock: FakeClock, *, capacity_bytes: int = 16 * _GIB, available_bytes: int = 12 * _GIB) -> None:
        """Nothing runs on it yet."""
        self.facts = DeviceFacts(kind="cpu", name="fake device", capacity_bytes=capacity_bytes)
        self.available = available_bytes
        self.most_taken = 0
        self.process: int | None = None
        self.fragmentation = 0
        self.workspace: int | None = None
        self.releases = 0
        """How often cached memory was given back."""
        self._clock = clock

    def mark(self) -> Mark:
        """The fake time."""
        return self._clock.now

    def seconds_between(self, begin: Mark, end: Mark) -> float:
        """Seconds from `begin` to `end`."""
        assert isinstance(begin, float)
        assert isinstance(end, float)
        return end - begin

    def available_bytes(self) -> int:
        """As `available` says."""
        return self.available

    def process_bytes(self) -> int | None:
        """As `process` says."""
        return self.process

    def fragmentation_bytes(self) -> int:
        """As `fragmentation` says."""
        return self.fragmentation

    def most_taken_bytes(self) -> int:
        """As `most_taken` says."""
        return self.most_taken

    def begin_workspace(self) -> None:
        """Nothing to start."""

    def workspace_bytes(self, tensor_bytes: int) -> int | None:  # noqa: ARG002  the protocol's name
        """As `workspace` says."""
        return self.workspace

    def is_out_of_memory(self, error: BaseException) -> bool:
        """By the texts that real devices have."""
        return says_out_of_memory(error)

    def release(self) -> None:
        """Count it."""
        self.releases += 1


class FakeProgram:
    """Training steps that take the time that a function of the batch size says; it may raise instead.

    A batch is one number of four bytes for each sample.
    """

    def __init__(
        self,
        clock: FakeClock,
        step: Callable[[int], float],
        *,
        fetch: Callable[[int], float] = lambda _: 0.0,
        steps_per_run: int | None = None,
    ) -> None:
        """What a step does.

        Args:
            clock: passes as the steps run.
            step: seconds that a step takes once it has its batch.
            fetch: seconds that fetching the batch takes before.
            steps_per_run: the program then ends by itself; `None` for one that never does.
        """
        self.sizes: list[int] = []
        """Batch sizes of the steps that were begun."""
        self.runs = 0
        self._clock = clock
        self._step = step
        self._fetch = fetch
        self._steps_per_run = steps_per_run

    def run(self, boundaries: Boundaries, /) -> None:
        """Run steps."""
        self.runs += 1
        done = 0
        while done != self._steps_per_run:
            size = boundaries.next_size()
            self.sizes.append(size)
            self._clock.advance(self._fetch(size))
            batch = torch.zeros(size)
            boundaries.fetched(batch)
            self._clock.advance(self._step(size))
            done += 1

    def state(self) -> Iterable[torch.Tensor]:
        """It has none."""
        return ()
