"""The optimizer's update takes long because it goes over the parameters once for each of its operators."""

import re

from skyline_jupyter.findings.registry import finding, hint
from skyline_jupyter.report.format import format_count, format_milliseconds, format_percent
from skyline_jupyter.report.model import Finding, Report
from skyline_jupyter.report.node import Node

_SHARE = 0.1
_CLASS = re.compile(r"\((\w+)\)$")
"""In the name of an optimizer's node: `optimizer (AdamW)`."""
_FUSED = ("Adagrad", "Adam", "AdamW", "SGD")
"""Of torch.optim, those that take `fused=True` on every device (torch 2.4 and later)."""


@finding(3)
def update(report: Report) -> Finding | None:
    """One operator can do the whole update."""
    if report.breakdown is None:
        return None
    optimizers = [node for node in _optimizers(report.breakdown) if _can_be_fused(node)]
    if not optimizers:
        return None
    slowest = max(optimizers, key=lambda node: node.seconds)
    share = slowest.seconds / report.breakdown.seconds
    if share < _SHARE:
        return None
    name, operators = _class_of(slowest), sum(child.calls for child in slowest.children if child.kind == "operator")
    return hint(
        "update",
        statement=f"The update of {name} takes {format_percent(share)} of the step.",
        evidence=(
            f"It takes {format_milliseconds(slowest.seconds)} in {format_count(operators)} operators,"
            " which go over parameters, gradients and state again and again."
        ),
        next_step=f"Try `{name}(…, fused=True)`, which goes over them once; losses may differ in their last digits.",
        most_gain=1 / (1 - share),
        node=slowest.index,
    )


def _optimizers(step: Node) -> list[Node]:
    """They stand in the phase of the optimizer."""
    return [node for phase in step.children for node in phase.children if node.kind == "optimizer"]


def _class_of(optimizer: Node) -> str:
    found = _CLASS.search(optimizer.name)
    return found[1] if found else optimizer.name


def _can_be_fused(optimizer: Node) -> bool:
    fused = any(child.name.startswith("_fused") for child in optimizer.children)
    return not fused and _class_of(optimizer) in _FUSED
