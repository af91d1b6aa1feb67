"""Time that passes only while the user's code runs, not while the trace looks at it."""

from collections.abc import Callable

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
