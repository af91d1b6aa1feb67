"""PURE: samples and allocation events → curves with uncertainty."""

from skyline_jupyter.fit.memory import Levels
from skyline_jupyter.fit.noise import is_rough, notch, rough_warning
from skyline_jupyter.fit.peak import PeakFit
from skyline_jupyter.fit.step_time import step_time_knots

__all__ = ["Levels", "PeakFit", "is_rough", "notch", "rough_warning", "step_time_knots"]
