"""The kernel's process and those that it started, such as the workers of a loader."""

import contextlib
import time
from collections.abc import Callable

import psutil

_SECONDS_BETWEEN_LOOKS = 1.0
"""To find the children, every process of the machine is looked at; they seldom change."""
_WORKER = "pt_data_worker"
"""What torch calls the process of a loader's worker."""


class Family:
    """What `psutil` knows of this process and its children."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Look when first asked."""
        self.process = psutil.Process()
        self._clock = clock
        self._looked: float | None = None
        self._children: dict[int, psutil.Process] = {}
        self._workers: set[int] = set()

    def look(self) -> None:
        """Find the children, unless that was done a moment ago."""
        now = self._clock()
        if self._looked is not None and now - self._looked < _SECONDS_BETWEEN_LOOKS:
            return
        self._looked = now
        self._children = {child.pid: child for child in self.process.children(recursive=True)}
        self._workers = {pid for pid, child in self._children.items() if _name_of(child) == _WORKER}

    def is_member(self, pid: int) -> bool:
        """Whether a process is this one or one of its children."""
        return pid == self.process.pid or pid in self._children

    @property
    def children_bytes(self) -> dict[int, int]:
        """Resident memory of each child that still lives."""
        held = {}
        for pid, child in self._children.items():
            with contextlib.suppress(psutil.Error):
                held[pid] = int(child.memory_info().rss)
        return held

    def is_loader_worker(self, pid: int) -> bool:
        """Whether a child is a worker of a torch `DataLoader`."""
        return pid in self._workers


def name_of(pid: int) -> str | None:
    """What a process is called; `None` where it cannot be seen from here."""
    try:
        return _name_of(psutil.Process(pid))
    except psutil.Error:
        return None


def _name_of(process: psutil.Process) -> str | None:
    try:
        return str(process.name())
    except psutil.Error:
        return None
