"""Live gauges in a real kernel."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).with_name("gauging.py")
# It starts a kernel.
pytestmark = [pytest.mark.slow]


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What the program was told."""
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, check=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_readings_arrive_while_a_cell_runs(told: dict[str, Any]) -> None:
    moments = [reading["at"] for reading in told["during"]]
    assert len(moments) >= 3
    assert moments == sorted(moments)


def test_the_memory_that_the_cell_takes_is_seen_before_the_cell_ends(told: dict[str, Any]) -> None:
    before, during = (reading["host"]["kernel_bytes"] for reading in (told["before"], told["during"][-1]))
    assert during - before > 240 * 2**20  # of 256 MiB


def test_the_thread_lives_from_the_first_viewer_to_the_last(told: dict[str, Any]) -> None:
    assert told["threads"] == [0, 1, 0]
