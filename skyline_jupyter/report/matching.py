"""The nodes of two breakdowns that are one and the same: alike in their path and in what they stand for."""

from collections import defaultdict, deque
from collections.abc import Collection, Sequence

from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.report.changes import GoneNode, NodeChange, NodesBefore
from skyline_jupyter.report.node import Node

_MOST_GONE = 20
"""More of them nobody reads."""


def matched(before: Breakdown, after: Breakdown) -> tuple[int | None, ...]:
    """For each node of `after` the one of `before`; `None` where it is new.

    Two nodes are one where their parents are and their kind and name agree, so that a block more in the middle of a
    network leaves all others matched. Of several that are alike in that, the first goes with the first.
    """
    waiting: defaultdict[tuple[int, str, str], deque[int]] = defaultdict(deque)
    for index in range(1, len(before.nodes.parent)):
        waiting[_key(before, before.nodes.parent[index], index)].append(index)
    found: list[int | None] = [0]
    for index in range(1, len(after.nodes.parent)):
        parent = found[after.nodes.parent[index]]
        candidates = None if parent is None else waiting.get(_key(after, parent, index))
        found.append(candidates.popleft() if candidates else None)
    return tuple(found)


def node_changes(before: Breakdown, after: Breakdown) -> tuple[NodeChange, ...]:
    """Every node of both: those of `after` in order, then those that are gone."""
    ones, others, pairs = nodes_of(before), nodes_of(after), matched(before, after)
    kept = set(pairs)
    return (
        *(_change(None if pair is None else ones[pair], node) for pair, node in zip(pairs, others, strict=True)),
        *(_change(node, None) for index, node in enumerate(ones) if index not in kept),
    )


def nodes_before(before: Breakdown, after: Breakdown) -> NodesBefore:
    """The same for the browser, which has `after`."""
    nodes, pairs = nodes_of(before), matched(before, after)
    return NodesBefore(
        batch_size=before.batch_size,
        seconds=tuple(None if pair is None else nodes[pair].seconds for pair in pairs),
        size_bytes=tuple(None if pair is None else nodes[pair].held_bytes for pair in pairs),
        gone=_gone(nodes, set(pairs)),
    )


def nodes_of(breakdown: Breakdown) -> list[Node]:
    """All nodes, in the order of their columns."""
    nodes: list[Node] = []
    for index, parent in enumerate(breakdown.nodes.parent):
        nodes.append(Node(breakdown, index, nodes[parent] if index else None))
    return nodes


def _gone(nodes: Sequence[Node], kept: Collection[int | None]) -> tuple[GoneNode, ...]:
    """The topmost nodes that are gone, the dearest first."""
    topmost = [
        node for node in nodes if node.parent is not None and node.index not in kept and node.parent.index in kept
    ]
    topmost.sort(key=lambda node: -node.seconds)
    return tuple(
        GoneNode(path=node.path, seconds=node.seconds, size_bytes=node.held_bytes) for node in topmost[:_MOST_GONE]
    )


def _key(breakdown: Breakdown, parent: int, index: int) -> tuple[int, str, str]:
    nodes = breakdown.nodes
    return parent, breakdown.kinds[nodes.kind[index]], breakdown.names[nodes.name[index]]


def _change(before: Node | None, after: Node | None) -> NodeChange:
    node = after or before
    assert node is not None
    return NodeChange(
        path=node.path,
        kind=node.kind,
        before_seconds=None if before is None else before.seconds,
        after_seconds=None if after is None else after.seconds,
        before_bytes=None if before is None else before.held_bytes,
        after_bytes=None if after is None else after.held_bytes,
    )
