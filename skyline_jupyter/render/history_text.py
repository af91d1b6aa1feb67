"""A notebook's profiles as a table, and what differs between two of them, for a terminal and for `print`."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo

from skyline_jupyter.report.changes import CellChange, Comparison, FigureChange, HistoryEntry, NodeChange, SizeChange
from skyline_jupyter.report.exporters import exporter
from skyline_jupyter.report.format import (
    format_bytes,
    format_count,
    format_milliseconds,
    format_percent,
    format_throughput,
)

_MOST_NODES = 10


def history_text(entries: Sequence[HistoryEntry], pinned: str | None, zone: tzinfo | None = None) -> str:
    """A row for each entry, numbered as given.

    Args:
        entries: the newest first.
        pinned: the id of the one that the others are compared with.
        zone: in which the times are told; `None` for that of this machine.
    """
    if not entries:
        return "Nothing was profiled yet. Put %%skyline on the cell that trains, and run it."
    head = f"{'#':>2}  {'measured':<16}  {'batch size':>10}  {'throughput':>12}  {'peak memory':>12}  model"
    return "\n".join([head, *(_row(number, entry, pinned, zone) for number, entry in enumerate(entries, 1))])


def _row(number: int, entry: HistoryEntry, pinned: str | None, zone: tzinfo | None) -> str:
    when = f"{datetime.fromisoformat(entry.created).astimezone(zone):%Y-%m-%d %H:%M}"
    throughput = format_throughput(entry.throughput.value)
    peak = "unknown" if entry.peak_bytes is None else format_bytes(entry.peak_bytes)
    mark = "  (pinned)" if entry.id == pinned else ""
    size = format_count(entry.batch_size)
    return f"{number:>2}  {when}  {size:>10}  {throughput:>12}  {peak:>12}  {entry.model}{mark}"


@exporter("comparison")
def comparison_text(comparison: Comparison) -> str:
    """What changed: the figures, the nodes that changed most, the code."""
    lines = [*_figures(comparison.own), *_common(comparison), *_nodes(comparison.nodes)]
    for cell in comparison.cells:
        lines += ["", _cell(cell), *cell.lines]
    return "\n".join(lines)


def _common(comparison: Comparison) -> Iterator[str]:
    if comparison.common is None:
        yield "The two offer no batch size that both know."
    elif comparison.common != comparison.own:
        yield from _figures(comparison.common)


def _figures(change: SizeChange) -> Iterator[str]:
    before, after = format_count(change.before_batch_size), format_count(change.after_batch_size)
    sizes = before if before == after else f"{before} → {after}"
    yield f"At batch size {sizes}: throughput {_figure(change.throughput, format_throughput)}"
    if change.peak_bytes is not None:
        yield f"    peak memory {_figure(change.peak_bytes, format_bytes)}"


def _figure(change: FigureChange, words: Callable[[float], str]) -> str:
    if change.before.value == change.after.value:
        return f"{words(change.after.value)}, as before"
    figures = f"{words(change.before.value)} → {words(change.after.value)}"
    if change.within_noise:
        return f"{figures}, no difference within the noise"
    return figures if change.share is None else f"{figures} ({_signed_percent(change.share)})"


def _signed_percent(share: float) -> str:
    return f"{'−' if share < 0 else '+'}{format_percent(abs(share))}"


def _nodes(nodes: Sequence[NodeChange] | None) -> Iterator[str]:
    """Those whose time changed most."""
    if nodes is None:
        return
    changed = sorted((node for node in nodes[1:] if node.seconds), key=lambda node: -abs(node.seconds))
    for node in changed[:_MOST_NODES]:
        sign = "−" if node.seconds < 0 else "+"
        how = {(True, False): " (new)", (False, True): " (gone)"}.get(
            (node.before_seconds is None, node.after_seconds is None), ""
        )
        yield f"  {sign + format_milliseconds(abs(node.seconds)):>12}  {node.path}{how}"


def _cell(change: CellChange) -> str:
    if change.before_count is None:
        return f"Cell [{change.after_count}], new:"
    if change.after_count is None:
        return f"Cell [{change.before_count}], gone:"
    return f"Cell [{change.after_count}], then [{change.before_count}]:"
