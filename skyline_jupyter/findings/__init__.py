"""PURE: report → verdict and hints, one kind in a file, one registry."""

# Each of these registers its finding.
from skyline_jupyter.findings import (  # noqa: F401
    attention,
    memory,
    precision,
    small_operators,
    update,
    verdict,
    waiting,
)
from skyline_jupyter.findings.registry import advise, finding

__all__ = ["advise", "finding"]
