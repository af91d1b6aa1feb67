"""The training step that is to be profiled, as whoever found it hands it over."""

from collections.abc import Callable
from dataclasses import dataclass, field

from skyline_jupyter.devices import Device
from skyline_jupyter.measure.forecast import Forecast
from skyline_jupyter.measure.program import Program
from skyline_jupyter.measure.steps import UsersCode
from skyline_jupyter.report.model import Step
from skyline_jupyter.trace.sources import Sources


@dataclass(frozen=True)
class Subject:
    """The step that is to be profiled."""

    program: Program
    step: Step
    batch_size: int
    device: Device
    varies: bool
    """Whether it can be run at other sizes."""
    traces: bool
    """Whether its memory may be followed."""
    workers: int | None
    """Processes that put its batches together ahead of time; 0 where the step does so itself, `None` where nothing is
    fetched."""
    smallest: int = 1
    begins_at: int | None = None
    """The size from which its curve is measured, where today's does not fit; 0 where none fits."""
    forecast: Forecast | None = None
    """What it takes, where that was found out without running today's size."""
    first_look_seconds: float | None = None
    """What that, and a first step, took before the measurements."""
    code: UsersCode = field(default_factory=UsersCode)
    remarks: Callable[[], tuple[str, ...]] = tuple
    """Sentences for people, about what a step is and how it was run."""
    sources: Sources = field(default_factory=Sources)
    """Where the breakdown finds names and lines."""
