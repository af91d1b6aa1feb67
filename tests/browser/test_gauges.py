"""Live gauges in the side panel: off until opened, live while a cell runs, gone when closed."""

from playwright.sync_api import Locator, expect

from skyline_jupyter.monitor import THREAD_NAME
from tests.browser.axe import violations
from tests.browser.conftest import SCREENSHOTS, Open
from tests.browser.notebook_page import WAIT_MS, Notebook
from tests.browser.server import Server

GROWING = """import time, torch
held = []
for _ in range(16):
    held.append(torch.ones(2**23))
    end = time.monotonic() + 0.25
    while time.monotonic() < end:
        held[-1].mul_(1.0)"""
LOADING = """import torch
from torch.utils.data import DataLoader, TensorDataset
batches = iter(DataLoader(TensorDataset(torch.arange(8)), num_workers=2))
_ = next(batches)"""
TRAINING = """%%skyline --time-budget 6
import time, torch
from torch.utils.data import DataLoader, TensorDataset
net = torch.nn.Linear(20, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for (x,) in DataLoader(TensorDataset(torch.randn(400, 20)), batch_size=16):
    optimizer.zero_grad()
    net(x).sum().backward()
    time.sleep(0.1)
    optimizer.step()"""
CELLS = [("load", "%load_ext skyline_jupyter"), ("growing", GROWING), ("loading", LOADING), ("training", TRAINING)]
IDENTITIES = f"[thread.ident for thread in __import__('threading').enumerate() if thread.name == {THREAD_NAME!r}]"
THREADS = f"[thread.name for thread in __import__('threading').enumerate() if thread.name == {THREAD_NAME!r}]"


def loaded(open_notebook: Open, **server: Server) -> tuple[Notebook, Locator]:
    """A notebook whose kernel has loaded Skyline, and the section of the side panel."""
    notebook = open_notebook(CELLS, **server)
    panel = notebook.side_panel()
    notebook.start_cell(0)
    notebook.wait_idle()
    section = panel.get_by_role("group", name="Devices", exact=True)
    expect(section).to_be_visible(timeout=WAIT_MS)
    return notebook, section


def gauge(section: Locator, name: str) -> Locator:
    """One row."""
    return section.locator(".skyline-gauge").filter(has=section.page.get_by_text(name, exact=True))


def mebibytes(section: Locator) -> float:
    """What the kernel holds, as it is shown."""
    number, unit = gauge(section, "Kernel RAM").locator("b").inner_text().split()
    return float(number) * {"MiB": 1, "GiB": 1024}[unit]


def test_the_line_moves_while_a_cell_runs_and_the_thread_ends_with_the_view(open_notebook: Open) -> None:
    notebook, section = loaded(open_notebook)
    assert notebook.evaluate(THREADS) == []

    section.locator("summary").click()
    kernel = gauge(section, "Kernel RAM")
    expect(kernel.locator("b")).to_contain_text("iB", timeout=WAIT_MS)
    section.get_by_label("a reading every").select_option("0.5")
    assert notebook.evaluate(THREADS) == [THREAD_NAME]
    before = mebibytes(section)

    notebook.start_cell(1)
    seen = set()
    while notebook.cell(1).locator(".jp-InputPrompt").inner_text() == "[*]:":
        seen.add(kernel.locator(".skyline-gauge-path").last.get_attribute("d"))
        notebook.page.wait_for_timeout(100)
    during = mebibytes(section)

    assert len(seen) >= 4
    assert during - before > 300  # of 512
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for theme in ("Dark", "Light"):
        notebook.use_theme(f"JupyterLab {theme}")
        assert violations(notebook.page, ".skyline-panel") == []
        notebook.page.screenshot(path=SCREENSHOTS / f"gauges-{theme.lower()}.png")

    section.locator("summary").click()
    notebook.wait_until_evaluates(THREADS, [])


def test_gauges_that_are_opened_while_a_cell_runs_say_so_and_start(open_notebook: Open) -> None:
    notebook, section = loaded(open_notebook)
    notebook.start_cell(1)

    section.locator("summary").click()
    status = section.get_by_role("status")
    expect(status).to_have_text("Starts when the kernel is free.")
    notebook.wait_idle()

    expect(status).to_have_text("")
    expect(gauge(section, "CPU")).to_be_visible()


def test_workers_of_a_loader_are_shown_with_their_memory(open_notebook: Open) -> None:
    notebook, section = loaded(open_notebook)
    section.locator("summary").click()

    notebook.start_cell(2)

    expect(gauge(section, "2 workers").locator("b")).to_contain_text("iB", timeout=WAIT_MS)


def test_gauges_pause_while_a_profile_measures_and_go_on(open_notebook: Open) -> None:
    notebook, section = loaded(open_notebook)
    section.locator("summary").click()
    status = section.get_by_role("status")
    expect(gauge(section, "CPU")).to_be_visible(timeout=WAIT_MS)
    (thread,) = notebook.evaluate(IDENTITIES)

    notebook.start_cell(3)

    expect(status).to_have_text("Paused while a profile measures: readings would disturb it.", timeout=WAIT_MS)
    notebook.wait_idle()
    expect(status).to_have_text("", timeout=WAIT_MS)
    assert notebook.evaluate(IDENTITIES) == [thread]
    for theme in ("Dark", "Light"):
        notebook.use_theme(f"JupyterLab {theme}")
        section.scroll_into_view_if_needed()
        notebook.page.screenshot(path=SCREENSHOTS / f"gauges-report-{theme.lower()}.png")


def test_the_rate_is_kept_and_gauges_are_closed_again_after_a_reload(open_notebook: Open) -> None:
    notebook, section = loaded(open_notebook)
    section.locator("summary").click()
    section.get_by_label("a reading every").select_option("2")
    expect(section.get_by_text("the last 4 minutes")).to_be_visible(timeout=WAIT_MS)

    notebook.save()
    notebook.page.reload()
    notebook.wait_until_ready()
    section = notebook.side_panel().get_by_role("group", name="Devices", exact=True)
    expect(section).to_be_visible(timeout=WAIT_MS)
    expect(section.locator("dl")).to_have_count(0)
    section.locator("summary").click()

    expect(section.get_by_label("a reading every")).to_have_value("2")
    expect(gauge(section, "CPU")).to_be_visible(timeout=WAIT_MS)


def test_notebook_7_has_them_too(open_notebook: Open, notebook7: Server) -> None:
    _, section = loaded(open_notebook, server=notebook7)
    section.locator("summary").click()
    expect(gauge(section, "Kernel RAM").locator("b")).to_contain_text("iB", timeout=WAIT_MS)
