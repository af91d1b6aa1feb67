"""What measuring code asks of a device: marks in time, memory that is left, and what running out looks like."""

from typing import Protocol, TypeAlias

from skyline_jupyter.report.model import DeviceFacts

Mark: TypeAlias = object
"""A point in the device's time; only the device that made it can read it."""


class Device(Protocol):
    """Where training steps run."""

    @property
    def facts(self) -> DeviceFacts:
        """Kind, name and capacity."""
        ...

    def mark(self) -> Mark:
        """A mark at the end of the work that was queued so far; does not wait for it."""
        ...

    def seconds_between(self, begin: Mark, end: Mark) -> float:
        """Seconds from one mark to a later one; waits until the work before `end` is done."""
        ...

    def available_bytes(self) -> int:
        """Memory that could still be allocated now."""
        ...

    def process_bytes(self) -> int | None:
        """All that this process holds on the device now, tensors and the driver's context; `None` if unknown."""
        ...

    def fragmentation_bytes(self) -> int:
        """What the allocator has lately held in pieces too small to be used again."""
        ...

    def most_taken_bytes(self) -> int:
        """The most that this process has held at once, caches included; says something where nothing finer is known."""
        ...

    def begin_workspace(self) -> None:
        """Start counting what the allocator takes."""
        ...

    def workspace_bytes(self, tensor_bytes: int) -> int | None:
        """What the allocator took since `begin_workspace` beyond `tensor_bytes`; `None` where it cannot tell."""
        ...

    def is_out_of_memory(self, error: BaseException) -> bool:
        """Whether `error` says that this device's memory did not suffice."""
        ...

    def release(self) -> None:
        """Give cached memory back after a failure."""
        ...
