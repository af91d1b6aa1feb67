"""The dry run: what a step on fake tensors says that a very first step takes, beside what a real one takes."""

import ast
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
import torch
from torch import nn
from torch.utils.data import Dataset, default_collate

from skyline_jupyter.discovery.participants import Participants
from skyline_jupyter.measure.forecast import Forecast
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.memory import StepTrace
from skyline_jupyter.measure.program import EndOfSteps
from skyline_jupyter.measure.rehearsal import DryRehearsal, Rehearsal
from skyline_jupyter.subject import Subject
from tests.benchmarks.workloads import Workload

_PART = 4
"""The second size that is rehearsed is such a part of today's, as it is where a profile rehearses."""


class DryRun(msgspec.Struct, frozen=True, kw_only=True):
    """Of one training, at today's size."""

    predicted_bytes: int
    """Peak of a very first step, by fake tensors."""
    tracked_bytes: int
    """The same of a real one."""
    seconds: float
    """Of the whole rehearsal, of four steps, from which the peak at every size is known."""

    @property
    def error(self) -> float:
        """As a share of what a real step takes; below 0 where too little is predicted."""
        return self.predicted_bytes / self.tracked_bytes - 1


def rehearse(workload: Workload, subject: Subject) -> DryRun:
    """Before any step has run: an optimizer makes its state in the first."""
    today = subject.batch_size
    prepare, other = partial(_prepared, workload, workload.namespace["train_loader"].dataset), max(2, today // _PART)
    gc.collect()
    begun = time.perf_counter()
    dry = _rehearsed(DryRehearsal, workload, lambda one: Forecast.rehearsed(one, prepare, today, other).first)
    seconds = time.perf_counter() - begun
    real = _rehearsed(Rehearsal, workload, lambda one: one.step(today, prepare(today)))
    return DryRun(predicted_bytes=dry.peak_bytes, tracked_bytes=real.peak_bytes, seconds=seconds)


def _rehearsed(make: type[Rehearsal], workload: Workload, run: Callable[[Rehearsal], StepTrace]) -> StepTrace:
    snapshot, held = Snapshot(workload.namespace, ()), list(workload.namespace.values())
    models = [value for value in held if isinstance(value, nn.Module)]
    optimizers = [value for value in held if isinstance(value, torch.optim.Optimizer)]
    rehearsal = make("cpu", Participants(models, optimizers).tensors)
    try:
        return run(rehearsal)
    finally:
        snapshot.restore()
        rehearsal.close()


def _prepared(workload: Workload, data: "Dataset[Any]", size: int) -> Callable[[], None]:
    """One turn of the training loop, on a batch that is there already."""
    names, statement = workload.namespace, ast.parse(workload.training).body[-1]
    batch = default_collate([data[row] for row in range(size)])
    code = compile(ast.Module(body=[statement], type_ignores=[]), "<benchmark>", "exec")

    def once() -> Iterator[object]:
        yield batch
        raise EndOfSteps

    def call() -> None:
        names["train_loader"] = once()
        with suppress(EndOfSteps):
            exec(code, names)  # noqa: S102  our own notebook

    return call
