"""The one thread that reads the gauges, for as long as somebody looks."""

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager

from skyline_jupyter.monitor.quiet import is_measuring
from skyline_jupyter.monitor.sampler import Sample, sampler
from skyline_jupyter.monitor.viewers import LEASE_SECONDS, Viewers
from skyline_jupyter.report.reading import Gauges, Reading

THREAD_NAME = "skyline-gauges"
KEPT = 150
"""Readings that a view which is opened, or loaded again, begins with."""


class Poller:
    """Starts with the first viewer and ends with the last one.

    It pauses while a profile measures: a reading takes a few milliseconds of the interpreter, as much as a
    whole step of a small model.
    """

    def __init__(
        self,
        deliver: Callable[[Gauges], None],
        *,
        is_busy: Callable[[], bool],
        opened: Callable[[], AbstractContextManager[Sample]] = sampler,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing runs yet.

        Args:
            deliver: takes what the viewers are to see, on any thread.
            is_busy: whether the kernel computes, and so hears no viewer.
            opened: holds open what is read; entered and left on the thread.
            clock: seconds.
        """
        self._deliver = deliver
        self._is_busy = is_busy
        self._opened = opened
        self._clock = clock
        self._changed = threading.Condition()
        self._viewers = Viewers()
        self._readings: deque[Reading] = deque(maxlen=KEPT)
        self._is_paused = False
        self._thread: threading.Thread | None = None

    def watch(self, viewer: str, seconds: float) -> None:
        """A viewer wants a reading every so many seconds. It says so again and again, or is forgotten."""
        with self._changed:
            is_new = self._viewers.hear(viewer, seconds, self._clock())
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=THREAD_NAME, daemon=True)
                self._thread.start()
            self._changed.notify_all()
            kept = tuple(self._readings)
        if is_new:
            self._tell(kept)

    def leave(self, viewer: str) -> None:
        """A viewer was closed."""
        with self._changed:
            self._viewers.leave(viewer)
            self._changed.notify_all()

    def stop(self) -> None:
        """End it for all."""
        with self._changed:
            self._viewers.leave_all()
            self._changed.notify_all()

    def _run(self) -> None:
        try:
            with self._opened() as sample:
                last = float("-inf")
                while self._is_due(last):
                    last = self._clock()
                    self._read(sample)
        finally:
            with self._changed:
                if self._thread is threading.current_thread():
                    self._thread = None

    def _is_due(self, last: float) -> bool:
        """Wait until the next reading is due; false when nobody looks any more."""
        with self._changed:
            while True:
                now = self._clock()
                interval = self._viewers.interval(now, is_busy=self._is_busy() or is_measuring())
                if interval is None:
                    self._thread = None  # whoever comes now starts another
                    return False
                if now >= last + interval:
                    return True
                self._changed.wait(min(last + interval - now, LEASE_SECONDS))

    def _read(self, sample: Sample) -> None:
        was_paused, self._is_paused = self._is_paused, is_measuring()
        if self._is_paused:
            if not was_paused:
                self._tell(())
            return
        try:
            reading = sample()
        except Exception as error:  # noqa: BLE001  the boundary: a reading that fails is told, and the next one may do better
            self._tell((), problem=f"{type(error).__name__}: {error}")
            return
        with self._changed:
            self._readings.append(reading)
        self._tell((reading,))

    def _tell(self, readings: tuple[Reading, ...], *, problem: str = "") -> None:
        self._deliver(Gauges(readings=readings, is_paused=self._is_paused, problem=problem))
