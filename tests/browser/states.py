"""What a dashboard may have to show, on an invented model: one view a state, with as much in it as there can be."""

from pathlib import Path
from typing import Any

import msgspec

from skyline_jupyter.report.breakdown import MODULE, OPERATOR, Breakdown
from skyline_jupyter.report.changes import HistoryEntry
from skyline_jupyter.report.comparison import pinned
from skyline_jupyter.report.curve import CategoryCurve, Estimate, Knot
from skyline_jupyter.report.history import History
from skyline_jupyter.report.model import (
    MEMORY_CATEGORIES,
    REPORT_VERSION,
    Check,
    Finding,
    Report,
    StateProof,
    View,
)
from skyline_jupyter.source.model import CellText, Plan, PlannedCell, Site, StaleCell
from tests.breakdowns import Branch, breakdown
from tests.reports import GIB, MIB, report, sample

SHARED = Path(__file__).parents[1] / "fixtures" / "breakdown.json"
SIZES = (16, 32, 64, 128, 256)
SOURCE = "batch_size = 64  # a person's choice"


def view(status: str = "ready", report: Report | None = None, **changes: Any) -> View:  # noqa: ANN401  the fields of View
    """One view of one kernel."""
    made = View(
        version=REPORT_VERSION,
        id="a-profile",
        kernel_id="a-kernel",
        cell_id="board",
        status=status,
        message="",
        progress=None,
        report=report,
        plan=None,
    )
    return msgspec.structs.replace(made, **changes)


def site(source: str = SOURCE, text: str = "64") -> Site:
    """The literal in the first cell."""
    start = source.index(text)
    return Site(
        cell_id="size",
        execution_count=1,
        line=1,
        start=start,
        end=start + len(text),
        text=text,
        value=int(text),
        statement=source.split("#", maxsplit=1)[0].rstrip(),
        statement_start=0,
        cell_source=source,
    )


def full_report(**changes: Any) -> Report:  # noqa: ANN401  the fields of Report
    """Everything that a report may have: a verdict with an advice, a check, a warning, memory by category."""
    samples = [sample(size, 0.004 + size * 0.00002, peak_bytes=(100 + size) * MIB) for size in SIZES]
    plain = report(samples, site=site(), site_reason=None)
    parts = tuple(
        CategoryCurve(category=category, knots=tuple(_knot(size, (100 + size) * MIB / 6) for size in (1, 512)))
        for category in MEMORY_CATEGORIES
    )
    full = msgspec.structs.replace(
        plain,
        curves=msgspec.structs.replace(plain.curves, peak_by_category=parts),
        limit=msgspec.structs.replace(plain.limit, limit_bytes=GIB // 2),
        max_batch_size=412,
        checks=(Check(batch_size=64, predicted_step_seconds=0.0054, measured_step_seconds=0.00528),),
        findings=(VERDICT, *HINTS),
        breakdown_columns=shared_breakdown(),
        warnings=("The step time at 128 varies by a fifth. Something else runs on this machine.",),
    )
    return msgspec.structs.replace(full, **changes)


VERDICT = Finding(
    kind="verdict",
    statement="Larger batches pay: 1.9× the throughput at 256.",
    evidence="The floor of a step is 4 ms.",
    next_step="Set `batch_size` to 256.",
    confidence="measured",
    gain=1.9,
    batch_size=256,
)
HINTS = (
    Finding(
        kind="waiting",
        statement="Waiting for the batch takes 35 % of the step.",
        evidence="One process needs 1.89 ms to put a batch together, and the step computes for 3.51 ms.",
        next_step="Give the loader `num_workers=1`, so that batches are made while the step computes.",
        confidence="predicted",
        gain=1.54,
        batch_size=None,
    ),
    Finding(
        kind="small operators",
        statement="`net` (Net) loops over small operators, 31 % of the step.",
        evidence="`net.layers.0.mlp` (MLP) runs 64 times a step, from cell [3], line 14.",
        next_step="Stack what the loop goes over into one tensor, so that one call does it all.",
        confidence="measured",
        gain=None,
        batch_size=None,
        node=3,
    ),
)
PLAN = Plan(
    site_heavy="",
    light=(PlannedCell(cell_id="loader", execution_count=2, source="loader = list(range(batch_size))", reason=""),),
    heavy=(PlannedCell(cell_id="train", execution_count=4, source="trained_with = batch_size", reason="it trains"),),
    stale=(StaleCell(cell_id="train", execution_count=4, batch_size=32),),
)
CHANGED = StateProof(
    identical=False,
    tensors=6,
    objects=2,
    digest_before="a",
    digest_after="b",
    differences=("The generator `stream` moved on by 3.",),
)


HISTORY = tuple(
    HistoryEntry(
        id=str(size),
        created="2026-01-02T03:04:05+00:00",
        model="net (DigitsNet)",
        device="A processor",
        batch_size=size,
        throughput=Estimate(value=100.0 * size, low=95.0 * size, high=105.0 * size),
        peak_bytes=(100 + size) * MIB,
    )
    for size in (64, 32)
)


def states(**changes: Any) -> dict[str, View]:  # noqa: ANN401  the fields of View
    """By name, with changes that all of them share; only `ready` and `compared` have a breakdown."""
    return {name: msgspec.structs.replace(each, **changes) for name, each in _states(full_report()).items()}


def _compared(full: Report) -> View:
    """Two profiles, of which the earlier one is pinned: its model was another, a cell is new."""
    cell = CellText(cell_id="size", execution_count=1, source="batch_size = 32\nwidth = 8")
    other = CellText(cell_id="size", execution_count=5, source="batch_size = 64\nwidth = 16")
    net = breakdown([Branch(MODULE, "net", (Branch(MODULE, "blocks.0"), Branch(MODULE, "tail", (), 2.0)))])
    before = msgspec.structs.replace(full, id="earlier", batch_size=32, breakdown_columns=net, cells=(cell,))
    after = msgspec.structs.replace(full, cells=(other, CellText(cell_id="new", execution_count=6, source="depth = 2")))
    history = History()
    history.add(before, "2026-01-02T03:04:05+00:00")
    history.add(after, "2026-01-02T03:14:05+00:00")
    history.pin(history.entries[1].id)
    return view(report=after, plan=PLAN, history=history.entries, pinned=history.compared(after))


def _states(full: Report) -> dict[str, View]:
    short = msgspec.structs.replace(full, breakdown_columns=None)
    candidates = (site("N = 64"), site("width = 64"))
    unsure = msgspec.structs.replace(short, site=None, site_reason="Two lines may set it.", site_candidates=candidates)
    return {
        "measuring at first": view("measuring", message="Watching two steps.", progress=None),
        "measuring": view("measuring", short, message="Measuring 128: 12 of 40 steps.", progress=0.3),
        "ready": view(report=full, plan=PLAN),
        "compared": _compared(full),
        "state changed": view(report=msgspec.structs.replace(short, state_proof=CHANGED)),
        "failed": view(
            "failed", message="The step needs an accelerator. Move the model to one, and run the cell again."
        ),
        "failed later": view("failed", short, message="The cell raised `ValueError` at batch size 128."),
        "candidates": view(report=unsure),
        "pinned": view(
            report=full, history=HISTORY, pinned=pinned(HISTORY[1], full_report(id="before", batch_size=32), full)
        ),
    }


def shared_breakdown() -> Breakdown:
    """The one that the tests of both languages share."""
    return msgspec.json.decode(SHARED.read_bytes(), type=Breakdown)


def deep_breakdown(layers: int = 200) -> Breakdown:
    """Fifty nodes a layer: two hundred layers are ten thousand nodes."""
    return breakdown([Branch(MODULE, "net", [_layer(layer) for layer in range(layers)])])


def _layer(layer: int) -> Branch:
    parts = ("q", "k", "v", "out", "up", "down", "norm")
    return Branch(MODULE, f"layers.{layer}", [_part(part, layer * 7 + index) for index, part in enumerate(parts)])


def _part(name: str, number: int) -> Branch:
    """Six operators; no two layers take the same, so that none hides behind another."""
    operators = ("addmm", "gelu", "mul", "add", "mean", "view")
    return Branch(MODULE, name, [_operator(each, number + index) for index, each in enumerate(operators)])


def _operator(name: str, number: int) -> Branch:
    time = 0.001 * (1 + number * 7919 % 13)
    return Branch(OPERATOR, f"{name}{number % 5}", forward=time, backward=2 * time, activations=4, weights=2)


def _knot(size: int, value: float) -> Knot:
    return Knot(batch_size=size, value=value, low=value, high=value)
