"""The memory that a step may use, each part of the sum a figure of its own."""

from dataclasses import dataclass, replace

from skyline_jupyter.devices.base import Device
from skyline_jupyter.measure.series import Series
from skyline_jupyter.options import Options
from skyline_jupyter.report.model import Limit


@dataclass
class Room:
    """Answers from what the device says, and from what the last traced step has shown."""

    device: Device
    options: Options
    series: Series
    free_at_first: int
    """Bytes, when the measurement began."""
    copied_bytes: int
    """What the copies of the user's state take of the device's memory, until the end of the profile."""

    @classmethod
    def at_first(cls, device: Device, options: Options, series: Series, copied_bytes: int) -> "Room":
        """The measurement begins; `copied_bytes` of host memory hold the user's state meanwhile."""
        copied = copied_bytes if device.facts.kind == "cpu" else 0
        return cls(device, options, series, device.available_bytes(), copied)

    def usable_bytes(self) -> int:
        """What a step may take here and now: a budget for a larger card makes this one no larger."""
        here = replace(self, options=replace(self.options, memory_bytes=None)).limit().limit_bytes
        return min(here, self.limit().limit_bytes)

    def limit(self, *, afterwards: bool = False) -> Limit:
        """What a step may take: what is free, and what it holds itself.

        Args:
            afterwards: once the copies of the user's state are given back.
        """
        capacity, budget = self.device.facts.capacity_bytes, self.options.memory_bytes
        given_back = self.copied_bytes if afterwards else 0
        room = self.free_at_first if self.series.room_bytes is None else self.series.room_bytes
        room = min(capacity, room + given_back)
        taken, process = capacity - room, self.series.process_bytes
        if process is not None:
            process = max(0, min(process - given_back, taken))
        margin = 0 if budget is not None else int(self.options.margin * capacity)
        fragmentation = self.device.fragmentation_bytes()
        return Limit(
            limit_bytes=budget if budget is not None else max(0, room - fragmentation - margin),
            others_bytes=taken - (process or 0),
            process_bytes=process,
            fragmentation_bytes=fragmentation,
            margin_bytes=margin,
            budget=budget is not None,
        )
