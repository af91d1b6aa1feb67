"""Where the step is, at a moment: a tree that grows while it runs, and the way from the step down to what runs now."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from skyline_jupyter.report.breakdown import MODULE, OPERATOR, PHASE, SCOPE, STEP
from skyline_jupyter.trace.overlap import Overlap


@dataclass(slots=True, eq=False)
class Spot:
    """A module, operator, scope or phase in one place of the tree, with what happened in itself, not below it."""

    kind: int
    key: object
    """What it is: the module, the optimizer, or a name."""
    parent: "Spot | None" = None
    phase: str = "idle"
    """To which its time outside of backward passes counts."""
    calls: int = 0
    forward: float = 0.0
    """Seconds."""
    backward: float = 0.0
    flops: int | None = None
    recomputed_flops: int = 0
    line: int = -1
    """The user's line from which it was first called, as a position in `Lines.costs`."""
    device: float = 0.0
    """Seconds of the kernels that it launched."""
    shared: Overlap | None = None
    """Of a scope, where the device was watched."""
    launches: int = 0
    """Kernels, of a scope."""
    children: "dict[tuple[int, object], Spot]" = field(default_factory=dict)

    @property
    def identity(self) -> tuple[int, object]:
        """What tells it from its siblings."""
        return self.kind, self.key if isinstance(self.key, str) else id(self.key)

    def child(self, kind: int, key: object, phase: str | None = None) -> "Spot":
        """The spot below this one, made where it is new."""
        index = (kind, key if isinstance(key, str) else id(key))
        spot = self.children.get(index)
        if spot is None:
            spot = self.children[index] = Spot(kind, key, self, self.phase if phase is None else phase)
        return spot

    def operator(self, name: str) -> "Spot":
        """The operator of that name in this one."""
        spot = self.children.get((OPERATOR, name))
        if spot is None:
            spot = self.child(OPERATOR, name, "forward" if self.kind == SCOPE else None)
        return spot

    def add(self, seconds: float, *, backward: bool) -> None:
        """Time that passed in it."""
        if backward:
            self.backward += seconds
        else:
            self.forward += seconds


@dataclass(eq=False)
class Outside:
    """Operators in no module. Whether they were forward or loss shows at the end of the step."""

    buckets: dict[tuple[int, int, bool], Spot] = field(default_factory=dict)
    """By segment (backward passes before it), root forwards in it so far, and whether an operator named so was loss."""
    roots: dict[int, int] = field(default_factory=dict)
    """Root forwards by segment."""
    segment: int = 0
    sees_loss: bool = False
    in_update: bool = False
    """Gradients were worked on since the last backward pass, and no module has run since."""

    def root_ended(self) -> None:
        """A module that no other called has run."""
        self.roots[self.segment] = self.roots.get(self.segment, 0) + 1

    def backward_began(self) -> None:
        """The segment is over."""
        self.segment += 1
        self.sees_loss = self.in_update = False

    def bucket(self, step: Spot, operator: str) -> Spot:
        """Where an operator goes that no module called."""
        done = self.roots.get(self.segment, 0)
        if done == 0 and ("loss" in operator or "cross_entropy" in operator):
            self.sees_loss = True
        key = (self.segment, done, self.sees_loss)
        if key not in self.buckets:
            self.buckets[key] = Spot(PHASE, "forward", step, "forward")
        return self.buckets[key]

    def settle(self) -> None:
        """The step is over: what came after the last root forward of its segment was loss."""
        for (segment, done, sees_loss), spot in self.buckets.items():
            roots = self.roots.get(segment, 0)
            follows = segment > 0 and roots == 0  # gradients of gradients, or what is told of a step
            if sees_loss or follows or (roots > 0 and done == roots):
                _rename(spot, "loss")


def _rename(spot: Spot, phase: str) -> None:
    spot.key = spot.phase = phase
    for child in spot.children.values():
        _rename_phase(child, phase)


def _rename_phase(spot: Spot, phase: str) -> None:
    spot.phase = phase
    for child in spot.children.values():
        _rename_phase(child, phase)


def take_medians(shown: Spot, same: Sequence[Spot]) -> None:
    """A spot gets the median of the seconds of the same spot in several steps, and so do those below it.

    What the machine does besides falls on one spot or another of a step, and on others in the next.
    """
    if same:
        shown.forward = statistics.median(spot.forward for spot in same)
        shown.backward = statistics.median(spot.backward for spot in same)
    for identity, child in shown.children.items():
        take_medians(child, [spot.children[identity] for spot in same if identity in spot.children])


class Place:
    """The way from the step down to what runs now."""

    def __init__(self) -> None:
        """In the step, in nothing else."""
        self.step = Spot(STEP, "step")
        self.now = self.step
        """What runs."""
        self._stack: list[Spot] = []

    @property
    def is_outside(self) -> bool:
        """Whether no module, scope, phase or operator runs."""
        return not self._stack

    def enclosing(self) -> Spot:
        """The module, scope or operator in which something begins now; the step where there is none."""
        for spot in reversed(self._stack):
            if spot.kind in {MODULE, SCOPE, OPERATOR}:
                return spot
        return self.step

    def scope(self) -> Spot:
        """The innermost scope; the step where there is none."""
        return next((spot for spot in reversed(self._stack) if spot.kind == SCOPE), self.step)

    def innermost(self, key: object) -> Spot | None:
        """The last spot of a module that runs, which may have called itself; `None` where it does not run."""
        return next((spot for spot in reversed(self._stack) if spot.key is key), None)

    def is_within(self, kind: int) -> bool:
        """Whether something of a kind runs."""
        return any(spot.kind == kind for spot in self._stack)

    def enter(self, spot: Spot) -> None:
        """It runs."""
        self._stack.append(spot)
        self.now = spot

    def leave(self, spot: Spot) -> None:
        """It has run, and so has all that it began; nothing where it does not run."""
        if spot in self._stack:
            del self._stack[len(self._stack) - 1 - self._stack[::-1].index(spot) :]
            self.now = self._stack[-1] if self._stack else self.step
