"""`python -m tests.benchmarks`: a table on the terminal, and the same figures in build/bench.json."""

import os
import platform
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import msgspec
import psutil
import torch

from skyline_jupyter.devices import CpuDevice
from skyline_jupyter.report.format import format_duration, format_milliseconds
from tests.benchmarks.measures import Result, benchmark
from tests.benchmarks.notebooks.rows import describe
from tests.benchmarks.notebooks.run import run_generated
from tests.benchmarks.workloads import workloads

OUTPUT = Path(__file__).parents[2] / "build" / "bench.json"
NOTES = """\
memory error: the largest, of the peak at eight sizes up to 4 times today's, predicted from two traced steps
time error:   median / largest, of the step time at held-out sizes between 1/4 and 4 times today's
noise:        the same for two series of the same sizes, all measured in turn in one run"""
HEADINGS = ("training", "step", "memory error", "time error", "noise", "profile", "first number", "state")


def main() -> None:
    """Run every benchmark."""
    begun, load = time.perf_counter(), os.getloadavg()[0]
    results = []
    for make in workloads():
        torch.manual_seed(0)
        results.append(benchmark(make()))
        _note(f"{results[-1].name}: done")
    rows, summary = run_generated(lambda row: _note(f"{row.notebook}: {row.stage}"))
    written = {
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "machine": machine(load),
        "seconds": time.perf_counter() - begun,
        "trainings": msgspec.to_builtins(results),
        "notebooks": {"rows": msgspec.to_builtins(rows), "summary": msgspec.to_builtins(summary)},
    }
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_bytes(msgspec.json.format(msgspec.json.encode(written), indent=2) + b"\n")
    sys.stdout.write(f"{table(results)}\n\n{NOTES}\n\n{describe(summary)}\n")


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


def row(result: Result) -> tuple[str, ...]:
    """The figures as people read them: errors and noise as median / largest."""
    return (
        f"{result.name}, {result.parameters:,} parameters",
        f"{format_milliseconds(result.step_seconds)} at {result.batch_size}",
        f"{result.memory_error_largest:.2%}",
        f"{result.time_error_median:.1%} / {result.time_error_largest:.1%}",
        f"{result.noise_median:.1%} / {result.noise_largest:.1%}",
        f"{result.profile_steps} steps, {format_duration(result.profile_seconds)}",
        format_duration(result.seconds_to_first_number),
        "identical" if result.state_identical and result.state_proof_identical else "CHANGED",
    )


if __name__ == "__main__":
    main()
