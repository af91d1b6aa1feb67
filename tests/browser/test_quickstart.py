"""The whole loop on the quickstart notebook, with nothing invented: profile, drag, undo, in both applications."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Screenshot
from tests.browser.notebook_page import UNHURRIED, Notebook
from tests.browser.server import Server

QUICKSTART = Path(__file__).parents[2] / "notebooks" / "quickstart.ipynb"
VALUES = "[batch_size, train_loader.batch_size]"
MEASURED = "[sample.batch_size for sample in __import__('skyline_jupyter').last_report().samples]"

# Each profiles a real training run.
pytestmark = [pytest.mark.slow]


@pytest.fixture(params=["lab", "notebook7"])
def server(request: pytest.FixtureRequest) -> Server:
    """JupyterLab, then Notebook 7."""
    server: Server = request.getfixturevalue(request.param)
    return server


@pytest.fixture
def notebook(page: Page, server: Server, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """The quickstart, run from top to bottom, with its profile under the model."""
    folder = server.root / request.node.originalname
    folder.mkdir(exist_ok=True)
    source = QUICKSTART.read_text()
    assert source.count("%%skyline\\n") == 1
    (folder / QUICKSTART.name).write_text(source.replace("%%skyline\\n", "%%skyline --time-budget 10000\\n"))
    notebook = Notebook.open(page, server, f"{folder.name}/{QUICKSTART.name}")
    notebook.execute(UNHURRIED)
    notebook.run_all()
    expect(notebook.handle()).to_have_attribute("aria-disabled", "false")
    yield notebook
    notebook.shut_down()


def wait_until_measured(notebook: Notebook, batch_size: int) -> None:
    """Wait until the chart has a measured point at a batch size, and the handle is free again."""
    notebook.expect_handle(batch_size)
    notebook.wait_until_evaluates(f"{batch_size} in {MEASURED}", value=True)
    expect(notebook.handle()).to_have_attribute("aria-disabled", "false")
    measured = notebook.evaluate(MEASURED)
    points = notebook.page.locator(".jp-Notebook .skyline-sample-throughput")
    expect(points).to_have_count(len(measured))


def test_a_drag_rewrites_the_number_and_an_undo_takes_everything_back(
    notebook: Notebook, screenshot: Screenshot, server: Server
) -> None:
    size, loader = notebook.index_of("batch-size"), notebook.index_of("loader")
    sources, counts = notebook.sources(), notebook.execution_counts()
    screenshot(notebook, f"quickstart-{server.application}-profiled")

    notebook.drag(96)
    notebook.wait_until_run(loader, after=counts[loader])
    wait_until_measured(notebook, 96)

    assert notebook.sources() == [source if i != size else "batch_size = 96" for i, source in enumerate(sources)]
    assert notebook.run_since(counts) == ["batch-size", "loader"]
    assert notebook.evaluate(VALUES) == [96, 96]
    screenshot(notebook, f"quickstart-{server.application}-dragged")

    counts = notebook.execution_counts()
    notebook.undo(size)
    notebook.wait_until_run(loader, after=counts[loader])

    assert notebook.sources() == sources
    assert notebook.run_since(counts) == ["batch-size", "loader"]
    assert notebook.evaluate(VALUES) == [64, 64]
    notebook.expect_handle(64)


def test_the_side_panel_shows_the_same_and_edits_too(
    notebook: Notebook, screenshot: Screenshot, server: Server
) -> None:
    loader = notebook.index_of("loader")
    counts = notebook.execution_counts()
    panel = notebook.side_panel()
    notebook.expect_handle(64, within=panel)

    notebook.drag(96, within=panel)
    notebook.wait_until_run(loader, after=counts[loader])
    wait_until_measured(notebook, 96)

    assert notebook.evaluate(VALUES) == [96, 96]
    notebook.expect_handle(96)
    screenshot(notebook, f"quickstart-{server.application}-panel")


@pytest.mark.parametrize("server", ["lab"], indirect=True)
def test_moving_the_handle_while_it_trains_changes_no_result(notebook: Notebook) -> None:
    training = notebook.index_of("training")
    notebook.execute("import copy; start = copy.deepcopy(net.state_dict())")

    def losses(moves: int) -> str:
        notebook.execute("net.load_state_dict(start); torch.manual_seed(1)")
        notebook.start_cell(training)
        assert notebook.shake(moves) == moves
        notebook.wait_idle()
        return notebook.output_of(training)

    assert losses(moves=200) == losses(moves=0)
