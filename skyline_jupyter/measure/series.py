"""The measurements of one profile so far, and what they let expect."""

import statistics
from dataclasses import dataclass, field

from skyline_jupyter.fit import notch
from skyline_jupyter.measure.block import BlockResult
from skyline_jupyter.measure.memory import StepTrace
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.report.model import Sample

_STEADY = 0.025
"""A median whose band is narrower than this share of it needs no further repeat."""


@dataclass
class Series:
    """By batch size."""

    times: dict[int, list[float]] = field(default_factory=dict)
    data: dict[int, list[float]] = field(default_factory=dict)
    traces: dict[int, StepTrace] = field(default_factory=dict)
    workspaces: dict[int, int | None] = field(default_factory=dict)
    failures: dict[int, StepFailed] = field(default_factory=dict)
    room_bytes: int | None = None
    """What a step may take on the device: what it held when it was last traced, and what was free then."""
    done: float = 0.0
    """Share of the work that is done."""
    _paces: dict[int, float] = field(default_factory=dict)

    def see(self, result: BlockResult) -> None:
        """A block that counts for nothing but the expectation of further ones."""
        pace = self._paces.get(result.batch_size, result.step_seconds)
        self._paces[result.batch_size] = min(pace, result.step_seconds)  # what came between makes steps look longer

    def record(self, result: BlockResult) -> None:
        """Add a block."""
        size = result.batch_size
        if result.trace is None:
            self.see(result)
            self.times.setdefault(size, []).append(result.step_seconds)
            self.data.setdefault(size, []).append(result.data_seconds)
        else:
            self._paces.setdefault(size, result.step_seconds)
            self.traces[size] = result.trace
            self.workspaces[size] = result.workspace_bytes
            self.room_bytes = result.room_bytes

    def forget_times(self, batch_size: int) -> None:
        """Drop the times of a size that is measured anew."""
        self.times.pop(batch_size, None)
        self.data.pop(batch_size, None)

    def expected_seconds(self, batch_size: int) -> float:
        """About the time of a step at a size; 0 where nothing is known."""
        if not self._paces:
            return 0.0
        nearest = min(self._paces, key=lambda size: max(size / batch_size, batch_size / size))
        return self._paces[nearest] * max(1.0, batch_size / nearest)

    def is_steady(self) -> bool:
        """Whether every size that was timed has a narrow band."""
        return all(
            notch(interquartile_range(seconds), len(seconds)) <= _STEADY * statistics.median(seconds)
            for seconds in self.times.values()
        )

    def samples(self, *, data_counts: bool) -> tuple[Sample, ...]:
        """The sizes that were timed, as samples; fetching the batch is part of a step, or not."""
        return tuple(self._sample(size, data_counts=data_counts) for size in sorted(self.times))

    def _sample(self, size: int, *, data_counts: bool) -> Sample:
        seconds, data = self.times[size], self.data[size]
        if not data_counts:
            seconds = [step - fetch for step, fetch in zip(seconds, data, strict=True)]
        trace = self.traces.get(size)
        return Sample(
            batch_size=size,
            step_seconds=statistics.median(seconds),
            step_seconds_spread=interquartile_range(seconds),
            repeats=len(seconds),
            data_seconds=statistics.median(data) if data_counts else None,
            peak_bytes=trace.peak_bytes if trace else None,
            workspace_bytes=self.workspaces.get(size),
            warnings=(),
        )


def interquartile_range(values: list[float]) -> float | None:
    """Between the quartiles; `None` for fewer than two values."""
    if len(values) < 2:  # noqa: PLR2004  one value has no spread
        return None
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return high - low
