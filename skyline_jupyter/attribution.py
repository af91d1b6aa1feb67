"""Where measuring and tracing meet: one more block of steps after the measurements, and what it showed.

Whatever goes wrong here becomes a sentence in the report, never a failed profile.
"""

import logging
import time

from skyline_jupyter.measure.block import Block
from skyline_jupyter.measure.program import StepFailed
from skyline_jupyter.measure.series import Series
from skyline_jupyter.measure.steps import Strategy
from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.report.format import format_duration
from skyline_jupyter.trace.tracer import Tracer

_LOG = logging.getLogger(__name__)
_SECONDS = 1.0
"""That the traced steps take, as far as two of them allow."""
_SLOWER = 3
"""A traced step takes about so many times a plain one's time."""
_FEWEST, _MOST = 2, 5
"""Steps that are looked at closely. The first is slower than those that follow, and counts only where it is alone."""
_SECONDS_OF_STRIDES, _MOST_STRIDES = 0.5, 8
"""Of steps that show their pace, before those; at least one."""


class Attribution:
    """The breakdown of one profile."""

    def __init__(self, tracer: Tracer, series: Series, time_budget: float) -> None:
        """Nothing is known.

        Args:
            tracer: takes the trace.
            series: says how long a step takes.
            time_budget: seconds from now; a trace that would go far beyond is left out.
        """
        self.reason = ""
        """Why there is no breakdown, as a sentence; empty before the trace, and where there is one."""
        self.tracer = tracer
        """To be entered while steps run."""
        self._series = series
        self._deadline = time.perf_counter() + time_budget
        self._breakdown: Breakdown | None = None

    def after(self, strategy: Strategy, batch_size: int) -> Strategy:
        """A strategy, and then the traced steps."""
        yield from strategy
        expected = self._series.expected_seconds(batch_size)
        left = self._deadline - time.perf_counter()
        if expected > left:
            self.reason = (
                f"The breakdown was left out: a step takes {format_duration(expected)}, and the time budget is used up."
                " Raise it with --time-budget."
            )
            return
        steps = min(_MOST, max(_FEWEST, int(min(left, _SECONDS) / max(_SLOWER * expected, 1e-6))))
        self.tracer.strides = min(_MOST_STRIDES, max(1, int(_SECONDS_OF_STRIDES / max(expected, 1e-6))))
        try:
            yield Block(batch_size, steps=self.tracer.strides + steps, observer=self.tracer)
        except StepFailed as failure:
            self.reason = f"The breakdown was left out: the traced step failed ({failure.text})."

    def breakdown(self, batch_size: int, compute_seconds: float, data_seconds: float) -> Breakdown | None:
        """What the trace showed, scaled to a step without one; `None` before it is there, and where it failed."""
        if self.tracer.steps:
            try:
                self._breakdown = self.tracer.breakdown(batch_size, compute_seconds, data_seconds)
            except Exception as error:  # noqa: BLE001  the boundary between the trace and the profile
                _LOG.exception("The breakdown failed")
                self.reason = (
                    "The breakdown was left out: Skyline failed to put it together"
                    f" ({type(error).__name__}: {error}). Please report this."
                )
            finally:
                self.tracer.forget()
        return self._breakdown
