"""The dashboard under a cell: a thin shell around the view bundle."""

from pathlib import Path
from typing import ClassVar

import anywidget
import msgspec
import traitlets

from skyline_jupyter.report.model import View

_STATIC = Path(__file__).parent.parent / "static"


class DashboardWidget(anywidget.AnyWidget):
    """Shows one `View`; everything that moves under the hand happens in the browser."""

    _esm: ClassVar[Path] = _STATIC / "widget.js"
    _css: ClassVar[Path] = _STATIC / "widget.css"
    view_json = traitlets.Unicode("").tag(sync=True)

    def show(self, view: View) -> None:
        """Replace what is shown."""
        self.view_json = msgspec.json.encode(view).decode()
