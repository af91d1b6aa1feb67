"""One look at everything that the gauges show."""

import contextlib
import time
from collections.abc import Callable, Iterator

from skyline_jupyter.monitor.family import Family
from skyline_jupyter.monitor.gpus import GpuSampler
from skyline_jupyter.monitor.host import HostSampler
from skyline_jupyter.report.reading import Reading

Sample = Callable[[], Reading]

_FIRST_SECONDS = 0.1
"""Loads are differences: without a moment to begin with, the first reading would know none."""


@contextlib.contextmanager
def sampler(now: Callable[[], float] = time.time) -> Iterator[Sample]:
    """Hold the driver open, and look whenever the yielded function is called. CUDA is not initialised."""
    family = Family()
    host, gpus = HostSampler(family), GpuSampler(family)
    time.sleep(_FIRST_SECONDS)

    def sample() -> Reading:
        at, facts = now(), host.sample()
        devices, absence = gpus.sample()
        return Reading(at=at, host=facts, devices=devices, no_devices=absence)

    try:
        yield sample
    finally:
        gpus.close()
