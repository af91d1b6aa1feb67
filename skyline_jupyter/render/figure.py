"""Plotly figures, for people who restyle."""

import math
from typing import TYPE_CHECKING, Any

from skyline_jupyter.report.comparison import peak_at
from skyline_jupyter.report.exporters import exporter
from skyline_jupyter.report.model import Report

if TYPE_CHECKING:
    import plotly.graph_objects as go

_THROUGHPUT_COLOUR = "#1967d2"
_MEMORY_COLOUR = "#b3541e"


@exporter("curves")
def curves_figure(report: Report) -> "go.Figure":
    """Throughput and peak memory against batch size, with the measured points and the limit."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    figure = make_subplots(specs=[[{"secondary_y": True}]])
    for trace in (*_throughput_traces(report), *_memory_traces(report)):
        secondary = trace.pop("secondary")
        figure.add_trace(go.Scatter(trace), secondary_y=secondary)
    figure.add_vline(report.batch_size, line_dash="dot")
    # On a log axis Plotly places lines by value and annotations by exponent.
    figure.add_annotation(
        x=math.log10(report.batch_size),
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"now {report.batch_size:,}",
        showarrow=False,
    )
    figure.add_hline(report.limit_bytes, secondary_y=True, line_dash="dash", annotation_text="limit")
    figure.update_xaxes(title="batch size", type="log")
    figure.update_yaxes(title="samples/s", rangemode="tozero", secondary_y=False)
    peaks = [peak.value for sample in report.samples if (peak := peak_at(report, sample.batch_size)) is not None]
    figure.update_yaxes(title="peak memory (bytes)", range=[0, 1.1 * max(peaks, default=1)], secondary_y=True)
    figure.update_layout(title=report.findings[0].statement if report.findings else None)
    return figure


def curve_sizes(report: Report, count: int = 60) -> list[float]:
    """Batch sizes, evenly spread on a log axis, over the range on offer."""
    low, high = report.range.smallest, report.range.largest
    if high <= low:
        return [float(low)]
    return [low * (high / low) ** (index / (count - 1)) for index in range(count)]


def _throughput_traces(report: Report) -> list[dict[str, Any]]:
    if not report.samples:
        return []
    sizes = curve_sizes(report)
    estimates = [report.curves.throughput(size) for size in sizes]
    band = {"mode": "lines", "line_width": 0, "hoverinfo": "skip", "showlegend": False, "secondary": False}
    fill = {"fill": "tonexty", "fillcolor": "rgba(25,103,210,0.15)"}
    return [
        {"x": sizes, "y": [e.low for e in estimates], **band},
        {"x": sizes, "y": [e.high for e in estimates], **band, **fill},
        {
            "x": sizes,
            "y": [e.value for e in estimates],
            "name": "throughput",
            "line_color": _THROUGHPUT_COLOUR,
            "secondary": False,
        },
        {
            "x": [sample.batch_size for sample in report.samples],
            "y": [sample.throughput for sample in report.samples],
            "name": "measured",
            "mode": "markers",
            "marker_color": _THROUGHPUT_COLOUR,
            "secondary": False,
        },
    ]


def _memory_traces(report: Report) -> list[dict[str, Any]]:
    if not report.curves.peak_bytes_knots:
        return []
    sizes = curve_sizes(report)
    peaks = [report.curves.peak_bytes(size) for size in sizes]
    line = {"x": sizes, "y": [peak.value for peak in peaks if peak], "name": "peak memory"}
    return [{**line, "line_color": _MEMORY_COLOUR, "secondary": True}]
