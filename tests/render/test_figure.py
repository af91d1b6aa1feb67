"""The Plotly figure, for people who restyle it."""

import msgspec
import pytest

from skyline_jupyter.errors import ReportError
from skyline_jupyter.render.figure import curve_sizes
from skyline_jupyter.report.model import BatchRange
from tests.reports import MIB, report, sample

SAMPLES = [sample(32, 0.016, peak_bytes=132 * MIB), sample(64, 0.03, peak_bytes=164 * MIB)]


def test_it_shows_both_curves_with_the_measured_points() -> None:
    figure = report(SAMPLES).figure("curves")
    shown = {trace.name: trace for trace in figure.data if trace.name}
    assert set(shown) == {"throughput", "measured", "peak memory"}
    assert list(shown["measured"].x) == [32, 64]
    assert list(shown["measured"].y) == [2000.0, 64 / 0.03]
    assert figure.layout.xaxis.type == "log"


def test_todays_size_is_marked_where_it_is() -> None:
    figure = report(SAMPLES).figure()
    note = next(note for note in figure.layout.annotations if note.text == "now 64")
    assert 10**note.x == pytest.approx(64)  # by exponent, on a log axis
    assert figure.layout.shapes[0].x0 == 64


def test_it_shows_one_curve_where_memory_is_unknown() -> None:
    made = report(SAMPLES)
    curves = msgspec.structs.replace(made.curves, peak_bytes_knots=(), peak_bytes_source="unknown")
    names = {trace.name for trace in report(SAMPLES, curves=curves).figure().data if trace.name}
    assert names == {"throughput", "measured"}


def test_another_figure_is_refused() -> None:
    with pytest.raises(ReportError, match="There is no figure 'pie'; ask for 'curves'"):
        report(SAMPLES).figure("pie")


def test_sizes_are_evenly_spread_on_a_log_axis() -> None:
    made = report(SAMPLES, range=BatchRange(smallest=1, largest=16, reason=""))
    assert curve_sizes(made, 5) == pytest.approx([1, 2, 4, 8, 16])
    assert curve_sizes(report(SAMPLES, range=BatchRange(smallest=8, largest=8, reason=""))) == [8.0]
