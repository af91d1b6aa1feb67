"""The use case as a whole, on a fake device: every number of the report follows from the step's time and memory."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
import torch

from skyline_jupyter.errors import SkylineError
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile
from skyline_jupyter.report.model import BatchRange, Limit, Report, Step
from skyline_jupyter.subject import Subject
from skyline_jupyter.testing import FakeClock, FakeDevice, FakeProgram
from tests.unhurried import SECONDS, lift_limits

pytestmark = pytest.mark.usefixtures("unhurried")
MIB, GIB = 2**20, 2**30
WEIGHTS = 10 * MIB


class Training(FakeProgram):
    """A step that takes 0.1 s and 1 ms a sample, holds 10 MiB of weights, and takes 64 KiB a sample while it runs."""

    def __init__(self, clock: FakeClock, step: Callable[[int], float] = lambda size: 0.1 + 0.001 * size) -> None:
        super().__init__(clock, step)
        self._weights = torch.zeros(WEIGHTS // 4)
        self._seconds = step
        self._step = self._allocate

    def _allocate(self, batch_size: int) -> float:
        torch.zeros(batch_size, 16 * 1024).add_(1)
        return self._seconds(batch_size)

    def state(self) -> Iterable[torch.Tensor]:
        """The weights."""
        return (self._weights,)


def peak(batch_size: int) -> int:
    return WEIGHTS + batch_size * 64 * 1024 + 4 * batch_size  # the batch itself is one number a sample


def made(**changes: Any) -> tuple[Profile, Training, FakeDevice]:  # noqa: ANN401  the fields of Subject
    clock = FakeClock()
    program, device = Training(clock), FakeDevice(clock)
    step = Step(
        model="net (Net)",
        cell_id="cell-1",
        execution_count=1,
        line=1,
        dataset_size=None,
        steps_observed=2,
        parameters=WEIGHTS // 4,
    )
    subject = Subject(program=program, step=step, batch_size=64, device=device, varies=True, traces=True, workers=0)
    return Profile(replace(subject, **changes), Options(time_budget=SECONDS)), program, device


def nothing() -> Snapshot:
    return Snapshot(None, ())


@pytest.fixture(scope="module")
def measured() -> Iterator[Report]:
    profile, _, _ = made()
    with pytest.MonkeyPatch.context() as patch:
        lift_limits(patch)
        yield profile.measure_curve(nothing())


def test_samples_are_the_steps_time_and_memory(measured: Report) -> None:
    sizes = [16, 32, 64, 128, 256, 512]
    assert [sample.batch_size for sample in measured.samples] == sizes
    assert [sample.step_seconds for sample in measured.samples] == pytest.approx([0.1 + 0.001 * size for size in sizes])
    traced = {32, 64, 128}  # two predict the peak at every size, the third tells that they do
    assert [sample.peak_bytes for sample in measured.samples] == [
        peak(size) if size in traced else None for size in sizes
    ]


def test_curves_predict_what_was_not_measured(measured: Report) -> None:
    for size in (8, 100, 777, 1000):
        predicted = measured.curves.peak_bytes(size)
        assert predicted is not None
        assert predicted.value == peak(size)
    assert measured.curves.peak_bytes_source == "events"
    assert measured.curves.step_seconds(100).value == pytest.approx(0.2)
    assert measured.curves.throughput(1000).value == pytest.approx(1000 / 1.1)


def test_the_limit_is_what_is_free_and_what_the_step_holds_less_a_margin(measured: Report) -> None:
    # 12 GiB free beside the weights and the batch of the last traced step, at 128; a margin of 5 % of 16 GiB.
    room = 12 * GIB + WEIGHTS + 4 * 128
    margin = int(0.05 * 16 * GIB)
    assert measured.limit == Limit(
        limit_bytes=room - margin,
        others_bytes=16 * GIB - room,
        process_bytes=None,
        fragmentation_bytes=0,
        margin_bytes=margin,
        budget=False,
    )


def test_the_largest_size_fits_and_the_next_does_not(measured: Report) -> None:
    assert measured.max_batch_size is not None
    assert peak(measured.max_batch_size) <= measured.limit_bytes < peak(measured.max_batch_size + 1)


def test_the_handle_goes_from_half_the_smallest_to_twice_the_largest_size(measured: Report) -> None:
    assert measured.range == BatchRange(smallest=8, largest=1024, reason="2 times the largest size measured")


def test_the_report_says_what_it_cost_and_that_the_state_is_as_it_was(measured: Report) -> None:
    # Warm-up and first numbers 3 + 2 and one more of today's size, two visits of 2 traced steps and a timed one after
    # one that settles, three of one that settles and a timed one, a round of six, a breakdown: three that set the pace,
    # two that are looked at.
    assert measured.cost.first_look_seconds is None  # steps that ran anyway were watched
    assert measured.cost.steps == 6 + 2 * 4 + 3 * 2 + 6 + 3 + 2
    assert measured.state_proof.identical
    assert measured.warnings == ()


def test_the_data_set_ends_the_range() -> None:
    profile, _, _ = made()
    step = msgspec.structs.replace(profile.subject.step, dataset_size=700)
    report = made(step=step)[0].measure_curve(nothing())
    assert report.range == BatchRange(smallest=8, largest=700, reason="700 samples in the data set")


def test_a_budget_is_the_limit_and_larger_sizes_are_not_run() -> None:
    profile, program, _ = made()
    profile.options = Options(memory_bytes=peak(200), time_budget=SECONDS)
    report = profile.measure_curve(nothing())
    assert (report.limit.budget, report.limit_bytes, report.limit.margin_bytes) == (True, peak(200), 0)
    assert report.max_batch_size == 200
    assert max(program.sizes) == 128
    assert report.range == BatchRange(smallest=8, largest=200, reason="the memory limit")


def test_where_not_even_one_sample_fits_the_report_says_so() -> None:
    profile, program, _ = made()
    profile.options = Options(memory_bytes=MIB, time_budget=SECONDS)
    report = profile.measure_curve(nothing())
    assert (report.max_batch_size, report.range.smallest) == (0, 1)
    assert max(program.sizes) == 64
    assert report.findings[0].statement.startswith("Even batch size 1 needs 10.1 MiB, over the limit of 1 MiB.")


def test_the_handle_reaches_down_to_a_size_that_fits() -> None:
    profile, _, _ = made()
    profile.options = Options(memory_bytes=peak(3), time_budget=SECONDS)
    report = profile.measure_curve(nothing())
    assert (report.max_batch_size, report.range.smallest) == (3, 3)


def test_compiled_code_is_not_traced_and_grows_only_as_far_as_the_whole_process_might() -> None:
    profile, program, device = made(traces=False)
    device.most_taken = 6 * GIB  # 128 might take 6 GiB more, and 256 18 GiB, of 12 less a margin of 0.8
    report = profile.measure_curve(nothing())
    assert max(program.sizes) == 128
    assert report.curves.peak_bytes(64) is None
    assert (report.curves.peak_bytes_source, report.max_batch_size) == ("unknown", None)
    assert report.warnings == ("Compiled code was found, which is not slowed down to follow its memory.",)


def test_one_size_is_measured_where_it_cannot_vary() -> None:
    profile, _, _ = made(varies=False)
    report = profile.measure_curve(nothing())
    assert report.range == BatchRange(smallest=64, largest=64, reason="only today's size was measured")


def test_progress_tells_one_report_that_grows() -> None:
    told: list[tuple[Report | None, float]] = []
    profile, _, _ = made()
    profile.progress = lambda report, share: told.append((report, share))
    profile._told = float("-inf")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("skyline_jupyter.profiling._SECONDS_BETWEEN_REPORTS", 0.0)
        final = profile.measure_curve(nothing())
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert told[0][0] is None  # still warming up
    reports = [report for report, _ in told if report is not None]
    assert {(report.id, report.created) for report in (*reports, final)} == {(final.id, final.created)}
    steps = [report.cost.steps for report in reports]
    assert steps == sorted(steps)
    assert (steps[-1], final.cost.steps) == (26, 31)  # the last block comes with the final report


def test_the_copies_that_a_snapshot_holds_are_given_back_to_the_limit() -> None:
    profile, _, _ = made()
    weights = torch.nn.Linear(1024, 1024, bias=False)
    report = profile.measure_curve(Snapshot(None, (weights,)))
    plain, _, _ = made()
    assert report.limit_bytes - plain.measure_curve(nothing()).limit_bytes == 4 * MIB


def test_one_more_size_is_checked_against_what_was_predicted() -> None:
    profile, program, _ = made()
    first = profile.measure_curve(nothing())
    begun = len(program.sizes)
    report = profile.measure_one(96, nothing())
    (check,) = report.checks
    assert check.batch_size == 96
    assert check.predicted_step_seconds == pytest.approx(0.196)
    assert check.measured_step_seconds == pytest.approx(0.196)
    assert report.batch_size == 96
    assert (report.id, report.created) == (first.id, first.created)
    assert report.cost.steps == first.cost.steps + len(program.sizes) - begun
    assert report.cost.seconds > first.cost.seconds
    assert 96 in [sample.batch_size for sample in report.samples]


def test_a_size_that_is_checked_again_keeps_one_check() -> None:
    profile, _, _ = made()
    profile.measure_curve(nothing())
    profile.measure_one(96, nothing())
    profile.measure_one(128, nothing())
    assert [check.batch_size for check in profile.measure_one(96, nothing()).checks] == [128, 96]


def test_a_size_that_is_predicted_not_to_fit_is_refused_unrun() -> None:
    profile, program, _ = made()
    profile.options = Options(memory_bytes=peak(200), time_budget=SECONDS)
    before = profile.measure_curve(nothing())
    with pytest.raises(SkylineError) as caught:
        profile.measure_one(400, nothing())
    assert str(caught.value) == (
        "Batch size 400 was not measured: it needs 35 MiB, over the limit of 22.5 MiB."
        " Drag the handle to a smaller size."
    )
    assert 400 not in program.sizes
    assert profile.report == before


def test_a_budget_for_a_larger_card_predicts_its_sizes_and_runs_none_that_does_not_fit_here() -> None:
    profile, program, device = made()
    device.available = peak(200)
    profile.options = Options(memory_bytes=peak(5000), margin=0.0, time_budget=SECONDS)
    report = profile.measure_curve(nothing())
    assert (report.max_batch_size, max(program.sizes)) == (5000, 256)  # the weights are there already: 360 fit
    with pytest.raises(
        SkylineError, match=r"Batch size 400 was not measured: it needs 35 MiB, and there are 32\.5 MiB"
    ):
        profile.measure_one(400, nothing())


def test_a_size_that_fails_when_it_is_measured_is_explained_and_what_was_known_stays() -> None:
    clock = FakeClock()

    def step(size: int) -> float:
        if size == 96:
            raise MemoryError
        return 0.1

    profile, _, _ = made(program=Training(clock, step), device=FakeDevice(clock))
    profile.measure_curve(nothing())
    with pytest.raises(SkylineError, match="Batch size 96 does not fit in memory"):
        profile.measure_one(96, nothing())
    assert profile.report is not None
    assert profile.report.batch_size == 96  # the notebook has it now
    assert profile.report.findings[0].statement == "Batch size 96 could not be measured."


def test_rough_times_are_a_warning() -> None:
    clock = FakeClock()
    noise = random.Random(0)
    profile, _, _ = made(program=Training(clock, lambda _: noise.uniform(0.5, 1.5)), device=FakeDevice(clock))
    (warning,) = profile.measure_curve(nothing()).warnings
    assert warning.startswith("Step times varied by up to ")


def failing_at(batch_size: int, error: Exception) -> Report:
    """The report on a step that raises at one size of the ladder."""

    def step(size: int) -> float:
        if size == batch_size:
            raise error
        return 0.1 + 0.001 * size

    profile, program, _ = made()
    program._seconds = step
    return profile.measure_curve(nothing())


def test_a_size_that_ran_out_of_memory_is_not_on_offer_whatever_was_predicted() -> None:
    report = failing_at(256, MemoryError())

    assert report.max_batch_size == 255
    assert report.range == BatchRange(smallest=8, largest=255, reason="batch size 256 ran out of memory")


def test_a_larger_size_at_which_the_users_code_fails_is_not_on_offer() -> None:
    report = failing_at(256, ValueError("made for fewer"))

    assert report.range == BatchRange(smallest=8, largest=255, reason="your code fails at 256")
    assert report.max_batch_size is not None
    assert report.max_batch_size > 256  # memory is not what ends it


def test_a_smaller_size_at_which_the_users_code_fails_is_not_on_offer() -> None:
    report = failing_at(16, ValueError("made for more"))

    assert (report.range.smallest, report.range.largest) == (17, 1024)
