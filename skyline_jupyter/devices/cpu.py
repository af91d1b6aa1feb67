"""The CPU: a monotonic clock, and the memory that this process may still take."""

import platform
import sys
import time
from pathlib import Path

import psutil

from skyline_jupyter.devices.base import Mark
from skyline_jupyter.devices.cgroup import memory_groups
from skyline_jupyter.devices.exhaustion import says_out_of_memory
from skyline_jupyter.report.model import DeviceFacts


class CpuDevice:
    """The host's processor and its memory."""

    def __init__(self) -> None:
        """Read what does not change."""
        capacity = min([psutil.virtual_memory().total, *(group.limit_bytes for group in memory_groups())])
        self.facts = DeviceFacts(kind="cpu", name=_processor_name(), capacity_bytes=capacity)

    def mark(self) -> Mark:
        """The monotonic clock."""
        return time.perf_counter()

    def seconds_between(self, begin: Mark, end: Mark) -> float:
        """Seconds from `begin` to `end`."""
        if not isinstance(begin, float) or not isinstance(end, float):
            raise TypeError
        return end - begin

    def available_bytes(self) -> int:
        """What the system and the control groups of this process leave."""
        return min([psutil.virtual_memory().available, *(group.free_bytes for group in memory_groups())])

    def process_bytes(self) -> int | None:
        """What is resident of this process: tensors, the interpreter, libraries, other data."""
        return int(psutil.Process().memory_info().rss)

    def fragmentation_bytes(self) -> int:
        """None: the system gives whole pages, wherever they lie."""
        return 0

    def most_taken_bytes(self) -> int:
        """The largest resident set that this process has had."""
        if sys.platform == "win32":
            return int(psutil.Process().memory_info().peak_wset)
        import resource

        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return largest if sys.platform == "darwin" else 1024 * largest  # the same call, two units

    def begin_workspace(self) -> None:
        """Nothing to start: the allocator of the CPU keeps no count."""

    def workspace_bytes(self, tensor_bytes: int) -> int | None:  # noqa: ARG002  the protocol's name
        """Unknown on the CPU."""
        return None

    def is_out_of_memory(self, error: BaseException) -> bool:
        """Whether `error` says that host memory did not suffice."""
        return says_out_of_memory(error)

    def release(self) -> None:
        """Nothing is cached."""


def _processor_name() -> str:
    """The processor's marketing name, as people know it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine() or "CPU"
