"""Ctrl+C waits where half of the work would be worse than none: while the user's state is put back."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_HOLDING: list[object] = []
"""One entry for each block that is not to be interrupted now."""


def is_held() -> bool:
    """Whether the main thread is in such a block."""
    return bool(_HOLDING)


class Notice:
    """Whether the user has had enough."""

    given = False


@contextmanager
def interrupt_noticed() -> Iterator[Notice]:
    """See an interrupt that the user's own code catches, and let it happen at the end of the block all the same.

    Raises:
        KeyboardInterrupt: there was one.
    """
    notice, handler = Notice(), signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield notice
        return
    known = handler

    def noticing(number: int, frame: FrameType | None) -> None:
        notice.given = True
        known(number, frame)

    signal.signal(signal.SIGINT, noticing)
    try:
        yield notice
    except Exception:
        if notice.given:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, handler)
    if notice.given:
        raise KeyboardInterrupt


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back an interrupt until the block is done, and let it happen then."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield  # Python runs signal handlers on the main thread only
        return
    held: list[tuple[int, FrameType | None]] = []
    _HOLDING.append(handler)
    signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        _HOLDING.pop()
        if held:
            handler(*held[0])
