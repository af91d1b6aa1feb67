"""`python -m tests.benchmarks.figures`: the figures of build/bench.json, written into the README between two marks."""

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from skyline_jupyter.report.format import format_bytes, format_duration, format_milliseconds
from tests.benchmarks.dashboard import DashboardCost
from tests.benchmarks.measures import Errors, Result
from tests.benchmarks.roundtrip import Roundtrip

ROOT = Path(__file__).parents[2]
BEGIN, END = "<!-- figures: written by `make figures` -->\n", "<!-- end of figures -->\n"
_HEADINGS = (
    "training",
    "memory: largest error (was)",
    "time between measured sizes: median / 95th percentile error (was)",
    "2 times beyond them: below / above (was)",
    "noise",
    "steps (was)",
    "one profile",
    "dry run",
)


def main() -> None:
    """Write them."""
    bench = msgspec.json.decode((ROOT / "build" / "bench.json").read_bytes())
    results = results_in(bench)
    written = figures(bench["machine"], results)
    if "dashboard" in bench and "roundtrip" in bench:
        cost = msgspec.convert(bench["dashboard"], DashboardCost)
        written += f"\n{panel(cost, msgspec.convert(bench['roundtrip'], Roundtrip))}\n"
    readme = ROOT / "README.md"
    readme.write_text(with_figures(readme.read_text(encoding="utf-8"), written), encoding="utf-8")
    sys.stdout.write(f"{len(results)} trainings in {readme.name}\n")


def results_in(bench: dict[str, Any]) -> list[Result]:
    """The trainings of a file, in which sizes that are keys are texts."""
    return msgspec.convert(bench["trainings"], list[Result], strict=False)


def with_figures(text: str, written: str) -> str:
    """The text with other figures between the marks."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{written}{END}{after}"


def figures(machine: dict[str, Any], results: Sequence[Result]) -> str:
    """The machine, the table, and what it adds up to."""
    lines = [
        _machine(machine),
        "",
        f"| {' | '.join(_HEADINGS)} |",
        f"|{' --- |' * len(_HEADINGS)}",
        *(f"| {' | '.join(_row(result))} |" for result in results),
        "",
        _summary(results),
    ]
    return "\n".join(lines) + "\n"


def panel(cost: DashboardCost, roundtrip: Roundtrip) -> str:
    """How quick the dashboard is, in a few sentences."""
    empty, dearest = cost.moves[0], max(cost.moves, key=lambda latency: latency.p95)
    milliseconds = format_milliseconds
    parts = ", ".join(f"{part.name} {milliseconds(part.median)}" for part in roundtrip.parts)
    return (
        f"In Chromium without a GPU, with a report of {cost.nodes:,} nodes: from a pointer's move to the end of its"
        f" frame {milliseconds(dearest.median)} in the median and {milliseconds(dearest.p95)} at the 95th percentile"
        f" ({milliseconds(empty.median)} and {milliseconds(empty.p95)} on an empty page); first paint"
        f" {milliseconds(cost.paint_seconds)}; the widget's module has {cost.module_bytes / 1000:.0f} kB,"
        f" {cost.module_gzip_bytes / 1000:.0f} kB compressed. From letting the handle go to the measured point on the"
        f" chart, on the quickstart in JupyterLab: {milliseconds(roundtrip.whole.median)} ({parts})."
    )


def _machine(machine: dict[str, Any]) -> str:
    cores, threads = machine["cores"], machine["threads"]
    return (
        f"Measured by `make bench` on {cores} cores of an {machine['processor']} with"
        f" {format_bytes(machine['memory_bytes'])} of memory and no GPU, on {threads}"
        f" {'thread' if threads == 1 else 'threads'}, with torch {machine['torch']} and Python {machine['python']};"
        f" the load before was {machine['load_before']:.1f}."
    )


def _row(result: Result) -> tuple[str, ...]:
    ours, was = result.ours, result.baseline
    return (
        result.name,
        f"{_percent(ours.memory_largest, 2)} ({_percent(was.memory_largest)})",
        f"{_both(ours.time_median, ours.time_95th)} ({_both(was.time_median, was.time_95th)})",
        f"{_ends(ours)} ({_ends(was)})",
        _both(result.noise_median, result.noise_95th),
        f"{ours.steps} ({was.steps})",
        f"{format_duration(result.profile_seconds)}, first numbers after {_first(result)}",
        f"{_percent(abs(result.dry_run.error), 2)}, {format_duration(result.dry_run.seconds)}",
    )


def _summary(results: Sequence[Result]) -> str:
    exits = [identical for result in results for identical in result.exits_identical.values()]
    ours, was = (
        [statistics.median(getattr(errors, name) for errors in group) for name in ("time_median", "steps")]
        for group in ([result.ours for result in results], [result.baseline for result in results])
    )
    return (
        f"*Was* is the original's way, three sizes close together and straight lines, on the same training in the same"
        f" run. In the median over all the step time is off by {_percent(ours[0])} (was {_percent(was[0])}) after"
        f" {ours[1]:.0f} steps (was {was[1]:.0f}). Memory is predicted from sizes up to today's and compared at eight"
        f" sizes up to four times it; time at sizes held out between a quarter and four times today's, each between two"
        f" that are measured; beyond them at the smallest and at the largest size of the curve, from the others; noise"
        f" is the difference between two series of the held-out sizes, all measured in turn. A dry run predicts the"
        f" peak of the very first step on tensors without data. The state was bit for bit as before after"
        f" {sum(exits)} of {len(exits)} profiles, which ended in success, an error, an interrupt, or out of memory."
    )


def _first(result: Result) -> str:
    return format_duration(result.seconds_to_first_number)


def _ends(errors: Errors) -> str:
    """At the smallest and at the largest size."""
    return " / ".join(_percent(abs(error)) for _, error in sorted(errors.time_beyond.items()))


def _both(median: float, most: float) -> str:
    return f"{_percent(median)} / {_percent(most)}"


def _percent(share: float, decimals: int = 1) -> str:
    return f"{share * 100:.{decimals}f} %"


if __name__ == "__main__":
    main()
