"""Consecutive training steps at one batch size: what is asked for, how it is observed, what it showed."""

import gc
from dataclasses import dataclass

from skyline_jupyter.devices.base import Device, Mark
from skyline_jupyter.measure.memory import StepTrace, StorageTracker
from skyline_jupyter.measure.program import Observer, Program


@dataclass(frozen=True)
class Block:
    """What is asked for."""

    batch_size: int
    steps: int = 1
    settling: int = 0
    """Steps that run before those and count for nothing: a step after one of another size finds caches cold, and what
    the last step left behind (a loss, the batch) is not of its size."""
    traced: bool = False
    """Follow the memory of the last step."""
    observer: Observer | None = None
    """Looks on; the times of such steps are not those of plain ones."""


@dataclass(frozen=True)
class BlockResult:
    """What it showed."""

    batch_size: int
    step_seconds: float
    """Mean over the steps that count, for one batch where a step has several; traced ones take longer."""
    data_seconds: float
    settling_seconds: float | None = None
    """Of the last step that settled: what a step takes after one of another size."""
    trace: StepTrace | None = None
    first_step_peak_bytes: int | None = None
    """Of a traced step before which nothing was known."""
    room_bytes: int | None = None
    """When the traced step began: what its tensors held, and what was free besides."""
    process_bytes: int | None = None
    """At the same moment: what else this process held."""
    workspace_bytes: int | None = None


class RunningBlock:
    """Observes the steps of a block while they run."""

    def __init__(self, block: Block, device: Device, program: Program) -> None:
        """From here on memory is followed, if it is to be."""
        self.in_step = False
        self._block = block
        self._device = device
        self._left = block.settling + block.steps
        self._step: list[Mark] = []
        self._steps: list[tuple[Mark, ...]] = []
        self._memory = _MemoryOfSteps(block.batch_size, device, program) if block.traced else None

    @property
    def has_steps(self) -> bool:
        """Whether a step has been completed."""
        return bool(self._steps)

    def begin_step(self) -> None:
        """The step begins with its fetch."""
        self.in_step = True
        if self._memory is not None:
            self._memory.fetching()
        self._step = [self._device.mark()]
        if self._block.observer is not None:
            self._block.observer.begin_step()

    def fetching(self) -> None:
        """The step, which has several batches, fetches one more."""
        if self._block.observer is not None:
            self._block.observer.fetching()
        self._step.append(self._device.mark())
        if self._memory is not None:
            self._memory.fetching()

    def fetched(self, batch: object) -> None:
        """The fetch is over."""
        self._step.append(self._device.mark())
        if self._memory is not None:
            self._memory.fetched(batch, is_first=len(self._step) == 2)  # noqa: PLR2004  begin, fetched
        if self._block.observer is not None:
            self._block.observer.fetched(batch)

    def end_step(self) -> bool:
        """The step is over; whether it was the block's last one."""
        if self._block.observer is not None:
            self._block.observer.end_step()
        self._steps.append((*self._step, self._device.mark()))
        self.in_step = False
        if self._memory is not None:
            self._memory.end_step()
        self._left -= 1
        return self._left == 0

    def result(self) -> BlockResult:
        """What the completed steps showed (at least one)."""
        between = self._device.seconds_between
        counted = self._steps[self._block.settling :] or self._steps[-1:]
        seconds = [between(marks[0], marks[-1]) / _batches(marks) for marks in counted]
        data = [
            sum(between(*pair) for pair in zip(marks[:-1:2], marks[1:-1:2], strict=False)) / _batches(marks)
            for marks in counted
        ]
        settled = self._steps[: self._block.settling][-1:] if len(self._steps) > self._block.settling else []
        memory = self._memory
        trace = memory.trace if memory is not None else None
        return BlockResult(
            batch_size=self._block.batch_size,
            step_seconds=sum(seconds) / len(seconds),
            data_seconds=sum(data) / len(data),
            settling_seconds=next((between(marks[0], marks[-1]) / _batches(marks) for marks in settled), None),
            trace=trace,
            first_step_peak_bytes=memory.first_step_peak_bytes if memory is not None else None,
            room_bytes=memory.room_bytes if memory is not None else None,
            process_bytes=memory.process_bytes if memory is not None else None,
            workspace_bytes=self._device.workspace_bytes(trace.peak_bytes) if trace is not None else None,
        )

    def close(self) -> None:
        """Stop observing."""
        if self._block.observer is not None:
            self._block.observer.close()
        if self._memory is not None:
            self._memory.close()


def _batches(marks: tuple[Mark, ...]) -> int:
    """How many a step had: begin, fetched, (fetching, fetched …,) end."""
    return max(1, len(marks) // 2)


class _MemoryOfSteps:
    """Follows the memory of step after step; keeps what the last completed one showed."""

    def __init__(self, batch_size: int, device: Device, program: Program) -> None:
        self.trace: StepTrace | None = None
        self.first_step_peak_bytes: int | None = None
        self.room_bytes: int | None = None
        self.process_bytes: int | None = None
        self._batch_size = batch_size
        self._device = device
        self._program = program
        self._collects = gc.isenabled()
        gc.disable()  # a collection in mid-step would free at another moment in each step
        self._tracker = StorageTracker(device.facts.kind, program.state())
        self._device.begin_workspace()

    def fetching(self) -> None:
        self._tracker.pause()

    def fetched(self, batch: object, *, is_first: bool) -> None:
        if is_first:
            self._first_fetched(batch)
        else:
            self._tracker.fetched_more(batch)
        self._tracker.resume()

    def _first_fetched(self, batch: object) -> None:
        self._tracker.fetched(batch)
        live = self._tracker.live_bytes
        self.room_bytes = self._device.available_bytes() + live
        held = self._device.process_bytes()
        self.process_bytes = None if held is None else max(0, held - live)

    def end_step(self) -> None:
        self._tracker.pause()
        state = list(self._program.state())
        self.first_step_peak_bytes = self._tracker.first_step_trace(self._batch_size, state).peak_bytes
        self.trace = self._tracker.step_trace(self._batch_size, state)

    def close(self) -> None:
        self._tracker.close()
        if self._collects:
            gc.enable()
