"""A clock for cells: time passes for the device when a cell says `wait(seconds)`, and never else.

A module of its own, because what a notebook's names lead to is put back after a profile, and time must not be.
"""

from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.devices.base import Mark

IMPORT = "from tests.magic.clocked import wait"
_NOW = [0.0]


def wait(seconds: float) -> None:
    """Let time pass."""
    _NOW[0] += seconds


class ClockedDevice(CpuDevice):
    """The processor, on that clock."""

    def mark(self) -> Mark:
        """The time."""
        return _NOW[0]
