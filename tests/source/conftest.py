"""The command line that cells see is that of a kernel, whatever a cell before has made of it."""

import sys

import pytest


@pytest.fixture(autouse=True)
def kernels_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back after each test."""
    monkeypatch.setattr(sys, "argv", ["ipykernel_launcher.py", "-f", "kernel.json"])
