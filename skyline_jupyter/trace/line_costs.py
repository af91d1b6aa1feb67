"""The user's lines as they travel: where each stands, and the node that it leads to."""

from collections.abc import Mapping, Sequence

from skyline_jupyter.report.breakdown import PHASE, LineCost, Nodes
from skyline_jupyter.trace.assembly import Tree, decimals_for
from skyline_jupyter.trace.lines import Cost, Lines, Places
from skyline_jupyter.trace.spots import Spot

Changes = Mapping[Spot, tuple[float, float]]
"""By which factors the seconds of spots changed since the lines were recorded, forward and backward."""


def line_costs(lines: Lines, tree: Tree, places: Places, changes: Changes, scale: float) -> tuple[LineCost, ...]:
    """All lines that ran, in the order in which they did first.

    Args:
        lines: as they were recorded.
        tree: the nodes.
        places: in which cells code was.
        changes: what has become of the seconds of spots.
        scale: by which seconds are multiplied.
    """
    calls = _calls(tree.nodes)
    return tuple(
        _line_cost(
            cost,
            places,
            _seconds(cost, changes, scale, tree.seconds),
            _longest(calls.get(index, []), tree.nodes),
            has_device=bool(tree.nodes.device_ticks),
        )
        for index, cost in enumerate(lines.costs)
    )


def _line_cost(cost: Cost, places: Places, seconds: tuple[float, float], node: int, *, has_device: bool) -> LineCost:
    place = places(cost.filename)
    return LineCost(
        cell_id=place.cell_id if place else None,
        execution_count=place.execution_count if place else None,
        file=None if place else cost.filename,
        line=cost.line + (place.first_line if place else 0),
        text=cost.text,
        forward_seconds=seconds[0],
        backward_seconds=seconds[1],
        size_bytes=cost.size_bytes,
        calls=cost.calls,
        node=node,
        device_seconds=cost.device if has_device else None,
    )


def _seconds(cost: Cost, changes: Changes, scale: float, step: float) -> tuple[float, float]:
    decimals = decimals_for(step)
    forward = sum(changes[spot][0] * one for spot, one in cost.forward.items())
    backward = sum(changes[spot][1] * one for spot, one in cost.backward.items())
    return round(scale * forward, decimals), round(scale * backward, decimals)


def _calls(nodes: Nodes) -> dict[int, list[int]]:
    """The nodes that each line calls."""
    calls: dict[int, list[int]] = {}
    for node, line in enumerate(nodes.line):
        if nodes.kind[node] != PHASE:
            calls.setdefault(line, []).append(node)
    return calls


def _longest(called: Sequence[int], nodes: Nodes) -> int:
    return max(called, key=lambda node: nodes.forward_ticks[node] + nodes.backward_ticks[node], default=-1)
