"""Round numbers for the axes of a chart."""

import math

_STEPS = (1, 2, 5, 10)


def number_ticks(most: float, count: int = 5) -> list[float]:
    """From 0 up to `most`, in steps of 1, 2 or 5 times a power of ten, of which about `count` fit in."""
    rough = most / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(step * power for step in _STEPS if step * power >= rough * 0.999)
    return [step * number for number in range(int(most / step * 1.001) + 1)]


def byte_ticks(most: float, count: int = 4) -> list[float]:
    """From 0 up to `most` bytes, in steps of a power of two, so that they are round in KiB, MiB and GiB."""
    step = 2 ** math.ceil(math.log2(max(most / count, 1)))
    return [float(step * number) for number in range(int(most // step) + 1)]


def size_ticks(low: int, high: int, count: int = 11) -> list[int]:
    """Powers of two between two batch sizes, thinned out to `count`; where there are few, the ends."""
    powers = [2**exponent for exponent in range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)]
    if len(powers) < 2:  # noqa: PLR2004  one tick shows no scale
        return sorted({low, high})
    stride = math.ceil(len(powers) / count)
    return powers[::stride]
