"""A user's standard error holds nothing that the trace made torch say, and all that others say."""

import os

import pytest

from skyline_jupyter.trace.hushed import hushed
from skyline_jupyter.trace.kernels import Kernels


@pytest.mark.filterwarnings("ignore:CUDA is not available")
def test_a_profiler_that_is_started_and_stopped_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    watched = Kernels(lambda: None)
    watched.begin()
    watched.end()
    assert capfd.readouterr().err == ""


def test_what_others_say_meanwhile_comes_after(capfd: pytest.CaptureFixture[str]) -> None:
    with hushed():
        os.write(2, b"USDT:2026-11-30 SyncActivityProfilerHandler.cpp:52] profiler_start\nout of paper\n")
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "out of paper\n"


def test_without_a_standard_error_there_is_nothing_to_keep_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_: int) -> int:
        raise OSError

    monkeypatch.setattr(os, "dup", closed)
    with hushed():
        pass
