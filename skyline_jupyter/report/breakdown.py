"""Where the time and the memory of one step go: the wire format, in columns so that ten thousand nodes stay small.

Taken at today's batch size from one step that was traced, and scaled to the step without a trace. In the
columns of `Nodes`, `i` is the node; a node includes all that is below it. Times are those of the unprofiled step,
in these columns as whole ticks of at most a millionth of it.
"""

import msgspec

NODE_KINDS = ("step", "phase", "module", "scope", "optimizer", "graph", "operator", "rest")
"""What a node stands for.

`phase`: work in no module, by its phase (`data`, `copy`, `forward`, `loss`, `backward`, `optimizer`, `idle`);
`scope`: a `skyline_jupyter.scope`; `graph`: compiled code, which is not looked into; `operator`: all calls of one
operator in its parent; `rest`: Python and the framework between the operators of its parent.
"""
STEP, PHASE, MODULE, SCOPE, OPTIMIZER, GRAPH, OPERATOR, REST = range(len(NODE_KINDS))
"""Positions in `NODE_KINDS`."""

IDLE = "idle"
"""The name of the phase in which nothing else happens."""
REST_NAME = "Python and framework"
"""The name of nodes of the kind `rest`."""
VIEWS = "views"
"""The name of the operator node for all operators that only look at memory anew (`view`, `transpose`, …).

Where these take next to nothing they are part of the rest of their parent.
"""


class Nodes(msgspec.Struct, frozen=True, kw_only=True):
    """The tree, depth first: node 0 is the step, and each other node comes after its parent."""

    parent: tuple[int, ...]
    """-1 for the step."""
    name: tuple[int, ...]
    """Position in `Breakdown.names`. A module's name is its path within its parent: `layers.3`."""
    kind: tuple[int, ...]
    """Position in `Breakdown.kinds`."""
    class_name: tuple[int, ...]
    """Of a module, `Conv2d`: position in `Breakdown.names`; -1 for what is no module."""
    calls: tuple[int, ...]
    forward_ticks: tuple[int, ...]
    """All that is not in a backward pass: of an optimizer or a data phase too."""
    backward_ticks: tuple[int, ...]
    """What the backward passes take for it, recomputation included."""
    weights_bytes: tuple[int, ...]
    """Parameters and buffers; those of tied weights count where they were used first."""
    gradients_bytes: tuple[int, ...]
    optimizer_state_bytes: tuple[int, ...]
    activations_bytes: tuple[int, ...]
    """Allocated here and kept for the backward pass."""
    temporaries_bytes: tuple[int, ...]
    """All else that was allocated here, in sum; it need not have been live at one time."""
    flops: tuple[int | None, ...]
    """Of all passes, recomputation included; `None` where no operator below has a known formula."""
    line: tuple[int, ...]
    """The user's line that calls it: position in `Breakdown.lines`; -1 for none."""
    device_ticks: tuple[int, ...] = ()
    """Its kernels on the device, as they ran; empty where there are none to tell."""


class Phases(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of the step by phase; their sum is the step."""

    data: float
    copy: float
    """From the host to the device."""
    forward: float
    loss: float
    backward: float
    optimizer: float
    idle: float
    """In no phase: Python of the loop itself, waiting."""


class LineCost(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the user's own code, with all that it calls."""

    cell_id: str | None
    execution_count: int | None
    """Of the cell's run that defined the code; `None` for a line of a file."""
    file: str | None
    """`None` for a line of a cell."""
    line: int
    """1-based, in the cell or in the file."""
    text: str
    forward_seconds: float
    backward_seconds: float
    size_bytes: int
    """Allocated by its operators, in sum."""
    calls: int
    """Operators that it ran."""
    node: int
    """The node that it calls; where there are several, the one that takes longest; -1 for none."""
    device_seconds: float | None = None
    """Kernels ran that its operators launched, forward and backward; `None` where there are none to tell."""


class LiveTensor(msgspec.Struct, frozen=True, kw_only=True):
    """One of the largest that were live at the peak."""

    size_bytes: int
    """Of its storage."""
    shape: tuple[int, ...]
    dtype: str
    category: str
    """One of `MEMORY_CATEGORIES`."""
    name: str
    """Of a parameter, as `net.head.weight`; empty for what an operator made."""
    node: int
    """Who made it; -1 where it was there before the step and belongs to no module."""
    line: int
    """Position in `Breakdown.lines`; -1 for none."""


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """Live bytes over the step by category, at no more than some 400 moments, the peak among them."""

    seconds: tuple[float, ...]
    weights_bytes: tuple[int, ...]
    gradients_bytes: tuple[int, ...]
    optimizer_state_bytes: tuple[int, ...]
    activations_bytes: tuple[int, ...]
    inputs_bytes: tuple[int, ...]
    temporaries_bytes: tuple[int, ...]
    peak: int
    """The position of the peak in these columns."""
    largest: tuple[LiveTensor, ...]
    """The ten largest at the peak, the largest first."""


class ScopeCost(msgspec.Struct, frozen=True, kw_only=True):
    """What was done inside of a `skyline_jupyter.scope`, all its calls together."""

    node: int
    calls: int
    seconds: float
    python_seconds: float
    """In no operator."""
    operator_seconds: float
    device_seconds: float | None
    """Kernels ran that were launched in it; `None` where host and device are one, or it was not seen."""
    transitions: int
    """How often control went from Python into the framework."""
    cpu_only_seconds: float | None = None
    """The host was in it, and none of its kernels ran. With the trace's cost on the host, as are the next two."""
    device_only_seconds: float | None = None
    """The host had left it, and kernels of it ran."""
    overlapped_seconds: float | None = None
    """Both at once."""
    launches: int | None = None
    """How often the framework launched something on the device."""


class TraceCost(msgspec.Struct, frozen=True, kw_only=True):
    """What the trace itself took, and how it was taken out."""

    traced_seconds: float
    """The traced step by the clock."""
    step_seconds: float
    """The step without a trace, to which all seconds are scaled."""
    own_seconds: float
    """Spent in the trace's own code, and taken out where it was spent."""
    residual_seconds: float
    """What the traced step still took beyond the plain one (or less, if negative).

    Scaled away part by part: steps of which little is noted say how long each part of the step takes.
    """
    steps: int
    """Traced steps, whose medians are shown."""


class Breakdown(msgspec.Struct, frozen=True, kw_only=True):
    """One step, taken apart."""

    batch_size: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    """`NODE_KINDS`."""
    nodes: Nodes
    ticks_per_second: int
    """The unit of the times in `nodes`."""
    phases: Phases
    lines: tuple[LineCost, ...]
    """In the order in which they first ran."""
    timeline: Timeline | None
    """`None` where memory was not followed."""
    scopes: tuple[ScopeCost, ...]
    model_flops: int | None
    """Of one step, each operator once; `None` where nothing is known."""
    hardware_flops: int | None
    """The same with what checkpointing computes again."""
    peak_flops: float | None
    """Most floating point operations a second that the device reached in a short test; `None` without one."""
    unattributed_seconds: float
    """Part of the backward pass that belongs to no operator of the forward pass."""
    unattributed_reason: str
    """One sentence; empty where everything is attributed."""
    cost: TraceCost
    notes: tuple[str, ...]
    """A sentence each: what could not be seen, and why."""

    @property
    def utilisation(self) -> float | None:
        """The model's floating point operations a second, as a share of the most that the device reached (MFU)."""
        if self.model_flops is None or not self.peak_flops or self.cost.step_seconds <= 0:
            return None
        return self.model_flops / self.cost.step_seconds / self.peak_flops
