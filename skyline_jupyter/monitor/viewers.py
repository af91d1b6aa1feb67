"""Who looks at the gauges: how often they want a reading, and when they were last heard."""

from dataclasses import dataclass, field

FASTEST, SLOWEST = 0.1, 5.0
"""Seconds between two readings: 10 and 0.2 a second."""
LEASE_SECONDS = 90.0
"""A page that is closed without a word is forgotten after this. Browsers let a hidden page speak once a minute."""
_UNHEARD_FOR_EACH_SECOND = 600.0


@dataclass
class _Viewer:
    seconds: float
    heard: float


@dataclass
class Viewers:
    """The opened gauges of all pages; `now` is any clock that does not go back.

    A kernel that computes hears nobody, so nobody is forgotten then. Whoever is silent for long
    gets fewer readings: a page that was closed at the start of a long training costs next to nothing.
    """

    _viewers: dict[str, _Viewer] = field(default_factory=dict)
    _busy: float = float("-inf")
    """When the kernel was last seen to compute."""

    def hear(self, viewer: str, seconds: float, now: float) -> bool:
        """A viewer wants a reading every so many seconds; whether it is a new one."""
        is_new = viewer not in self._viewers
        self._viewers[viewer] = _Viewer(min(SLOWEST, max(FASTEST, seconds)), now)
        return is_new

    def leave(self, viewer: str) -> None:
        """It was closed."""
        self._viewers.pop(viewer, None)

    def leave_all(self) -> None:
        """Nobody looks any more."""
        self._viewers.clear()

    def interval(self, now: float, *, is_busy: bool) -> float | None:
        """Seconds between readings that serve all; `None` when nobody looks."""
        if is_busy:
            self._busy = now
        for name, viewer in list(self._viewers.items()):
            if now - max(viewer.heard, self._busy) > LEASE_SECONDS:
                del self._viewers[name]
        wanted = [
            max(viewer.seconds, (now - viewer.heard) / _UNHEARD_FOR_EACH_SECOND) for viewer in self._viewers.values()
        ]
        return min(wanted, default=None)
