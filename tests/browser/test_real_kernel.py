"""The real kernel side on a small notebook: a literal in the loader's call, a stopped training, a saved notebook."""

from playwright.sync_api import expect

from tests.browser.conftest import SCREENSHOTS, Open
from tests.browser.notebook_page import UNHURRIED, Notebook

LOADER = "train_loader = DataLoader(train_set, batch_size=16, shuffle=True)  # sixteen"
CELLS = [
    ("load", f"import skyline_jupyter\n%load_ext skyline_jupyter\n{UNHURRIED}"),
    (
        "data",
        (
            "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\n"
            "train_set = TensorDataset(torch.randn(400, 20), torch.randn(400, 1))"
        ),
    ),
    ("loader", LOADER),
    ("model", "net = nn.Linear(20, 1)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.01)"),
    (
        "training",
        (
            "%%skyline --time-budget 10000\nfor x, y in train_loader:\n    optimizer.zero_grad()\n"
            "    nn.functional.mse_loss(net(x), y).backward()\n    optimizer.step()"
        ),
    ),
]


def profiled(open_notebook: Open) -> Notebook:
    """The notebook, run from top to bottom."""
    notebook = open_notebook(CELLS)
    notebook.run_all()
    expect(notebook.handle()).to_have_attribute("aria-disabled", "false")
    return notebook


def test_a_literal_in_the_loaders_call_is_edited_in_place(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    index, counts = notebook.index_of("loader"), notebook.execution_counts()

    notebook.drag(32)
    notebook.wait_until_run(index, after=counts[index])

    assert notebook.sources()[index] == LOADER.replace("=16", "=32")
    assert notebook.run_since(counts) == ["loader"]
    assert notebook.evaluate("train_loader.batch_size") == 32


def test_the_undo_button_takes_the_edit_and_the_loader_back(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    index, counts = notebook.index_of("loader"), notebook.execution_counts()
    notebook.drag(32)
    notebook.wait_until_run(index, after=counts[index])
    counts = notebook.execution_counts()

    notebook.page.locator(".jp-Notebook").get_by_role("button", name="Undo: back to 16").click()
    notebook.wait_until_run(index, after=counts[index])

    assert notebook.sources()[index] == LOADER
    assert notebook.run_since(counts) == ["loader"]
    assert notebook.evaluate("train_loader.batch_size") == 16
    notebook.expect_handle(16)
    notebook.wait_until_evaluates("skyline_jupyter.last_report().batch_size", 16)


def test_a_training_cell_says_that_it_was_stopped(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    expect(notebook.page.locator(".jp-Notebook .skyline-notices")).to_contain_text("Stopped after 2 steps")


def test_a_saved_notebook_without_a_kernel_shows_a_picture_where_the_widget_was(
    open_notebook: Open,
) -> None:
    notebook = profiled(open_notebook)
    picture = notebook.page.locator(".jp-Notebook img[src*='skyline-static-']")
    expect(picture).to_be_hidden()

    notebook.save()
    notebook.shut_down()
    notebook.page.reload()
    notebook.page.wait_for_function("() => window.jupyterapp !== undefined")

    expect(picture).to_be_visible()
    picture.scroll_into_view_if_needed()
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    notebook.page.screenshot(path=SCREENSHOTS / "saved-notebook.png")
    notebook.wait_until_ready()


def test_where_no_line_is_certain_the_user_picks_one_and_drags(open_notebook: Open) -> None:
    weak = "N = 16\ntrain_loader = DataLoader(train_set, N, shuffle=True)"
    notebook = open_notebook([(cell_id, weak if cell_id == "loader" else source) for cell_id, source in CELLS])
    notebook.run_all()
    line = notebook.page.locator(".jp-Notebook .skyline-candidate", has_text="N = 16")
    line.scroll_into_view_if_needed()
    notebook.page.screenshot(path=SCREENSHOTS / "candidates.png")
    index, counts = notebook.index_of("loader"), notebook.execution_counts()

    line.click()
    expect(line).to_be_hidden()
    notebook.drag(32)
    notebook.wait_until_run(index, after=counts[index])

    assert notebook.sources()[index] == weak.replace("16", "32", 1)
    assert notebook.evaluate("train_loader.batch_size") == 32


def test_a_profile_is_interrupted_and_keeps_what_it_measured(open_notebook: Open) -> None:
    # A step at two sizes takes longer than what lies between two drawings; the first at a third never ends.
    slow = f"{CELLS[-1][1]}\n    __import__('time').sleep(0.6 if len(x) in (8, 16) else 10_000)"
    notebook = open_notebook([*CELLS[:-1], ("training", slow)])
    notebook.page.evaluate("() => { void window.jupyterapp.commands.execute('notebook:run-all-cells'); }")

    expect(notebook.page.locator(".jp-Notebook .skyline-chart")).to_be_visible()
    notebook.page.locator(".jp-Notebook .skyline-progress button").click()
    notebook.wait_idle()

    notices = notebook.page.locator(".jp-Notebook .skyline-notices")
    expect(notices).to_contain_text("Interrupted")
    assert notebook.evaluate("skyline_jupyter.last_report().state_proof.identical") is True
