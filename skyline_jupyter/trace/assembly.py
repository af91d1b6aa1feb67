"""From the spots of a traced step to the columns that travel: one node for all spots that are the same to a reader."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from skyline_jupyter.report.breakdown import IDLE, PHASE, REST, REST_NAME, STEP, Nodes, Phases
from skyline_jupyter.trace.folding import folded
from skyline_jupyter.trace.spots import Spot

_PHASES = ("data", "copy", "forward", "loss", "backward", "optimizer", IDLE)
_RESOLUTION = 1e-6
"""Of the step, to which seconds are rounded: more digits would only make the report larger."""


class Named(Protocol):
    """Says how spots are called."""

    def of(self, spot: Spot) -> str:
        """The name within its parent."""
        ...

    def class_of(self, spot: Spot) -> str:
        """The class of a module; empty for what is no module."""
        ...


@dataclass
class Holdings:
    """What a module keeps, or an operator made, in bytes."""

    weights: int = 0
    gradients: int = 0
    optimizer_state: int = 0
    activations: int = 0
    temporaries: int = 0


@dataclass
class _Node:
    """One row: what is its own, until `_columns` adds what is below."""

    kind: int
    name: str
    parent: int
    spots: Sequence[Spot] = ()
    class_name: str = ""
    calls: int = 0
    forward: float = 0.0
    backward: float = 0.0
    device: float = 0.0
    flops: int | None = None
    line: int = -1
    holdings: Holdings = field(default_factory=Holdings)

    def take(self, other: "_Node") -> None:
        """Become what both are."""
        self.forward += other.forward
        self.backward += other.backward
        self.device += other.device
        self.spots = (*self.spots, *other.spots)
        _add(self.holdings, other.holdings)


@dataclass(frozen=True)
class Tree:
    """The nodes, depth first, and where the spots went."""

    nodes: Nodes
    names: tuple[str, ...]
    index: dict[Spot, int]
    phases: Phases
    ticks_per_second: int
    seconds: float
    """Of the step."""


def assemble(
    step: Spot,
    outside: Iterable[Spot],
    named: Named,
    holdings: dict[Spot, Holdings],
    scale: float,
) -> Tree:
    """Build the tree.

    Args:
        step: the spot at the top.
        outside: spots of phases beside those below `step`.
        named: how spots are called.
        holdings: what spots hold.
        scale: by which seconds are multiplied.
    """
    rows: list[_Node] = []
    _Builder(rows, named, holdings, scale).add([step], -1, tuple(outside))
    rows = folded(rows)
    index = {spot: position for position, row in enumerate(rows) for spot in row.spots}
    told = (name for row in rows for name in (row.name, row.class_name) if name)
    names = {name: position for position, name in enumerate(dict.fromkeys(told))}
    _add_up(rows)
    seconds = rows[0].forward + rows[0].backward
    phases = _phases((step, *outside), scale)
    ticks_per_second = 10 ** decimals_for(seconds)
    return Tree(_columns(rows, names, ticks_per_second), tuple(names), index, phases, ticks_per_second, seconds)


def below(spot: Spot) -> Iterator[Spot]:
    """A spot and all below it."""
    waiting = [spot]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(one.children.values())


@dataclass
class _Builder:
    rows: list[_Node]
    named: Named
    holdings: dict[Spot, Holdings]
    scale: float

    def add(self, spots: Sequence[Spot], parent: int, outside: Sequence[Spot] = ()) -> None:
        """Add the row of `spots`, which are one to a reader, and all below it."""
        row = self._row(spots, parent)
        index = len(self.rows)
        self.rows.append(row)
        groups: dict[object, list[Spot]] = {}
        for child in (child for spot in spots for child in (*spot.children.values(), *outside)):
            groups.setdefault(child.identity, []).append(child)
        children = [group for group in groups.values() if any(map(_happened, group))]
        if row.kind == STEP:
            children.sort(key=_rank)
        for group in children:
            self.add(group, index)
        seconds = row.forward + row.backward
        if row.kind == STEP and seconds > 0:
            self.rows.append(_Node(PHASE, IDLE, index, forward=row.forward, backward=row.backward))
            row.forward = row.backward = 0.0
        elif children:
            self.rows.append(_Node(REST, REST_NAME, index, forward=row.forward, backward=row.backward))
            row.forward = row.backward = 0.0

    def _row(self, spots: Sequence[Spot], parent: int) -> _Node:
        counted = [spot.flops for spot in spots if spot.flops is not None]
        row = _Node(
            spots[0].kind,
            self.named.of(spots[0]),
            parent,
            spots,
            class_name=self.named.class_of(spots[0]),
            calls=sum(spot.calls for spot in spots),
            forward=self.scale * sum(spot.forward for spot in spots),
            backward=self.scale * sum(spot.backward for spot in spots),
            device=sum(spot.device for spot in spots),
            flops=sum(counted) if counted else None,
            line=next((spot.line for spot in spots if spot.line >= 0), -1),
        )
        for held in (self.holdings[spot] for spot in spots if spot in self.holdings):
            _add(row.holdings, held)
        return row


def _happened(spot: Spot) -> bool:
    """Whether there is something to show of it."""
    return spot.calls > 0 or any(one.calls or one.forward or one.backward for one in below(spot))


def _rank(group: Sequence[Spot]) -> int:
    """The order of phases in the step; what is in no phase of its own stands with the forward pass."""
    name = group[0].key
    return _PHASES.index(name) if group[0].kind == PHASE and name in _PHASES else _PHASES.index("forward")


def _add(to: Holdings, other: Holdings) -> None:
    to.weights += other.weights
    to.gradients += other.gradients
    to.optimizer_state += other.optimizer_state
    to.activations += other.activations
    to.temporaries += other.temporaries


def _add_up(rows: Sequence[_Node]) -> None:
    """Give each row what is below it."""
    for row in reversed(rows):  # each comes after its parent
        if row.parent >= 0:
            parent = rows[row.parent]
            parent.forward += row.forward
            parent.backward += row.backward
            parent.device += row.device
            if row.flops is not None:
                parent.flops = row.flops + (parent.flops or 0)
            _add(parent.holdings, row.holdings)


def _columns(rows: Sequence[_Node], names: dict[str, int], ticks_per_second: int) -> Nodes:
    return Nodes(
        parent=tuple(row.parent for row in rows),
        name=tuple(names[row.name] for row in rows),
        kind=tuple(row.kind for row in rows),
        class_name=tuple(names.get(row.class_name, -1) for row in rows),
        calls=tuple(row.calls for row in rows),
        forward_ticks=tuple(round(row.forward * ticks_per_second) for row in rows),
        backward_ticks=tuple(round(row.backward * ticks_per_second) for row in rows),
        weights_bytes=tuple(row.holdings.weights for row in rows),
        gradients_bytes=tuple(row.holdings.gradients for row in rows),
        optimizer_state_bytes=tuple(row.holdings.optimizer_state for row in rows),
        activations_bytes=tuple(row.holdings.activations for row in rows),
        temporaries_bytes=tuple(row.holdings.temporaries for row in rows),
        flops=tuple(row.flops for row in rows),
        line=tuple(row.line for row in rows),
        device_ticks=tuple(round(row.device * ticks_per_second) for row in rows if rows[0].device > 0),
    )


def decimals_for(step_seconds: float) -> int:
    """How many decimals the seconds of a step's parts have."""
    return 9 if step_seconds <= 0 else max(6, math.ceil(-math.log10(_RESOLUTION * step_seconds)))


def _phases(tops: Iterable[Spot], scale: float) -> Phases:
    seconds = dict.fromkeys(_PHASES, 0.0)
    for spot in (spot for top in tops for spot in below(top)):
        seconds[spot.phase] += scale * spot.forward
        seconds["backward"] += scale * spot.backward
    return Phases(**seconds)
