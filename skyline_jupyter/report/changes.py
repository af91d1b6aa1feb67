"""What differs between two profiles, and a notebook's list of them: the facts, as they travel."""

import msgspec

from skyline_jupyter.report.curve import Curves, Estimate
from skyline_jupyter.report.shown import Shown


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One profile of a notebook, in a line."""

    id: str
    """Of the entry: a report that is measured at another size makes another entry."""
    created: str
    """When it was measured: ISO 8601, UTC."""
    model: str
    device: str
    batch_size: int
    throughput: Estimate
    """Samples per second."""
    peak_bytes: int | None


class FigureChange(msgspec.Struct, frozen=True, kw_only=True):
    """One figure in both profiles."""

    before: Estimate
    after: Estimate

    @property
    def within_noise(self) -> bool:
        """Whether the bands overlap, so that the two cannot be told apart."""
        return self.before.low <= self.after.high and self.after.low <= self.before.high

    @property
    def share(self) -> float | None:
        """The difference as a share of what was: `0.25` for a quarter more; `None` where there was nothing."""
        return self.after.value / self.before.value - 1 if self.before.value else None


class SizeChange(msgspec.Struct, frozen=True, kw_only=True):
    """Throughput and peak memory in both profiles, each at a batch size."""

    before_batch_size: int
    after_batch_size: int
    throughput: FigureChange
    """Samples per second."""
    peak_bytes: FigureChange | None
    """`None` where one of them does not know its memory."""


class NodeChange(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the breakdown, in one profile or in both. Seconds are of one step, bytes those that it holds."""

    path: str
    kind: str
    """One of `NODE_KINDS`."""
    before_seconds: float | None
    """`None` where it is new."""
    after_seconds: float | None
    """`None` where it is gone."""
    before_bytes: int | None
    after_bytes: int | None

    @property
    def seconds(self) -> float:
        """The difference."""
        return (self.after_seconds or 0.0) - (self.before_seconds or 0.0)

    @property
    def bytes(self) -> int:
        """The difference."""
        return (self.after_bytes or 0) - (self.before_bytes or 0)


class CellChange(msgspec.Struct, frozen=True, kw_only=True):
    """A cell that is new, gone, or reads otherwise than it did."""

    cell_id: str | None
    before_count: int | None
    """The number of its run then; `None` where it is new."""
    after_count: int | None
    """`None` where it is gone."""
    lines: tuple[str, ...]
    """Each behind a sign: `+` new, `-` gone, a space for what both have; `@` alone where lines are left out."""


class Comparison(Shown, msgspec.Struct, frozen=True, kw_only=True):
    """What became of one profile in another."""

    own: SizeChange
    """Each at the size that its notebook had."""
    common: SizeChange | None
    """Both at one size, today's where both know it; `None` where they share none."""
    nodes: tuple[NodeChange, ...] | None
    """Matched by path: first those of the later profile, in order, then those that are gone; `None` where one of the
    two has no breakdown."""
    cells: tuple[CellChange, ...]

    def text(self) -> str:
        """The comparison in a few lines for people."""
        from skyline_jupyter.report.exporters import export

        text: str = export("comparison", self)
        return text


class GoneNode(msgspec.Struct, frozen=True, kw_only=True):
    """A node that the later profile does not have, with all that was below it."""

    path: str
    seconds: float
    size_bytes: int


class NodesBefore(msgspec.Struct, frozen=True, kw_only=True):
    """What the nodes of a breakdown took in another profile, in columns as those of the breakdown itself."""

    batch_size: int
    """Of the other profile's breakdown."""
    seconds: tuple[float | None, ...]
    """`None` where the node is new."""
    size_bytes: tuple[int | None, ...]
    gone: tuple[GoneNode, ...]
    """The largest."""


class Pinned(msgspec.Struct, frozen=True, kw_only=True):
    """The profile that a notebook's others are compared with, and the comparison with the one that is shown."""

    entry: HistoryEntry
    curves: Curves | None
    """`None` where both are one profile, whose curves are one."""
    common: SizeChange | None
    nodes: NodesBefore | None
    cells: tuple[CellChange, ...]
