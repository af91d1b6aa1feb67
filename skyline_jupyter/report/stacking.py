"""Repeated siblings in one row, `layers.0–11 ×12`, so that a deep network stays readable; the twin of `stacking.ts`.

Siblings are stacked if they are alike down to their operators and their names differ in one number that counts up.
`tests/fixtures/stacks.json` holds the vectors that both languages must meet.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.report.node import children_of

_NUMBER = re.compile(r"(?<![^.])(?:0|[1-9][0-9]*)(?![^.])")
"""A part of a dotted path that is a number."""
_NAMED = 2
"""Kinds of places that a sentence names."""


@dataclass(frozen=True)
class Row:
    """One row for one node, or for a stack of them."""

    label: str
    nodes: tuple[int, ...]
    """In counting order."""


def rows(breakdown: Breakdown, index: int, shapes: Sequence[int]) -> tuple[Row, ...]:
    """The children of a node, those that repeat in one row, at the place of the first.

    Args:
        breakdown: the tree.
        index: the node whose children are shown.
        shapes: what `shapes_of` says of the tree.
    """
    stacks: list[list[int]] = []
    waiting: dict[tuple[str, int, str, int], list[int]] = {}
    for child in children_of(breakdown.nodes.parent, index):
        parts = _parts(_name(breakdown, child))
        if parts is None:
            stacks.append([child])
            continue
        before, count, after = parts
        stack = waiting.pop((before, count, after, shapes[child]), None)
        if stack is None:
            stack = []
            stacks.append(stack)
        stack.append(child)
        waiting[before, count + 1, after, shapes[child]] = stack
    return tuple(Row(_label(breakdown, stack), tuple(stack)) for stack in stacks)


def shapes_of(breakdown: Breakdown) -> tuple[int, ...]:
    """For each node a number, the same for nodes that are alike: kind, class, and children with their names."""
    nodes, known = breakdown.nodes, dict[tuple[object, ...], int]()
    below: list[list[tuple[int, int]]] = [[] for _ in nodes.parent]
    shapes = [0] * len(nodes.parent)
    for index in range(len(nodes.parent) - 1, -1, -1):
        name = nodes.name[index]
        own = name if breakdown.kinds[nodes.kind[index]] == "operator" else -1
        shape = (nodes.kind[index], own, nodes.class_name[index], *reversed(below[index]))
        shapes[index] = known.setdefault(shape, len(known))
        if index:
            below[nodes.parent[index]].append((name, shapes[index]))
    return tuple(shapes)


def starred(path: str) -> str:
    """The path with stars for its numbers, the same for the blocks of a stack: `net.layers.*.attn`."""
    return _NUMBER.sub("*", path)


def places(paths: Sequence[str]) -> str:
    """Where several nodes are, in a few words, with names in backticks: `net.layers.*.attn` ×12 and `net.head`."""
    counts = Counter(starred(path) for path in paths)
    named = [
        f"`{next(path for path in paths if starred(path) == pattern)}`" if count == 1 else f"`{pattern}` ×{count}"
        for pattern, count in counts.most_common(_NAMED)
    ]
    others = len(paths) - sum(count for _, count in counts.most_common(_NAMED))
    return " and ".join([*named, *([f"{others:,} more"] if others else [])])


def _label(breakdown: Breakdown, stack: Sequence[int]) -> str:
    name = _name(breakdown, stack[0])
    parts = _parts(name)
    if len(stack) == 1 or parts is None:
        return name
    before, first, after = parts
    return f"{before}{first}–{first + len(stack) - 1}{after} ×{len(stack)}"


def _name(breakdown: Breakdown, index: int) -> str:
    return breakdown.names[breakdown.nodes.name[index]]


def _parts(name: str) -> tuple[str, int, str] | None:
    """The text before the last number of a path, the number, and the text behind it."""
    for number in reversed(list(_NUMBER.finditer(name))):
        return name[: number.start()], int(number[0]), name[number.end() :]
    return None
