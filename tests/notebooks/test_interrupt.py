"""The kernel's own interrupt while a profile is being taken: the cell ends, and everything is as it was."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("interrupting.py")


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_an_interrupt_ends_the_cell_and_leaves_everything_as_it_was() -> None:
    done = subprocess.run([sys.executable, PROGRAM, "0.2", "0.7", "1.5"], capture_output=True, check=True)

    outcomes = json.loads(done.stdout)
    assert {ended for ended, _ in outcomes} <= {"KeyboardInterrupt", "Interrupted"}
    assert [state for _, state in outcomes] == ["ok", "ok", "ok"]
