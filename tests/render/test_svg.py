"""The picture in a saved notebook: well-formed, with all that it must say inside its frame."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import msgspec
import pytest

from skyline_jupyter.findings import advise
from skyline_jupyter.render import note_svg, static_svg
from skyline_jupyter.render.ticks import byte_ticks, number_ticks, size_ticks
from skyline_jupyter.report.model import BatchRange, DeviceFacts, Report
from tests.reports import GIB, MIB, report, sample

SVG = "{http://www.w3.org/2000/svg}"
SAMPLES = [sample(size, 0.0034 + 0.00042 * size, peak_bytes=(100 + size) * MIB) for size in (16, 32, 64, 128, 256)]


def advised(made: Report) -> Report:
    return msgspec.structs.replace(made, findings=advise(made))


def drawn(made: Report) -> ET.Element:
    return ET.fromstring(static_svg(made, "abc"))  # noqa: S314  our own picture


def texts(picture: ET.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def whole() -> Report:
    return advised(report(SAMPLES))


def over_budget() -> Report:
    budget = msgspec.structs.replace(report(SAMPLES).limit, limit_bytes=150 * MIB, margin_bytes=0, budget=True)
    return advised(report(SAMPLES, limit=budget, max_batch_size=50))


def one_size() -> Report:
    known = report(SAMPLES).curves
    curves = msgspec.structs.replace(
        known, step_seconds_knots=known.step_seconds_knots[:1], peak_bytes_knots=(), peak_bytes_source="unknown"
    )
    only = BatchRange(smallest=64, largest=64, reason="only today's size was measured")
    return advised(report([sample(64, 0.1)], range=only, curves=curves, max_batch_size=None))


def with_marks() -> Report:
    made = report(SAMPLES, device=DeviceFacts(kind="cpu", name="A <fast> & 'odd' \"processor\"", capacity_bytes=GIB))
    return advised(
        msgspec.structs.replace(made, step=msgspec.structs.replace(made.step, model="net (" + "VeryLong" * 40 + ")"))
    )


REPORTS: dict[str, Callable[[], Report]] = {
    "whole": whole,
    "over budget": over_budget,
    "one size": one_size,
    "with marks": with_marks,
    "without findings": lambda: report(SAMPLES),
    "few sizes": lambda: advised(report([sample(9, 0.1), sample(12, 0.12)], batch_size=9)),
}


@pytest.mark.parametrize("name", list(REPORTS))
def test_it_is_well_formed_and_stays_inside_its_frame(name: str) -> None:
    picture = drawn(REPORTS[name]())
    width, height = float(picture.get("width", "")), float(picture.get("height", ""))
    assert (picture.tag, picture.get("id"), width) == (f"{SVG}svg", "skyline-static-abc", 720.0)
    for text in picture.iter(f"{SVG}text"):
        begin, end = extent(text)
        assert begin >= 0, text.text
        assert end <= width, text.text
        assert 0 < float(text.get("y", "")) < height
    for path in picture.iter(f"{SVG}path"):
        assert all(0 <= float(y) <= height for y in re.findall(r",([-\d.]+)", path.get("d", "")))


def extent(text: ET.Element) -> tuple[float, float]:
    """From where to where a text reaches, in a font whose characters are 0.6 of its size wide on average."""
    length = len(text.text or "") * float(text.get("font-size", "")) * 0.6
    x = float(text.get("x", ""))
    begin = x - {"start": 0.0, "middle": length / 2, "end": length}[text.get("text-anchor", "")]
    return begin, begin + length


def test_it_says_what_counts() -> None:
    said = texts(drawn(whole()))
    assert said[:2] == [
        "Compute-bound. None of the 5 sizes measured gives more than 1.1× the throughput.",
        "net (DigitsNet) · A processor",
    ]
    assert {"now 64", "batch size", "throughput (samples/s)", "peak memory", "2,000", "256 MiB"} <= set(said)
    assert said[-1] == (
        "Memory limit 12 GiB (what was free on the device, less a margin) · largest size that fits: 12,188"
    )


def test_a_limit_within_the_chart_is_drawn_and_named() -> None:
    said = texts(drawn(over_budget()))
    assert "memory limit 150 MiB" in said
    assert said[-1] == "Memory limit 150 MiB (your budget) · largest size that fits: 50"


def test_a_long_verdict_goes_on_in_a_second_line() -> None:
    statement = "Partly overhead-bound. " + "A long sentence goes on and on. " * 4
    finding = msgspec.structs.replace(whole().findings[0], statement=statement.strip())
    said = texts(drawn(report(SAMPLES, findings=(finding,))))
    assert said[0].startswith("Partly overhead-bound. A long sentence")
    assert " ".join(said[:2]) == statement.strip()


def test_every_sample_is_a_point() -> None:
    assert len(list(drawn(whole()).iter(f"{SVG}circle"))) == 5 + 5  # throughput and memory


def test_unknown_memory_is_not_drawn() -> None:
    assert "peak memory" not in texts(drawn(one_size()))


def test_a_note_is_one_line_of_text() -> None:
    note = ET.fromstring(note_svg("Model `net` <noted> & kept.", "abc"))  # noqa: S314  our own picture
    assert (note.get("id"), note.get("height")) == ("skyline-static-abc", "24")
    assert texts(note) == ["Model `net` <noted> & kept."]


def test_a_long_note_is_shortened_and_kept_whole_for_screen_readers() -> None:
    note = ET.fromstring(note_svg("word " * 60, "abc"))  # noqa: S314  our own picture
    (text,) = texts(note)
    assert len(text) <= 108
    assert text.endswith("…")
    assert note.findtext(f"{SVG}title") == "word " * 60


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (2345.0, [0, 500, 1000, 1500, 2000]),
        (4.2, [0, 1, 2, 3, 4]),
        (0.9, [0, 0.2, 0.4, 0.6, 0.8]),
        (100.0, [0, 20, 40, 60, 80, 100]),
        (77.0, [0, 20, 40, 60]),
        (12345.0, [0, 5000, 10000]),
    ],
)
def test_ticks_of_numbers_are_round(most: float, ticks: list[float]) -> None:
    assert number_ticks(most) == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (1.1 * GIB, [0, GIB / 2, GIB]),
        (356 * MIB, [0, 128 * MIB, 256 * MIB]),
        (8.9 * GIB, [0, 4 * GIB, 8 * GIB]),
        (3.0, [0, 1, 2, 3]),
    ],
)
def test_ticks_of_bytes_are_round_in_binary_units(most: float, ticks: list[float]) -> None:
    assert byte_ticks(most) == ticks


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(8, 100, [8, 16, 32, 64]), (9, 12, [9, 12]), (64, 64, [64]), (1, 2**14, [2**n for n in range(0, 15, 2)])],
)
def test_ticks_of_sizes_are_powers_of_two(low: int, high: int, ticks: list[int]) -> None:
    assert size_ticks(low, high) == ticks
