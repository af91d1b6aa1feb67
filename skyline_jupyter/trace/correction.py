"""What the looks of the trace cost beyond the calibration: caches that are cold again, and tensors that are followed.

A look costs the same wherever it happens, so it weighs most on spots with many small operators. Scaling alone would
make these look larger than they are.
"""

from collections.abc import Callable, Sequence

from skyline_jupyter.trace.spots import Spot

_HALVINGS = 40


def take_out(spots: Sequence[Spot], seconds: float, most: float) -> float:
    """Take as much for each look, up to `seconds` in all, from the time of spots, as far as they have any.

    Args:
        spots: whose looks they were.
        seconds: what the traced step took beyond a plain one.
        most: seconds that a look is believed to cost at most.

    Returns:
        The seconds that were taken.
    """
    if seconds <= 0 or most <= 0:
        return 0.0
    parts = [(spot.forward, spot.forward_looks) for spot in spots] + [
        (spot.backward, spot.backward_looks) for spot in spots
    ]

    def taken(each: float) -> float:
        return sum(min(time, each * looks) for time, looks in parts)

    each = most if taken(most) <= seconds else _solved(taken, seconds, most)
    for spot in spots:
        spot.forward -= min(spot.forward, each * spot.forward_looks)
        spot.backward -= min(spot.backward, each * spot.backward_looks)
    return taken(each)


def _solved(taken: Callable[[float], float], seconds: float, most: float) -> float:
    low, high = 0.0, most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if taken(middle) < seconds else (low, middle)
    return low
