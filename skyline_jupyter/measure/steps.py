"""Running someone else's training steps, one block of equal steps at a time.

A *program* runs training steps and asks a `Stepper`, at each step boundary, for the next batch
size. The stepper times the step that has just ended, hands the result to a *strategy* (a generator
of blocks that receives their results), and ends the program by an exception when the strategy is
done. So one run of the user's loop can serve any number of sizes, in any order.
"""

import gc
import time
import traceback
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TypeAlias

from skyline_jupyter.devices.base import Device
from skyline_jupyter.errors import SkylineError
from skyline_jupyter.measure.block import Block, BlockResult, RunningBlock
from skyline_jupyter.measure.deadline import Deadline, TookTooLong
from skyline_jupyter.measure.interrupts import interrupt_noticed
from skyline_jupyter.measure.program import EndOfSteps, Program, StepFailed
from skyline_jupyter.measure.purposes import updates_are_told

Strategy: TypeAlias = Generator[Block, BlockResult, None]


def in_one_line(error: Exception | SystemExit) -> str:
    """An error's kind, and the first line of what it says."""
    first_line = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}: {first_line}".removesuffix(": ")


@dataclass(frozen=True)
class UsersCode:
    """What is known of the code that is measured."""

    can_start_over: bool = False
    """A size that fails is tried once more in a run of its own, because what an earlier step left behind, or had
    counted, may be what failed."""
    explain: Callable[[Exception | SystemExit], str] = in_one_line
    """What an error says, for people."""


_PATIENCE = 10.0
"""Seconds that code may always take to end a step."""
_TIMES_SLOWER = 10
"""And as many times what it has taken so far, for a batch of equal size."""
_OBSERVED = 6
"""Where someone looks on, so many times that: a step of very many small operators is slowed down the most."""


class Stepper:
    """Answers a program's questions from a strategy's blocks."""

    def __init__(self, device: Device, program: Program, strategy: Strategy) -> None:
        """Begin with the strategy's first block."""
        self.steps = 0
        """Training steps that have been run to their end."""
        self.one_size_a_run = False
        """Where a program cannot go from one size to another, it is begun anew for each."""
        self._begins_run = True
        """The first step of a run counts for nothing there: in it an optimizer makes its state once more."""
        self.deadline = Deadline()
        self.allowed_seconds = 0.0
        """How long the step in progress may take; 0 while nothing is known that would tell."""
        self._waits_since = time.monotonic()
        self._slowest = 0.0
        """Seconds for one sample of a step."""
        self._slowest_start = 0.0
        """Seconds from the beginning of a run to its first step."""
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
        self.deadline.set(0)
        before = self.batch_size
        if not self._is_in_step:
            self._slowest_start = max(self._slowest_start, time.monotonic() - self._waits_since)
        self._end_step()
        if self._block is None or (self.one_size_a_run and self._block.batch_size != before):
            raise EndOfSteps
        if self._running is None:
            settles = self.one_size_a_run and self._begins_run and not self._block.settling
            block = replace(self._block, settling=1) if settles else self._block
            self._running = RunningBlock(block, self._device, self._program)
        self._begins_run = False
        self.wait()
        self._running.begin_step()
        return self._block.batch_size

    def begin_run(self) -> None:
        """The program is begun anew."""
        self._begins_run = True

    def wait(self) -> None:
        """The program has until the deadline to end a step."""
        self._waits_since = time.monotonic()
        slowest = max(self._slowest * (self.batch_size or 1), self._slowest_start)
        times = _TIMES_SLOWER * (_OBSERVED if self._block is not None and self._block.observer is not None else 1)
        self.allowed_seconds = max(_PATIENCE, times * slowest) if self._slowest else 0.0
        self.deadline.set(self.allowed_seconds)

    def restart(self) -> None:
        """The step begins only now."""
        if self._running is not None:
            self._running.begin_step()

    def fetching(self) -> None:
        """The step fetches one more batch."""
        if self._running is not None and self._is_in_step:
            self._running.fetching()

    @property
    def only_size(self) -> int | None:
        """The size of all steps of this run, where it serves no other."""
        return self.batch_size if self.one_size_a_run else None

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

    @property
    def _is_in_step(self) -> bool:
        return self._running is not None and self._running.in_step

    def _end_step(self) -> None:
        if self._running is not None and self._is_in_step:
            self.steps += 1
            self._slowest = max(self._slowest, (time.monotonic() - self._waits_since) / (self.batch_size or 1))
            if self._running.end_step():
                self._finish(self._running)

    def _finish(self, running: RunningBlock) -> None:
        result = running.result()
        self.abandon()
        try:
            self._block = self._strategy.send(result)
        except StopIteration:
            self._block = None


def run_to_end(
    stepper: Stepper,
    program: Program,
    device: Device,
    reset: Callable[[], object],
    code: UsersCode = UsersCode(),
) -> None:
    """Run `program`, again and again from its beginning, until the strategy of `stepper` is done.

    Args:
        stepper: knows what is to be measured.
        program: the training steps.
        device: where they run.
        reset: puts the user's state back, before each further run of the program.
        code: what is known of the user's code.

    Raises:
        StepFailed: the user's code raised at a size without which the strategy cannot go on.
        SkylineError: a run of the program has no step, so that nothing can be measured.
    """
    collects = gc.isenabled()
    runs = _Runs(stepper, program, device, reset, code)
    try:
        with stepper.deadline.installed(), interrupt_noticed() as interrupt:
            while stepper.batch_size is not None and not interrupt.given:
                failure = runs.run()
                if failure is not None and code.can_start_over and stepper.steps and failure.may_pass:
                    failure = runs.start_over(failure)
                if failure is not None:
                    stepper.fail(failure)
    finally:
        stepper.abandon()
        if collects:
            gc.enable()  # an interrupt may come before a block knows that it has switched it off


class _Runs:
    """Runs of the program, each from the user's state as it was."""

    def __init__(
        self, stepper: Stepper, program: Program, device: Device, reset: Callable[[], object], code: UsersCode
    ) -> None:
        self._stepper = stepper
        self._code = code
        self._program = program
        self._device = device
        self._reset = reset
        self._is_first = True

    def run(self) -> StepFailed | None:
        """One run; its failure, with all that it held on the device given back."""
        if not self._is_first:
            self._reset()
        self._is_first = False
        try:
            failure = _run_once(self._program, self._stepper, self._device, self._code)
        finally:
            self._stepper.deadline.set(0)
        if failure is not None:
            gc.collect()  # what the failed step held in cycles, before the device gives its cache back
            self._device.release()
        return failure

    def start_over(self, failure: StepFailed) -> StepFailed | None:
        """Try the size that failed in a run of its own; from then on each size has one, if that helps."""
        stepper = self._stepper
        before, was_alone = stepper.steps, stepper.one_size_a_run
        if was_alone:
            return failure
        stepper.abandon()
        stepper.one_size_a_run = True
        again = self.run()
        if stepper.steps == before:
            stepper.one_size_a_run = False
        return again


def _run_once(program: Program, stepper: Stepper, device: Device, code: UsersCode) -> StepFailed | None:
    """One run from the program's beginning; what the user's code raises is returned."""
    before = stepper.steps
    stepper.begin_run()
    stepper.wait()
    try:
        with updates_are_told():
            program.run(stepper)
    except EndOfSteps:
        return None
    except TookTooLong as late:
        return _late(stepper, late)
    except (Exception, SystemExit) as error:  # noqa: BLE001  the boundary to the user's code: the report records it
        stepper.deadline.set(0)
        if stepper.batch_size is None:  # raised while the loop was unwound, after the last measurement
            return None
        failure = _failure(error, stepper.batch_size, device, code)
        forget_frames(error)
        return failure
    stepper.deadline.set(0)
    stepper.run_ended(only_step=stepper.steps == before)
    if stepper.steps == before:
        message = (
            "The training statement ran no step when it was run again, so nothing could be measured."
            " Put %%skyline on the cell that holds the training loop itself."
        )
        raise SkylineError(message)
    return None


def _failure(error: Exception | SystemExit, batch_size: int, device: Device, code: UsersCode) -> StepFailed:
    """What is reported of `error`."""
    out_of_memory = device.is_out_of_memory(error)
    if isinstance(error, SkylineError):
        return StepFailed(batch_size, out_of_memory=out_of_memory, text=str(error))
    return StepFailed(batch_size, out_of_memory=out_of_memory, text=code.explain(error), may_pass=not out_of_memory)


def _late(stepper: Stepper, late: TookTooLong) -> StepFailed | None:
    """The program was stopped because it did not come to the end of a step."""
    stepper.deadline.set(0)
    forget_frames(late)
    if stepper.batch_size is None:
        return None
    text = f"no step ended within {stepper.allowed_seconds:.0f} s"
    return StepFailed(stepper.batch_size, out_of_memory=False, text=text, may_pass=False)


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
