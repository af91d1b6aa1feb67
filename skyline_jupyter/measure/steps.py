"""Running someone else's training steps, one block of equal steps at a time.

A *program* runs training steps and asks a `Stepper`, at each step boundary, for the next batch
size. The stepper times the step that has just ended, hands the result to a *strategy* (a generator
of blocks that receives their results), and ends the program by an exception when the strategy is
done. So one run of the user's loop can serve any number of sizes, in any order.
"""

import gc
import traceback
from collections.abc import Callable, Generator
from typing import TypeAlias

from skyline_jupyter.devices.base import Device
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.measure.block import Block, BlockResult, RunningBlock
from skyline_jupyter.measure.program import EndOfSteps, Program, StepFailed
from skyline_jupyter.measure.purposes import updates_are_told

Strategy: TypeAlias = Generator[Block, BlockResult, None]


class Stepper:
    """Answers a program's questions from a strategy's blocks."""

    def __init__(self, device: Device, program: Program, strategy: Strategy) -> None:
        """Begin with the strategy's first block."""
        self.steps = 0
        """Training steps that have been run to their end."""
        self._device = device
        self._program = program
        self._strategy = strategy
        self._block: Block | None = next(strategy, None)
        self._running: RunningBlock | None = None

    @property
    def batch_size(self) -> int | None:
        """The size of the block in progress; `None` when the strategy is done."""
        return None if self._block is None else self._block.batch_size

    def next_size(self) -> int:
        """End the step in progress, if there is one, and begin the next.

        Returns:
            Its batch size.

        Raises:
            EndOfSteps: the strategy is done.
        """
        self._end_step()
        if self._block is None:
            raise EndOfSteps
        if self._running is None:
            self._running = RunningBlock(self._block, self._device, self._program)
        self._running.begin_step()
        return self._block.batch_size

    def restart(self) -> None:
        """The step begins only now."""
        if self._running is not None:
            self._running.begin_step()

    def fetched(self, batch: object) -> None:
        """The batch of the step is there: its data phase ends."""
        if self._running is not None:
            self._running.fetched(batch)

    def run_ended(self, *, only_step: bool) -> None:
        """The program came to its own end.

        What runs after its last step is no part of that step, so the step in progress is dropped,
        unless it is all that the program does. A block goes no further than the run in which it began:
        what it has shown by now is its result.
        """
        if only_step:
            self._end_step()
        if self._running is not None and self._running.has_steps:
            self._finish(self._running)
        self.abandon()

    def abandon(self) -> None:
        """Forget the block in progress; it begins anew."""
        if self._running is not None:
            self._running.close()
            self._running = None

    def fail(self, failure: StepFailed) -> None:
        """Tell the strategy that its block failed, and take the next."""
        self.abandon()
        try:
            self._block = self._strategy.throw(failure)
        except StopIteration:
            self._block = None

    def _end_step(self) -> None:
        if self._running is not None and self._running.in_step:
            self.steps += 1
            if self._running.end_step():
                self._finish(self._running)

    def _finish(self, running: RunningBlock) -> None:
        result = running.result()
        self.abandon()
        try:
            self._block = self._strategy.send(result)
        except StopIteration:
            self._block = None


def run_to_end(stepper: Stepper, program: Program, device: Device, reset: Callable[[], object]) -> None:
    """Run `program`, again and again from its beginning, until the strategy of `stepper` is done.

    Args:
        stepper: knows what is to be measured.
        program: the training steps.
        device: where they run.
        reset: puts the user's state back, before each further run of the program.

    Raises:
        StepFailed: the user's code raised at a size without which the strategy cannot go on.
        SkylineError: a run of the program has no step, so that nothing can be measured.
    """
    runs = 0
    collects = gc.isenabled()
    try:
        while stepper.batch_size is not None:
            if runs:
                reset()
            runs += 1
            failure = _run_once(program, stepper, device)
            if failure is not None:
                gc.collect()  # what the failed step held in cycles, before the device gives its cache back
                device.release()
                stepper.fail(failure)
    finally:
        stepper.abandon()
        if collects:
            gc.enable()  # an interrupt may come before a block knows that it has switched it off


def _run_once(program: Program, stepper: Stepper, device: Device) -> StepFailed | None:
    """One run from the program's beginning; what the user's code raises is returned."""
    before = stepper.steps
    try:
        with updates_are_told():
            program.run(stepper)
    except EndOfSteps:
        return None
    except Exception as error:  # noqa: BLE001  the boundary to the user's code: the report records it
        if stepper.batch_size is None:  # raised while the loop was unwound, after the last measurement
            return None
        failure = _failure(error, stepper.batch_size, device)
        forget_frames(error)
        return failure
    stepper.run_ended(only_step=stepper.steps == before)
    if stepper.steps == before:
        message = (
            "The training statement ran no step when it was run again, so nothing could be measured."
            " Put %%skyline on the cell that holds the training loop itself."
        )
        raise SkylineError(message)
    return None


def _failure(error: Exception, batch_size: int, device: Device) -> StepFailed:
    """What is reported of `error`."""
    first_line = next(iter(str(error).splitlines()), "")
    text = first_line if isinstance(error, SkylineError) else f"{type(error).__name__}: {first_line}"
    return StepFailed(batch_size, out_of_memory=device.is_out_of_memory(error), text=text.removesuffix(": "))


def forget_frames(error: BaseException) -> None:
    """Empty the frames through which `error` and the errors behind it came: they keep a step's tensors alive."""
    links: list[BaseException | None] = [error]
    seen: set[int] = set()
    while links:
        link = links.pop()
        if link is not None and id(link) not in seen:
            seen.add(id(link))
            traceback.clear_frames(link.__traceback__)
            links += [link.__cause__, link.__context__]
