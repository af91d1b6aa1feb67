"""A loop in Python over operators that are so small that calling them is most of their time."""

from dataclasses import dataclass

from skyline_jupyter.findings.registry import finding, hint
from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.report.format import format_bytes, format_count, format_milliseconds, format_percent
from skyline_jupyter.report.model import Finding, Report
from skyline_jupyter.report.node import Node

_SHARE = 0.2
_REPEATS = 16
"""Calls of one operator or module in one call of what holds it."""
_SMALL_BYTES = 128 * 1024
_SMALL_FLOPS = 4_000_000
"""What an operator makes and computes, its backward pass included, in the time that its call takes by itself: some
microseconds. Its own time would not do: on a busy machine all operators take long."""
_LONG_SECONDS = 1e-3
"""But what takes this long is not small, whatever it makes: it may work in place."""
_WHOLE_SEQUENCE = {"LSTMCell": "nn.LSTM", "GRUCell": "nn.GRU", "RNNCell": "nn.RNN"}


@dataclass(frozen=True)
class _Loop:
    """What repeats in one node."""

    holder: Node
    parts: tuple[Node, ...]
    operators: int
    seconds: float
    size_bytes: int
    """That its operators made, in sum."""


@finding(2)
def small_operators(report: Report) -> Finding | None:
    """One operator over the whole sequence instead."""
    step = report.breakdown
    if step is None or report.breakdown_columns is None or step.seconds <= 0:
        return None
    loops = [_loop_in(node) for node in step.walk() if _is_users(node)]
    loop = max(loops, key=lambda one: one.seconds)
    share = loop.seconds / step.seconds
    if share < _SHARE:
        return None
    longest = max(loop.parts, key=lambda part: part.seconds)
    each, made = format_milliseconds(loop.seconds / loop.operators), format_bytes(loop.size_bytes / loop.operators)
    place = _place(report.breakdown_columns, longest)
    return hint(
        "small operators",
        statement=f"{_name(loop.holder)} loops over small operators, {format_percent(share)} of the step.",
        evidence=(
            f"{_name(longest)} runs {format_count(longest.calls)} times a step{place}. The loop calls"
            f" {format_count(loop.operators)} operators, which on average take {each} and make {made}: mostly the cost"
            " of a call."
        ),
        next_step=_next_step(longest),
        node=longest.index,
    )


def _is_users(node: Node) -> bool:
    """Whether what is below it may be a loop in Python: torch's recurrent layers have operators for each moment too."""
    if node.kind == "module":
        return f"nn.{node.class_name}" not in _WHOLE_SEQUENCE.values()
    return node.kind in ("step", "phase", "scope")


def _loop_in(holder: Node) -> _Loop:
    """The children of a node that repeat, and consist of small operators."""
    repeated = [child for child in holder.children if child.calls >= _REPEATS * max(holder.calls, 1)]
    counted = [(child, _operators_in(child)) for child in repeated]
    small = [(child, count) for child, count in counted if _is_small(child, count)]
    return _Loop(
        holder=holder,
        parts=tuple(child for child, _ in small),
        operators=sum(count for _, count in small),
        seconds=sum(child.seconds for child, _ in small),
        size_bytes=sum(_made_bytes(child) for child, _ in small),
    )


def _is_small(node: Node, operators: int) -> bool:
    """Whether its operators are, on average."""
    return (
        operators > 0
        and _made_bytes(node) < _SMALL_BYTES * operators
        and (node.flops or 0) < _SMALL_FLOPS * operators
        and node.seconds < _LONG_SECONDS * operators
    )


def _made_bytes(node: Node) -> int:
    return node.bytes["activations"] + node.bytes["temporaries"]


def _operators_in(node: Node) -> int:
    return sum(one.calls for one in node.walk() if one.kind == "operator")


def _name(node: Node) -> str:
    """In the user's words where there are some."""
    if node.kind == "step":
        return "The step"
    if node.kind == "phase":
        return f"The {node.name} phase"
    return f"`{node.path}` ({node.class_name})" if node.class_name else f"`{node.name}`"


def _place(columns: Breakdown, node: Node) -> str:
    """The line that calls it most."""
    calling = [line for line in columns.lines if line.node == node.index]
    if not calling:
        return ""
    line = max(calling, key=lambda one: one.calls)
    where = f"cell [{line.execution_count}]" if line.file is None else line.file
    return f", from {where}, line {line.line}"


def _next_step(longest: Node) -> str:
    whole = _WHOLE_SEQUENCE.get(longest.class_name)
    if whole is not None:
        return f"Use `{whole}`, which goes over the whole sequence in one call."
    return "Stack what the loop goes over into one tensor, so that one call does it all, or try `torch.compile`."
