"""What the dashboard costs the browser: from a pointer's move to the frame, to the first paint, and in bytes."""

import gzip
import statistics
from collections.abc import Sequence

import msgspec
from playwright.sync_api import Browser, Locator, Page

from skyline_jupyter.report.format import format_milliseconds
from tests.browser.chromium import chromium
from tests.browser.standalone import STATIC, Standalone
from tests.browser.states import PLAN, deep_breakdown, full_report, view

MOVES, PAINTS = 240, 7
WIDTH, HEIGHT = 1000, 1000

# A move is timed from its first listener until the frame that follows it has been handed to the compositor.
LISTEN = """() => {
  window.moves = [];
  addEventListener('pointermove', () => {
    const begun = performance.now();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.moves.push(performance.now() - begun);
      port2.postMessage(null);
    });
  }, { capture: true });
}"""
PAINT = """json => new Promise(resolve => {
  const begun = performance.now();
  window.skyline.render(json);
  const look = () => requestAnimationFrame(() => {
    if (document.querySelector('.skyline-curves') === null) return look();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now() - begun);
    port2.postMessage(null);
  });
  look();
})"""
EMPTY = "<div class='skyline-handle' style='margin: 300px 500px; width: 28px; height: 200px'></div>"


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """From an event to the end of the frame that follows it, in seconds."""

    what: str
    events: int
    median: float
    p95: float
    most: float


class DashboardCost(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one widget."""

    nodes: int
    """Of the breakdown that is shown."""
    moves: tuple[Latency, ...]
    """An empty page first: what this machine takes without a dashboard."""
    paint_seconds: float
    """From `render()` to the end of the first frame with the chart; median of fresh pages."""
    paint_most_seconds: float
    module_bytes: int
    module_gzip_bytes: int
    style_bytes: int
    style_gzip_bytes: int


def measure_dashboard() -> DashboardCost:
    """Drag the handle over a report of ten thousand nodes."""
    report = full_report(breakdown_columns=deep_breakdown())
    json = msgspec.json.encode(view(report=report, plan=PLAN)).decode()
    with chromium() as browser:
        paints = [_paint(browser, json) for _ in range(PAINTS)]
        moves = (_empty(browser), _folded(browser, json), _unfolded(browser, json))
    module, style = ((STATIC / name).read_bytes() for name in ("widget.js", "widget.css"))
    return DashboardCost(
        nodes=len(report.breakdown_columns.nodes.parent) if report.breakdown_columns else 0,
        moves=moves,
        paint_seconds=statistics.median(paints),
        paint_most_seconds=max(paints),
        module_bytes=len(module),
        module_gzip_bytes=len(gzip.compress(module)),
        style_bytes=len(style),
        style_gzip_bytes=len(gzip.compress(style)),
    )


def describe(cost: DashboardCost) -> str:
    """A few lines for the terminal."""
    lines = [
        f"dashboard of {cost.nodes:,} nodes; from a move to the end of its frame: median, 95th percentile, most",
        *map(latency_words, cost.moves),
        f"  first paint: {format_milliseconds(cost.paint_seconds)} to {format_milliseconds(cost.paint_most_seconds)}",
        f"  module: {cost.module_bytes:,} bytes, {cost.module_gzip_bytes:,} compressed",
        f"  style: {cost.style_bytes:,} bytes, {cost.style_gzip_bytes:,} compressed",
    ]
    return "\n".join(lines)


def latency_words(latency: Latency) -> str:
    """One line for the terminal."""
    figures = (latency.median, latency.p95, latency.most)
    return f"  {latency.what}: {', '.join(map(format_milliseconds, figures))} ({latency.events} moves)"


def _paint(browser: Browser, json: str) -> float:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    Standalone(page)
    milliseconds: float = page.evaluate(PAINT, json)
    page.close()
    return milliseconds / 1000


def _empty(browser: Browser) -> Latency:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.set_content(EMPTY)
    return _moved_and_closed(page, "empty page")


def _folded(browser: Browser, json: str) -> Latency:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    Standalone(page)
    page.evaluate(PAINT, json)
    return _moved_and_closed(page, "breakdown folded")


def _unfolded(browser: Browser, json: str) -> Latency:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    widget = Standalone(page)
    page.evaluate(PAINT, json)
    widget.unfold()
    page.evaluate("scrollTo(0, 0)")
    return _moved_and_closed(page, "breakdown open")


def _moved_and_closed(page: Page, what: str) -> Latency:
    latency = moved(page.locator(".skyline-handle"), what)
    page.close()
    return latency


def moved(handle: Locator, what: str) -> Latency:
    """Hold a handle with Alt, so that each pixel is another size, move it to and fro, and give up with Escape."""
    page, box = handle.page, handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.keyboard.down("Alt")
    page.evaluate(LISTEN)
    for move in range(MOVES):
        page.mouse.move(x + 120 - abs(move * 3 % 480 - 240), y)
    page.wait_for_timeout(100)
    times: Sequence[float] = page.evaluate("window.moves")
    page.keyboard.up("Alt")
    page.keyboard.press("Escape")
    page.mouse.up()
    seconds = [milliseconds / 1000 for milliseconds in times]
    return Latency(
        what=what,
        events=len(seconds),
        median=statistics.median(seconds),
        p95=statistics.quantiles(seconds, n=20, method="inclusive")[-1],
        most=max(seconds),
    )
