"""All that one profile learned: frozen, serialisable, enough to draw every view.

Memory is in bytes, time in seconds; "unknown" is `None`, never 0. These structs are the wire
format too: the TypeScript types are generated from their JSON Schema (`make types`).
"""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from skyline_jupyter.errors import ReportError
from skyline_jupyter.report.breakdown import Breakdown, LineCost, Timeline
from skyline_jupyter.report.changes import Comparison, HistoryEntry, Pinned
from skyline_jupyter.report.curve import Curves
from skyline_jupyter.report.exporters import export
from skyline_jupyter.report.migrations import migrated
from skyline_jupyter.report.node import Node
from skyline_jupyter.report.shown import Shown
from skyline_jupyter.source.model import CellText, Plan, Site

if TYPE_CHECKING:
    import plotly.graph_objects as go

REPORT_VERSION = 3
_FIGURES = ("curves", "breakdown", "memory")
MEMORY_CATEGORIES = ("weights", "gradients", "optimizer_state", "activations", "inputs", "temporaries")
"""Buffers count as weights; activations are what a forward pass keeps for its backward pass."""


class CategoryBytes(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the memory of a step."""

    category: str
    """One of `MEMORY_CATEGORIES`."""
    size_bytes: int


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One measurement at one batch size."""

    batch_size: int
    step_seconds: float
    """Median time of one whole training step, from one batch fetch to the next: what the user waits for."""
    step_seconds_spread: float | None
    """Interquartile range of the repeats; `None` for fewer than two."""
    repeats: int
    compute_seconds: float
    """The same without its data phase."""
    data_seconds: float | None
    """What one process needs to put the batch together, ahead of time where there are workers; `None` where nothing is
    fetched."""
    peak_bytes: int | None
    """Most live tensor storage on the device during a step, parameters included."""
    peak_by_category: tuple[CategoryBytes, ...]
    """What that was made of at its moment; adds up to `peak_bytes`. Empty where it is unknown."""
    first_step_peak_bytes: int | None
    """The same for the very first step, in which an optimizer makes its state; `None` where it was not followed."""
    workspace_bytes: int | None
    """What libraries took beyond that; `None` where the device cannot tell."""
    warnings: tuple[str, ...]

    @property
    def throughput(self) -> float:
        """Samples per second."""
        return self.batch_size / self.step_seconds

    @property
    def waiting_seconds(self) -> float:
        """Of the step, for its batch. No longer than a batch takes, which a difference of medians may be by noise."""
        return min(max(0.0, self.step_seconds - self.compute_seconds), self.data_seconds or 0.0)


class DeviceFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The device that ran the step."""

    kind: str
    """`cpu` or `cuda`."""
    name: str
    capacity_bytes: int


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """The memory that a step may use: the device's capacity less all that follows, or the user's budget."""

    limit_bytes: int
    others_bytes: int
    """What other processes hold on the device; where `process_bytes` is unknown, that too."""
    process_bytes: int | None
    """What this process holds beside the step's tensors: the driver's context, the interpreter and its libraries."""
    fragmentation_bytes: int
    """What the allocator holds in pieces too small to be used again."""
    margin_bytes: int
    """Left free for what is not seen at the level of tensors."""
    budget: bool
    """The user gave it (`--memory`)."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """The training step that was captured."""

    model: str
    """Names and classes of the models it trains, for people: ``net (DigitsNet)``."""
    cell_id: str | None
    execution_count: int
    line: int
    """1-based line of the training statement in its cell."""
    dataset_size: int | None
    steps_observed: int
    parameters: int
    """Number of parameter elements that the optimizers own."""


class BatchRange(msgspec.Struct, frozen=True, kw_only=True):
    """The sizes on offer, and what sets the upper end, in a few words ("1,437 samples in the data set")."""

    smallest: int
    largest: int
    reason: str


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A prediction that was then measured."""

    batch_size: int
    predicted_step_seconds: float
    measured_step_seconds: float


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict or hint. The first finding of a report is its verdict."""

    kind: str
    statement: str
    evidence: str
    next_step: str
    confidence: str
    """`measured`, `predicted` or `assumed`."""
    gain: float | None
    """Throughput after, as a multiple of throughput now; of a hint, the most that it can bring."""
    batch_size: int | None
    """The size that `next_step` proposes."""
    node: int | None = None
    """Where it is seen: a position in the columns of the breakdown."""


class StateProof(msgspec.Struct, frozen=True, kw_only=True):
    """What was compared before and after the profile, and whether it is bit-identical."""

    identical: bool
    tensors: int
    objects: int
    digest_before: str
    """Of the bytes of all those tensors and of the random generators, as they were when the profile began."""
    digest_after: str
    """Of the same, read anew once all was put back."""
    differences: tuple[str, ...]
    """What could not be put back, one short sentence each."""


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What the profile took from the user."""

    seconds: float
    steps: int
    first_seconds: float | None
    """Until throughput and peak memory of today's size were known."""
    copied_bytes: int
    """Host memory that the copies of the user's state took meanwhile."""
    first_look_seconds: float | None = None
    """Before all that: until it was known that a step of today's size fits, with the rehearsal on tensors without data
    where there was one. `None` where steps that ran anyway were watched."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What the curve of the step time amounts to, over the sizes on offer."""

    floor_seconds: float
    """A step takes no less, however small its batch."""
    seconds_per_sample: float | None
    """What each further sample adds at the largest sizes; `None` where the time does not grow."""
    asymptote: float | None
    """Samples per second that no batch would exceed, whatever the memory; `None` where the time does not grow."""
    most: float
    """Most samples per second at a size on offer, and so within memory."""
    most_batch_size: int
    knee: int
    """The smallest size that has nearly that much (95 %)."""
    error: float | None
    """How far the sizes measured are from the curve through the others, as a share (median); `None` if fewer than 3."""
    within_band: float | None
    """Share of the sizes measured that lie in the band of the curve through the others."""
    quality: str
    """`good`, `fair`, `poor` or `unknown`."""


class Report(Shown, msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one profile learned."""

    version: int
    id: str
    created: str
    """ISO 8601, UTC."""
    device: DeviceFacts
    limit: Limit
    step: Step
    batch_size: int
    """Today's size: what the notebook would train with now."""
    samples: tuple[Sample, ...]
    """In increasing batch size."""
    curves: Curves
    shape: Shape | None
    """`None` where there is no curve from one size."""
    max_batch_size: int | None
    """The largest size whose predicted peak is within the limit; `None` where memory is unknown or does not grow."""
    range: BatchRange
    checks: tuple[Check, ...]
    site: Site | None
    site_reason: str | None
    """Where `site` is `None`: one sentence, why there is no literal to edit and what to do."""
    site_candidates: tuple[Site, ...]
    """Where `site` is `None`: literals that may be the batch size, for the user to choose from."""
    findings: tuple[Finding, ...]
    breakdown_columns: Breakdown | None = msgspec.field(name="breakdown")
    """Where time and memory of one step go, as it travels (`breakdown`: as a tree). `None` where no step was traced."""
    state_proof: StateProof
    cost: Cost
    warnings: tuple[str, ...]
    cells: tuple[CellText, ...] = ()
    """What the kernel had run for it: the cells that made the step what it is, in the order in which they ran."""

    @property
    def breakdown(self) -> Node | None:
        """The step, the root of a tree of modules and operators; `None` where no step was traced."""
        return None if self.breakdown_columns is None else Node(self.breakdown_columns, 0)

    @property
    def phases(self) -> dict[str, float]:
        """Seconds by phase, which add up to the step; empty where no step was traced."""
        return {} if self.breakdown_columns is None else msgspec.structs.asdict(self.breakdown_columns.phases)

    @property
    def lines(self) -> tuple[LineCost, ...]:
        """What each line of the user's own code takes; empty where no step was traced."""
        return () if self.breakdown_columns is None else self.breakdown_columns.lines

    @property
    def timeline(self) -> Timeline | None:
        """Live bytes over the step; `None` where memory was not followed."""
        return None if self.breakdown_columns is None else self.breakdown_columns.timeline

    @property
    def limit_bytes(self) -> int:
        """Bytes that a step may use."""
        return self.limit.limit_bytes

    def text(self) -> str:
        """The report in a few lines for people."""
        text: str = export("text", self)
        return text

    def figure(self, kind: str = "curves") -> "go.Figure":
        """A Plotly figure: `curves`, `breakdown` (where the time goes) or `memory` (over the step).

        Raises:
            ReportError: there is no such figure, or no step was traced for it.
        """
        if kind not in _FIGURES:
            message = f"There is no figure {kind!r}; ask for 'curves', 'breakdown' or 'memory'."
            raise ReportError(message)
        missing = {"breakdown": self.breakdown_columns is None, "memory": self.timeline is None}
        if missing.get(kind):
            message = "No step was traced for this report; its warnings say why."
            raise ReportError(message)
        figure: go.Figure = export(kind, self)
        return figure

    def compare(self, before: "Report") -> Comparison:
        """What changed since an earlier report: figures, nodes of the breakdown, and the code of the cells."""
        from skyline_jupyter.report.comparison import compare

        return compare(before, self)

    def to_json(self) -> str:
        """The report as JSON, which `load_report` reads."""
        return msgspec.json.encode(self).decode()

    def save(self, path: str | Path) -> None:
        """Write the report to a file, which `load_report` reads."""
        Path(path).write_text(self.to_json(), encoding="utf-8")


def load_report(path: str | Path) -> Report:
    """Read a report from a file that `Report.save` wrote.

    Raises:
        ReportError: the file is not a report, or it is one of another version.
    """
    try:
        plain = migrated(msgspec.json.decode(Path(path).read_bytes()))
        _refuse_other_version(path, plain)
        return msgspec.convert(plain, type=Report)
    except (OSError, msgspec.DecodeError) as error:
        message = f"{path} cannot be read as a report: {error}. Save it again with report.save(path)."
        raise ReportError(message) from error


def _refuse_other_version(path: str | Path, plain: object) -> None:
    version = plain.get("version", REPORT_VERSION) if isinstance(plain, dict) else REPORT_VERSION
    if version != REPORT_VERSION:
        message = (
            f"{path} is a report of version {version}, and this Skyline reads version {REPORT_VERSION}."
            " Read it with the Skyline that wrote it."
        )
        raise ReportError(message)


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one dashboard shows: the message from the kernel to the widget and to the side panel."""

    version: int
    id: str
    kernel_id: str
    cell_id: str | None
    """The cell under which the widget stands."""
    status: str
    """`noted`, `measuring`, `ready` or `failed`."""
    message: str
    """One or two sentences for people; empty when the report says it all."""
    progress: float | None
    """Between 0 and 1 while measuring."""
    report: Report | None
    plan: Plan | None
    history: tuple[HistoryEntry, ...] = ()
    """The notebook's profiles, newest first."""
    pinned: Pinned | None = None
    """What they are compared with."""
