"""Which sizes are measured, and how often: exact, because time passes only inside the steps."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.measure.sampling import Plan, sample_curve, sample_one
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Stepper, run_to_end
from skyline_jupyter.testing import FakeClock, FakeDevice, FakeProgram

STEP = 0.1
"""Longer than a block has to be, so that each block is one step."""


PLAN = Plan(batch_size=64, smallest=1, largest=None, varies=True, traces=False, fits=lambda _: True, time_budget=1000.0)


def plan(**changes: Any) -> Plan:  # noqa: ANN401  the fields of Plan
    return replace(PLAN, **changes)


def sampled(wanted: Plan, step: Callable[[int], float] = lambda _: STEP) -> tuple[Series, FakeProgram]:
    clock, series = FakeClock(), Series()
    program, device = FakeProgram(clock, step), FakeDevice(clock)
    run_to_end(Stepper(device, program, sample_curve(wanted, series, clock)), program, device, lambda: None)
    return series, program


def test_today_comes_first_then_the_ladder_from_it_outwards_then_all_in_turn() -> None:
    _, program = sampled(plan())
    warm_up, first_numbers, visits = [64, 64], [64, 64, 64], [32, 16, 128, 256, 512]
    one_round = [16, 32, 64, 128, 256, 512]
    assert program.sizes == warm_up + first_numbers + visits + 5 * one_round


def test_a_traced_size_costs_two_steps_in_place_of_a_warm_up() -> None:
    series, program = sampled(plan(traces=True))
    assert program.sizes[:10] == [64, 64, 64, 64, 64, 64, 64, 32, 32, 16]
    assert sorted(series.traces) == [16, 32, 64, 128, 256, 512]


def test_where_steps_are_slow_only_three_sizes_are_traced() -> None:
    # Two traced steps of 0.1 s are more than a twentieth of 2 s, and there is time for one round.
    series, _ = sampled(plan(traces=True, time_budget=2.0))
    assert sorted(series.traces) == [16, 32, 64]


def test_warm_up_ends_when_steps_become_no_faster() -> None:
    seconds = iter([3.0, 1.0, 0.5, 0.48] + [0.48] * 100)
    series, program = sampled(plan(varies=False), lambda _: next(seconds))
    # 1.0 and 0.5 are much faster than what came before; 0.48 is not.
    assert series.times[64] == pytest.approx([0.48] * len(series.times[64]))
    assert len(program.sizes) == 4 + len(series.times[64])


def test_warm_up_ends_after_eight_steps_that_become_ever_faster() -> None:
    seconds = iter([float(2**-n) for n in range(8)] + [1.0] * 100)
    series, _ = sampled(plan(varies=False), lambda _: next(seconds))
    assert set(series.times[64]) == {1.0}


def test_noise_does_not_prolong_the_warm_up() -> None:
    seconds = iter([1.0, 1.7] + [1.0] * 100)
    series, _ = sampled(plan(varies=False), lambda _: next(seconds))
    assert 1.7 not in series.times[64]
    assert len(series.times[64]) == 8


def test_a_steady_machine_needs_five_rounds_and_a_noisy_one_gets_nine() -> None:
    steady, _ = sampled(plan(varies=False))
    assert len(steady.times[64]) == 3 + 5
    noise = iter([1.0, 1.0] + [1.0, 2.0] * 100)
    noisy, _ = sampled(plan(varies=False), lambda _: next(noise))
    assert len(noisy.times[64]) == 3 + 9


def test_a_block_of_quick_steps_holds_as_many_as_last_long_enough() -> None:
    # 0.03 s a block: 6 steps of 5 ms, and never more than 10.
    _, program = sampled(plan(varies=False), lambda _: 0.005)
    assert len(program.sizes) == 2 + 8 * 6
    _, program = sampled(plan(varies=False), lambda _: 0.0001)
    assert len(program.sizes) == 2 + 8 * 10


def test_the_time_budget_ends_the_rounds() -> None:
    # Five steps at today's size and five visits take 1.0 s; a round takes 0.6 s, a second one has no time.
    series, program = sampled(plan(time_budget=1.85))
    assert len(program.sizes) == 10 + 6 + 2
    assert series.done == 1.0


def test_every_size_that_was_visited_is_timed_once_even_when_the_time_is_spent() -> None:
    # Five steps at today's size, two visits and one round of three sizes take 1.0 s.
    series, _ = sampled(plan(time_budget=1.05))
    assert {size: len(times) for size, times in series.times.items()} == {16: 1, 32: 1, 64: 4}


def test_one_further_size_is_measured_however_short_the_time() -> None:
    series, program = sampled(plan(time_budget=0.01))
    assert program.sizes == [64, 64, 32, 32]  # one warm-up and one timed step at either size
    assert sorted(series.times) == [32, 64]


def test_a_larger_size_that_would_take_too_long_is_not_begun() -> None:
    # Steps in proportion to the size: 512 would take 4 × 0.8 s of a budget of 4 s, of which 2 are spent by then.
    series, _ = sampled(plan(time_budget=4.0), lambda size: STEP * size / 64)
    assert max(series.times) == 256


def test_one_slow_step_does_not_make_larger_sizes_look_too_slow() -> None:
    seconds = iter([STEP] * 4 + [5.0] + [STEP] * 1000)
    series, _ = sampled(plan(time_budget=20.0), lambda _: next(seconds))
    assert max(series.times) == 512


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
    assert program.sizes.count(32) == 3


def test_todays_size_is_the_one_that_may_not_fail() -> None:
    with pytest.raises(StepFailed, match="cannot do 64"):
        sampled(plan(), failing(64))


def test_a_step_that_cannot_vary_is_measured_at_its_size() -> None:
    series, program = sampled(plan(varies=False))
    assert set(program.sizes) == {64}
    assert len(series.times[64]) == 8


def one_more(series: Series, size: int, seconds: float, *, traces: bool = False) -> FakeProgram:
    clock = FakeClock()
    program, device = FakeProgram(clock, lambda _: seconds), FakeDevice(clock)
    strategy = sample_one(size, series, traces=traces, clock=clock)
    run_to_end(Stepper(device, program, strategy), program, device, lambda: None)
    return program


def test_one_more_size_takes_four_slow_steps() -> None:
    series, _ = sampled(plan())
    program = one_more(series, 96, 10.0)
    assert program.sizes == [96] * 4
    assert series.times[96] == [10.0] * 3


def test_one_more_size_takes_one_second_where_steps_are_quick() -> None:
    series, _ = sampled(plan())
    # One warm-up step of 0.2 s, then four more until a second is over.
    assert len(one_more(series, 96, 0.2).sizes) == 1 + 4


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


def test_samples_are_medians_with_their_spread() -> None:
    series = Series(times={8: [1.0, 2.0, 3.0, 4.0, 10.0]}, data={8: [0.5, 0.5, 0.5, 0.5, 0.5]})
    (with_data,) = series.samples(data_counts=True)
    assert (with_data.step_seconds, with_data.step_seconds_spread) == (3.0, 2.0)  # quartiles 2 and 4
    assert (with_data.data_seconds, with_data.repeats) == (0.5, 5)
    (without,) = series.samples(data_counts=False)
    assert (without.step_seconds, without.data_seconds) == (2.5, None)


def test_one_repeat_has_no_spread() -> None:
    (sample,) = Series(times={8: [1.0]}, data={8: [0.0]}).samples(data_counts=True)
    assert sample.step_seconds_spread is None
