"""What torch's own tools say of the same step in the same run: operators, floating point operations, live bytes."""

import ast
import gc
import re
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import torch
from torch.utils.flop_counter import FlopCounterMode, flop_registry

from skyline_jupyter.report.breakdown import OPERATOR, VIEWS, Breakdown
from skyline_jupyter.report.format import format_bytes
from tests.benchmarks.workloads import Workload, workloads
from tests.trace.stepping import traced

WORKLOADS = ("mlp", "resnet18", "lstm", "encoder", "gpt", "vit")
HEADINGS = ("training", "calls", "forward", "backward", "operations", "peak", "activations")
NOTES = """\
calls:       operators, views left out, that were called as often as torch.autograd.profiler counts, of all
forward:     time that both give to the same operator, of the time of all operators, and the largest difference
backward:    the same for the backward passes of operators. Both differ by what the profiler's own records take, which
             swells operators that are small, and by whatever else the machine does meanwhile
operations:  floating point operations, beside those of torch.utils.flop_counter
peak:        live bytes at the peak, beside those of torch.distributed._tools.MemTracker; then activations among them"""
WHY = {
    frozenset({"ones_like"}): "it is the gradient of the loss, which autograd makes before its first node: here it is"
    " part of the backward pass, in which calls are not counted",
    frozenset(
        {"add", "add_"}
    ): "while any dispatch mode looks on, torch adds the bias of a linear layer in a new tensor instead of in place",
}
"""Why operators are called differently often."""
_PLAIN, _TRACED, _PROFILED = 9, 9, 9
_NODE = "autograd::engine::evaluate_function: "


class Operators(msgspec.Struct, frozen=True):
    """Of one step, by the name of the operator."""

    calls: dict[str, int]
    forward: dict[str, float]
    """Seconds."""
    backward: dict[str, float]


class Memory(msgspec.Struct, frozen=True):
    """At the peak."""

    total_bytes: int
    activations_bytes: int


class Side(msgspec.Struct, frozen=True):
    """What one of the two says."""

    operators: Operators
    flops: int
    memory: Memory | None
    """`None` where this version of torch has no such tool."""


class Peers(msgspec.Struct, frozen=True):
    """One training."""

    name: str
    ours: Side
    torchs: Side
    passed_over: dict[str, int]
    """Floating point operations of operators for which torch has no formula."""


def compare_all() -> list[Peers]:
    """A few kinds of networks."""
    return [compare(workloads()[name]()) for name in WORKLOADS]


def compare(workload: Workload) -> Peers:
    """Plain steps, then traced ones, then those that torch's tools look at."""
    torch.manual_seed(0)
    step, batch = step_of(workload)
    for _ in range(2):
        step()
    plain = statistics.median(_seconds(step) for _ in range(_PLAIN))
    made = traced(
        step,
        workload.namespace,
        steps=_TRACED,
        fetch=lambda: batch,
        real_clock=time.perf_counter,
        compute_seconds=plain,
        data_seconds=0.0,
    )
    ours = _operators_of(made)
    with FlopCounterMode(display=False) as counter:
        step()
    torchs = _profiled(step, {*ours.calls})
    return Peers(
        workload.name,
        Side(ours, made.hardware_flops or 0, _memory_of(made)),
        Side(torchs, counter.get_total_flops(), tracked(step, workload.namespace, batch)),
        _passed_over(made),
    )


def step_of(workload: Workload) -> tuple[Callable[[], None], Any]:
    """The body of the training loop as a function, always on the same batch."""
    *before, loop = ast.parse(workload.training).body
    assert isinstance(loop, ast.For)
    inner = loop.body[-1]
    assert isinstance(inner, ast.For)
    take = ast.Assign([inner.target], ast.Name("batch", ast.Load()))
    body = ast.fix_missing_locations(ast.Module([take, *inner.body], []))
    begin, code = ast.Module(before, []), compile(body, "<step>", "exec")
    exec(compile(begin, "<before>", "exec"), workload.namespace)  # noqa: S102  our own notebook
    batch = next(iter(workload.namespace["train_loader"]))
    workload.namespace["batch"] = batch
    return lambda: exec(code, workload.namespace), batch  # noqa: S102  as above


def tracked(step: Callable[[], None], names: Mapping[str, object], batch: object) -> Memory | None:
    """What torch's tracker of memory finds live at the peak."""
    try:
        from torch.distributed._tools.mem_tracker import MemTracker
    except ImportError:
        return None
    held = [value for value in names.values() if isinstance(value, (torch.nn.Module, torch.optim.Optimizer))]
    tracker = MemTracker()
    tracker.track_external(*held, *(batch if isinstance(batch, (list, tuple)) else [batch]))
    with tracker:
        step()
        tracker.reset_mod_stats()
        step()
    (peak,) = tracker.get_tracker_snapshot("peak").values()
    by_kind = {getattr(kind, "name", str(kind)): size for kind, size in peak.items()}
    return Memory(by_kind["Total"], by_kind["ACT"])


def _seconds(step: Callable[[], None]) -> float:
    begun = time.perf_counter()
    step()
    return time.perf_counter() - begun


def _operators_of(made: Breakdown) -> Operators:
    found = Operators({}, {}, {})
    nodes = made.nodes
    for index, kind in enumerate(nodes.kind):
        name = made.names[nodes.name[index]]
        if kind == OPERATOR and name != VIEWS and "::" not in name and hasattr(torch.ops.aten, name):
            _add(found.calls, name, nodes.calls[index])
            _add(found.forward, name, nodes.forward_ticks[index] / made.ticks_per_second)
            _add(found.backward, name, nodes.backward_ticks[index] / made.ticks_per_second)
    return found


def _passed_over(made: Breakdown) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, kind in enumerate(made.nodes.kind):
        name = made.names[made.nodes.name[index]]
        if kind == OPERATOR and getattr(torch.ops.aten, name, None) not in flop_registry:
            _add(found, name, made.nodes.flops[index] or 0)
    return {name: flops for name, flops in found.items() if flops}


def _profiled(step: Callable[[], None], names: set[str]) -> Operators:
    """Medians of some steps."""
    gc.collect()
    seen = [_profiled_once(step, names) for _ in range(_PROFILED)]
    return Operators(
        seen[0].calls,
        {name: statistics.median(one.forward.get(name, 0.0) for one in seen) for name in seen[0].forward},
        {name: statistics.median(one.backward.get(name, 0.0) for one in seen) for name in seen[0].backward},
    )


def _profiled_once(step: Callable[[], None], names: set[str]) -> Operators:
    """Outermost calls of the operators alone: what an operator calls is its own business."""
    found = Operators({}, {}, {})
    nodes = {_plain(name): name for name in names}
    with torch.autograd.profiler.profile(use_kineto=False) as profiler:
        step()
    for event in _outermost((one for one in profiler.function_events if one.cpu_parent is None), names):
        name = event.name.removeprefix("aten::")
        if event.name.startswith(_NODE):
            behind = nodes.get(_plain(re.sub(r"Backward\d*$", "", event.name.removeprefix(_NODE))))
            if behind is not None:
                _add(found.backward, behind, event.cpu_time_total / 1e6)
        else:
            _add(found.calls, name, 1)
            _add(found.forward, name, event.cpu_time_total / 1e6)
    return found


def _outermost(events: Iterable[Any], names: set[str]) -> Iterator[Any]:
    for event in events:
        if event.name.startswith(_NODE) or event.name.removeprefix("aten::") in names:
            yield event
        else:
            yield from _outermost(event.cpu_children, names)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _memory_of(made: Breakdown) -> Memory | None:
    line = made.timeline
    if line is None:
        return None
    columns = [value for name, value in msgspec.structs.asdict(line).items() if name.endswith("_bytes")]
    return Memory(sum(column[line.peak] for column in columns), line.activations_bytes[line.peak])


def _add(to: dict[str, Any], name: str, value: float) -> None:
    to[name] = to.get(name, 0) + value


def in_common(ours: Mapping[str, float], theirs: Mapping[str, float]) -> tuple[float, str, float]:
    """The share of time that both give to the same operator; the operator that differs most, and by how much."""
    totals = sum(ours.values()) or 1.0, sum(theirs.values()) or 1.0
    shares = {name: (ours.get(name, 0.0) / totals[0], theirs.get(name, 0.0) / totals[1]) for name in {*ours, *theirs}}
    most = max(sorted(shares), key=lambda name: abs(shares[name][0] - shares[name][1]), default="")
    difference = shares[most][0] - shares[most][1] if most else 0.0
    return sum(map(min, shares.values())), most, difference


def differences(peers: Peers) -> Iterator[str]:
    """A sentence for each difference that is none of noise."""
    ours, theirs = peers.ours, peers.torchs
    off = [name for name, calls in ours.operators.calls.items() if theirs.operators.calls.get(name, 0) != calls]
    for names in (*WHY, frozenset(off).difference(*WHY)):
        if counts := [
            f"{name} ({ours.operators.calls[name]} / {theirs.operators.calls.get(name, 0)})"
            for name in off
            if name in names
        ]:
            yield f"Calls of {', '.join(counts)} differ: {WHY.get(names, 'unexplained')}."
    if ours.flops != theirs.flops:
        added = sum(peers.passed_over.values())
        rest = ours.flops - theirs.flops - added
        what = ", ".join(f"{name} ({flops:,})" for name, flops in peers.passed_over.items())
        yield f"Operations differ: torch's counter has no formula for {what or 'none'}; {rest:,} are unexplained."
    if ours.memory and theirs.memory and ours.memory != theirs.memory:
        yield (
            f"Unexplained: live at the peak {ours.memory.total_bytes - theirs.memory.total_bytes:+,} bytes,"
            f" activations {ours.memory.activations_bytes - theirs.memory.activations_bytes:+,} bytes."
        )


def describe(results: Sequence[Peers]) -> str:
    """A row a training, and below what is different."""
    rows = [HEADINGS, *map(_row, results)]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in rows]
    told = [f"{result.name}: {sentence}" for result in results for sentence in differences(result)]
    return "\n".join([*lines, *told, "", NOTES])


def _row(result: Peers) -> tuple[str, ...]:
    ours, theirs = result.ours, result.torchs
    calls = ours.operators.calls
    same = sum(theirs.operators.calls.get(name, 0) == count for name, count in calls.items())
    return (
        result.name,
        f"{same} of {len(calls)}",
        _share(in_common(ours.operators.forward, theirs.operators.forward)),
        _share(in_common(ours.operators.backward, theirs.operators.backward)),
        f"{ours.flops:,} / {theirs.flops:,}",
        *_bytes(ours.memory, theirs.memory),
    )


def _share(common: tuple[float, str, float]) -> str:
    share, most, difference = common
    return f"{share:.0%} ({most} {difference:+.1%})"


def _bytes(ours: Memory | None, theirs: Memory | None) -> tuple[str, str]:
    if ours is None or theirs is None:
        return "unknown", "unknown"
    return (
        f"{format_bytes(ours.total_bytes)} / {format_bytes(theirs.total_bytes)}",
        f"{format_bytes(ours.activations_bytes)} / {format_bytes(theirs.activations_bytes)}",
    )
