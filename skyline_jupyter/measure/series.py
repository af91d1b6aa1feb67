"""The measurements of one profile so far, and what they let expect."""

import statistics
from dataclasses import dataclass, field

from skyline_jupyter.devices.base import Device
from skyline_jupyter.measure.block import BlockResult
from skyline_jupyter.measure.forecast import Forecast
from skyline_jupyter.measure.memory import StepTrace
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.report.model import MEMORY_CATEGORIES, CategoryBytes, Sample

_STEADY = 0.05
"""Where the majority of the repeats lie within this share of their median, no further one is needed: other work on the
machine makes single ones longer. (The shortest half; Rousseeuw, Least Median of Squares Regression, 1984.)"""
_FEWEST = 2
"""One repeat tells no spread."""
_COLD, _SWITCHES = 0.03, 3
"""After a switch a step settles first where one of so many switches has cost more than this share of it."""


@dataclass
class Series:
    """By batch size."""

    times: dict[int, list[float]] = field(default_factory=dict)
    data: dict[int, list[float]] = field(default_factory=dict)
    traces: dict[int, StepTrace] = field(default_factory=dict)
    workspaces: dict[int, int | None] = field(default_factory=dict)
    first_peaks: dict[int, int] = field(default_factory=dict)
    """Peaks of very first steps."""
    failures: dict[int, StepFailed] = field(default_factory=dict)
    room_bytes: int | None = None
    """What a step may take on the device: what it held when it was last traced, and what was free then."""
    process_bytes: int | None = None
    """What this process held then beside the step's tensors."""
    done: float = 0.0
    """Share of the work that is done."""
    _paces: dict[int, float] = field(default_factory=dict)
    _switches: list[float] = field(default_factory=list)
    """Seconds that the first step after a switch from another size took longer than the next."""
    _latest: int | None = None
    """The size of the latest step."""
    _was_followed: bool = False
    """Whether the memory of the latest step was followed, after which the next takes up to a tenth longer."""

    def switch_costs(self, batch_size: int) -> bool:
        """Whether the first step after one of another size is slower, by the latest that were seen; at first, yes."""
        cost = max(self._switches[-_SWITCHES:], default=float("inf"))
        return cost > _COLD * self.expected_seconds(batch_size)

    def settles(self, batch_size: int) -> bool:
        """Whether a step now would be slower than the next."""
        if batch_size == self._latest:
            return self._was_followed
        return batch_size not in self.times or self.switch_costs(batch_size)

    def see(self, result: BlockResult) -> None:
        """A block that counts for nothing but the expectation of further ones."""
        self._latest, self._was_followed = result.batch_size, False
        pace = self._paces.get(result.batch_size, result.step_seconds)
        self._paces[result.batch_size] = min(pace, result.step_seconds)  # what came between makes steps look longer

    def record(self, result: BlockResult) -> None:
        """Add a block."""
        size = result.batch_size
        if result.trace is None:
            if size != self._latest and result.settling_seconds is not None:
                self._switches.append(result.settling_seconds - result.step_seconds)
            self.see(result)
            self.times.setdefault(size, []).append(result.step_seconds)
            self.data.setdefault(size, []).append(result.data_seconds)
        else:
            self._latest, self._was_followed = size, True
            self._paces.setdefault(size, result.step_seconds)
            self.traces[size] = result.trace
            self.workspaces[size] = result.workspace_bytes
            self.room_bytes = result.room_bytes
            self.process_bytes = result.process_bytes

    def record_first(self, result: BlockResult) -> None:
        """The very first step: its time counts for nothing."""
        if result.first_step_peak_bytes is not None:
            self.first_peaks[result.batch_size] = result.first_step_peak_bytes

    def fail(self, failure: StepFailed) -> None:
        """A size cannot be run; what comes next begins anew."""
        self.failures[failure.batch_size] = failure
        self._latest = None

    def foretell(self, forecast: Forecast, device: Device) -> None:
        """Take what was predicted for what steps have shown, where none can be run."""
        self.first_peaks[forecast.first.batch_size] = forecast.first.peak_bytes
        self.traces = {trace.batch_size: trace for trace in forecast.steady}
        self.room_bytes = device.available_bytes() + forecast.held_bytes
        process = device.process_bytes()
        self.process_bytes = None if process is None else max(0, process - forecast.held_bytes)

    def forget_times(self, batch_size: int) -> None:
        """Drop the times of a size that is measured anew."""
        self.times.pop(batch_size, None)
        self.data.pop(batch_size, None)

    def forget_colder_times(self, batch_size: int) -> None:
        """Drop earlier times of a size that are all clearly slower than the latest: the process was warming up."""
        *earlier, latest = self.times[batch_size]
        if earlier and latest < (1 - _STEADY) * min(earlier):
            self.times[batch_size], self.data[batch_size] = [latest], self.data[batch_size][-1:]

    def expected_seconds(self, batch_size: int) -> float:
        """About the time of a step at a size; 0 where nothing is known."""
        if not self._paces:
            return 0.0
        nearest = min(self._paces, key=lambda size: max(size / batch_size, batch_size / size))
        return self._paces[nearest] * max(1.0, batch_size / nearest)

    def is_steady(self, batch_size: int) -> bool:
        """Whether a size that was timed has a narrow band."""
        seconds = sorted(self.times.get(batch_size, []))
        if len(seconds) < _FEWEST:
            return False
        majority = len(seconds) // 2 + 1
        shortest = min(high - low for low, high in zip(seconds, seconds[majority - 1 :], strict=False))
        return shortest <= _STEADY * statistics.median(seconds)

    def samples(self, *, workers: int | None) -> tuple[Sample, ...]:
        """The sizes that were timed, as samples.

        Args:
            workers: processes that put batches together ahead of time; 0 where that is part of the step,
                `None` where nothing is fetched.
        """
        return tuple(self._sample(size, workers) for size in sorted(self.times))

    def _sample(self, size: int, workers: int | None) -> Sample:
        data = self.data[size]
        compute = [step - fetch for step, fetch in zip(self.times[size], data, strict=True)]
        seconds = [_step_seconds(step, fetch, workers) for step, fetch in zip(compute, data, strict=True)]
        trace = self.traces.get(size)
        split = zip(MEMORY_CATEGORIES, trace.levels().peak_split, strict=True) if trace else ()
        return Sample(
            batch_size=size,
            step_seconds=statistics.median(seconds),
            step_seconds_spread=interquartile_range(seconds),
            repeats=len(seconds),
            compute_seconds=statistics.median(compute),
            data_seconds=None if workers is None else statistics.median(data),
            peak_bytes=trace.peak_bytes if trace else None,
            peak_by_category=tuple(CategoryBytes(category=name, size_bytes=size) for name, size in split),
            first_step_peak_bytes=self.first_peaks.get(size),
            workspace_bytes=self.workspaces.get(size),
            warnings=(),
        )


def _step_seconds(compute: float, data: float, workers: int | None) -> float:
    """What the user waits for. Workers prepare batches while the step computes, as many as there are at a time."""
    if workers is None:
        return compute
    return max(compute, data / workers) if workers else compute + data


def interquartile_range(values: list[float]) -> float | None:
    """Between the quartiles; `None` for fewer than two values."""
    if len(values) < 2:  # noqa: PLR2004  one value has no spread
        return None
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return high - low
