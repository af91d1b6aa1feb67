"""What is made of the times that were measured."""

from skyline_jupyter.measure.series import Series


def test_samples_are_medians_with_their_spread() -> None:
    series = Series(times={8: [1.0, 2.0, 3.0, 4.0, 10.0]}, data={8: [0.5, 0.5, 0.5, 0.5, 0.5]})
    (with_data,) = series.samples(workers=0)
    assert (with_data.step_seconds, with_data.step_seconds_spread) == (3.0, 2.0)  # quartiles 2 and 4
    assert (with_data.data_seconds, with_data.repeats) == (0.5, 5)
    (without,) = series.samples(workers=None)
    assert (without.step_seconds, without.data_seconds) == (2.5, None)


def test_one_repeat_has_no_spread() -> None:
    (sample,) = Series(times={8: [1.0]}, data={8: [0.0]}).samples(workers=0)
    assert sample.step_seconds_spread is None


def test_with_workers_a_step_is_what_the_user_waits_for() -> None:
    # 2 s of arithmetic; a batch takes 3 s, or 9 s, of one of two workers.
    quick, slow = (Series(times={8: [2.0 + fetch]}, data={8: [fetch]}) for fetch in (3.0, 9.0))
    (hidden,), (waiting,) = quick.samples(workers=2), slow.samples(workers=2)
    assert (hidden.step_seconds, hidden.compute_seconds, hidden.data_seconds) == (2.0, 2.0, 3.0)
    assert (waiting.step_seconds, waiting.compute_seconds, waiting.data_seconds) == (4.5, 2.0, 9.0)
    (alone,) = slow.samples(workers=0)
    assert (alone.step_seconds, alone.compute_seconds) == (11.0, 2.0)
