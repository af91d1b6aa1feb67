"""`python -m tests.benchmarks.figures`: the figures of build/bench.json, written into the README between two marks."""

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from skyline_jupyter.report.format import format_bytes, format_duration
from tests.benchmarks.measures import Result

ROOT = Path(__file__).parents[2]
BEGIN, END = "<!-- figures: written by `make figures` -->\n", "<!-- end of figures -->\n"
_HEADINGS = (
    "training",
    "memory: largest error (was)",
    "time: median / 95th percentile error (was)",
    "noise",
    "steps (was)",
    "one profile",
)


def main() -> None:
    """Write them."""
    bench = msgspec.json.decode((ROOT / "build" / "bench.json").read_bytes())
    results = msgspec.convert(bench["trainings"], list[Result])
    readme = ROOT / "README.md"
    readme.write_text(
        with_figures(readme.read_text(encoding="utf-8"), figures(bench["machine"], results)), encoding="utf-8"
    )
    sys.stdout.write(f"{len(results)} trainings in {readme.name}\n")


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
        _both(result.noise_median, result.noise_95th),
        f"{ours.steps} ({was.steps})",
        f"{format_duration(result.profile_seconds)}, first numbers after {_first(result)}",
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
        f" sizes up to four times it; time at sizes held out between a quarter and four times today's; noise is the"
        f" difference between two series of those, all measured in turn. The state was bit for bit as before after"
        f" {sum(exits)} of {len(exits)} profiles, which ended in success, an error, an interrupt, or out of memory."
    )


def _first(result: Result) -> str:
    return format_duration(result.seconds_to_first_number)


def _both(median: float, most: float) -> str:
    return f"{_percent(median)} / {_percent(most)}"


def _percent(share: float, decimals: int = 1) -> str:
    return f"{share * 100:.{decimals}f} %"


if __name__ == "__main__":
    main()
