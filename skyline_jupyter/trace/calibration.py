"""What each look of the trace costs beyond what its watch sees, measured where operators do next to nothing."""

from collections.abc import Callable

import torch

from skyline_jupyter.trace.instrument import Instrument
from skyline_jupyter.trace.landmarks import Pace
from skyline_jupyter.trace.lines import Lines, no_cells
from skyline_jupyter.trace.recorder import Hidden, Recorder, Surroundings
from skyline_jupyter.trace.structure import Structure
from skyline_jupyter.trace.watch import Clock

NOTHING_HIDDEN = Hidden(0.0, 0.0, 0.0)
_CALLS = 40
_BATCHES = 7
"""The fastest counts: what else the machine does only makes them slower."""


def hidden_costs(clock: Clock) -> Hidden:
    """Measure them; takes some milliseconds, draws no random number and leaves nothing behind."""
    number, module = torch.zeros(1), torch.nn.Identity()
    with torch.no_grad():
        plain, _ = _fastest(clock, lambda: number.add_(1), traced=False)
        traced, within = _fastest(clock, lambda: number.add_(1), traced=True)
        plain_module, _ = _fastest(clock, lambda: module(number), traced=False)
        traced_module, _ = _fastest(clock, lambda: module(number), traced=True)
    hidden = max(0.0, traced - plain)
    in_operator = min(hidden, max(0.0, within - plain))
    return Hidden(in_operator, hidden - in_operator, max(0.0, traced_module - plain_module) / 2)


def _fastest(clock: Clock, call: Callable[[], object], *, traced: bool) -> tuple[float, float]:
    """Seconds of one call as the watch sees it, and those within operators."""
    return min(_batch(clock, call, traced=traced) for _ in range(_BATCHES))


def _batch(clock: Clock, call: Callable[[], object], *, traced: bool) -> tuple[float, float]:
    surroundings = Surroundings(clock, _nothing, lambda: (), NOTHING_HIDDEN)
    recorder = Recorder(surroundings, Lines(no_cells, None))
    instrument = Instrument(recorder, Structure(recorder, compiled=False))
    if traced:
        instrument.install(compiled=False)
    try:
        recorder.watch.start()
        for _ in range(_CALLS):
            call()
        recorder.charge()
    finally:
        instrument.remove()
    recorder.settle(Pace(()))
    within = sum(spot.forward for bucket in recorder.outside.buckets.values() for spot in bucket.children.values())
    return recorder.watch.seconds / _CALLS, within / _CALLS


def _nothing() -> None:
    """There is no device to wait for."""
