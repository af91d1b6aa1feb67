"""What passes between letting the handle go and the measurement on the chart, on the quickstart in JupyterLab."""

import itertools
import shutil
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from playwright.sync_api import Page, expect

from skyline_jupyter.report.format import format_milliseconds
from tests.benchmarks.dashboard import Latency, latency_words, moved
from tests.browser.chromium import chromium
from tests.browser.notebook_page import PANEL, Notebook
from tests.browser.server import running

QUICKSTART = Path(__file__).parents[2] / "notebooks" / "quickstart.ipynb"
REPEATS = 3
PROFILE_MS = 180_000
PARTS = ("edit", "run", "measure", "draw")
MEASURED = "[sample.batch_size for sample in __import__('skyline_jupyter').last_report().samples]"

# Times of the page: the pointer lets go, the cell's text changes, the request to measure leaves, the last view
# arrives, and the frame with the new point has been handed to the compositor.
WATCH = (
    """path => {
  const times = {};
  window.roundtrip = times;
  const panel = ("""
    + PANEL
    + """)(path);
  const kernel = panel.sessionContext.session.kernel;
  const now = () => performance.now();
  const points = () => document.querySelectorAll('.jp-Notebook .skyline-sample-throughput').length;
  const before = points();
  addEventListener('pointerup', () => { times.release = now(); }, { capture: true, once: true });
  for (const cell of panel.content.model.cells) {
    cell.sharedModel.changed.connect((_, change) => { if (change.sourceChange) times.edit ??= now(); });
  }
  kernel.anyMessage.connect((_, { msg, direction }) => {
    if (msg.header.msg_type !== 'comm_msg' || times.draw !== undefined) return;
    const { data } = msg.content;
    if (direction === 'send' && data.content?.type === 'measure') times.run = now();
    if (direction === 'recv' && data.state?.view_json !== undefined) times.measure = now();
  });
  const look = () => requestAnimationFrame(() => {
    if (points() === before) return look();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { times.draw = now(); };
    port2.postMessage(null);
  });
  look();
}"""
)


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of one part of the way."""

    name: str
    median: float
    least: float
    most: float


class Roundtrip(msgspec.Struct, frozen=True, kw_only=True):
    """From release to the point on the chart."""

    repeats: int
    parts: tuple[Part, ...]
    """`edit`: the line in the cell; `run`: it and what follows; `measure`: the kernel; `draw`: its frame."""
    whole: Part
    moves: Latency
    """Of the handle in that notebook."""


def measure_roundtrip() -> Roundtrip:
    """Drag to some sizes that have not been measured."""
    with tempfile.TemporaryDirectory() as folder, running("jupyterlab", Path(folder) / "lab") as server:
        shutil.copy(QUICKSTART, server.root)
        with chromium() as browser:
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            notebook = Notebook.open(page, server, QUICKSTART.name)
            notebook.run_all()
            expect(notebook.handle()).to_have_attribute("aria-disabled", "false", timeout=PROFILE_MS)
            times = [_drag(page, notebook, size) for size in _new_sizes(notebook)]
            notebook.handle().scroll_into_view_if_needed()
            moves = moved(notebook.handle(), "quickstart in JupyterLab")
            notebook.shut_down()
    ends = ("release", *PARTS)
    spent = {after: [one[after] - one[before] for one in times] for before, after in itertools.pairwise(ends)}
    whole = [one["draw"] - one["release"] for one in times]
    return Roundtrip(
        repeats=len(times),
        parts=tuple(_part(name, spent[name]) for name in PARTS),
        whole=_part("release to shown", whole),
        moves=moves,
    )


def describe(roundtrip: Roundtrip) -> str:
    """A few lines for the terminal."""
    lines = [
        f"quickstart in JupyterLab, {roundtrip.repeats} drags: median (least to most)",
        *(
            f"  {part.name}: {format_milliseconds(part.median)}"
            f" ({format_milliseconds(part.least)} to {format_milliseconds(part.most)})"
            for part in (roundtrip.whole, *roundtrip.parts)
        ),
        "from a move of its handle to the end of its frame: median, 95th percentile, most",
        latency_words(roundtrip.moves),
    ]
    return "\n".join(lines)


def _new_sizes(notebook: Notebook) -> Iterator[int]:
    """Those at which the handle stops and that nobody has measured."""
    measured = set(notebook.evaluate(MEASURED))
    return itertools.islice((size for size in range(72, 256, 8) if size not in measured), REPEATS)


def _drag(page: Page, notebook: Notebook, batch_size: int) -> dict[str, float]:
    notebook.hold(batch_size)
    page.evaluate(WATCH, notebook.path)
    page.mouse.up()
    page.wait_for_function("() => window.roundtrip.draw !== undefined", timeout=PROFILE_MS)
    notebook.wait_idle()
    expect(notebook.handle()).to_have_attribute("aria-disabled", "false", timeout=PROFILE_MS)
    times: dict[str, float] = page.evaluate("window.roundtrip")
    return times


def _part(name: str, milliseconds: list[float]) -> Part:
    seconds = [each / 1000 for each in milliseconds]
    return Part(name=name, median=statistics.median(seconds), least=min(seconds), most=max(seconds))
