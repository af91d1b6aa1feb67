"""The first real step of a step that Skyline calls itself, at a size that is known to fit.

A step of two samples, which takes no time worth naming, mostly shows that today's size is far from the
limit. Where it does not, the step is rehearsed on fake tensors, and where its code needs data, for
real at two small sizes; either gives its peak at every size, and what would not fit is not run.
"""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import torch
from torch.utils.data import DataLoader

from skyline_jupyter.devices import Device, device_for
from skyline_jupyter.discovery.compiled import has_compiled_code, may_run_uncompiled, uncompiled
from skyline_jupyter.discovery.function_step import watch_call
from skyline_jupyter.discovery.participants import Participants, device_of
from skyline_jupyter.discovery.silence import silence
from skyline_jupyter.discovery.sizes import needs_two_samples
from skyline_jupyter.discovery.watch import StepWatch
from skyline_jupyter.discovery.writes import without_writes
from skyline_jupyter.measure.deadline import Deadline, TookTooLong
from skyline_jupyter.measure.forecast import Forecast, Prepare, most_needed
from skyline_jupyter.measure.isolate import Snapshot
from skyline_jupyter.measure.rehearsal import DryRehearsal, Rehearsal
from skyline_jupyter.measure.room import Room
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import forget_frames
from skyline_jupyter.options import Options
from skyline_jupyter.report.format import format_bytes

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")
_SMALL = 2
"""Samples of the first look: batch normalisation needs two."""
_TIMES_STATE = 6
"""Weights, gradients, two moments, and what an update needs beside them: where so many times what the copies of the
state take may not fit, not even a small step is run at once."""
_SHARE = 0.9
"""Of what is free, that the first size takes at most."""
_PART_OF_TODAY = 4
_MULTIPLE, _FROM = 8, 64
"""Sizes from 64 on are multiples of eight, as hardware likes them."""
_SECONDS = 10.0
"""That a rehearsal may take."""


class Beginning(NamedTuple):
    """How a step was first seen."""

    watch: StepWatch
    begins_at: int | None = None
    """The size that ran, where today's does not fit; 0 where none fits, so that none did."""
    forecast: Forecast | None = None
    """How that was found out."""
    remark: str = ""
    """The same as a sentence."""
    seconds: float = 0.0
    """That all this took."""

    def remarks(self) -> tuple[str, ...]:
        """What people should know of it."""
        return (self.remark,) if self.remark else ()


def begin(name: str, steps: Callable[[], Prepare], batch_size: int, snapshot: Snapshot, options: Options) -> Beginning:
    """See one step, of today's size if that fits.

    Args:
        name: of the step, for people: "`step`".
        steps: begins anew; makes steps of any size.
        batch_size: today's.
        snapshot: the user's state, which is put back.
        options: what memory the step may use.

    Raises:
        SkylineError: it fails, or trains nothing.
    """
    begun = time.perf_counter()
    beginning = _begin(name, _Outlook(steps, batch_size, snapshot, options), steps, batch_size, snapshot)
    return beginning._replace(seconds=time.perf_counter() - begun)


def _begin(
    name: str, outlook: "_Outlook", steps: Callable[[], Prepare], batch_size: int, snapshot: Snapshot
) -> Beginning:
    forecast = outlook.forecast() if may_run_uncompiled() and not has_compiled_code() else None
    if forecast is None:
        return Beginning(_seen(name, steps, batch_size, snapshot))
    size = outlook.size_within(forecast)
    return Beginning(
        _seen(name, steps, size, snapshot) if size else outlook.watch, size, forecast, outlook.remark(forecast, size)
    )


def _seen(name: str, steps: Callable[[], Prepare], batch_size: int, snapshot: Snapshot) -> StepWatch:
    """One step, which is undone."""

    def call() -> None:
        step = steps()(batch_size)
        step()

    try:
        return watch_call(name, call, batch_size)
    finally:
        snapshot.restore()


class _Watch(StepWatch):
    """One that holds no data, which would count as memory of the step."""

    def forward(self, module: torch.nn.Module, inputs: tuple[object, ...]) -> None:  # noqa: ARG002  a listener's
        """A root module runs."""
        super().forward(module, ())

    def fetched(self, loader: "DataLoader[Any]", batch: object) -> None:  # noqa: ARG002  as above
        """A loader has delivered."""
        super().fetched(loader, None)


class _Outlook:
    """Finds out whether today's size fits, without running it."""

    def __init__(self, steps: Callable[[], Prepare], batch_size: int, snapshot: Snapshot, options: Options) -> None:
        self.watch = StepWatch(lambda: None)
        """The first step that was seen of the last rehearsal."""
        self._steps = steps
        self._today = batch_size
        self._snapshot = snapshot
        self._options = options
        self._kind = "cuda" if torch.cuda.is_initialized() else "cpu"

    def forecast(self) -> Forecast | None:
        """What a step takes, where today's size does not fit; `None` where it fits, or where that cannot be told."""
        today, small = self._today, min(_SMALL, self._today)
        may_look = _TIMES_STATE * self._snapshot.copied_bytes <= self._room(0).usable_bytes()
        look = self._rehearsed(Rehearsal, lambda one, prepare: one.step(small, prepare(small))) if may_look else None
        if look is not None and self._fits(most_needed(look, today), look.start_bytes):
            return None
        found = self._forecast(DryRehearsal, today, _other(today, small))
        if found is None and look is not None:
            found = self._forecast(Rehearsal, small, 2 * small)
        return None if found is None or self._fits(found.needs(today), found.held_bytes) else found

    def size_within(self, forecast: Forecast) -> int:
        """The size to begin with: the largest that fits, and leaves some room; 0 where there is none."""
        usable = self._room(forecast.held_bytes).usable_bytes()
        size = forecast.largest_within(int(_SHARE * usable)) or forecast.largest_within(usable)
        size = min(size, self._today)
        if size < _SMALL and needs_two_samples(self.watch.trained_models()):
            return 0
        return size - size % _MULTIPLE if size > _FROM else size

    def remark(self, forecast: Forecast, size: int) -> str:
        """Why today's size was not run, in a sentence or two."""
        room, needed = self._room(forecast.held_bytes), format_bytes(forecast.needs(self._today))
        limit, here = room.limit().limit_bytes, room.usable_bytes()
        why = (
            f"over the limit of {format_bytes(limit)}" if here == limit else f"and there are {format_bytes(here)} here"
        )
        begun = f"the sizes measured go up to {size:,}" if size else "no smaller size fits either"
        return f"Batch size {self._today:,} was not run, because a step needs {needed}, {why}; {begun}."

    def _forecast(self, make: type[Rehearsal], size: int, other: int) -> Forecast | None:
        return self._rehearsed(make, lambda one, prepare: Forecast.rehearsed(one, prepare, size, other))

    def _rehearsed(self, make: type[Rehearsal], run: Callable[[Rehearsal, Prepare], _T]) -> _T | None:
        """What a rehearsal showed; `None` where the code does not go through with it. All is put back."""
        watch, deadline = _Watch(lambda: None), Deadline()
        rehearsal = make(self._kind, lambda: _held(watch))
        try:
            with silence(), without_writes(), uncompiled(), deadline.installed():
                deadline.set(_SECONDS)
                watch.start()
                found = run(rehearsal, self._steps())
        except (Exception, TookTooLong) as error:  # noqa: BLE001  the boundary to the user's code
            _LOG.debug("No %s: %r", make.__name__, error)
            forget_frames(error)
            return None
        finally:
            watch.stop()
            self._snapshot.restore()
            rehearsal.close()
        if not watch.steps:
            return None
        self.watch = watch
        if self._device().facts.kind == self._kind:
            return found
        self._kind = self._device().facts.kind
        return self._rehearsed(make, run)

    def _fits(self, needed: int, held: int) -> bool:
        return needed <= self._room(held).usable_bytes()

    def _room(self, held: int) -> Room:
        """What a step may take; `held` bytes of it are taken already."""
        device = self._device()
        series = Series(room_bytes=device.available_bytes() + held)
        return Room.at_first(device, self._options, series, self._snapshot.copied_bytes)

    def _device(self) -> Device:
        if self.watch.steps:
            return device_for(device_of(self.watch.trained_models(), self.watch.optimizers))
        return device_for(torch.device(self._kind))


def _other(today: int, small: int) -> int:
    """The second size of a dry rehearsal: well below today's where there is room for that."""
    part = max(small, today // _PART_OF_TODAY)
    return part if part < today else 2 * today


def _held(watch: StepWatch) -> Iterator[torch.Tensor]:
    """What the models and optimizers hold that the step has shown; the step is over."""
    watch.finish()
    return Participants(watch.models, watch.optimizers).tensors()
