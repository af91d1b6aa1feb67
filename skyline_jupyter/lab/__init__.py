"""Messages between the kernel and the JupyterLab extension."""

from collections.abc import Callable, Mapping
from typing import Any

import comm
import msgspec

from skyline_jupyter.report.model import View

TARGET = "skyline_jupyter"


class LabChannel:
    """One comm for as long as the extension is loaded.

    The front end finds it again after a reload of the page. Where no Lab extension is there, it is
    closed at once by the front end, and what is sent goes nowhere.
    """

    def __init__(self, on_request: Callable[[Mapping[str, Any]], None]) -> None:
        """Open it; `on_request` receives what Lab asks, on any thread."""
        self._view: View | None = None
        self._on_request = on_request
        self._comm = comm.create_comm(target_name=TARGET, data={})
        self._comm.on_msg(self._received)

    def show(self, view: View) -> None:
        """Send the view that the side panel is to show."""
        self._view = view
        self._comm.send({"type": "view", "view": msgspec.to_builtins(view)})

    def close(self) -> None:
        """Close it."""
        self._comm.close()

    def _received(self, message: Mapping[str, Any]) -> None:
        request = message["content"]["data"]
        if request.get("type") != "hello":
            self._on_request(request)
        elif self._view is not None:
            self.show(self._view)
