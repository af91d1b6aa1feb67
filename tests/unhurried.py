"""Takes away the limits of time that the product sets itself, so that a slow machine shows what a quick one does.

What the limits do is tested where they are: on a clock that passes only when it is told to, or by seconds that are
written down.
"""

import pytest

LIMITS = (
    "first_step._SECONDS",
    "magic.loops._LONGEST_START",
    "measure.sampling._SECONDS_BESIDE",
    "measure.sampling._SECONDS_FOR_ONE",
    "measure.steps._PATIENCE",
    "source.weight._LONGEST_SECONDS",
)
SECONDS = 10_000.0
"""Longer than any test takes; a time budget of so many is none."""


def lift_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the test ends, nothing takes too long."""
    for name in LIMITS:
        monkeypatch.setattr(f"skyline_jupyter.{name}", SECONDS)
