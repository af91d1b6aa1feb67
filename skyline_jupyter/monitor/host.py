"""The processors and the memory of the host, as the kernel shares them."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psutil

from skyline_jupyter.devices.cgroup import memory_groups
from skyline_jupyter.monitor.family import Family
from skyline_jupyter.report.reading import HostReading

_SHORTEST_SECONDS = 0.05
"""Most systems count a process's time in hundredths of a second."""


@dataclass(frozen=True)
class _Clocks:
    """Seconds, each since some beginning."""

    at: float
    passed: float
    """Of all processors together."""
    idle: float
    kernel: float
    """In which the kernel's process computed."""


class HostSampler:
    """Differences since the last look; `psutil`'s own, which are the user's too, are left alone."""

    def __init__(
        self,
        family: Family,
        *,
        cpu_times: Callable[[], Any] = psutil.cpu_times,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Remember what the clocks say now."""
        self._family = family
        self._cpu_times = cpu_times
        self._clock = clock
        self._cpus = psutil.cpu_count() or os.cpu_count() or 1
        self._total = psutil.virtual_memory().total
        self._last = self._look()

    def sample(self) -> HostReading:
        """One look."""
        family = self._family
        family.look()
        children = family.children_bytes
        total, available, is_container = self._memory()
        cpu, kernel_cpus = self._load()
        return HostReading(
            cpus=self._cpus,
            cpu=cpu,
            kernel_cpus=kernel_cpus,
            kernel_bytes=int(family.process.memory_info().rss),
            children=len(children),
            loader_workers=sum(family.is_loader_worker(pid) for pid in children),
            children_bytes=sum(children.values()),
            total_bytes=total,
            available_bytes=available,
            is_container=is_container,
        )

    def _load(self) -> tuple[float | None, float | None]:
        """Share of all processors, and processors of the kernel, since the last look that was long enough ago."""
        before, now = self._last, self._look()
        elapsed, passed = now.at - before.at, now.passed - before.passed
        if elapsed < _SHORTEST_SECONDS:
            return None, None
        self._last = now
        kernel = (now.kernel - before.kernel) / elapsed
        busy = None if passed <= 0 else min(1.0, max(0.0, 1 - (now.idle - before.idle) / passed))
        return busy, min(float(self._cpus), max(0.0, kernel))

    def _memory(self) -> tuple[int, int, bool]:
        groups = memory_groups()
        total = min([self._total, *(group.limit_bytes for group in groups)])
        available = min([psutil.virtual_memory().available, *(group.free_bytes for group in groups)])
        return total, available, total < self._total

    def _look(self) -> "_Clocks":
        times = self._cpu_times()._asdict()
        # On Linux the time of guests is part of the user's.
        passed = sum(seconds for name, seconds in times.items() if not name.startswith("guest"))
        own = self._family.process.cpu_times()
        return _Clocks(
            at=self._clock(),
            passed=passed,
            idle=times["idle"] + times.get("iowait", 0.0),
            kernel=own.user + own.system,
        )
