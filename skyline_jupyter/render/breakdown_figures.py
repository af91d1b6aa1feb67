"""Plotly figures of the breakdown, for people who restyle: the step as an icicle, and its memory over time."""

from typing import TYPE_CHECKING

from skyline_jupyter.report.breakdown import Breakdown, Timeline
from skyline_jupyter.report.exporters import exporter
from skyline_jupyter.report.format import format_bytes, format_milliseconds
from skyline_jupyter.report.model import MEMORY_CATEGORIES, Report
from skyline_jupyter.report.stacking import rows, shapes_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

_DEPTH = 5
_COLOURS = {
    "step": "#d5d9dd",
    "phase": "#d7cafa",
    "module": "#b1c9eb",
    "scope": "#d7cafa",
    "optimizer": "#f0c580",
    "graph": "#b1c9eb",
    "operator": "#99c9c4",
    "rest": "#e6e8eb",
}
"""By kind of node, as in the dashboard."""
_CATEGORY_COLOURS = {
    "weights": "#7c4a1e",
    "optimizer_state": "#a9743f",
    "gradients": "#cf9a5b",
    "inputs": "#8f9aa5",
    "activations": "#c25a1c",
    "temporaries": "#c3ccd4",
}
"""From what stays longest to what goes first: the order in which it is stacked, as in the dashboard."""
_MIB = 2**20
_HOVER = "%{label}<br>%{value:.3f} ms, %{percentRoot:.1%} of the step<br>%{customdata}<extra></extra>"


@exporter("breakdown")
def breakdown_figure(report: Report) -> "go.Figure":
    """The step from module to operator, by time; repeated blocks in one box. A click goes into a box."""
    import plotly.graph_objects as go

    breakdown = report.breakdown_columns
    assert breakdown is not None
    boxes = _Boxes(breakdown)
    boxes.add("", "step", (0,))
    icicle = go.Icicle(
        ids=boxes.ids,
        labels=boxes.labels,
        parents=boxes.parents,
        values=[1e3 * seconds for seconds in boxes.values],
        customdata=boxes.parts,
        branchvalues="total",
        maxdepth=_DEPTH,
        marker={"colors": boxes.colours},
        textinfo="label+percent root",
        textfont={"color": "#1f2328"},
        tiling={"orientation": "v"},
        root={"color": "rgba(0,0,0,0)"},
        hovertemplate=_HOVER,
        sort=False,
    )
    figure = go.Figure(icicle)
    step = format_milliseconds(breakdown.cost.step_seconds)
    title = f"One step at batch size {breakdown.batch_size:,}: {step}"
    margin, small = {"t": 50, "l": 0, "r": 0, "b": 10}, {"minsize": 10, "mode": "hide"}
    figure.update_layout(title=title, margin=margin, uniformtext=small)
    return figure


@exporter("memory")
def memory_figure(report: Report) -> "go.Figure":
    """Live bytes over the step, by category, with the peak."""
    import plotly.graph_objects as go

    timeline = report.timeline
    assert timeline is not None
    milliseconds = [1e3 * seconds for seconds in timeline.seconds]
    figure = go.Figure()
    for name, colour in _CATEGORY_COLOURS.items():
        sizes = [size / _MIB for size in getattr(timeline, f"{name}_bytes")]
        if any(sizes):
            line = {"shape": "hv", "width": 0, "color": colour}
            area = {"name": name.replace("_", " "), "stackgroup": "memory", "fillcolor": colour}
            figure.add_scatter(x=milliseconds, y=sizes, line=line, hovertemplate="%{y:,.2f} MiB", **area)
    peak = peak_bytes(timeline)
    text = f"peak {format_bytes(peak)}"
    figure.add_annotation(x=milliseconds[timeline.peak], y=peak / _MIB, text=text, yanchor="bottom")
    figure.update_layout(title="Memory over the step", hovermode="x unified")
    figure.update_xaxes(title="ms since the step began")
    figure.update_yaxes(title="live tensor memory (MiB)", rangemode="tozero")
    return figure


def peak_bytes(timeline: Timeline) -> int:
    """The most that was live at once."""
    return sum(getattr(timeline, f"{name}_bytes")[timeline.peak] for name in MEMORY_CATEGORIES)


class _Boxes:
    """The rows of the icicle, from the step down."""

    def __init__(self, breakdown: Breakdown) -> None:
        self.ids: list[str] = []
        self.labels: list[str] = []
        self.parents: list[str] = []
        self.values: list[float] = []
        self.parts: list[str] = []
        self.colours: list[str] = []
        self._breakdown = breakdown
        self._shapes = shapes_of(breakdown)

    def add(self, parent: str, label: str, nodes: tuple[int, ...]) -> float:
        """A box for nodes that are alike, and those below the first of them; returns its value."""
        columns, ticks = self._breakdown.nodes, self._breakdown.ticks_per_second
        place, identity = len(self.ids), f"{parent}/{nodes[0]}"
        forward = sum(columns.forward_ticks[node] for node in nodes) / ticks
        backward = sum(columns.backward_ticks[node] for node in nodes) / ticks
        self.ids.append(identity)
        self.labels.append(label)
        self.colours.append(_COLOURS[self._breakdown.kinds[columns.kind[nodes[0]]]])
        self.parents.append(parent)
        self.values.append(forward + backward)
        self.parts.append(f"forward {1e3 * forward:.3f} ms, backward {1e3 * backward:.3f} ms")
        below = self._below(identity, nodes)
        # Rounded parts may exceed their sum by a nanosecond, which Plotly answers with an empty picture.
        self.values[place] = max(self.values[place], below)
        return self.values[place]

    def _below(self, identity: str, nodes: tuple[int, ...]) -> float:
        """The children of a box: those at the same place in each of its nodes are one."""
        children = [rows(self._breakdown, node, self._shapes) for node in nodes]
        return sum(
            self.add(identity, same[0].label, tuple(node for row in same for node in row.nodes))
            for same in zip(*children, strict=True)
        )
