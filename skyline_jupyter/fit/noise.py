"""How far measured step times can be trusted: the band of a median, and whether the machine was quiet."""

import math
import statistics
from collections.abc import Sequence

from skyline_jupyter.report.format import format_percent
from skyline_jupyter.report.model import Sample

_NOTCH = 1.57
_ROUGH = 0.25
"""From this relative spread of the usual size on, small differences mean nothing."""


def notch(spread: float | None, repeats: int) -> float:
    """Half the width of the band of a median, in the unit of `spread`.

    The notch of a box plot, ``1.57 IQR / √n``: medians whose notches do not overlap differ at about
    95 % confidence (McGill, Tukey and Larsen, Variations of Box Plots, 1978).
    """
    return _NOTCH * (spread or 0.0) / math.sqrt(repeats)


def half_bands(samples: Sequence[Sample]) -> list[float]:
    """Half the width of each sample's band, in seconds.

    A few repeats may agree by chance. The same machine blurs all sizes alike, so no band is narrower, as a share, than
    the usual one.
    """
    shares = [notch(one.step_seconds_spread, one.repeats) / one.step_seconds for one in samples]
    usual = statistics.median(shares)
    return [max(share, usual) * one.step_seconds for share, one in zip(shares, samples, strict=True)]


def relative_spreads(samples: Sequence[Sample]) -> list[float]:
    """Interquartile range as a share of the median, of the samples that have one."""
    return [
        sample.step_seconds_spread / sample.step_seconds
        for sample in samples
        if sample.step_seconds_spread is not None and sample.step_seconds > 0
    ]


def is_rough(samples: Sequence[Sample]) -> bool:
    """Whether other work on the machine blurs the times, at the usual size and not just at one."""
    spreads = relative_spreads(samples)
    return bool(spreads) and statistics.median(spreads) > _ROUGH


def rough_warning(samples: Sequence[Sample]) -> str | None:
    """One sentence for people where the times are rough."""
    if not is_rough(samples):
        return None
    most = format_percent(max(relative_spreads(samples)))
    return (
        f"Step times varied by up to {most} while measuring; other work runs on this machine,"
        " so take the curve as rough."
    )
