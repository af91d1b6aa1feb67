"""The kernel's own interrupt while a profile is being taken: the cell ends, and everything is as it was."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("interrupting.py")
WATCHED, WARMING_UP, AT_OTHER_SIZES = "1", "4", "12"
"""Steps of a profile."""


@pytest.mark.slow
def test_an_interrupt_ends_the_cell_and_leaves_everything_as_it_was() -> None:
    steps = [WATCHED, WARMING_UP, AT_OTHER_SIZES]
    done = subprocess.run([sys.executable, PROGRAM, *steps], capture_output=True, check=True)

    assert json.loads(done.stdout) == [["KeyboardInterrupt", "ok"], ["Interrupted", "ok"], ["Interrupted", "ok"]]
