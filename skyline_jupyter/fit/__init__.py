"""PURE: samples and allocation events → curves with uncertainty."""

from skyline_jupyter.fit.memory import Levels
from skyline_jupyter.fit.noise import is_rough, notch, rough_warning
from skyline_jupyter.fit.peak import PeakFit
from skyline_jupyter.fit.shape import shape_of
from skyline_jupyter.fit.step_time import grows, size_between_disagreeing, step_time_knots

__all__ = [
    "Levels",
    "PeakFit",
    "grows",
    "is_rough",
    "notch",
    "rough_warning",
    "shape_of",
    "size_between_disagreeing",
    "step_time_knots",
]
