"""One dashboard of a notebook: the widget under the cell, its static twin, and the side panel, kept alike."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from IPython.display import display, update_display

from skyline_jupyter.lab import LabChannel
from skyline_jupyter.magic.histories import NotebookHistory
from skyline_jupyter.render import headline, note_svg, static_svg
from skyline_jupyter.report.model import REPORT_VERSION, Report, View
from skyline_jupyter.source.model import Plan
from skyline_jupyter.widget import DashboardWidget

Request = Callable[[Mapping[str, Any]], None]


class Dashboard:
    """What a user sees of one `%%skyline`."""

    def __init__(
        self,
        *,
        kernel_id: str,
        cell_id: str | None,
        channel: LabChannel,
        on_request: Request,
        past: Callable[[], NotebookHistory],
    ) -> None:
        """Nothing is shown yet.

        Args:
            kernel_id: by which the front end knows the kernel.
            cell_id: under which the widget will stand.
            channel: leads to the side panel.
            on_request: receives what the user asks for, on any thread.
            past: what the notebook was profiled as.
        """
        self.view = View(
            version=REPORT_VERSION,
            id=uuid.uuid4().hex[:12],
            kernel_id=kernel_id,
            cell_id=cell_id,
            status="measuring",
            message="",
            progress=None,
            report=None,
            plan=None,
        )
        self._channel = channel
        self._on_request = on_request
        self._past = past
        self._widget: DashboardWidget | None = None
        self._picture: dict[str, str] = {}

    def show(
        self,
        status: str,
        message: str = "",
        *,
        progress: float | None = None,
        report: Report | None = None,
        plan: Plan | None = None,
    ) -> None:
        """Say where things stand; without a report the last one stays."""
        changes: dict[str, object] = {"status": status, "message": message, "progress": progress}
        history = self._past().history
        if report is not None:
            changes |= {"report": report, "plan": plan}
            if status == "ready" and report.samples:
                changes["pinned"] = history.compared(report)
        view = msgspec.structs.replace(self.view, history=history.entries, **changes)
        if view == self.view and self._widget is not None:
            return
        self.view = view
        if self._widget is None:
            self._open()
        else:
            self._widget.show(view)
            self._draw()
        self._channel.show(view)

    def reply(self, content: Mapping[str, object]) -> None:
        """Answer the widget, where no Lab extension does what it asks."""
        if self._widget is not None:
            self._widget.send(dict(content))

    def _open(self) -> None:
        """Two outputs: the widget, and a picture that stays when no widget lives. The live widget hides the picture."""
        self._widget = DashboardWidget()
        self._widget.show(self.view)
        self._widget.on_msg(lambda _widget, content, _buffers: self._on_request(content))
        bundle = self._widget._repr_mimebundle_()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        display({**(data or {}), "text/plain": "Skyline"}, raw=True)
        self._picture = self._static()
        display(self._picture, raw=True, display_id=self._static_id)

    def _draw(self) -> None:
        """Bring the picture up to date; not while measuring, when it would be drawn many times a second."""
        picture = self._static()
        if self.view.status != "measuring" and picture != self._picture:
            self._picture = picture
            update_display(picture, raw=True, display_id=self._static_id)

    @property
    def _static_id(self) -> str:
        return f"skyline-static-{self.view.id}"

    def _static(self) -> dict[str, str]:
        """The picture and one line of text."""
        report, message = self.view.report, f"Skyline: {self.view.message}"
        if report is None:
            return {"image/svg+xml": note_svg(message, self.view.id), "text/plain": message}
        return {"image/svg+xml": static_svg(report, self.view.id), "text/plain": headline(report)}
