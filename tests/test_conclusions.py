"""Which sizes are on offer, and the reason that ends them: every one, from samples made by hand."""

from typing import Any

import pytest

from skyline_jupyter.conclusions import range_of
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.report.model import BatchRange, Sample, Step
from skyline_jupyter.subject import Subject
from skyline_jupyter.testing import FakeClock, FakeDevice, FakeProgram
from tests.reports import sample

GROWING = [sample(size, 0.001 * size) for size in (16, 32, 64, 128)]
FLAT = [sample(size, 0.05) for size in (16, 32, 64, 128)]
LATE = [*FLAT[:3], sample(128, 0.0512)]
"""Grows by more than a hundredth, and by less than can be told from none."""


def subject(*, dataset_size: int | None = None, **changes: Any) -> Subject:  # noqa: ANN401  the fields of Subject
    clock = FakeClock()
    step = Step(
        model="net (Net)",
        cell_id=None,
        execution_count=1,
        line=1,
        dataset_size=dataset_size,
        steps_observed=2,
        parameters=1,
    )
    usual: dict[str, Any] = {"batch_size": 64, "varies": True, "traces": True, "workers": 0}
    program = FakeProgram(clock, lambda _: 1.0)
    return Subject(program=program, step=step, device=FakeDevice(clock), **(usual | changes))


def failed(size: int, *, out_of_memory: bool) -> dict[int, StepFailed]:
    return {size: StepFailed(size, out_of_memory=out_of_memory, text="it did")}


@pytest.mark.parametrize(
    ("samples", "words", "fits", "failures", "offered"),
    [
        (GROWING, {}, None, {}, (8, 256, "2 times the largest size measured")),
        (GROWING, {"dataset_size": 1200}, 5000, {}, (8, 256, "2 times the largest size measured")),
        (GROWING, {"dataset_size": 200}, None, {}, (8, 200, "200 samples in the data set")),
        (GROWING, {"dataset_size": 200}, 150, {}, (8, 150, "the memory limit")),
        (GROWING, {}, 5, {}, (5, 128, "the memory limit")),
        (GROWING, {}, 0, {}, (1, 128, "the memory limit")),
        (FLAT, {}, None, {}, (8, 128, "up to here larger batches take no longer, so nothing is predicted beyond")),
        (LATE, {}, None, {}, (8, 128, "up to here larger batches take no longer, so nothing is predicted beyond")),
        (GROWING, {}, 999, failed(200, out_of_memory=True), (8, 199, "batch size 200 ran out of memory")),
        (GROWING, {}, 999, failed(200, out_of_memory=False), (8, 199, "your code fails at 200")),
        (GROWING, {}, None, failed(12, out_of_memory=False), (13, 256, "2 times the largest size measured")),
        (GROWING, {"smallest": 10}, None, {}, (10, 256, "2 times the largest size measured")),
        (GROWING, {"varies": False}, None, {}, (16, 128, "only today's size was measured")),
        (GROWING[2:3], {}, None, {}, (64, 64, "only today's size was measured")),
        (GROWING, {"batch_size": 500}, 300, {}, (8, 500, "today's size")),
        ([], {}, None, {}, (1, 512, "8 times today's size")),
        ([], {"dataset_size": 100}, None, {}, (1, 100, "100 samples in the data set")),
        ([], {"smallest": 2}, 300, {}, (2, 300, "the memory limit")),
        ([], {}, 0, {}, (1, 64, "today's size")),
    ],
)
def test_the_sizes_on_offer_end_where_the_reason_says(
    samples: list[Sample],
    words: dict[str, Any],
    fits: int | None,
    failures: dict[int, StepFailed],
    offered: tuple[int, int, str],
) -> None:
    smallest, largest, reason = offered
    assert range_of(subject(**words), samples, fits, failures) == BatchRange(
        smallest=smallest, largest=largest, reason=reason
    )
