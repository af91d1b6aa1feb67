"""Traces the steps of a block: observes them for whoever runs them, and makes a breakdown of them."""

import gc
import sys
import time
from collections.abc import Callable, Iterable
from types import FrameType, TracebackType

import msgspec
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from skyline_jupyter.devices import Device
from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.trace.calibration import NOTHING_HIDDEN, hidden_costs
from skyline_jupyter.trace.instrument import Instrument
from skyline_jupyter.trace.lines import Lines
from skyline_jupyter.trace.memory import Allocations, Storages
from skyline_jupyter.trace.peak import measured_peak
from skyline_jupyter.trace.recorder import Hidden, Recorder, Surroundings
from skyline_jupyter.trace.sources import Sources
from skyline_jupyter.trace.structure import Structure
from skyline_jupyter.trace.summary import TracedStep, summary


class Tracer:
    """Hooks of the optimizers are in place while it is entered, all others only during a step that is traced."""

    def __init__(
        self,
        device: Device,
        state: Callable[[], Iterable[torch.Tensor]],
        sources: Sources,
        storages: Callable[[], Storages] | None,
    ) -> None:
        """Nothing is traced yet.

        Args:
            device: where the steps run.
            state: what models and optimizers hold.
            sources: where names and lines come from.
            storages: begins to follow memory; `None` where there is compiled code, which no hook and no mode may touch.
        """
        self.steps: list[TracedStep] = []
        self._device = device
        self._state = state
        self._sources = sources
        self._compiled = storages is None
        self._storages = storages
        self._allocations: Allocations | None = None
        self._hooks: list[torch.utils.hooks.RemovableHandle] = []
        self._optimizers: list[torch.optim.Optimizer] = []
        self._step: TracedStep | None = None
        self._instrument: Instrument | None = None
        self._hidden: Hidden | None = None
        self._outermost: FrameType | None = None
        self._collects = False

    def __enter__(self) -> None:
        """Be told of updates. Not step by step: an update may be what ends a step."""
        self._outermost = sys._getframe(1)  # noqa: SLF001  what lies beyond is not the user's training
        self._hooks = [
            register_optimizer_step_pre_hook(self._before_update),
            register_optimizer_step_post_hook(self._after_update),
        ]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave torch as it was."""
        self.close()
        self._outermost = None
        while self._hooks:
            self._hooks.pop().remove()

    def begin_step(self) -> None:
        """A step begins with its fetch."""
        if self._hidden is None:
            self._hidden = self._calibrated()
            self._collects = gc.isenabled()
            self._allocations = Allocations(self._storages()) if self._storages is not None else None
            gc.disable()  # a collection takes time and frees memory at a moment that has nothing to do with the step
        surroundings = Surroundings(self._clock(), self._wait(), self._state, self._hidden)
        self._remove()
        lines = Lines(self._sources.places, self._outermost)
        recorder = Recorder(surroundings, lines)
        structure = Structure(recorder, compiled=self._compiled)
        self._step = TracedStep(recorder, structure, self._optimizers)
        structure.begin()

    def fetching(self) -> None:
        """The step, which has several batches, fetches one more."""
        if self._step is not None:
            self._step.structure.fetching()
            self._remove()
            self._step.recorder.watch.start()

    def fetched(self, batch: object) -> None:
        """A batch is there."""
        if self._step is None:
            return
        recorder = self._step.recorder
        self._step.structure.fetched()
        if recorder.ledger is not None:
            recorder.ledger.fetched_more(batch)
        elif self._allocations is not None:
            recorder.ledger = self._allocations.fetched(batch)
            self._allocations.storages.aside = recorder.watch
        self._instrument = Instrument(recorder, self._step.structure)
        self._instrument.install(compiled=self._compiled)
        recorder.watch.start()

    def end_step(self) -> None:
        """It is over."""
        if self._step is not None:
            self._step.structure.end()
            self._remove()
            self._step.settle_memory(self._state())
            self.steps.append(self._step)
            self._step = None

    def close(self) -> None:
        """No further step is traced; harmless when repeated."""
        self._remove()
        self._step = None
        if self._allocations is not None:
            self._allocations.storages.close()
        if self._collects:
            gc.enable()
            self._collects = False

    def forget(self) -> None:
        """Let go of what was recorded: modules, parameters and optimizers among it."""
        self.steps, self._optimizers, self._step, self._allocations = [], [], None, None

    def breakdown(self, batch_size: int, compute_seconds: float, data_seconds: float) -> Breakdown | None:
        """The traced steps, scaled to a step without a trace; `None` where there is none.

        Args:
            batch_size: of the steps.
            compute_seconds: what a step takes without a trace, once it has its batch.
            data_seconds: what it waits for its batch.
        """
        if not self.steps:
            return None
        made = summary(self.steps[1:] or self.steps, self._sources, batch_size, compute_seconds, data_seconds)
        if made.model_flops is None or self._device.facts.kind != "cpu":
            return made
        return msgspec.structs.replace(made, peak_flops=measured_peak(self._clock()))

    def _remove(self) -> None:
        if self._instrument is not None:
            self._instrument.remove()
            self._instrument = None

    def _clock(self) -> Callable[[], float]:
        mark = self._device.mark
        return time.perf_counter if not isinstance(mark(), float) else mark  # type: ignore[return-value]  # as was seen

    def _wait(self) -> Callable[[], None]:
        return torch.cuda.synchronize if self._device.facts.kind == "cuda" else _nothing

    def _calibrated(self) -> Hidden:
        return NOTHING_HIDDEN if self._compiled else hidden_costs(self._clock())

    def _before_update(self, optimizer: torch.optim.Optimizer, _args: object, _kwargs: object) -> None:
        if optimizer not in self._optimizers:
            self._optimizers.append(optimizer)
        if self._instrument is not None and self._step is not None:
            self._step.structure.optimizer_begins(optimizer)

    def _after_update(self, optimizer: torch.optim.Optimizer, _args: object, _kwargs: object) -> None:
        if self._instrument is not None and self._step is not None:
            self._step.structure.optimizer_ended(optimizer)


def _nothing() -> None:
    """The host is the device."""
