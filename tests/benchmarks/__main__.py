"""`python -m tests.benchmarks`: a table on the terminal, and the same figures in build/bench.json."""

import argparse
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import msgspec
import psutil
import torch

from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.report.format import format_duration, format_milliseconds
from tests.benchmarks import dashboard, hints, peers, roundtrip, tracing
from tests.benchmarks.measures import Errors, Result, benchmark
from tests.benchmarks.notebooks.rows import describe
from tests.benchmarks.notebooks.run import run_generated
from tests.benchmarks.workloads import workloads

OUTPUT = Path(__file__).parents[2] / "build" / "bench.json"
NOTES = """\
memory: largest error of the peak at eight sizes from today's to 4 times it, predicted from sizes up to today's
time:   median / 95th percentile error of the step time at held-out sizes, each between two that are measured, from 1/4
        to 4 times today's
beyond: error at the smallest and at the largest size of the curve, predicted from the others: 2 times beyond those
noise:  the same between two series of those sizes; all are measured in turn in one run
(was):  the original's way: three sizes close together and two straight lines
dry:    error of the peak of a very first step, as predicted on fake tensors, and what that takes
state:  ways to end after which all is bit for bit what it was"""
PARTS: dict[str, tuple[Callable[[], Any], Callable[[Any], str]]] = {
    "traces": (tracing.trace_all, tracing.describe),
    "hints": (hints.mend_all, hints.describe),
    "peers": (peers.compare_all, peers.describe),
    "dashboard": (dashboard.measure_dashboard, dashboard.describe),
    "roundtrip": (roundtrip.measure_roundtrip, roundtrip.describe),
}
"""What is measured besides the trainings and the notebooks: how, and how it is told."""
HEADINGS = (
    "training",
    "step",
    "memory (was)",
    "time (was)",
    "beyond (was)",
    "noise",
    "steps (was)",
    "profile",
    "first",
    "dry",
    "state",
)


def main() -> None:
    """Run every benchmark, or those that are asked for."""
    asked = arguments()
    torch.set_num_threads(1)  # two threads on two cores would measure whatever else runs there
    warnings.simplefilter("ignore")
    begun, load = time.perf_counter(), os.getloadavg()[0]
    results = []
    for name, make in workloads().items():
        if asked.only is None or asked.only in name:
            torch.manual_seed(0)
            results.append(benchmark(make(), quick=asked.quick))
            _note(f"{results[-1].name}: done")
    written = {
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": machine(load),
        "trainings": msgspec.to_builtins(results),
    }
    sys.stdout.write(f"{table(results)}\n\n{NOTES}\n")
    if asked.only is None and not asked.quick:
        rows, summary = run_generated(lambda row: _note(f"{row.notebook}: {row.stage}"))
        written["notebooks"] = {"rows": msgspec.to_builtins(rows), "summary": msgspec.to_builtins(summary)}
        sys.stdout.write(f"\n{describe(summary)}\n")
    for name, (measure, in_words) in PARTS.items():
        if asked.only == name or (asked.only is None and not asked.quick):
            seen = measure()
            written[name] = msgspec.to_builtins(seen)
            sys.stdout.write(f"\n{in_words(seen)}\n")
    output = OUTPUT if asked.only is None and not asked.quick else OUTPUT.with_name("bench-partly.json")
    output.parent.mkdir(exist_ok=True)
    written["seconds"] = time.perf_counter() - begun
    output.write_bytes(msgspec.json.format(msgspec.json.encode(written), indent=2) + b"\n")


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "--only",
        metavar="NAME",
        help=f"trainings whose name has this in it, or one of the others: {', '.join((*workloads(), *PARTS))}",
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the time, rough figures")
    return parser.parse_args()


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def machine(load: float) -> dict[str, Any]:
    """What the figures were measured on."""
    facts = CpuDevice().facts
    return {
        "processor": facts.name,
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "threads": torch.get_num_threads(),
        "memory_bytes": psutil.virtual_memory().total,
        "system": platform.platform(),
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "load_before": load,
    }


def table(results: Sequence[Result]) -> str:
    """A row a training."""
    rows = [HEADINGS, *map(row, results)]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in rows]
    return "\n".join(lines)


def _ends(errors: Errors) -> str:
    """At the smallest and at the largest size."""
    return " / ".join(f"{error:+.0%}" for _, error in sorted(errors.time_beyond.items()))


def row(result: Result) -> tuple[str, ...]:
    """The figures as people read them."""
    ours, was = result.ours, result.baseline
    ends = result.exits_identical
    return (
        f"{result.name}, {result.parameters:,} parameters",
        f"{format_milliseconds(result.step_seconds)} at {result.batch_size}",
        f"{ours.memory_largest:.2%} ({was.memory_largest:.0%})",
        f"{ours.time_median:.1%} / {ours.time_95th:.1%} ({was.time_median:.1%} / {was.time_95th:.1%})",
        f"{_ends(ours)} ({_ends(was)})",
        f"{result.noise_median:.1%} / {result.noise_95th:.1%}",
        f"{ours.steps} ({was.steps})",
        f"{result.profile_steps} steps, {format_duration(result.profile_seconds)}",
        format_duration(result.seconds_to_first_number),
        f"{result.dry_run.error:+.2%} in {format_duration(result.dry_run.seconds)}",
        f"{sum(ends.values())} of {len(ends)}",
    )


if __name__ == "__main__":
    main()
