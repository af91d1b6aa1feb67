"""The breakdown of a profile: when it is taken; what goes wrong with it is a sentence, never a failed profile."""

import gc
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.program import Boundaries
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile
from skyline_jupyter.report.model import Report, Step
from skyline_jupyter.subject import Subject
from skyline_jupyter.testing import FakeClock, FakeDevice, FakeProgram
from skyline_jupyter.trace.recorder import Recorder
from skyline_jupyter.trace.sources import Sources
from skyline_jupyter.trace.tracer import Tracer
from tests import networks
from tests.traces import torch_traces
from tests.unhurried import SECONDS

STEP = Step(
    model="net (Net)", cell_id=None, execution_count=1, line=1, dataset_size=None, steps_observed=2, parameters=1
)


def subject(**changes: Any) -> Subject:  # noqa: ANN401  the fields of Subject
    training = networks.trainings()["MLP, SGD"]
    made = Subject(
        program=training,
        step=STEP,
        batch_size=8,
        device=CpuDevice(),
        varies=False,
        traces=True,
        workers=0,
        sources=Sources({"net": training.model, "optimizer": training.optimizer}),
    )
    return replace(made, **changes)


def profiled(*, time_budget: float = SECONDS, **changes: Any) -> Report:  # noqa: ANN401  as above
    made = subject(**changes)
    training = made.program
    roots = (training.model, training.optimizer) if isinstance(training, networks.Training) else ()
    return Profile(made, Options(time_budget=time_budget)).measure_curve(Snapshot(None, roots))


def left_out(report: Report) -> list[str]:
    """Why there is no breakdown; a busy machine is warned of too."""
    return [warning for warning in report.warnings if "breakdown" in warning]


def test_a_profile_has_the_breakdown_of_todays_size_whose_phases_add_up_to_its_step() -> None:
    report = profiled()
    columns = report.breakdown_columns
    assert columns is not None
    (sample,) = report.samples
    assert columns.batch_size == 8
    assert sum(report.phases.values()) == pytest.approx(sample.step_seconds, rel=0.02)
    assert min(report.phases.values()) >= 0
    assert min(columns.nodes.forward_ticks + columns.nodes.backward_ticks) >= 0
    root = report.breakdown
    assert root is not None
    assert root.find("net.layers.5") is not None
    assert report.state_proof.identical
    assert left_out(report) == []


def test_memory_at_the_peak_of_the_breakdown_is_that_of_the_sample() -> None:
    report = profiled()
    assert report.timeline is not None
    (sample,) = report.samples
    peak = {
        part.category: getattr(report.timeline, f"{part.category}_bytes")[report.timeline.peak]
        for part in sample.peak_by_category
    }
    assert sum(peak.values()) == sample.peak_bytes
    assert peak == {part.category: part.size_bytes for part in sample.peak_by_category}


def test_a_mistake_in_the_trace_is_a_sentence_in_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("oh no")

    monkeypatch.setattr(Recorder, "operator", fail)
    before = torch_traces()

    report = profiled()

    assert torch_traces() == before
    assert report.breakdown is None
    assert left_out(report) == ["The breakdown was left out: the traced step failed (RuntimeError: oh no)."]
    assert len(report.samples) == 1
    assert report.state_proof.identical
    assert gc.isenabled()


def test_a_mistake_in_putting_it_together_is_a_sentence_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("gone")

    monkeypatch.setattr(Tracer, "breakdown", fail)
    report = profiled()
    assert left_out(report) == [
        "The breakdown was left out: Skyline failed to put it together (KeyError: 'gone'). Please report this."
    ]


def test_an_interrupt_in_the_traced_step_leaves_torch_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Recorder, "operator", interrupt)
    before = torch_traces()
    with pytest.raises(KeyboardInterrupt):
        profiled()
    assert torch_traces() == before
    assert gc.isenabled()


def test_a_step_that_takes_longer_than_what_is_left_of_the_budget_is_not_traced() -> None:
    clock = FakeClock()
    program = FakeProgram(clock, lambda _: 3.0)
    report = profiled(program=program, device=FakeDevice(clock), time_budget=2.0)
    assert report.breakdown is None
    assert left_out(report) == [
        "The breakdown was left out: a step takes 3 s, and the time budget is used up. Raise it with --time-budget."
    ]


def test_what_was_recorded_is_let_go_once_it_is_put_together() -> None:
    made = subject()
    profile = Profile(made, Options(time_budget=SECONDS))
    profile.measure_curve(Snapshot(None, ()))
    assert profile._attribution is not None
    assert profile._attribution.tracer.steps == []


def test_another_size_has_a_breakdown_of_its_own() -> None:
    training = networks.trainings()["MLP, SGD"]
    profile = Profile(subject(program=training, varies=True), Options(time_budget=SECONDS))
    profile.measure_curve(Snapshot(None, (training.model, training.optimizer)))
    report = profile.measure_one(12, Snapshot(None, (training.model, training.optimizer)))
    assert report.breakdown_columns is not None
    assert report.breakdown_columns.batch_size == 12


class TwoBatches(FakeProgram):
    """Steps of two batches each, as with accumulation."""

    def run(self, boundaries: Boundaries, /) -> None:
        net = nn.Linear(2, 1)
        while True:
            size = boundaries.next_size()
            for number in range(2):
                if number:
                    boundaries.fetching()
                batch = torch.ones(size, 2)
                boundaries.fetched(batch)
                self._clock.advance(0.5)
                functional.relu(net(batch)).sum().backward()


def test_a_step_of_several_batches_is_one_tree_and_says_so() -> None:
    clock = FakeClock()
    report = profiled(program=TwoBatches(clock, lambda _: 0.0), device=FakeDevice(clock))
    columns = report.breakdown_columns
    assert columns is not None
    assert columns.notes == ("The step has 2 batches; seconds are those of one of them.",)
    root = report.breakdown
    assert root is not None
    assert [(node.name, node.calls) for node in root.children][:2] == [("data", 2), ("Linear", 2)]
    assert root.forward_seconds + root.backward_seconds == pytest.approx(report.samples[0].step_seconds)
