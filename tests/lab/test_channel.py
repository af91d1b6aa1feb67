"""What Lab may say on its channel, and what becomes of it."""

import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from skyline_jupyter.lab import LabChannel
from skyline_jupyter.monitor import THREAD_NAME

WAIT = 30


class Line:
    """A channel whose other end is here."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.requests: list[Mapping[str, Any]] = []
        self.sent: list[Any] = []
        self.told = threading.Event()
        self.channel = LabChannel(self.requests.append, is_busy=lambda: False)
        monkeypatch.setattr(self.channel._comm, "send", self._send)

    def say(self, **data: object) -> None:
        """A message from Lab."""
        self.channel._received({"content": {"data": data}})

    def _send(self, data: Any) -> None:  # noqa: ANN401  whatever is sent
        self.sent.append(data)
        if data["type"] == "gauges" and data["gauges"]["readings"]:
            self.told.set()


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    line = Line(monkeypatch)
    yield line
    line.channel.close()
    for thread in threads():
        thread.join(WAIT)


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == THREAD_NAME]


def test_opened_gauges_are_sent_readings_as_plain_data(line: Line) -> None:
    line.say(type="gauges", viewer="page", seconds=5)
    assert line.told.wait(WAIT)
    reading = line.sent[-1]["gauges"]["readings"][0]
    assert reading["host"]["kernel_bytes"] > 0
    assert line.requests == []


def test_closed_gauges_end_the_thread(line: Line) -> None:
    line.say(type="gauges", viewer="page", seconds=0.5)
    (thread,) = threads()
    line.say(type="gauges", viewer="page", seconds=None)
    thread.join(WAIT)
    assert not thread.is_alive()


def test_the_thread_ends_with_the_channel(line: Line) -> None:
    line.say(type="gauges", viewer="page", seconds=0.5)
    (thread,) = threads()
    line.channel.close()
    thread.join(WAIT)
    assert not thread.is_alive()


def test_anything_else_is_a_request_for_the_notebook(line: Line) -> None:
    line.say(type="measure", batch_size=32)
    assert line.requests == [{"type": "measure", "batch_size": 32}]
    assert line.sent == []
