"""Double precision where single would do: twice the memory, and half the speed or less."""

from skyline_jupyter.findings.registry import finding, hint
from skyline_jupyter.report.format import format_bytes, format_percent
from skyline_jupyter.report.model import Finding, Report

_SHARE = 0.5
"""Of the bytes of the largest tensors at the peak."""


@finding(5)
def double_precision(report: Report) -> Finding | None:
    """Mostly an array of NumPy, whose numbers are double unless it is told otherwise."""
    if report.timeline is None:
        return None
    largest = report.timeline.largest
    double = [tensor for tensor in largest if tensor.dtype in ("float64", "complex128")]
    in_double, in_all = sum(tensor.size_bytes for tensor in double), sum(tensor.size_bytes for tensor in largest)
    if not double or in_double < _SHARE * in_all:
        return None
    first, share = double[0], format_percent(in_double / in_all)
    shape = " × ".join(f"{size:,}" for size in first.shape)
    return hint(
        "double precision",
        statement="The step computes in double precision.",
        evidence=(
            f"{len(double)} of the {len(largest)} largest tensors at the peak, {share} of their bytes, are"
            f" {first.dtype}; the largest ({shape}) has {format_bytes(first.size_bytes)}."
        ),
        next_step="Unless you need the digits, make model and data single precision (`.float()`): half the memory.",
        node=first.node if first.node >= 0 else None,
    )
