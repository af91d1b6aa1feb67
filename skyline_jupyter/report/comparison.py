"""PURE: two reports → what differs between them."""

import msgspec

from skyline_jupyter.report.cell_changes import cell_changes
from skyline_jupyter.report.changes import Comparison, FigureChange, HistoryEntry, Pinned, SizeChange
from skyline_jupyter.report.curve import Curves, Estimate
from skyline_jupyter.report.matching import node_changes, nodes_before
from skyline_jupyter.report.model import Report


def compare(before: Report, after: Report) -> Comparison:
    """What became of `before` in `after`; see `Comparison`."""
    one, other = before.breakdown_columns, after.breakdown_columns
    return Comparison(
        own=_at(before, before.batch_size, after, after.batch_size),
        common=_common(before, after),
        nodes=None if one is None or other is None else node_changes(one, other),
        cells=cell_changes(before.cells, after.cells),
    )


def pinned(entry: HistoryEntry, before: Report, after: Report) -> Pinned:
    """The same for the browser, which has `after`; `entry` is that of `before`."""
    one, other = before.breakdown_columns, after.breakdown_columns
    is_one_profile = before.id == after.id
    return Pinned(
        entry=entry,
        # What the peak is made of is not drawn.
        curves=None if is_one_profile else _without_parts(before),
        common=None if is_one_profile else _common(before, after),
        nodes=None if one is None or other is None or one == other else nodes_before(one, other),
        cells=cell_changes(before.cells, after.cells),
    )


def throughput_at(report: Report, batch_size: int) -> Estimate:
    """Samples per second at a size: as measured where it was, with the band of the curve."""
    estimate = report.curves.throughput(batch_size)
    measured = next((sample.throughput for sample in report.samples if sample.batch_size == batch_size), None)
    if measured is None:
        return estimate
    return Estimate(value=measured, low=min(measured, estimate.low), high=max(measured, estimate.high))


def peak_at(report: Report, batch_size: int) -> Estimate | None:
    """Bytes at the peak of a step at a size: exact where it was measured, or `None` where memory is unknown."""
    measured = next((sample.peak_bytes for sample in report.samples if sample.batch_size == batch_size), None)
    if measured is None:
        return report.curves.peak_bytes(batch_size)
    return Estimate(value=measured, low=measured, high=measured)


def _without_parts(report: Report) -> Curves:
    return msgspec.structs.replace(report.curves, peak_by_category=())


def _common(before: Report, after: Report) -> SizeChange | None:
    """At the size of `after`, or else of `before`, or else the largest that both offer."""
    smallest = max(before.range.smallest, after.range.smallest)
    largest = min(before.range.largest, after.range.largest)
    sizes = (after.batch_size, before.batch_size, largest)
    size = next((size for size in sizes if smallest <= size <= largest), None)
    return None if size is None else _at(before, size, after, size)


def _at(before: Report, before_size: int, after: Report, after_size: int) -> SizeChange:
    peaks = peak_at(before, before_size), peak_at(after, after_size)
    return SizeChange(
        before_batch_size=before_size,
        after_batch_size=after_size,
        throughput=FigureChange(before=throughput_at(before, before_size), after=throughput_at(after, after_size)),
        peak_bytes=None if peaks[0] is None or peaks[1] is None else FigureChange(before=peaks[0], after=peaks[1]),
    )
