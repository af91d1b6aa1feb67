"""What is said while a profile is taken: what is measured, what there is, and about how long it still takes."""

import time
from collections.abc import Callable

from skyline_jupyter.report.format import format_duration
from skyline_jupyter.report.model import Report

_FIRST_GUESS = 0.1
"""From this share of the work on, what has passed says something about what is left."""


class ProgressWords:
    """Sentences for one profile, from its beginning."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """The profile begins now; `clock` is in seconds."""
        self._clock = clock
        self._began = clock()

    def say(self, report: Report | None, share: float) -> str:
        """What happens now.

        Args:
            report: what is known so far, if anything is.
            share: of the work that is done, from 0 to 1.
        """
        if report is None:
            return "Warming up at today's batch size."
        count = len(report.samples)
        measured = f"{count} {'size' if count == 1 else 'sizes'} measured"
        left = self._left(share)
        return f"Measuring batch sizes: {measured}{f', about {left} left' if left else ''}."

    def _left(self, share: float) -> str:
        """The time that is still to come, at the pace so far; empty where that cannot be said."""
        if not _FIRST_GUESS <= share < 1:
            return ""
        seconds = (self._clock() - self._began) * (1 - share) / share
        return format_duration(max(1.0, round(seconds)))
