"""A size at which the user's code hangs ends, and is reported as that; nothing of the alarm is left."""

import contextlib
import signal
import time
from collections.abc import Iterator

import pytest

from skyline_jupyter.measure import steps
from skyline_jupyter.measure.block import Block, BlockResult
from skyline_jupyter.measure.interrupts import uninterrupted
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.measure.steps import Stepper, Strategy, UsersCode, run_to_end
from skyline_jupyter.testing import FakeClock, FakeDevice, FakeProgram

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs the alarm of a Unix process")


@pytest.fixture(autouse=True)
def the_alarm_is_put_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """However long steps really take, 10 s are allowed; a look at who holds the alarm afterwards."""
    monkeypatch.setattr(steps, "_TIMES_SLOWER", 0)
    before = signal.getsignal(signal.SIGALRM)
    yield
    assert signal.getsignal(signal.SIGALRM) is before


def outcomes(program: FakeProgram, clock: FakeClock, *sizes: int) -> list[BlockResult | StepFailed]:
    """What became of one step at each size."""
    seen: list[BlockResult | StepFailed] = []

    def one(size: int) -> Strategy:
        try:
            seen.append((yield Block(size)))
        except StepFailed as failure:
            seen.append(failure)

    def strategy() -> Strategy:
        for size in sizes:
            yield from one(size)

    device = FakeDevice(clock)
    run_to_end(Stepper(device, program, strategy()), program, device, lambda: None, UsersCode(can_start_over=True))
    return seen


def seconds_to_the_alarm() -> float:
    """0 where none is set."""
    return signal.getitimer(signal.ITIMER_REAL)[0]


def bring_the_alarm_forward() -> None:
    """As if the time that is allowed were over; so no step is late because the machine is slow."""
    left, again = signal.getitimer(signal.ITIMER_REAL)
    assert left > 0
    signal.setitimer(signal.ITIMER_REAL, 0.01, again)


def hang_at_7(size: int) -> float:
    """Does not return at one size, and swallows what code can be expected to."""
    if size == 7:
        bring_the_alarm_forward()
        with contextlib.suppress(Exception):
            time.sleep(60)
    return 1.0


def test_a_size_that_hangs_is_ended_and_the_others_go_on() -> None:
    clock = FakeClock()
    result, late, after = outcomes(FakeProgram(clock, hang_at_7), clock, 4, 7, 8)

    assert isinstance(late, StepFailed)
    assert (late.batch_size, late.text, late.out_of_memory) == (7, "no step ended within 10 s", False)
    assert isinstance(result, BlockResult)
    assert isinstance(after, BlockResult)


def test_the_first_step_of_all_may_take_as_long_as_it_likes() -> None:
    clock = FakeClock()
    seen: list[float] = []

    def look(_: int) -> float:
        seen.append(seconds_to_the_alarm())
        return 1.0

    outcomes(FakeProgram(clock, look), clock, 4, 8)
    assert [left > 0 for left in seen] == [False, True]


def test_what_must_not_be_interrupted_is_finished_first() -> None:
    clock = FakeClock()
    finished: list[int] = []

    def step(size: int) -> float:
        if size == 7:
            with uninterrupted():
                bring_the_alarm_forward()
                time.sleep(0.1)
                finished.append(size)
            time.sleep(60)
        return 1.0

    _, late = outcomes(FakeProgram(clock, step), clock, 4, 7)
    assert isinstance(late, StepFailed)
    assert finished == [7]
