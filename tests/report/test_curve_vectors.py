"""The kernel evaluates curves to the same numbers as the browser does."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from skyline_jupyter.report.curve import Curves

VECTORS = json.loads((Path(__file__).parents[1] / "fixtures" / "curves.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["why"])
def test_a_curve_meets_the_vector(case: dict[str, Any]) -> None:
    curves = msgspec.convert(VECTORS["curves"][case["curve"]], Curves)
    size = case["batch_size"]
    found = {
        "step_seconds": curves.step_seconds(size),
        "throughput": curves.throughput(size),
        "peak_bytes": curves.peak_bytes(size),
    }
    assert msgspec.to_builtins(found) == {name: case[name] for name in found}
