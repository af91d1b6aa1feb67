"""The profiles of a notebook, one of which the others are compared with."""

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Open, Screenshot
from tests.browser.notebook_page import UNHURRIED, Notebook
from tests.browser.server import Server

CELLS = [
    ("load", f"%load_ext skyline_jupyter\n{UNHURRIED}"),
    (
        "data",
        (
            "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\n"
            "train_set = TensorDataset(torch.randn(2000, 64), torch.randn(2000, 1))"
        ),
    ),
    ("size", "batch_size = 32"),
    ("loader", "train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True)"),
    (
        "model",
        (
            "width = 64\nnet = nn.Sequential(\n    nn.Linear(64, width),\n    nn.ReLU(),\n    nn.Linear(width, 1),\n)\n"
            "optimizer = torch.optim.SGD(net.parameters(), lr=0.01)"
        ),
    ),
    (
        "training",
        (
            "%%skyline --time-budget 10000\nfor x, y in train_loader:\n    optimizer.zero_grad()\n"
            "    nn.functional.mse_loss(net(x), y).backward()\n    optimizer.step()"
        ),
    ),
]


def profiled_twice(notebook: Notebook) -> None:
    """Profile, widen the model and take other batches, and profile again."""
    notebook.run_all()
    expect(notebook.handle()).to_have_attribute("aria-disabled", "false")
    notebook.replace_by_typing(notebook.index_of("model"), "64", "1024")
    notebook.replace_by_typing(notebook.index_of("size"), "32", "64")
    notebook.run_all()
    expect(rows(notebook.page.locator(".jp-Notebook:visible"))).to_have_count(2)


def rows(part: Locator) -> Locator:
    """The profiles that are listed."""
    return part.locator(".skyline-history-table tbody tr")


def test_a_pinned_profile_is_compared_in_curves_nodes_and_code(
    open_notebook: Open, screenshot: Screenshot, lab: Server
) -> None:
    notebook = open_notebook(CELLS)
    profiled_twice(notebook)
    panel = notebook.side_panel()
    expect(rows(panel)).to_have_count(2)
    expect(rows(panel).first.get_by_role("rowheader")).to_be_visible()

    rows(panel).last.get_by_role("button", name="Pin").click()

    expect(rows(panel).last.get_by_role("button", pressed=True)).to_have_text("Pinned")
    expect(panel.locator(".skyline-pinned-curve")).to_have_count(2)
    expect(panel.locator(".skyline-pinned-key")).to_contain_text("batch size 32")
    expect(panel.locator(".skyline-compared")).to_contain_text("At batch size 64: throughput")
    expect(panel.locator(".skyline-diff del")).to_have_text(["-batch_size = 32\n", "-width = 64\n"])
    expect(panel.locator(".skyline-diff ins")).to_have_text(["+batch_size = 64\n", "+width = 1024\n"])
    panel.get_by_role("group", name="Show").get_by_role("button", name="memory").click()
    net = panel.locator(".skyline-tree").get_by_role("row", name="net")
    expect(net.locator(".skyline-change-cell")).to_contain_text("▲ +")
    # The widget under the cell compares as well.
    expect(notebook.page.locator(".jp-Notebook .skyline-pinned-curve")).to_have_count(2)
    notebook.page.locator(".jp-Notebook .skyline-history > summary").click()
    rows(panel).last.scroll_into_view_if_needed()
    screenshot(notebook, "history")

    panel.locator(".skyline-sort").click()
    expect(panel.locator(".skyline-tree th[aria-sort]")).to_have_attribute("aria-sort", "descending")

    # Nothing is written beside the notebook before it is asked for.
    file = lab.root / ".skyline" / notebook.path.replace(".ipynb", ".jsonl")
    assert not file.exists()
    notebook.evaluate("get_ipython().run_line_magic('skyline', 'history --keep')")
    assert len(file.read_text().splitlines()) == 2

    # After a reload of the page the kernel tells all of it again; a kernel without memory tells nothing.
    notebook.save()
    notebook.page.reload()
    notebook.wait_until_ready()
    panel = notebook.side_panel()
    expect(rows(panel).last.get_by_role("button", pressed=True)).to_have_text("Pinned")
    notebook.restart_kernel()
    expect(panel.locator(".skyline-history-table")).to_have_count(0)
