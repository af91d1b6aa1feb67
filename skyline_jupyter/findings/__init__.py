"""PURE: report → verdict and hints, one kind in a file, one registry."""

from skyline_jupyter.findings import verdict as _verdict  # noqa: F401  registers its finding
from skyline_jupyter.findings.registry import advise, finding

__all__ = ["advise", "finding"]
