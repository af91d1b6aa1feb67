"""Attention by hand: softmax between two products of matrices, whose whole matrix of scores is kept."""

from collections.abc import Iterator

from skyline_jupyter.findings.registry import finding, hint
from skyline_jupyter.report.format import format_bytes, format_milliseconds, format_percent
from skyline_jupyter.report.model import Finding, Report
from skyline_jupyter.report.node import Node
from skyline_jupyter.report.stacking import places

_SHARE = 0.1
_PRODUCTS = ("bmm", "baddbmm", "matmul")
_PARTS = (*_PRODUCTS, "_softmax", "div", "mul", "add", "masked_fill", "where", "clone")
_PART_CLASSES = ("Softmax", "Dropout")


@finding(4)
def attention(report: Report) -> Finding | None:
    """One operator does it without that matrix."""
    step = report.breakdown
    if step is None or step.seconds <= 0:
        return None
    by_hand = [node for node in step.walk() if node.kind == "module" and _is_attention(node)]
    parts = [part for node in by_hand for part in _parts_of(node)]
    seconds, kept = sum(part.seconds for part in parts), sum(part.bytes["activations"] for part in parts)
    if not by_hand or seconds < _SHARE * step.seconds:
        return None
    share = format_percent(seconds / step.seconds)
    return hint(
        "attention",
        statement=f"Attention made of single operators takes {share} of the step.",
        evidence=(
            f"Softmax between products of matrices in {places([node.path for node in by_hand])} takes"
            f" {format_milliseconds(seconds)} and keeps {format_bytes(kept)} for the backward pass."
        ),
        next_step=_next_step(report, dropped=any(part.class_name == "Dropout" for part in parts)),
        node=by_hand[0].index,
    )


def _is_attention(module: Node) -> bool:
    """Its own operators are a softmax and two products, whatever of it is a module of its own."""
    products = sum(child.calls for child in module.children if child.name in _PRODUCTS)
    softmax = any(child.name == "_softmax" or child.class_name == "Softmax" for child in module.children)
    return softmax and products >= 2 * max(module.calls, 1)


def _parts_of(module: Node) -> Iterator[Node]:
    return (child for child in module.children if child.name in _PARTS or child.class_name in _PART_CLASSES)


def _next_step(report: Report, *, dropped: bool) -> str:
    """The CPU's fast kernel knows no dropout: what is left there is little more than by hand."""
    said = (
        "Try `torch.nn.functional.scaled_dot_product_attention` there, which need not hold the whole matrix of scores."
    )
    if dropped and report.device.kind == "cpu":
        return f"{said} On a CPU it is faster only without dropout (`dropout_p=0`)."
    return said
