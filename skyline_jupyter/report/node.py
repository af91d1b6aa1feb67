"""The breakdown as a tree of objects, for people who explore it in Python: `report.breakdown`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from skyline_jupyter.report.breakdown import Breakdown


@dataclass(frozen=True)
class Node:
    """One node, with all that is below it. Bytes are bytes, times are seconds of the unprofiled step."""

    _breakdown: Breakdown
    _index: int
    parent: "Node | None" = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.path!r}: {self.seconds * 1e3:.3f} ms, {self.calls:,} calls>"

    @property
    def index(self) -> int:
        """Its position in the columns of the wire format."""
        return self._index

    @property
    def name(self) -> str:
        """Within its parent: `layers.3`, `addmm`."""
        return self._breakdown.names[self._breakdown.nodes.name[self._index]]

    @property
    def class_name(self) -> str:
        """Of a module, `Conv2d`; empty for what is no module."""
        position = self._breakdown.nodes.class_name[self._index]
        return self._breakdown.names[position] if position >= 0 else ""

    @cached_property
    def path(self) -> str:
        """For a module its path in the user's own names, `net.layers.3`; otherwise the names from the step down."""
        parent = self.parent
        if parent is None or parent.parent is None:
            return self.name
        joint = "." if self.kind == parent.kind == "module" else " / "
        return f"{parent.path}{joint}{self.name}"

    @property
    def kind(self) -> str:
        """One of `NODE_KINDS`."""
        return self._breakdown.kinds[self._breakdown.nodes.kind[self._index]]

    @property
    def calls(self) -> int:
        """How often it ran in the step."""
        return self._breakdown.nodes.calls[self._index]

    @property
    def forward_seconds(self) -> float:
        """All that is not in a backward pass."""
        return self._breakdown.nodes.forward_ticks[self._index] / self._breakdown.ticks_per_second

    @property
    def backward_seconds(self) -> float:
        """What the backward passes take for it."""
        return self._breakdown.nodes.backward_ticks[self._index] / self._breakdown.ticks_per_second

    @property
    def seconds(self) -> float:
        """Forward and backward."""
        return self.forward_seconds + self.backward_seconds

    @property
    def flops(self) -> int | None:
        """Floating point operations of all passes; `None` where unknown."""
        return self._breakdown.nodes.flops[self._index]

    @property
    def bytes(self) -> dict[str, int]:
        """By category: `weights`, `gradients`, `optimizer_state`, `activations`, `temporaries`."""
        nodes = self._breakdown.nodes
        return {
            "weights": nodes.weights_bytes[self._index],
            "gradients": nodes.gradients_bytes[self._index],
            "optimizer_state": nodes.optimizer_state_bytes[self._index],
            "activations": nodes.activations_bytes[self._index],
            "temporaries": nodes.temporaries_bytes[self._index],
        }

    @property
    def held_bytes(self) -> int:
        """What it holds for the step: all but `temporaries`."""
        return sum(size for category, size in self.bytes.items() if category != "temporaries")

    @cached_property
    def children(self) -> tuple["Node", ...]:
        """In the order in which they first ran."""
        below = children_of(self._breakdown.nodes.parent, self._index)
        return tuple(Node(self._breakdown, child, self) for child in below)

    def walk(self) -> Iterator["Node"]:
        """Itself and all below it, depth first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, path: str) -> "Node | None":
        """The node at a path, `net.layers.3`; `None` where there is none."""
        return next((node for node in self.walk() if node.path == path), None)


def children_of(parents: tuple[int, ...], index: int) -> Iterator[int]:
    """The children of a node, in columns that go depth first: they follow it, until a node that is not below it."""
    for other in range(index + 1, len(parents)):
        if parents[other] == index:
            yield other
        elif parents[other] < index:
            return
