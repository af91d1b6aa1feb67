"""Live readings of the devices and of the host, while somebody looks."""

from skyline_jupyter.monitor.poller import THREAD_NAME, Poller
from skyline_jupyter.monitor.quiet import undisturbed

__all__ = ["THREAD_NAME", "Poller", "undisturbed"]
