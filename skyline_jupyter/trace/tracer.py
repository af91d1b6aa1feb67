"""Traces the steps of a block: observes them for whoever runs them, and makes a breakdown of them."""

import gc
import sys
import time
from collections.abc import Callable, Iterable
from types import FrameType, TracebackType

import msgspec
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from skyline_jupyter.devices import CpuDevice, Device
from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.trace.calibration import NOTHING_HIDDEN, hidden_costs
from skyline_jupyter.trace.instrument import Instrument, Outline
from skyline_jupyter.trace.kernels import Kernels
from skyline_jupyter.trace.landmarks import Pace, Stride
from skyline_jupyter.trace.lines import Lines
from skyline_jupyter.trace.memory import Allocations, Storages
from skyline_jupyter.trace.peak import measured_peak
from skyline_jupyter.trace.recorder import Hidden, Recorder, Surroundings
from skyline_jupyter.trace.sources import Sources
from skyline_jupyter.trace.structure import Structure
from skyline_jupyter.trace.summary import TracedStep, summary

_WITH_MEMORY = 2
"""Steps whose memory is followed. The second is shown; the first one shows what was there before it."""


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
        self.strides = 0
        """How many steps are to show their pace, before the others are looked at closely."""
        self._device = device
        self._state = state
        self._sources = sources
        self._compiled = storages is None
        self._storages = storages
        self._allocations: Allocations | None = None
        self._hooks: list[torch.utils.hooks.RemovableHandle] = []
        self._optimizers: list[torch.optim.Optimizer] = []
        self._step: TracedStep | None = None
        self._instrument: Outline | None = None
        self._strides: list[Stride] = []
        self._stride: Stride | None = None
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
        self._remove()
        if self._hidden is None:
            self._hidden = self._calibrated()
            self._collects = gc.isenabled()
            gc.disable()  # a collection takes time and frees memory at a moment that has nothing to do with the step
        if len(self._strides) < self.strides and not self._compiled:
            self._stride = Stride(self._clock(), self._wait())
            return
        self._follow_memory()
        kernels = self._kernels()
        wait = self._wait() if kernels is None else _nothing
        surroundings = Surroundings(self._clock(), wait, self._state, self._hidden)
        lines = Lines(self._sources.places, self._outermost)
        recorder = Recorder(surroundings, lines)
        recorder.kernels = kernels
        structure = Structure(recorder, compiled=self._compiled)
        self._step = TracedStep(recorder, structure, self._optimizers)
        structure.begin()

    def fetching(self) -> None:
        """The step, which has several batches, fetches one more."""
        if self._stride is not None:
            self._stride.fetching()
            self._remove()
        elif self._step is not None:
            self._step.structure.fetching()
            self._remove()
            self._step.recorder.watch.start()

    def fetched(self, batch: object) -> None:
        """A batch is there."""
        if self._stride is not None:
            self._instrument = Outline(self._stride)
            self._instrument.install(compiled=False)
            self._stride.fetched()
        elif self._step is not None:
            self._look(self._step, batch)

    def end_step(self) -> None:
        """It is over."""
        if self._stride is not None:
            self._stride.end()
            self._remove()
            self._strides.append(self._stride)
            self._stride = None
        elif self._step is not None:
            self._step.structure.end()
            self._remove()
            self._end_kernels()
            self._step.recorder.settle(Pace(self._strides))
            self._step.settle_memory(self._state())
            self.steps.append(self._step)
            self._step = None

    def close(self) -> None:
        """No further step is traced; harmless when repeated."""
        self._remove()
        self._end_kernels()
        self._step = self._stride = None
        if self._allocations is not None:
            self._allocations.storages.close()
        if self._collects:
            gc.enable()
            self._collects = False

    def forget(self) -> None:
        """Let go of what was recorded: modules, parameters and optimizers among it."""
        self.steps, self._optimizers, self._strides, self._allocations = [], [], [], None

    def breakdown(self, batch_size: int, compute_seconds: float, data_seconds: float) -> Breakdown | None:
        """The traced steps, scaled to a step without a trace; `None` where there is none.

        Args:
            batch_size: of the steps.
            compute_seconds: what a step takes without a trace, once it has its batch.
            data_seconds: what it waits for its batch.
        """
        if not self.steps:
            return None
        made = summary(self.steps, self._sources, batch_size, compute_seconds, data_seconds)
        if made.model_flops is None or self._device.facts.kind != "cpu":
            return made
        return msgspec.structs.replace(made, peak_flops=measured_peak(self._clock()))

    def _look(self, step: TracedStep, batch: object) -> None:
        """From here on everything is noted."""
        recorder = step.recorder
        step.structure.fetched()
        if recorder.ledger is not None:
            recorder.ledger.fetched_more(batch)
        elif self._allocations is not None and len(self.steps) < _WITH_MEMORY:
            recorder.ledger = self._allocations.fetched(batch)
            self._allocations.storages.aside = recorder.watch
        if recorder.kernels is not None:
            recorder.kernels.begin()
        self._instrument = Instrument(recorder, step.structure)
        self._instrument.install(compiled=self._compiled)
        recorder.watch.start()

    def _follow_memory(self) -> None:
        """In the first two steps: what is live when the second begins was made in the first. Others go faster."""
        if self._storages is not None and self._allocations is None:
            self._allocations = Allocations(self._storages())
        elif self._allocations is not None and len(self.steps) >= _WITH_MEMORY:
            self._allocations.storages.close()

    def _remove(self) -> None:
        if self._instrument is not None:
            self._instrument.remove()
            self._instrument = None

    def _clock(self) -> Callable[[], float]:
        if isinstance(self._device, CpuDevice):
            return time.perf_counter  # what it marks with, without a call between
        mark = self._device.mark
        return time.perf_counter if not isinstance(mark(), float) else mark  # type: ignore[return-value]  # as was seen

    def _wait(self) -> Callable[[], None]:
        return torch.cuda.synchronize if self._device.facts.kind == "cuda" else _nothing

    def _kernels(self) -> Kernels | None:
        """In the first step on a CUDA device, which then need not wait after each operator."""
        is_first = not self.steps and not self._compiled
        return Kernels(self._wait()) if is_first and self._device.facts.kind == "cuda" else None

    def _end_kernels(self) -> None:
        if self._step is not None and self._step.recorder.kernels is not None:
            self._step.recorder.kernels.end()

    def _calibrated(self) -> Hidden:
        return NOTHING_HIDDEN if self._compiled else hidden_costs(self._clock())

    def _before_update(self, optimizer: torch.optim.Optimizer, _args: object, _kwargs: object) -> None:
        if optimizer not in self._optimizers:
            self._optimizers.append(optimizer)
        if self._instrument is not None and (told := self._stride or self._structure()) is not None:
            told.optimizer_begins(optimizer)

    def _after_update(self, optimizer: torch.optim.Optimizer, _args: object, _kwargs: object) -> None:
        if self._instrument is not None and (told := self._stride or self._structure()) is not None:
            told.optimizer_ended(optimizer)

    def _structure(self) -> Structure | None:
        return None if self._step is None else self._step.structure


def _nothing() -> None:
    """The host is the device."""
