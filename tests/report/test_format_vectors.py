"""Text from the kernel shows a number as the browser does."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from skyline_jupyter.report.format import (
    format_bytes,
    format_count,
    format_duration,
    format_milliseconds,
    format_multiple,
    format_percent,
    format_throughput,
)

VECTORS = json.loads((Path(__file__).parents[1] / "fixtures" / "formats.json").read_text(encoding="utf-8"))
FORMATS: dict[str, Callable[[float], str]] = {
    "bytes": format_bytes,
    "count": format_count,
    "duration": format_duration,
    "milliseconds": format_milliseconds,
    "multiple": format_multiple,
    "percent": format_percent,
    "throughput": format_throughput,
}


def test_every_vector_belongs_to_a_format() -> None:
    assert set(VECTORS) == set(FORMATS)


@pytest.mark.parametrize(("kind", "value", "text"), [(kind, *vector) for kind in VECTORS for vector in VECTORS[kind]])
def test_a_number_reads_as_in_the_browser(kind: str, value: float, text: str) -> None:
    assert FORMATS[kind](value) == text
