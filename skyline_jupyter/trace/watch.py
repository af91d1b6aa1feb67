"""Time that passes only while the user's code runs, not while the trace looks at it."""

from collections.abc import Callable
from types import TracebackType

Clock = Callable[[], float]


class Watch:
    """Stopped on the way into the trace's own code and started again on the way out."""

    def __init__(self, clock: Clock) -> None:
        """Stopped, at 0."""
        self.seconds = 0.0
        """Of the user's code so far."""
        self.own_seconds = 0.0
        """Of the trace between the first start and the last."""
        self._clock = clock
        self._running = False
        self._since: float | None = None
        self._aside = 0.0

    def __enter__(self) -> None:
        """In the middle of the user's code something of the trace's own begins."""
        self._aside = self._clock()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """It is done; that time did not pass for the user's code."""
        if self._running and self._since is not None:
            passed = self._clock() - self._aside
            self._since += passed
            self.own_seconds += passed

    def start(self) -> None:
        """The user's code goes on."""
        now = self._clock()
        if self._since is not None:
            self.own_seconds += now - self._since
        self._since, self._running = now, True

    def stop(self) -> float:
        """The user's code waits; the seconds that it ran since the start. 0 where it was not running."""
        if not self._running or self._since is None:
            return 0.0
        now = self._clock()
        passed = now - self._since
        self._since, self._running = now, False
        self.seconds += passed
        return passed
