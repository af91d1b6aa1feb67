"""A limit on how long the user's code may go without ending a step: what hangs at a size must not hang the kernel.

On the main thread of a Unix process an alarm raises inside the user's code, wherever it is. Elsewhere
nothing can, and the user's own interrupt is what is left.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from skyline_jupyter.measure.interrupts import is_held

_AGAIN = 0.1
"""Seconds after which the alarm comes again: for code that catches all, and for moments at which it must wait."""


class TookTooLong(BaseException):
    """Unwinds the user's loop. Not an `Exception`, so that no `except Exception` swallows it."""


class Deadline:
    """An alarm that can be set to another time, or off."""

    def __init__(self) -> None:
        self._works = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def set(self, seconds: float) -> None:
        """Ring in `seconds` from now; 0 for never."""
        if self._works:
            signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN if seconds else 0.0)

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Within the block the alarm is ours; afterwards it is whose it was."""
        if not self._works:
            yield
            return
        handler = signal.signal(signal.SIGALRM, _ring)
        others, interval = signal.setitimer(signal.ITIMER_REAL, 0.0)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, others, interval)


def _ring(_number: int, _frame: FrameType | None) -> None:
    if not is_held():
        raise TookTooLong
