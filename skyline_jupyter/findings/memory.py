"""Memory keeps from a larger batch: what most of it is, and how to have less of that."""

from collections.abc import Mapping

from skyline_jupyter.findings.registry import finding, hint
from skyline_jupyter.report.format import format_bytes, format_count, format_percent
from skyline_jupyter.report.model import Finding, Report
from skyline_jupyter.report.node import Node
from skyline_jupyter.report.stacking import places, starred

_NEAR = 2
"""The limit is near where it is reached within this multiple of today's size."""
_MOST = 0.5
"""Of the peak, or of the activations."""


@finding(6)
def memory(report: Report) -> Finding | None:
    """Recompute activations, or keep less state."""
    if report.max_batch_size is None or report.max_batch_size >= _NEAR * report.batch_size:
        return None
    split = report.curves.peak_bytes_by_category(report.batch_size)
    whole = sum(split.values())
    if whole <= 0:
        return None
    fits = report.max_batch_size >= report.range.smallest
    limit = f"Memory ends at batch size {format_count(report.max_batch_size)}" if fits else "No batch size fits"
    if split.get("activations", 0) >= _MOST * whole:
        return _of_activations(report, limit, split["activations"], whole)
    return _of_state(report, limit, split, whole)


def _of_activations(report: Report, limit: str, size: int, whole: int) -> Finding:
    size_now, kept = format_count(report.batch_size), format_bytes(size)
    where, node = _block_of(report.breakdown) or ("", None)
    return hint(
        "memory",
        statement=f"{limit}, and {format_percent(size / whole)} of the peak are activations.",
        evidence=f"At batch size {size_now} the forward pass keeps {kept} for the backward pass{where}.",
        next_step=(
            "Compute some of them again instead of keeping them (`torch.utils.checkpoint`), or keep them in half"
            " precision (`torch.autocast`)."
        ),
        node=node,
    )


def _of_state(report: Report, limit: str, split: Mapping[str, int], whole: int) -> Finding | None:
    """Weights, gradients and what the optimizer keeps, which no batch size changes."""
    state = sum(split.get(category, 0) for category in ("weights", "gradients", "optimizer_state"))
    if state < _MOST * whole:
        return None
    parts = {"weights": "weights", "gradients": "gradients", "optimizer_state": "optimizer state"}
    listed = ", ".join(f"{word} {format_bytes(split.get(category, 0))}" for category, word in parts.items())
    return hint(
        "memory",
        statement=f"{limit}, and {format_percent(state / whole)} of the peak do not depend on it.",
        evidence=f"At batch size {format_count(report.batch_size)}: {listed}.",
        next_step="Take an optimizer that keeps less (SGD, Adafactor), or freeze what need not be trained.",
    )


def _block_of(step: Node | None) -> tuple[str, int] | None:
    """The repeated blocks that keep most of it, in words, and the first of them."""
    blocks: dict[str, list[Node]] = {}
    for node in [] if step is None else step.walk():
        if node.kind == "module":
            blocks.setdefault(starred(node.path), []).append(node)
    repeated = [alike for alike in blocks.values() if len(alike) > 1]
    if step is None or not repeated:
        return None
    kept = {id(alike): sum(node.bytes["activations"] for node in alike) for alike in repeated}
    most = max(repeated, key=lambda alike: kept[id(alike)])
    if kept[id(most)] < _MOST * step.bytes["activations"]:
        return None
    where = places([node.path for node in most])
    return f", {format_bytes(kept[id(most)])} of it in {where}", most[0].index
