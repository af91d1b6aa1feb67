"""Live gauges in the side panel: off until opened, live while a cell runs, gone when closed."""

import time

from playwright.sync_api import Locator, expect

from skyline_jupyter.monitor import THREAD_NAME
from tests.browser.axe import violations
from tests.browser.conftest import SCREENSHOTS, Open
from tests.browser.gate import Gate
from tests.browser.notebook_page import WAIT_MS, Notebook
from tests.browser.server import Server

GROWING = """import torch
held = torch.ones(2**27)
"""
LOADING = """import torch
from torch.utils.data import DataLoader, TensorDataset
batches = iter(DataLoader(TensorDataset(torch.arange(8)), num_workers=2))
_ = next(batches)"""
TRAINING = """%%skyline --time-budget 1
import time, torch
from skyline_jupyter.monitor.quiet import is_measuring
from torch.utils.data import DataLoader, TensorDataset
net = torch.nn.Linear(20, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for (x,) in DataLoader(TensorDataset(torch.randn(400, 20)), batch_size=16):
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
    while is_measuring() and {}:
        time.sleep(0.05)"""
IDENTITIES = f"[thread.ident for thread in __import__('threading').enumerate() if thread.name == {THREAD_NAME!r}]"
THREADS = f"[thread.name for thread in __import__('threading').enumerate() if thread.name == {THREAD_NAME!r}]"


def loaded(open_notebook: Open, gate: Gate, **server: Server) -> tuple[Notebook, Locator]:
    """A notebook whose kernel has loaded Skyline, and the section of the side panel; the gate is shut."""
    cells = [
        ("load", "%load_ext skyline_jupyter"),
        ("growing", GROWING + gate.wait),
        ("loading", LOADING),
        ("training", TRAINING.format(gate.is_shut)),
    ]
    gate.shut()
    notebook = open_notebook(cells, **server)
    panel = notebook.side_panel()
    notebook.start_cell(0)
    notebook.wait_idle()
    section = panel.get_by_role("group", name="Devices", exact=True)
    expect(section).to_be_visible()
    return notebook, section


def gauge(section: Locator, name: str) -> Locator:
    """One row."""
    return section.locator(".skyline-gauge").filter(has=section.page.get_by_text(name, exact=True))


def mebibytes(section: Locator) -> float:
    """What the kernel holds, as it is shown."""
    number, unit = gauge(section, "Kernel RAM").locator("b").inner_text().split()
    return float(number) * {"MiB": 1, "GiB": 1024}[unit]


def test_the_line_moves_while_a_cell_runs_and_the_thread_ends_with_the_view(open_notebook: Open, gate: Gate) -> None:
    notebook, section = loaded(open_notebook, gate)
    assert notebook.evaluate(THREADS) == []

    section.locator("summary").click()
    kernel = gauge(section, "Kernel RAM")
    expect(kernel.locator("b")).to_contain_text("iB")
    section.get_by_label("a reading every").select_option("0.5")
    assert notebook.evaluate(THREADS) == [THREAD_NAME]
    before = mebibytes(section)

    notebook.start_cell(1)
    seen: set[str | None] = set()
    deadline = time.monotonic() + WAIT_MS / 1000
    while (len(seen) < 4 or mebibytes(section) - before < 300) and time.monotonic() < deadline:  # of 512
        seen.add(kernel.locator(".skyline-gauge-path").last.get_attribute("d"))
        notebook.page.wait_for_timeout(100)

    assert notebook.cell(1).locator(".jp-InputPrompt").inner_text() == "[*]:"
    assert len(seen) >= 4
    assert mebibytes(section) - before >= 300
    gate.open()
    notebook.wait_idle()
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for theme in ("Dark", "Light"):
        notebook.use_theme(f"JupyterLab {theme}")
        assert violations(notebook.page, ".skyline-panel") == []
        notebook.page.screenshot(path=SCREENSHOTS / f"gauges-{theme.lower()}.png")

    section.locator("summary").click()
    notebook.wait_until_evaluates(THREADS, [])


def test_gauges_that_are_opened_while_a_cell_runs_say_so_and_start(open_notebook: Open, gate: Gate) -> None:
    notebook, section = loaded(open_notebook, gate)
    notebook.start_cell(1)

    section.locator("summary").click()
    status = section.get_by_role("status")
    expect(status).to_have_text("Starts when the kernel is free.")
    gate.open()
    notebook.wait_idle()

    expect(status).to_have_text("")
    expect(gauge(section, "CPU")).to_be_visible()


def test_workers_of_a_loader_are_shown_with_their_memory(open_notebook: Open, gate: Gate) -> None:
    notebook, section = loaded(open_notebook, gate)
    section.locator("summary").click()

    notebook.start_cell(2)

    expect(gauge(section, "2 workers").locator("b")).to_contain_text("iB")


def test_gauges_pause_while_a_profile_measures_and_go_on(open_notebook: Open, gate: Gate) -> None:
    notebook, section = loaded(open_notebook, gate)
    section.locator("summary").click()
    status = section.get_by_role("status")
    expect(gauge(section, "CPU")).to_be_visible()
    (thread,) = notebook.evaluate(IDENTITIES)

    notebook.start_cell(3)

    expect(status).to_have_text("Paused while a profile measures: readings would disturb it.")
    gate.open()
    notebook.wait_idle()
    expect(status).to_have_text("")
    assert notebook.evaluate(IDENTITIES) == [thread]
    for theme in ("Dark", "Light"):
        notebook.use_theme(f"JupyterLab {theme}")
        section.scroll_into_view_if_needed()
        notebook.page.screenshot(path=SCREENSHOTS / f"gauges-report-{theme.lower()}.png")


def test_the_rate_is_kept_and_gauges_are_closed_again_after_a_reload(open_notebook: Open, gate: Gate) -> None:
    notebook, section = loaded(open_notebook, gate)
    section.locator("summary").click()
    section.get_by_label("a reading every").select_option("2")
    expect(section.get_by_text("the last 4 minutes")).to_be_visible()

    notebook.save()
    notebook.page.reload()
    notebook.wait_until_ready()
    section = notebook.side_panel().get_by_role("group", name="Devices", exact=True)
    expect(section).to_be_visible()
    expect(section.locator("dl")).to_have_count(0)
    section.locator("summary").click()

    expect(section.get_by_label("a reading every")).to_have_value("2")
    expect(gauge(section, "CPU")).to_be_visible()


def test_notebook_7_has_them_too(open_notebook: Open, gate: Gate, notebook7: Server) -> None:
    _, section = loaded(open_notebook, gate, server=notebook7)
    section.locator("summary").click()
    expect(gauge(section, "Kernel RAM").locator("b")).to_contain_text("iB")
