"""However a profile ends, the notebook is as it was: networks × ways to end, compared by the tests' own fingerprint."""

import gc
import random
import weakref
from collections import deque
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from skyline_jupyter.errors import SkylineError
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.program import Boundaries
from skyline_jupyter.options import Options
from skyline_jupyter.profiling import Profile
from skyline_jupyter.report.model import Report, Step
from skyline_jupyter.subject import Subject
from skyline_jupyter.testing import FakeClock, FakeDevice
from tests.measure.fingerprint import fingerprint
from tests.networks import Training, trainings
from tests.unhurried import SECONDS

pytestmark = pytest.mark.usefixtures("unhurried")

Namespace = dict[str, Any]

STEP = Step(
    model="net (Net)",
    cell_id="cell-1",
    execution_count=1,
    line=1,
    dataset_size=None,
    steps_observed=2,
    parameters=0,
)
ENDS = ("success", "error", "interrupt", "out of memory", "error at today's size")


class Meter:
    """State of a class."""

    seen = 0


class NotebookTraining:
    """A loop with all that people have in theirs; it changes names, counters, generators, copies of the model."""

    def __init__(self, names: Namespace, clock: FakeClock, training: Training, end: str) -> None:
        self.batches: list[weakref.ref[Tensor]] = []
        self._names = names
        self._clock = clock
        self._training = training
        self._end = end
        self._steps = 0

    def run(self, boundaries: Boundaries, /) -> None:
        """Train, until something happens."""
        names = self._names
        names["net"].train()
        freeze(names["net"])
        while True:
            size = boundaries.next_size()
            inputs, targets = self._training.batch(size)
            self.batches += [weakref.ref(inputs), weakref.ref(targets)]
            boundaries.fetched((inputs, targets))
            self._step(size, inputs, targets)
            self._clock.advance(0.1)

    def _step(self, size: int, inputs: Tensor, targets: Tensor) -> None:
        names = self._names
        net, optimizer, scaler = names["net"], names["optimizer"], names["scaler"]
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = functional.cross_entropy(outputs.flatten(0, -2), targets.flatten())
        scaler.scale(loss).backward()
        self._happen(size)
        scaler.step(optimizer)
        scaler.update()
        names["scheduler"].step()
        names["average"].update_parameters(net)
        self._note(loss, outputs, inputs)

    def _note(self, loss: Tensor, outputs: Tensor, inputs: Tensor) -> None:
        names = self._names
        names.update(loss=loss, outputs=outputs, x=inputs, added=1)
        names["history"].append(loss)
        names["window"].append(outputs)
        names["best"]["loss"] = loss.detach()
        names["count"]()
        names["gone"] = None
        names["data"][0] += 1
        Meter.seen += 1
        random.random()
        np.random.random()  # noqa: NPY002  the global generator is what users rely on
        torch.rand(1)
        torch.rand(1, generator=names["generator"])

    def _happen(self, size: int) -> None:
        self._steps += 1
        if self._end == "error at today's size":
            raise ValueError
        if self._end == "error" and size == 16:
            message = "a size that the model does not take"
            raise ValueError(message)
        if self._end == "interrupt" and self._steps == 6:
            raise KeyboardInterrupt
        if self._end == "out of memory" and size == 16:
            raise torch.cuda.OutOfMemoryError

    def state(self) -> Any:  # noqa: ANN401  as the training's
        """What the model and the optimizer hold."""
        return self._training.state()


def freeze(net: nn.Module) -> None:
    """Batch normalisation stays in evaluation mode, as people do when they fine-tune."""
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()


def counter() -> Any:  # noqa: ANN401  a function with a closure
    count = 0

    def add() -> int:
        nonlocal count
        count += 1
        return count

    return add


def notebook(training: Training) -> Namespace:
    net, optimizer = training.model, training.optimizer
    return {
        "net": net,
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5),
        "scaler": torch.amp.GradScaler("cpu"),
        "average": torch.optim.swa_utils.AveragedModel(net),
        "generator": torch.Generator(),
        "history": [],
        "window": deque(maxlen=3),
        "best": {},
        "count": counter(),
        "gone": [1],
        "data": np.zeros(3),
        "loss": 0.0,
        "Meter": Meter,
    }


def profiled(names: Namespace, training: Training, end: str) -> tuple[Profile, NotebookTraining]:
    clock = FakeClock()
    program = NotebookTraining(names, clock, training, end)
    subject = Subject(
        program=program,
        step=STEP,
        batch_size=8,
        device=FakeDevice(clock),
        varies=True,
        traces=True,
        workers=0,
        smallest=2,
    )
    return Profile(subject, Options(time_budget=SECONDS)), program


def measure(profile: Profile, names: Namespace, end: str) -> Report | None:
    """The report; ends as the training does."""
    snapshot = Snapshot(names, ())
    if end == "interrupt":
        with pytest.raises(KeyboardInterrupt):
            profile.measure_curve(snapshot)
    elif end == "error at today's size":
        with pytest.raises(SkylineError, match="failed when it was run again at batch size 8: ValueError"):
            profile.measure_curve(snapshot)
    else:
        return profile.measure_curve(snapshot)
    return profile.report


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("used", [False, True], ids=["fresh", "in use"])
@pytest.mark.parametrize("name", list(trainings()))
def test_the_state_is_as_it_was(name: str, used: bool, end: str) -> None:  # noqa: FBT001  a parameter of the test
    training = trainings()[name]
    names = notebook(training)
    if used:
        first = NotebookTraining(names, FakeClock(), training, "success")
        first._step(4, *training.batch(4))
    before, generators = fingerprint(names), (random.getstate(), torch.get_rng_state().tolist())
    profile, program = profiled(names, training, end)
    report = measure(profile, names, end)
    assert fingerprint(names) == before
    assert (random.getstate(), torch.get_rng_state().tolist()) == generators
    if report is not None:
        assert report.state_proof.identical
    del report, names
    gc.collect()
    assert program.batches
    kept_before = 1 if used else 0  # the notebook's own `x`
    assert sum(reference() is not None for reference in program.batches) <= kept_before


def test_an_interrupt_leaves_a_report_of_what_was_measured() -> None:
    training = trainings()["MLP, SGD"]
    names = notebook(training)
    profile, program = profiled(names, training, "interrupt")
    report = measure(profile, names, "interrupt")
    assert report is not None
    assert [sample.batch_size for sample in report.samples] == [8]
    assert report.cost.steps == 5  # the sixth was interrupted
    assert len(program.batches) == 2 * 6


@pytest.mark.parametrize("end", ["interrupt", "error at today's size"])
def test_no_batch_is_alive_while_the_error_is_remembered(end: str) -> None:
    # IPython keeps the last error for `%debug`.
    training = trainings()["MLP, SGD"]
    names = notebook(training)
    profile, program = profiled(names, training, end)
    with pytest.raises((KeyboardInterrupt, SkylineError)) as caught:
        profile.measure_curve(Snapshot(names, ()))
    assert [alive for reference in program.batches if (alive := reference()) is not None] == []
    assert caught.value.__traceback__ is not None


def test_running_out_of_memory_ends_the_larger_sizes_and_is_told() -> None:
    training = trainings()["MLP, SGD"]
    names = notebook(training)
    profile, _ = profiled(names, training, "out of memory")
    report = measure(profile, names, "out of memory")
    assert report is not None
    assert [sample.batch_size for sample in report.samples] == [2, 4, 8]
    assert report.warnings == ("Batch size 16 ran out of memory.",)


def test_nothing_is_measured_where_todays_size_fails() -> None:
    training = trainings()["MLP, SGD"]
    names = notebook(training)
    profile, _ = profiled(names, training, "error at today's size")
    assert measure(profile, names, "error at today's size") is None
