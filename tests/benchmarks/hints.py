"""Whether following a hint pays: a step with a fault, what is said of it, and the same step without the fault."""

import statistics
import time
from collections.abc import Callable, Sequence

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from skyline_jupyter import profile
from skyline_jupyter.report.format import format_bytes, format_milliseconds, format_multiple
from skyline_jupyter.report.model import Report

Step = Callable[[int], None]

HEADINGS = ("hint", "step", "mended", "gain", "said: up to", "peak memory")
NOTE = "gain: throughput without the fault, as a multiple; both steps were run in turn"
_TURNS = 15
_WIDTH, _LENGTH = 64, 128


class Mended(msgspec.Struct, frozen=True):
    """One hint that was followed."""

    hint: str
    """Its kind."""
    said: bool
    """Whether the step with the fault was told so, and the one without was not."""
    most_gain: float | None
    """What it could bring at most, as it was said."""
    before_seconds: float
    after_seconds: float
    before_bytes: int | None
    after_bytes: int | None

    @property
    def gain(self) -> float:
        """Throughput without the fault, as a multiple of that with it."""
        return self.before_seconds / self.after_seconds


class Reader(nn.Module):
    """Reads a sequence in a loop or in one call."""

    def __init__(self, *, whole: bool) -> None:
        super().__init__()
        self.cell = nn.LSTM(_WIDTH, _WIDTH, batch_first=True) if whole else nn.LSTMCell(_WIDTH, _WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        if isinstance(self.cell, nn.LSTM):
            every, _ = self.cell(x)
            return every[:, -1]  # type: ignore[no-any-return]
        hidden = cell = x.new_zeros(len(x), _WIDTH)
        for moment in x.unbind(dim=1):
            hidden, cell = self.cell(moment, (hidden, cell))
        return hidden


class Attention(nn.Module):
    """Of four heads, by single operators or by one."""

    def __init__(self, *, whole: bool) -> None:
        super().__init__()
        self.parts, self.out, self.whole = nn.Linear(_WIDTH, 3 * _WIDTH), nn.Linear(_WIDTH, _WIDTH), whole

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = self.parts(x).unflatten(-1, (3, 4, -1)).permute(2, 0, 3, 1, 4)
        if self.whole:
            mixed = functional.scaled_dot_product_attention(query, key, value)
        else:
            mixed = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(-1) @ value
        out: Tensor = self.out(mixed.transpose(1, 2).flatten(2))
        return out


def training(net: nn.Module, *shape: int, dtype: torch.dtype = torch.float32, fused: bool = True) -> Step:
    """One step on random numbers."""
    net = net.to(dtype)
    optimizer = torch.optim.AdamW(net.parameters(), fused=fused)

    def step(batch_size: int) -> None:
        x = torch.randn(batch_size, *shape, dtype=dtype)
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()

    return step


def perceptron() -> nn.Module:
    return nn.Sequential(*(nn.Linear(512, 512) for _ in range(8)))


PAIRS: dict[str, tuple[Callable[[], Step], Callable[[], Step]]] = {
    "update": (
        lambda: training(perceptron(), 512, fused=False),
        lambda: training(perceptron(), 512),
    ),
    "small operators": (
        lambda: training(Reader(whole=False), _LENGTH, _WIDTH),
        lambda: training(Reader(whole=True), _LENGTH, _WIDTH),
    ),
    "attention": (
        lambda: training(nn.Sequential(*(Attention(whole=False) for _ in range(2))), 2 * _LENGTH, _WIDTH),
        lambda: training(nn.Sequential(*(Attention(whole=True) for _ in range(2))), 2 * _LENGTH, _WIDTH),
    ),
    "double precision": (
        lambda: training(perceptron(), 512, dtype=torch.float64),
        lambda: training(perceptron(), 512),
    ),
}
"""By the kind of the hint: the step with the fault, and the step without it."""


def mend_all() -> list[Mended]:
    """Every pair."""
    return [mend(kind, make_before(), make_after()) for kind, (make_before, make_after) in PAIRS.items()]


def mend(kind: str, before: Step, after: Step, batch_size: int = 16) -> Mended:
    """What is said of one, and what both take, in turn."""
    reports = [profile(step, batch_size) for step in (before, after)]
    hints = [{found.kind: found for found in report.findings} for report in reports]
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(_TURNS):
        for step, taken in zip((before, after), seconds, strict=True):
            taken.append(_seconds_of(step, batch_size))
    peaks = [_peak_of(report) for report in reports]
    return Mended(
        hint=kind,
        said=kind in hints[0] and kind not in hints[1],
        most_gain=hints[0][kind].gain if kind in hints[0] else None,
        before_seconds=statistics.median(seconds[0]),
        after_seconds=statistics.median(seconds[1]),
        before_bytes=peaks[0],
        after_bytes=peaks[1],
    )


def _seconds_of(step: Step, batch_size: int) -> float:
    """Of the second of two steps: the first finds the caches cold."""
    step(batch_size)
    begun = time.perf_counter()
    step(batch_size)
    return time.perf_counter() - begun


def _peak_of(report: Report) -> int | None:
    return next((one.peak_bytes for one in report.samples if one.batch_size == report.batch_size), None)


def describe(mended: Sequence[Mended]) -> str:
    """A row a hint."""
    rows = [HEADINGS, *map(_row, mended)]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in rows]
    return "\n".join([*lines, NOTE])


def _row(one: Mended) -> tuple[str, ...]:
    peaks = [one.before_bytes, one.after_bytes]
    return (
        one.hint if one.said else f"{one.hint} (not said)",
        format_milliseconds(one.before_seconds),
        format_milliseconds(one.after_seconds),
        format_multiple(one.gain),
        "" if one.most_gain is None else format_multiple(one.most_gain),
        " → ".join("unknown" if peak is None else format_bytes(peak) for peak in peaks),
    )
