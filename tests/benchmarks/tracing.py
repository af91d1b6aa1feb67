"""What a trace costs: as a multiple of the step, in seconds until the breakdown is there, in bytes of the report."""

import gzip
import statistics
import time
from collections.abc import Sequence

import msgspec
import torch
from torch import Tensor, nn

from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.measure.block import Block
from skyline_jupyter.measure.memory import StorageTracker
from skyline_jupyter.measure.steps import Stepper, Strategy, run_to_end
from skyline_jupyter.render import breakdown_figures
from skyline_jupyter.report.breakdown import Breakdown
from skyline_jupyter.report.format import format_bytes, format_duration, format_milliseconds
from skyline_jupyter.trace.sources import Sources
from skyline_jupyter.trace.tracer import Tracer
from tests import networks
from tests.reports import report, sample

BLOCKS = (200, 2000)
"""Each runs five operators forward that are no views."""
BATCH = 16
PLAIN, STRIDES, TRACED = 7, 2, 4
HEADINGS = ("operators", "step", "traced", "own code", "residual", "until shown", "nodes", "report", "gzip", "figure")


class Deep(nn.Module):
    """Blocks of five operators, one after the other."""

    def __init__(self, blocks: int, width: int = 32) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
            for _ in range(blocks)
        )
        self.head = nn.Linear(width, 5)

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = x + block(x)
        out: Tensor = self.head(x)
        return out


class Traced(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one model."""

    operators: int
    """That run forward, views left out."""
    step_seconds: float
    traced_in_steps: float
    """The traced step by the clock, in plain steps."""
    own_share: float
    """Of the traced step: the trace's own code, which is taken out where it was spent."""
    residual_in_steps: float
    """What remains beyond the plain step, and is scaled away."""
    seconds_to_breakdown: float
    """All traced steps, and putting the breakdown together."""
    nodes: int
    report_bytes: int
    gzip_bytes: int
    figure_seconds: float
    """Making the Plotly figure."""


def trace_all() -> list[Traced]:
    """A model of a thousand operators, and one of ten thousand."""
    return [measure(blocks) for blocks in BLOCKS]


def measure(blocks: int) -> Traced:
    """Time plain steps, then trace some, in one run."""
    torch.manual_seed(0)
    net = Deep(blocks)
    training = networks.Training(net, torch.optim.SGD(net.parameters(), 0.01), lambda size: networks.rows(size, 32))
    device, plain, begun = CpuDevice(), list[float](), list[float]()
    tracer = Tracer(
        device,
        training.state,
        Sources({"net": net, "optimizer": training.optimizer}),
        lambda: StorageTracker("cpu", training.state()),
    )

    def strategy() -> Strategy:
        for _ in range(PLAIN):
            result = yield Block(BATCH)
            plain.append(result.step_seconds - result.data_seconds)
        begun.append(time.perf_counter())
        tracer.strides = STRIDES
        yield Block(BATCH, steps=STRIDES + TRACED, observer=tracer)

    with tracer:
        run_to_end(Stepper(device, training, strategy()), training, device, lambda: None)
    made = tracer.breakdown(BATCH, statistics.median(plain[2:]), 0.0)
    assert made is not None
    return figures(5 * blocks + 1, made, time.perf_counter() - begun[0])


def figures(operators: int, made: Breakdown, seconds: float) -> Traced:
    """What is told of a breakdown."""
    cost = made.cost
    whole = report([sample(BATCH, cost.step_seconds)], breakdown_columns=made)
    encoded = msgspec.json.encode(whole)
    begun = time.perf_counter()
    breakdown_figures.breakdown_figure(whole)
    return Traced(
        operators=operators,
        step_seconds=cost.step_seconds,
        traced_in_steps=cost.traced_seconds / cost.step_seconds,
        own_share=cost.own_seconds / cost.traced_seconds,
        residual_in_steps=cost.residual_seconds / cost.step_seconds,
        seconds_to_breakdown=seconds,
        nodes=len(made.nodes.parent),
        report_bytes=len(encoded),
        gzip_bytes=len(gzip.compress(encoded)),
        figure_seconds=time.perf_counter() - begun,
    )


def describe(results: Sequence[Traced]) -> str:
    """A row a model."""
    rows = [HEADINGS, *map(_row, results)]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in rows
    )


def _row(result: Traced) -> tuple[str, ...]:
    return (
        f"{result.operators:,}",
        format_milliseconds(result.step_seconds),
        f"{result.traced_in_steps:.1f}×",
        f"{result.own_share:.0%}",
        f"{result.residual_in_steps:+.0%}",
        format_duration(result.seconds_to_breakdown),
        f"{result.nodes:,}",
        format_bytes(result.report_bytes),
        format_bytes(result.gzip_bytes),
        format_duration(result.figure_seconds),
    )
