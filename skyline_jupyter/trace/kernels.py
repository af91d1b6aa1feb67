"""Kernels of one traced step on a CUDA device: which operator launched each, and when it ran.

Everything is told by torch's own profiler, in its own clock: the step marks operators and scopes by number, a kernel
says which operation launched it, and the moment of that lies within the marks. Only a step without waits shows how host
and device overlap, so it is the first one, whose seconds are not shown.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

import torch
from torch.autograd import DeviceType  # type: ignore[attr-defined]  # public in all but its stub
from torch.profiler import ProfilerActivity, profile

from skyline_jupyter.report.breakdown import SCOPE
from skyline_jupyter.trace import private
from skyline_jupyter.trace.hushed import hushed
from skyline_jupyter.trace.lines import Cost
from skyline_jupyter.trace.overlap import Interval, overlap, union
from skyline_jupyter.trace.spots import Spot

_PREFIX = "skyline_jupyter#"
_MICROSECOND = 1e-6


class _Range(Protocol):
    """When an event was, in microseconds."""

    start: float
    end: float


class Event(Protocol):
    """What is read of torch's `FunctionEvent`."""

    id: int
    name: str
    time_range: _Range
    device_type: DeviceType
    is_user_annotation: bool
    linked_correlation_id: int
    """Of what a device does: the `id` of the operation that launched it; of what the host does: 0."""


class Kernel(NamedTuple):
    """One run of a kernel, or a copy, in seconds of the profiler's clock."""

    launched: float
    """When the operation began that launched it."""
    ran: Interval


class Activity(NamedTuple):
    """What the profiler saw."""

    marks: dict[int, list[Interval]]
    """By number, when the host was within it."""
    kernels: list[Kernel]


class Mark(NamedTuple):
    """Whose the kernels are that are launched within a mark."""

    spot: Spot
    lines: Sequence[Cost] = ()


class Kernels:
    """Of one step, from `begin` to `end`."""

    def __init__(self, wait: Callable[[], None]) -> None:
        """Nothing is watched yet; `wait` returns when the device has done what it was given."""
        self.missing = ""
        """Why there are no kernel times, as a sentence; empty where there are."""
        self._wait = wait
        self._marked: list[Mark] = []
        self._scopes: list[AbstractContextManager[object]] = []
        self._profile: profile | None = None

    def begin(self) -> None:
        """Watch the device; nothing where it is watched already."""
        if self._profile is not None or self.missing:
            return
        try:
            private.mark(_PREFIX)  # fails here where this torch has none
            if torch.autograd._profiler_enabled():  # type: ignore[attr-defined]  # noqa: SLF001  the only way to ask
                self.missing = "Kernel times are missing: your code runs a profiler of its own."
                return
            started = profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])
            with hushed():
                started.start()
            self._profile = started
        except Exception as error:  # noqa: BLE001  the boundary between torch's profiler and the trace
            self._fail(error)

    def end(self) -> None:
        """The step is over: give each spot what it launched; harmless when repeated."""
        if self._profile is None:
            return
        try:
            while self._scopes:
                self.leave()
            self._wait()
            with hushed():
                self._profile.stop()
            give(activity(self._profile.events() or ()), self._marked)
        except Exception as error:  # noqa: BLE001  as above
            self._fail(error)
        if not self.missing and not any(mark.spot.device for mark in self._marked):
            self.missing = "Kernel times are missing: torch's profiler saw no kernel."
        self._profile = None
        self._marked = []

    def marked(self, operator: Callable[..., object], spot: Spot, lines: Sequence[Cost] = ()) -> Callable[..., object]:
        """The same operator, whose kernels are then known to be this spot's, and those of the lines that call it."""
        if self._profile is None:
            return operator

        def run(*args: object, **kwargs: object) -> object:
            with self._mark(Mark(spot, lines)):
                return operator(*args, **kwargs)

        return run

    def enter(self, spot: Spot) -> None:
        """A scope begins."""
        if self._profile is not None:
            self._scopes.append(self._mark(Mark(spot)))
            self._scopes[-1].__enter__()

    def leave(self) -> None:
        """The innermost scope is left."""
        if self._scopes:
            self._scopes.pop().__exit__(None, None, None)

    def _mark(self, mark: Mark) -> AbstractContextManager[object]:
        self._marked.append(mark)
        return private.mark(f"{_PREFIX}{len(self._marked) - 1}")

    def _fail(self, error: Exception) -> None:
        self.missing = f"Kernel times are missing: torch's profiler failed ({type(error).__name__}: {error})."


def activity(events: Iterable[Event]) -> Activity:
    """What the events of a profile say of marks and kernels. Kernels that no operation launched are left out."""
    marks: dict[int, list[Interval]] = {}
    began: dict[int, float] = {}
    device: list[tuple[int, Interval]] = []
    for event in events:
        when = event.time_range.start * _MICROSECOND, event.time_range.end * _MICROSECOND
        if event.device_type != DeviceType.CPU:
            if not event.is_user_annotation and not event.name.startswith(_PREFIX):
                device.append((event.linked_correlation_id, when))
        elif event.linked_correlation_id == 0:  # else a call of CUDA, whose numbers are others
            began[event.id] = when[0]
            if event.name.startswith(_PREFIX):
                marks.setdefault(int(event.name.removeprefix(_PREFIX)), []).append(when)
    return Activity(marks, [Kernel(began[by], ran) for by, ran in device if by in began])


def give(seen: Activity, marked: Sequence[Mark]) -> None:
    """Give each spot and line the seconds of its kernels, and each scope how host and device shared its time.

    Args:
        seen: by the profiler.
        marked: what was marked, by number.
    """
    operators: list[tuple[Interval, Mark]] = []
    scopes: dict[Spot, list[Interval]] = {}
    for number, ranges in seen.marks.items():
        mark = marked[number]
        if mark.spot.kind == SCOPE:
            scopes.setdefault(mark.spot, []).extend(ranges)
        else:
            operators += [(when, mark) for when in ranges]
    operators.sort(key=lambda one: one[0])
    for kernel in seen.kernels:
        when, owner = _last(operators, kernel.launched)
        if owner is not None and kernel.launched <= when[1]:
            seconds = kernel.ran[1] - kernel.ran[0]
            owner.spot.device += seconds
            for line in owner.lines:
                line.device += seconds
    for spot, ranges in scopes.items():
        merged = [(when, Mark(spot)) for when in union(ranges)]
        inside = [one.ran for one in seen.kernels if one.launched <= _last(merged, one.launched)[0][1]]
        spot.shared, spot.launches = overlap(ranges, inside), len(inside)


def take_kernels(shown: Spot, same: Spot) -> None:
    """A spot gets what the device did for the same spot of another step, and so do those below it."""
    shown.device, shown.shared, shown.launches = same.device, same.shared, same.launches
    for identity, child in shown.children.items():
        if identity in same.children:
            take_kernels(child, same.children[identity])


def _last(ranges: list[tuple[Interval, Mark]], moment: float) -> tuple[Interval, Mark | None]:
    """The last of sorted ranges that has begun by then; an empty one of long ago where there is none."""
    place = bisect_right(ranges, moment, key=_begin)
    return ranges[place - 1] if place else ((-1.0, -1.0), None)


def _begin(one: tuple[Interval, Any]) -> float:
    return one[0][0]
