"""How fast the processor is at what it does best, products of matrices, to hold a step's arithmetic against."""

import torch

from skyline_jupyter.trace.watch import Clock

_SIZE = 512
_TURNS = 5


def measured_peak(clock: Clock) -> float | None:
    """Floating point operations a second of the fastest of a few products in single precision; takes some 50 ms.

    `None` on a clock that stands.
    """
    matrix = torch.ones(_SIZE, _SIZE)
    with torch.no_grad():
        fastest = min(_seconds(clock, matrix) for _ in range(_TURNS))
    return 2 * _SIZE**3 / fastest if fastest > 0 else None


def _seconds(clock: Clock, matrix: torch.Tensor) -> float:
    begin = clock()
    torch.mm(matrix, matrix)
    return clock() - begin
