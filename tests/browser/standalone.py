"""The widget alone on an empty page, as front ends without JupyterLab have it: what a test shows it, it draws."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Locator, Page, Route

from skyline_jupyter.report.model import View

STATIC = Path(__file__).parents[2] / "skyline_jupyter" / "static"
ORIGIN = "http://skyline.test/"
DOCUMENT = """<!doctype html>
<html lang="en"><head><title>Skyline</title><meta charset="utf-8"><link rel="stylesheet" href="widget.css"></head>
<body style="margin: 12px"><main><h1>A notebook</h1><div id="output"></div></main></body></html>"""

# anywidget's model, as far as the widget uses it, and a page that answers each request at once.
START = """async () => {
  const { default: widget } = await import('./widget.js');
  const listeners = new Set();
  let json = '';
  const model = {
    get: () => json,
    on: (name, listener) => name === 'change:view_json' && listeners.add(listener),
    off: (name, listener) => listeners.delete(listener),
    send: message => window.skyline.sent.push(message),
  };
  const output = document.getElementById('output');
  let stop = () => {};
  window.skyline = {
    sent: [],
    outcome: { kind: 'applied' },
    listening: () => listeners.size,
    show: text => { json = text; listeners.forEach(listener => listener()); },
    render: text => { json = text; stop = widget.render({ model, el: output }); },
    remove: () => stop(),
  };
  document.addEventListener('skyline:apply', event => {
    event.preventDefault();
    event.detail.settle(window.skyline.outcome);
  });
}"""


class Standalone:
    """A page with one widget on it."""

    def __init__(self, page: Page) -> None:
        """Load the widget's module; nothing is shown yet."""
        self.page = page
        page.route(f"{ORIGIN}**", _serve)
        page.goto(ORIGIN)
        page.evaluate(START)

    def render(self, view: View) -> None:
        """Make the widget, with a view."""
        self._call("render", msgspec.json.encode(view).decode())

    def show(self, view: View) -> None:
        """A newer view for the widget."""
        self._call("show", msgspec.json.encode(view).decode())

    def remove(self) -> None:
        """Take the widget off the page."""
        self._call("remove", None)

    def unfold(self) -> None:
        """Open everything that can be opened."""
        unfold(self.page)

    def answer(self, outcome: Mapping[str, object]) -> None:
        """What the notebook answers to the next requests."""
        self.page.evaluate("outcome => { window.skyline.outcome = outcome; }", dict(outcome))

    def asked(self) -> int:
        """The batch size that the widget asked the kernel to measure last, once it has."""
        self.page.wait_for_function("() => window.skyline.sent.length > 0")
        batch_size: int = self.page.evaluate("() => window.skyline.sent.splice(0).at(-1).batch_size")
        return batch_size

    def handle(self) -> Locator:
        """The handle on the batch size."""
        return self.page.locator(".skyline-handle")

    def handle_at(self) -> tuple[float, float]:
        """The middle of the handle on the page, in pixels."""
        box = self.handle().bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _call(self, name: str, argument: object) -> Any:  # noqa: ANN401 - whatever JSON the page answers
        return self.page.evaluate("([name, argument]) => window.skyline[name](argument)", [name, argument])


def unfold(page: Page) -> None:
    """Open everything in the dashboards of a page that can be opened."""
    folded = page.locator(".skyline-root details:not([open]) > summary")
    while folded.count() > 0:
        folded.first.click()


def _serve(route: Route) -> None:
    name = route.request.url.removeprefix(ORIGIN)
    if name in ("widget.js", "widget.css"):
        route.fulfill(path=STATIC / name)
    else:
        route.fulfill(body=DOCUMENT, content_type="text/html")
