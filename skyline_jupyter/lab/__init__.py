"""Messages between the kernel and the JupyterLab extension."""

from collections.abc import Callable, Mapping
from typing import Any

import comm
import msgspec

from skyline_jupyter.monitor import Poller
from skyline_jupyter.report.model import View
from skyline_jupyter.report.reading import Gauges

TARGET = "skyline_jupyter"


class LabChannel:
    """One comm for as long as the extension is loaded.

    The front end finds it again after a reload of the page. Where no Lab extension is there, it is
    closed at once by the front end, and what is sent goes nowhere.
    """

    def __init__(self, on_request: Callable[[Mapping[str, Any]], None], is_busy: Callable[[], bool]) -> None:
        """Open it.

        Args:
            on_request: receives what Lab asks, on any thread.
            is_busy: whether a cell runs, so that Lab is not heard.
        """
        self._view: View | None = None
        self._poller = Poller(self._show_gauges, is_busy=is_busy)
        self._on_request = on_request
        self._comm = comm.create_comm(target_name=TARGET, data={})
        self._comm.on_msg(self._received)

    def show(self, view: View) -> None:
        """Send the view that the side panel is to show."""
        self._view = view
        self._comm.send({"type": "view", "view": msgspec.to_builtins(view)})

    def close(self) -> None:
        """Close it."""
        self._poller.stop()
        self._comm.close()

    def _show_gauges(self, gauges: Gauges) -> None:
        """Send readings, on whichever thread they were made: a comm's messages leave while a cell runs."""
        self._comm.send({"type": "gauges", "gauges": msgspec.to_builtins(gauges)})

    def _received(self, message: Mapping[str, Any]) -> None:
        match message["content"]["data"]:
            case {"type": "hello"}:
                if self._view is not None:
                    self.show(self._view)
            case {"type": "gauges", "viewer": str(viewer), "seconds": int(seconds) | float(seconds)}:
                self._poller.watch(viewer, seconds)
            case {"type": "gauges", "viewer": str(viewer)}:
                self._poller.leave(viewer)
            case request:
                self._on_request(request)
