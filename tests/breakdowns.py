"""Breakdowns made by hand, for tests of what is made of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from skyline_jupyter.report.breakdown import (
    NODE_KINDS,
    STEP,
    Breakdown,
    LineCost,
    LiveTensor,
    Nodes,
    Phases,
    Timeline,
    TraceCost,
)

MILLISECOND = 1e-3
KIB = 1024
TICKS = 10**9
"""A second."""


@dataclass(frozen=True)
class Branch:
    """A node with what is below it; what it shows is its own and that of its children."""

    kind: int
    name: str
    below: "Sequence[Branch]" = ()
    forward: float = 0.0
    """Milliseconds."""
    backward: float = 0.0
    calls: int = 1
    weights: int = 0
    """KiB, as the others."""
    activations: int = 0
    temporaries: int = 0
    flops: int | None = None
    line: int = -1
    class_name: str = ""


def breakdown(below: Sequence[Branch], **changes: Any) -> Breakdown:  # noqa: ANN401  the fields of Breakdown
    """A step of these parts."""
    columns: dict[str, list[Any]] = {name: [] for name in Nodes.__struct_fields__}
    names: dict[str, int] = {}
    _add(Branch(STEP, "step", below), -1, columns, names)
    nodes = Nodes(**{name: tuple(column) for name, column in columns.items()})
    forward, backward = nodes.forward_ticks[0] / TICKS, nodes.backward_ticks[0] / TICKS
    total = forward + backward
    made = Breakdown(
        batch_size=64,
        names=tuple(names),
        kinds=NODE_KINDS,
        nodes=nodes,
        ticks_per_second=TICKS,
        phases=Phases(
            data=0.0,
            copy=0.0,
            forward=forward,
            loss=0.0,
            backward=backward,
            optimizer=0.0,
            idle=0.0,
        ),
        lines=(),
        timeline=None,
        scopes=(),
        model_flops=nodes.flops[0],
        hardware_flops=nodes.flops[0],
        peak_flops=None,
        unattributed_seconds=0.0,
        unattributed_reason="",
        cost=TraceCost(
            traced_seconds=1.5 * total,
            step_seconds=total,
            own_seconds=0.4 * total,
            residual_seconds=0.1 * total,
            steps=3,
        ),
        notes=(),
    )
    return msgspec.structs.replace(made, **changes)


def line(number: int, forward: float = 0.0, backward: float = 0.0, **changes: Any) -> LineCost:  # noqa: ANN401  the fields of LineCost
    """A line of the cell [3], in milliseconds."""
    made = LineCost(
        cell_id="cell-3",
        execution_count=3,
        file=None,
        line=number,
        text=f"line {number}",
        forward_seconds=forward * MILLISECOND,
        backward_seconds=backward * MILLISECOND,
        size_bytes=0,
        calls=1,
        node=-1,
    )
    return msgspec.structs.replace(made, **changes)


def timeline() -> Timeline:
    """Activations that come and go, over weights."""
    activations = (0, 100, 200, 400, 200, 0)
    flat = (0,) * len(activations)
    return Timeline(
        seconds=tuple(index * MILLISECOND for index in range(len(activations))),
        weights_bytes=(64 * KIB,) * len(activations),
        gradients_bytes=flat,
        optimizer_state_bytes=flat,
        activations_bytes=tuple(KIB * size for size in activations),
        inputs_bytes=flat,
        temporaries_bytes=flat,
        peak=3,
        largest=(
            LiveTensor(
                size_bytes=200 * KIB,
                shape=(64, 800),
                dtype="float32",
                category="activations",
                name="",
                node=2,
                line=-1,
            ),
        ),
    )


def _add(
    branch: Branch, parent: int, columns: dict[str, list[Any]], names: dict[str, int]
) -> tuple[float, float, int, int, int, int | None]:
    index = len(columns["parent"])
    for column in columns.values():
        column.append(0)
    sums = [branch.forward, branch.backward, branch.weights, branch.activations, branch.temporaries]
    flops = branch.flops
    for child in branch.below:
        *added, more = _add(child, index, columns, names)
        sums = [one + other for one, other in zip(sums, added, strict=True)]
        flops = more if flops is None else flops + (more or 0)
    values = {
        "parent": parent,
        "name": names.setdefault(branch.name, len(names)),
        "kind": branch.kind,
        "class_name": names.setdefault(branch.class_name, len(names)) if branch.class_name else -1,
        "calls": branch.calls,
        "forward_ticks": round(sums[0] * TICKS / 1000),
        "backward_ticks": round(sums[1] * TICKS / 1000),
        "weights_bytes": sums[2] * KIB,
        "activations_bytes": sums[3] * KIB,
        "temporaries_bytes": sums[4] * KIB,
        "flops": flops,
        "line": branch.line,
    }
    for name, value in values.items():
        columns[name][index] = value
    return sums[0], sums[1], int(sums[2]), int(sums[3]), int(sums[4]), flops
