"""While a profile measures, nothing else of ours runs.

A reading takes a few milliseconds of the interpreter, and drawing it some more of the machine.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass
class _Measurements:
    running: int = 0


_MEASUREMENTS = _Measurements()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Measure in peace: live gauges pause."""
    _MEASUREMENTS.running += 1
    try:
        yield
    finally:
        _MEASUREMENTS.running -= 1


def is_measuring() -> bool:
    """Whether something in this process is being measured."""
    return _MEASUREMENTS.running > 0
