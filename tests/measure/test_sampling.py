"""Which sizes are measured, and how often: exact, because time passes only inside the steps."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
import torch

from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.measure.sampling import Plan, sample_curve, sample_one
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.testing import FakeClock, FakeDevice, FakeProgram

STEP = 0.1


PLAN = Plan(
    batch_size=64,
    smallest=1,
    largest=None,
    varies=True,
    traces=False,
    fits=lambda _: True,
    peaks_known=lambda: True,
    time_budget=1000.0,
)


def plan(**changes: Any) -> Plan:  # noqa: ANN401  the fields of Plan
    return replace(PLAN, **changes)


def sampled(wanted: Plan, step: Callable[[int], float] = lambda _: STEP) -> tuple[Series, FakeProgram]:
    clock, series = FakeClock(), Series()
    program, device = FakeProgram(clock, step), FakeDevice(clock)
    run_to_end(Stepper(device, program, sample_curve(wanted, series, clock)), program, device, lambda: None)
    return series, program


def test_today_comes_first_then_the_ladder_from_it_outwards_then_all_in_turn() -> None:
    _, program = sampled(plan())
    first_numbers, visits = [64] * 4, [32, 32, 16, 16, 128, 128, 256, 256, 512, 512]
    again = [256, 128, 64, 32, 16]
    assert program.sizes == [*first_numbers, *visits, 512, *again]


def switching(cost: float, step: Callable[[int], float] = lambda _: STEP) -> Callable[[int], float]:
    """Steps of which the first after one of another size takes `cost` seconds more."""
    sizes: list[int] = []

    def seconds(size: int) -> float:
        switched = bool(sizes) and sizes[-1] != size
        sizes.append(size)
        return step(size) + cost * switched

    return seconds


def test_a_step_settles_where_a_switch_to_its_size_costs_time() -> None:
    series, program = sampled(plan(), switching(0.004))
    assert all(time == pytest.approx(STEP) for times in series.times.values() for time in times)
    assert program.sizes[14:] == [512, 256, 256, 128, 128, 64, 64, 32, 32, 16, 16]  # at 512 it is settled already


def test_a_switch_that_costs_a_fortieth_of_a_step_is_not_waited_for() -> None:
    series, program = sampled(plan(), switching(STEP / 40))
    assert program.sizes[14:] == [512, 256, 128, 64, 32, 16]
    assert series.times[16] == pytest.approx([STEP, STEP + STEP / 40])


def test_what_a_switch_costs_matters_less_in_longer_steps() -> None:
    # 0.004 s are 4 % of the 0.1 s at 64, and 2.7 % of the 0.15 s at 128.
    _, program = sampled(plan(), switching(0.004, lambda size: 0.05 + 0.05 * size / 64))
    assert program.sizes[14:] == [512, 256, 128, 64, 64, 32, 32, 16, 16]


def test_whether_a_switch_costs_is_known_from_the_latest() -> None:
    # The first visit of each size takes longer, as where kernels are made; later ones do not.
    seen: set[int] = set()

    def seconds(size: int) -> float:
        first = size not in seen
        seen.add(size)
        return 5 * STEP if first else STEP

    _, program = sampled(plan(), seconds)
    assert program.sizes[14:] == [512, 256, 256, 128, 128, 64, 64, 32, 16]  # three switches that cost nothing


def test_a_step_after_one_whose_memory_was_followed_settles() -> None:
    followed = False

    def seconds(_: int) -> float:
        nonlocal followed
        before, followed = followed, torch._C._len_torch_dispatch_stack() > 0
        return 1.1 * STEP if before else STEP

    series, _ = sampled(plan(traces=True), seconds)
    assert sorted(series.traces) == [32, 64, 128]
    assert all(time == pytest.approx(STEP) for times in series.times.values() for time in times)


def test_times_of_today_from_before_the_process_was_warm_are_dropped() -> None:
    steps = count(1)
    series, program = sampled(plan(), lambda _: 1.5 * STEP if next(steps) <= 4 else STEP)
    assert program.sizes[:5] == [64, 64, 64, 64, 32]  # the third and the fourth counted at first
    assert series.times[64] == pytest.approx([STEP, STEP])


def test_one_disturbed_step_drops_no_times_of_today() -> None:
    seconds = iter([STEP] * 4 + [3 * STEP] + [STEP] * 20)
    series, _ = sampled(plan(), lambda size: next(seconds) if size == 64 else STEP)
    assert series.times[64] == pytest.approx([STEP, STEP, 3 * STEP])


def test_the_first_numbers_take_five_steps() -> None:
    clock, series = FakeClock(), Series()
    program, device = FakeProgram(clock, lambda _: STEP), FakeDevice(clock)
    strategy = first_blocks(sample_curve(plan(traces=True), series, clock), 4)
    run_to_end(Stepper(device, program, strategy), program, device, lambda: None)
    assert (list(series.times), list(series.traces)) == ([64], [64])  # the fifth step, and the third
    assert program.sizes == [64] * 5


def first_blocks(strategy: Strategy, count: int) -> Strategy:
    block = next(strategy)
    for _ in range(count - 1):
        block = strategy.send((yield block))
    strategy.send((yield block))


def test_the_very_first_step_is_followed_because_an_optimizer_makes_its_state_in_it() -> None:
    series, _ = sampled(plan(traces=True))
    assert series.first_peaks == {64: 4 * 64}  # the batch: a number of four bytes a sample


def test_two_sizes_are_traced_and_a_larger_one_that_confirms_them_at_the_cost_of_a_step_each() -> None:
    series, program = sampled(plan(traces=True))
    assert program.sizes[:17] == [*[64] * 6, *[32] * 4, *[16] * 2, *[128] * 4, 256]
    assert sorted(series.traces) == [32, 64, 128]


def test_where_the_traces_do_not_agree_every_size_is_traced() -> None:
    series, _ = sampled(plan(traces=True, peaks_known=lambda: False))
    assert sorted(series.traces) == [16, 32, 64, 128, 256, 512]


def test_warm_up_ends_when_steps_become_no_faster() -> None:
    seconds = iter([0.3, 0.1, 0.05, 0.048] + [0.048] * 100)
    series, program = sampled(plan(varies=False), lambda _: next(seconds))
    # 0.1 and 0.05 are much faster than what came before; 0.048 is not, and counts.
    assert series.times[64] == pytest.approx([0.048] * 3)
    assert len(program.sizes) == 3 + 3


def test_warm_up_goes_on_for_eight_steps_at_most() -> None:
    seconds = iter([2.0**-n / 100 for n in range(8)] + [1.0] * 100)
    series, _ = sampled(plan(varies=False), lambda _: next(seconds))
    assert series.times[64][0] == pytest.approx(2.0**-7 / 100)


def test_warm_up_of_slow_steps_ends_with_the_third() -> None:
    seconds = iter([3.0, 1.0, 0.5] + [0.48] * 100)
    series, _ = sampled(plan(varies=False), lambda _: next(seconds))
    assert series.times[64][:2] == pytest.approx([0.5, 0.48])


def test_the_first_step_counts_for_nothing() -> None:
    seconds = iter([1.7] + [1.0] * 100)
    series, _ = sampled(plan(varies=False), lambda _: next(seconds))
    assert set(series.times[64]) == {1.0}


def test_two_visits_that_agree_are_enough_and_todays_size_gets_a_repeat_more() -> None:
    series, _ = sampled(plan(), lambda size: STEP * (1 + size / 64))
    assert {size: len(times) for size, times in series.times.items()} == {16: 2, 32: 2, 64: 3, 128: 2, 256: 2, 512: 2}


def test_only_the_sizes_whose_repeats_disagree_are_repeated_further() -> None:
    noise = iter([STEP * 1.07**turn for turn in range(20)])
    series, _ = sampled(plan(), lambda size: next(noise) if size == 128 else STEP)
    assert {size: len(times) for size, times in series.times.items()} == {16: 2, 32: 2, 64: 3, 128: 6, 256: 2, 512: 2}


def test_one_disturbed_step_costs_one_repeat_more() -> None:
    seconds = iter([STEP, STEP, 3 * STEP, STEP])
    series, _ = sampled(plan(), lambda size: next(seconds) if size == 128 else STEP)
    assert series.times[128] == pytest.approx([STEP, 3 * STEP, STEP])  # two of the three agree


def test_a_step_that_cannot_vary_never_settles() -> None:
    _, program = sampled(plan(varies=False), lambda _: 0.005)
    assert len(program.sizes) == 3 + 2


def test_the_time_budget_ends_the_rounds() -> None:
    seconds = iter([0.1, 0.1, 0.1, 0.2, 0.4, 0.8])
    series, _ = sampled(plan(varies=False, time_budget=0.95), lambda _: next(seconds))
    # Three steps take 0.3 s, the next two 0.6 s, and two of the three that count never agree.
    assert series.times[64] == pytest.approx([0.1, 0.2, 0.4])
    assert series.done == 1.0


def test_the_whole_curve_takes_no_longer_than_forty_steps_and_three_seconds() -> None:
    clock, series = FakeClock(), Series()
    program, device = FakeProgram(clock, lambda size: 0.5 * size / 64), FakeDevice(clock)
    run_to_end(Stepper(device, program, sample_curve(plan(), series, clock)), program, device, lambda: None)
    assert clock.now <= 40 * 0.5 + 3
    assert sorted(series.times) == [16, 32, 64, 128, 256]  # 512 would take 4 s a step
    assert {size: len(times) for size, times in series.times.items()} == {16: 2, 32: 2, 64: 3, 128: 2, 256: 2}


def test_a_larger_size_is_begun_only_if_a_round_of_all_is_affordable_with_it() -> None:
    # Steps in proportion to the size. Four steps of 64, two of 32 and of 16 have taken 0.55 s; three of 128 and a round
    # of 16 to 128 take 0.6 + 0.375 s.
    series, _ = sampled(plan(time_budget=1.55), lambda size: STEP * size / 64)
    assert max(series.times) == 128
    series, _ = sampled(plan(time_budget=1.5), lambda size: STEP * size / 64)
    assert max(series.times) == 64


def test_one_further_size_is_measured_however_short_the_time() -> None:
    series, program = sampled(plan(time_budget=0.01))
    assert program.sizes == [64, 64, 64, 32, 32]  # two warm-up steps and a timed one, then one that settles and counts
    assert sorted(series.times) == [32, 64]


def test_one_slow_step_does_not_make_larger_sizes_look_too_slow() -> None:
    seconds = iter([STEP] * 2 + [5.0] + [STEP] * 1000)
    series, _ = sampled(plan(time_budget=20.0), lambda _: next(seconds))
    assert max(series.times) == 512


def test_a_bend_is_refined() -> None:
    # A floor up to 170, then in proportion: the line through 64 and 128 is flat, that through 256 and 512 is not.
    series, _ = sampled(plan(), lambda size: STEP * max(1.0, size / 170))
    assert sorted(set(series.times) - {16, 32, 64, 128, 256, 512}) == [184]
    assert len(series.times[184]) == 2


def test_a_bend_at_a_size_that_is_measured_is_known() -> None:
    series, _ = sampled(plan(), lambda size: STEP * max(1.0, size / 128))
    assert sorted(series.times) == [16, 32, 64, 128, 256, 512]


def test_a_cliff_is_refined_from_both_sides() -> None:
    series, _ = sampled(plan(), lambda size: 0.02 * size / 64 * (1.0 if size < 200 else 1.5))
    assert sorted(set(series.times) - {16, 32, 64, 128, 256, 512}) == [184, 216]


def test_a_straight_line_is_not_refined() -> None:
    series, _ = sampled(plan(), lambda size: 0.05 + 0.001 * size)
    assert sorted(series.times) == [16, 32, 64, 128, 256, 512]


@pytest.mark.parametrize(
    ("largest", "expected"),
    [(100, [16, 32, 64, 100]), (512, [16, 32, 64, 128, 256, 512]), (1000, [16, 32, 64, 128, 256, 512, 1000])],
)
def test_no_size_is_larger_than_the_data_set_and_the_whole_of_it_is_tried_where_near(
    largest: int, expected: list[int]
) -> None:
    series, _ = sampled(plan(largest=largest))
    assert sorted(series.times) == expected


def test_a_data_set_far_larger_than_the_ladder_is_not_tried_whole() -> None:
    series, _ = sampled(plan(largest=1024))
    assert max(series.times) == 512


def test_no_size_is_smaller_than_the_step_can_take() -> None:
    series, _ = sampled(plan(smallest=20))
    assert min(series.times) == 20


def test_a_size_that_is_predicted_not_to_fit_is_never_run() -> None:
    _, program = sampled(plan(fits=lambda size: size <= 200))
    assert max(program.sizes) == 128


def test_smaller_sizes_are_run_whatever_is_predicted_because_todays_fits() -> None:
    series, _ = sampled(plan(fits=lambda _: False))
    assert sorted(series.times) == [16, 32, 64]


def failing(*sizes: int) -> Callable[[int], float]:
    def step(size: int) -> float:
        if size in sizes:
            message = f"cannot do {size}"
            raise ValueError(message)
        return STEP

    return step


def test_a_failure_ends_its_direction_and_not_the_profile() -> None:
    series, program = sampled(plan(), failing(32, 256))
    assert sorted(series.times) == [64, 128]
    assert {size: failure.text for size, failure in series.failures.items()} == {
        32: "ValueError: cannot do 32",
        256: "ValueError: cannot do 256",
    }
    assert 16 not in program.sizes
    assert 512 not in program.sizes


def test_a_size_that_fails_only_later_keeps_its_times_and_is_left_out() -> None:
    visits = iter([STEP, STEP] + [None] * 10)

    def step(size: int) -> float:
        seconds = next(visits) if size == 32 else STEP
        if seconds is None:
            raise OSError
        return seconds

    series, program = sampled(plan(), step)
    assert len(series.times[32]) == 1
    assert program.sizes.count(32) == 3  # the third raised


def test_todays_size_is_the_one_that_may_not_fail() -> None:
    with pytest.raises(StepFailed, match="cannot do 64"):
        sampled(plan(), failing(64))


def test_a_step_that_cannot_vary_is_measured_at_its_size() -> None:
    series, program = sampled(plan(varies=False))
    assert set(program.sizes) == {64}
    assert len(series.times[64]) == 3


def one_more(series: Series, size: int, seconds: float, *, traces: bool = False) -> FakeProgram:
    clock = FakeClock()
    program, device = FakeProgram(clock, lambda _: seconds), FakeDevice(clock)
    strategy = sample_one(size, series, traces=traces, clock=clock)
    run_to_end(Stepper(device, program, strategy), program, device, lambda: None)
    return program


def test_one_more_size_takes_three_slow_steps() -> None:
    series, _ = sampled(plan())
    program = one_more(series, 96, 10.0)
    assert program.sizes == [96] * 3
    assert series.times[96] == [10.0] * 2


def test_one_more_size_takes_five_steps_with_its_memory() -> None:
    series, _ = sampled(plan())
    assert one_more(series, 96, 10.0, traces=True).sizes == [96] * 5
    assert list(series.traces) == [96]


def test_one_more_size_is_repeated_until_it_is_steady() -> None:
    series, _ = sampled(plan())
    # One warm-up step, and three repeats without a spread.
    assert len(one_more(series, 96, 0.1).sizes) == 1 + 3


def test_a_size_that_is_measured_again_loses_its_earlier_times() -> None:
    series, _ = sampled(plan())
    one_more(series, 64, 7.0)
    assert set(series.times[64]) == {7.0}


def test_a_size_that_fails_when_it_is_measured_again_keeps_its_earlier_times() -> None:
    series, _ = sampled(plan())
    before = list(series.times[64])
    clock = FakeClock()
    program, device = FakeProgram(clock, failing(64)), FakeDevice(clock)
    with pytest.raises(StepFailed):
        run_to_end(
            Stepper(device, program, sample_one(64, series, traces=False, clock=clock)), program, device, lambda: None
        )
    assert series.times[64] == before
