"""Blocks of steps, timed exactly: on a clock that only the program moves."""

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from skyline_jupyter.errors import SkylineError
from skyline_jupyter.measure.block import Block, BlockResult
from skyline_jupyter.measure.program import Boundaries, EndOfSteps, StepFailed
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.testing import FakeClock, FakeDevice, FakeProgram


def asking(*blocks: Block) -> tuple[Strategy, list[BlockResult | StepFailed]]:
    """A strategy that wants these blocks, and the list of what became of them."""
    seen: list[BlockResult | StepFailed] = []

    def one(block: Block) -> Strategy:
        try:
            seen.append((yield block))
        except StepFailed as failure:
            seen.append(failure)

    def strategy() -> Strategy:
        for block in blocks:
            yield from one(block)

    return strategy(), seen


def run(
    program: FakeProgram, clock: FakeClock, *blocks: Block, reset: Callable[[], object] = lambda: None
) -> tuple[list[BlockResult | StepFailed], Stepper]:
    strategy, seen = asking(*blocks)
    device = FakeDevice(clock)
    stepper = Stepper(device, program, strategy)
    run_to_end(stepper, program, device, reset)
    return seen, stepper


def linear(batch_size: int) -> float:
    return 0.5 + 0.25 * batch_size


def result(batch_size: int, step_seconds: float, data_seconds: float = 0.0) -> BlockResult:
    return BlockResult(batch_size=batch_size, step_seconds=step_seconds, data_seconds=data_seconds)


def test_a_block_is_the_mean_of_its_steps() -> None:
    clock = FakeClock()
    seconds = iter([1.0, 2.0, 6.0])
    program = FakeProgram(clock, lambda _: next(seconds))
    seen, stepper = run(program, clock, Block(4, steps=3))
    assert seen == [result(4, 3.0)]  # (1 + 2 + 6) / 3
    assert stepper.steps == 3


def test_what_settles_does_not_count_and_its_last_step_is_known_apart() -> None:
    clock = FakeClock()
    seconds = iter([9.0, 4.0, 1.0, 2.0])
    seen, _ = run(FakeProgram(clock, lambda _: next(seconds)), clock, Block(4, settling=2, steps=2))
    assert seen == [replace(result(4, 1.5), settling_seconds=4.0)]


def test_one_run_serves_sizes_in_any_order() -> None:
    clock = FakeClock()
    program = FakeProgram(clock, linear)
    seen, _ = run(program, clock, Block(8), Block(2, steps=2), Block(8))
    assert program.sizes == [8, 2, 2, 8]
    assert program.runs == 1
    assert seen == [result(8, 2.5), result(2, 1.0), result(8, 2.5)]


def test_the_fetch_is_part_of_the_step_and_known_apart() -> None:
    clock = FakeClock()
    program = FakeProgram(clock, linear, fetch=lambda size: 0.125 * size)
    seen, _ = run(program, clock, Block(4, steps=2))
    assert seen == [result(4, 2.0, 0.5)]  # 0.5 fetching, then 0.5 + 0.25 * 4


def test_the_strategys_own_time_is_no_part_of_a_step() -> None:
    clock = FakeClock()
    seen: list[BlockResult] = []

    def thinking() -> Strategy:
        for _ in range(3):
            seen.append((yield Block(2)))
            clock.advance(100.0)

    program, device = FakeProgram(clock, linear), FakeDevice(clock)
    run_to_end(Stepper(device, program, thinking()), program, device, lambda: None)
    assert seen == [result(2, 1.0)] * 3


def test_a_program_that_ends_early_is_run_again_with_the_state_put_back() -> None:
    clock = FakeClock()
    program = FakeProgram(clock, linear, steps_per_run=3)
    resets: list[int] = []

    def reset() -> None:
        resets.append(len(program.sizes))
        clock.advance(50.0)

    seen, stepper = run(program, clock, *[Block(2)] * 5, reset=reset)
    assert seen == [result(2, 1.0)] * 5
    # The last step of a run is dropped, because what follows the loop is no part of it: 2 + 2 + 1 count.
    assert (program.runs, resets, stepper.steps) == (3, [3, 6], 5)


def test_a_block_goes_no_further_than_the_run_in_which_it_began() -> None:
    clock = FakeClock()
    program = FakeProgram(clock, linear, steps_per_run=3)
    seen, _ = run(program, clock, Block(2, steps=10), reset=lambda: clock.advance(50.0))
    assert seen == [result(2, 1.0)]  # of its first run, whose two steps count
    assert program.runs == 1


def test_a_program_of_one_step_is_run_once_a_step() -> None:
    clock = FakeClock()
    program = FakeProgram(clock, linear, steps_per_run=1)
    seen, stepper = run(program, clock, Block(2), Block(4), Block(6), reset=lambda: clock.advance(50.0))
    assert seen == [result(2, 1.0), result(4, 1.5), result(6, 2.0)]
    assert (program.runs, stepper.steps) == (3, 3)


def test_a_program_of_one_step_is_traced_in_that_step() -> None:
    clock = FakeClock()
    program = FakeProgram(clock, linear, steps_per_run=1)
    seen, _ = run(program, clock, Block(1000, settling=1, traced=True))
    (traced,) = seen
    assert isinstance(traced, BlockResult)
    assert traced.trace is not None
    assert traced.trace.start_bytes == 4000  # the batch: a thousand numbers of four bytes


def test_a_traced_block_runs_one_more_step_before_the_one_it_follows() -> None:
    clock = FakeClock()
    program = FakeProgram(clock, linear)
    seen, _ = run(program, clock, Block(1000, settling=1, traced=True), Block(2))
    assert program.sizes == [1000, 1000, 2]
    assert isinstance(seen[0], BlockResult)
    assert seen[0].trace is not None
    assert seen[0].room_bytes == 12 * 2**30 + 4000  # what the device has free, and the batch itself
    assert seen[1] == result(2, 1.0)


def test_a_program_without_a_step_says_so() -> None:
    clock = FakeClock()
    with pytest.raises(SkylineError, match="ran no step"):
        run(FakeProgram(clock, linear, steps_per_run=0), clock, Block(2))


def test_a_size_that_raises_becomes_a_failure_and_the_others_go_on() -> None:
    clock = FakeClock()

    def step(size: int) -> float:
        if size == 1:
            message = "Expected more than 1 value per channel\nwhen training"
            raise ValueError(message)
        return linear(size)

    program = FakeProgram(clock, step)
    resets: list[int] = []
    seen, stepper = run(program, clock, Block(2), Block(1), Block(4), reset=lambda: resets.append(1))
    failure = seen[1]
    assert isinstance(failure, StepFailed)
    assert (failure.batch_size, failure.text) == (1, "ValueError: Expected more than 1 value per channel")
    assert not failure.out_of_memory
    assert [seen[0], seen[2]] == [result(2, 1.0), result(4, 1.5)]
    assert (program.runs, len(resets), stepper.steps) == (2, 1, 2)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (SkylineError("The data set ends."), "The data set ends."),
        (KeyError("x"), "KeyError: 'x'"),
        (AssertionError(), "AssertionError"),
    ],
)
def test_a_failure_says_what_was_raised_in_one_line(error: Exception, text: str) -> None:
    clock = FakeClock()

    def step(_: int) -> float:
        raise error

    seen, _ = run(FakeProgram(clock, step), clock, Block(2))
    assert isinstance(seen[0], StepFailed)
    assert seen[0].text == text


def test_running_out_of_memory_is_recognised_and_the_cache_given_back() -> None:
    clock = FakeClock()

    def step(_: int) -> float:
        message = "CUDA out of memory. Tried to allocate 20.00 GiB"
        raise RuntimeError(message)

    strategy, seen = asking(Block(2))
    program, device = FakeProgram(clock, step), FakeDevice(clock)
    run_to_end(Stepper(device, program, strategy), program, device, lambda: None)
    assert isinstance(seen[0], StepFailed)
    assert seen[0].out_of_memory
    assert device.releases == 1


def test_a_failure_that_the_strategy_cannot_do_without_ends_the_measurement() -> None:
    clock = FakeClock()

    def only(size: int) -> Strategy:
        yield Block(size)

    program, device = FakeProgram(clock, lambda size: 1 / 0 if size else 0.0), FakeDevice(clock)
    with pytest.raises(StepFailed, match="ZeroDivisionError"):
        run_to_end(Stepper(device, program, only(2)), program, device, lambda: None)


class CatchesAll(FakeProgram):
    """A loop around which the user has put `except Exception`, and one that raises while it is unwound."""

    def run(self, boundaries: Boundaries, /) -> None:
        try:
            super().run(boundaries)
        except Exception:
            self.sizes.append(-1)
            raise
        finally:
            if self.sizes[-1:] == [7]:
                message = "the user's own clean-up failed"
                raise OSError(message)


def test_the_end_of_steps_passes_the_users_except_exception() -> None:
    clock = FakeClock()
    program = CatchesAll(clock, linear)
    seen, _ = run(program, clock, Block(2))
    assert seen == [result(2, 1.0)]
    assert program.sizes == [2]


def test_what_the_users_clean_up_raises_after_the_last_measurement_does_no_harm() -> None:
    clock = FakeClock()
    seen, _ = run(CatchesAll(clock, linear), clock, Block(7))
    assert seen == [result(7, 2.25)]


def test_an_interrupt_in_a_step_reaches_the_caller_and_leaves_no_mode_behind() -> None:
    clock = FakeClock()

    def step(_: int) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(FakeProgram(clock, step), clock, Block(2, traced=True))
    assert gc.isenabled()
    # That the dispatch mode is gone too is seen by `no_trace_is_left`.


def test_no_batch_is_alive_after_a_failure() -> None:
    clock = FakeClock()
    alive: list[torch.Tensor] = []

    class Keeping(FakeProgram):
        def run(self, boundaries: Boundaries, /) -> None:
            boundaries.next_size()
            batch = torch.zeros(5)
            holder = [batch]
            try:
                holder.append(holder)  # type: ignore[arg-type]  # a cycle, as frames and tracebacks make them
                raise ValueError
            finally:
                alive.append(batch)

    seen, _ = run(Keeping(clock, linear), clock, Block(2))
    reference = weakref.ref(alive.pop())
    assert isinstance(seen[0], StepFailed)
    assert reference() is None


def test_no_batch_is_alive_while_the_users_code_remembers_the_error() -> None:
    clock = FakeClock()
    errors: list[Exception] = []
    alive: list[weakref.ref[torch.Tensor]] = []

    class Remembering(FakeProgram):
        def run(self, boundaries: Boundaries, /) -> None:
            boundaries.next_size()
            batch = torch.zeros(5)
            alive.append(weakref.ref(batch))
            try:
                raise ValueError  # noqa: TRY301  as user code does
            except ValueError as error:
                errors.append(error)
                raise

    seen, _ = run(Remembering(clock, linear), clock, Block(2))
    assert isinstance(seen[0], StepFailed)
    assert len(errors) == 1
    assert alive[0]() is None


def test_the_stepper_refuses_further_steps_when_the_strategy_is_done() -> None:
    clock = FakeClock()
    strategy, _ = asking()
    stepper = Stepper(FakeDevice(clock), FakeProgram(clock, linear), strategy)
    assert stepper.batch_size is None
    with pytest.raises(EndOfSteps):
        stepper.next_size()


def test_where_a_run_serves_one_size_its_first_step_counts_for_nothing() -> None:
    clock = FakeClock()
    seconds = iter([9.0, 1.0, 1.0, 9.0, 2.0, 2.0])
    program = FakeProgram(clock, lambda _: next(seconds))
    strategy, seen = asking(Block(4), Block(4), Block(8, steps=2))
    device = FakeDevice(clock)
    stepper = Stepper(device, program, strategy)
    stepper.one_size_a_run = True
    run_to_end(stepper, program, device, lambda: None)
    first, other = (replace(result(size, time), settling_seconds=9.0) for size, time in ((4, 1.0), (8, 2.0)))
    assert seen == [first, result(4, 1.0), other]
    assert (program.runs, program.sizes) == (2, [4, 4, 4, 8, 8, 8])
