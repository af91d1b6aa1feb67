"""The report in words: one line where the widget cannot live, a few for a terminal."""

from collections.abc import Mapping

from skyline_jupyter.render.breakdown_text import breakdown_text
from skyline_jupyter.report.comparison import peak_at
from skyline_jupyter.report.exporters import exporter
from skyline_jupyter.report.format import (
    format_bytes,
    format_count,
    format_duration,
    format_milliseconds,
    format_multiple,
    format_percent,
    format_throughput,
)
from skyline_jupyter.report.model import Finding, Report, Sample, Shape, Step


def headline(report: Report) -> str:
    """One line: the verdict and today's numbers."""
    verdict = report.findings[0].statement if report.findings else "Measured."
    now = next((sample for sample in report.samples if sample.batch_size == report.batch_size), None)
    if now is None:
        todo = report.findings[0].next_step if report.findings else ""
        return f"Skyline: {verdict} {todo}".rstrip()
    memory = "" if now.peak_bytes is None else f", peak memory {format_bytes(now.peak_bytes)}"
    return (
        f"Skyline: {verdict} At batch size {format_count(now.batch_size)}: {format_throughput(now.throughput)}{memory}."
    )


@exporter("text")
def report_text(report: Report) -> str:
    """The whole report, a line a fact."""
    lines = [
        headline(report),
        f"{report.step.model} on {report.device.name} · {_place(report.step)}",
        *(f"{finding.evidence}{_next_step(report, finding)}" for finding in report.findings[:1]),
        *(_hint(finding) for finding in report.findings[1:]),
        "",
        *_table(report),
        *_shape(report.shape),
        *_memory(report),
        _limit(report),
        _state(report),
        *breakdown_text(report.breakdown_columns),
        *(f"Note: {warning}" for warning in report.warnings),
    ]
    return "\n".join(lines)


def _next_step(report: Report, verdict: Finding) -> str:
    """Of the verdict, where the headline does not say it."""
    said = verdict.next_step in headline(report)
    return "" if said or not verdict.next_step else f" {verdict.next_step}"


def _hint(finding: Finding) -> str:
    """What to do, with what it can bring."""
    most = "" if finding.gain is None else f" At most {format_multiple(finding.gain)} the throughput."
    return f"To do: {finding.statement} {finding.evidence} {finding.next_step}{most}"


def _table(report: Report) -> tuple[str, ...]:
    """The sizes that were measured."""
    if not report.samples:
        return ()
    head = f"{'batch size':>10}  {'step':>10}  {'throughput':>12}  {'peak memory':>12}"
    return (head, *(_row(report, sample) for sample in report.samples), "")


def _row(report: Report, sample: Sample) -> str:
    peak = peak_at(report, sample.batch_size)
    memory = "unknown" if peak is None else format_bytes(round(peak.value))
    step, throughput = format_milliseconds(sample.step_seconds), format_throughput(sample.throughput)
    row = f"{format_count(sample.batch_size):>10}  {step:>10}  {throughput:>12}  {memory:>12}"
    if sample.step_seconds_spread is not None:
        row += f"  ± {format_percent(sample.step_seconds_spread / sample.step_seconds)}"
    return row if peak is None or sample.peak_bytes is not None else f"{row}  (memory predicted)"


def _limit(report: Report) -> str:
    largest = "unknown" if report.max_batch_size is None else format_count(report.max_batch_size)
    limit = report.limit
    if limit.budget:
        return f"Limit {format_bytes(limit.limit_bytes)} (as asked for) · largest batch size that fits: {largest}"
    taken = {
        "others": limit.others_bytes,
        "this process": limit.process_bytes or 0,
        "fragmentation": limit.fragmentation_bytes,
        "margin": limit.margin_bytes,
    }
    less = ", ".join(f"{name} {format_bytes(size)}" for name, size in taken.items() if size)
    capacity = format_bytes(report.device.capacity_bytes)
    of = f" of {capacity} (less {less})" if less else f" of {capacity}"
    return f"Limit {format_bytes(limit.limit_bytes)}{of} · largest batch size that fits: {largest}"


def _shape(shape: Shape | None) -> tuple[str, ...]:
    """What the curve of the step time amounts to."""
    if shape is None:
        return ()
    facts = [
        f"Most {format_throughput(shape.most)} at batch size {format_count(shape.most_batch_size)}",
        f"nearly all of it (95 %) from {format_count(shape.knee)}",
        f"floor {format_milliseconds(shape.floor_seconds)} a step",
    ]
    if shape.seconds_per_sample is not None and shape.asymptote is not None:
        slope, most = format_milliseconds(shape.seconds_per_sample), format_throughput(shape.asymptote)
        facts.append(f"then {slope} a sample: {most} at most")
    if shape.error is not None:
        facts.append(f"fit {shape.quality} (left out, a size is off by {format_percent(shape.error)})")
    return (" · ".join(facts),)


def _memory(report: Report) -> tuple[str, ...]:
    """What today's peak is made of."""
    now = next((sample for sample in report.samples if sample.batch_size == report.batch_size), None)
    if now is None:
        parts = _parts(report.curves.peak_bytes_by_category(report.batch_size))
        return (f"Predicted peak at {format_count(report.batch_size)}: {' · '.join(parts)}",) if parts else ()
    if now.peak_bytes is None or not now.peak_by_category:
        return ()
    parts = _parts({part.category: part.size_bytes for part in now.peak_by_category})
    if now.workspace_bytes:
        parts.append(f"beside them workspace {format_bytes(now.workspace_bytes)}")
    if now.first_step_peak_bytes is not None:
        parts.append(f"peak of the very first step {format_bytes(now.first_step_peak_bytes)}")
    return (f"Peak at {format_count(now.batch_size)}: {' · '.join(parts)}",)


def _parts(split: Mapping[str, int]) -> list[str]:
    return [f"{category.replace('_', ' ')} {format_bytes(size)}" for category, size in split.items() if size]


def _state(report: Report) -> str:
    cost = f"{format_count(report.cost.steps)} steps, {format_duration(report.cost.seconds)}"
    if report.cost.first_look_seconds is not None:
        cost += f", and {format_duration(report.cost.first_look_seconds)} for a first look"
    if report.state_proof.identical:
        return f"State unchanged ({format_count(report.state_proof.tensors)} tensors compared) · cost {cost}"
    return f"Cost {cost} · state: " + " ".join(report.state_proof.differences)


def _place(step: Step) -> str:
    """Where the step stands; a function of a script stands in no cell."""
    return f"cell [{step.execution_count}], line {step.line}" if step.execution_count else f"line {step.line}"
