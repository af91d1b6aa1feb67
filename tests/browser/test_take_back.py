"""What can be taken back, given up or typed; what a setting lets a release run."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SCREENSHOTS, Open, Screenshot
from tests.browser.gate import Gate
from tests.browser.notebook_page import Notebook
from tests.browser.server import Server
from tests.browser.standin_cells import BOARD, LOADER, SIZE, SIZE_SOURCE, TRAIN, cells

EDITED = SIZE_SOURCE.replace("64", "128")


def button(notebook: Notebook, name: str) -> Locator:
    """A button of the dashboard under its cell."""
    return notebook.cell(BOARD).get_by_role("button", name=name)


@contextmanager
def chosen(lab: Server, release: str) -> Iterator[None]:
    """Settings > Skyline > When the batch size is changed, as pages find it that are loaded meanwhile."""
    settings = lab.root.parent / "settings" / "skyline-jupyter" / "plugin.jupyterlab-settings"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"release": release}))
    yield
    settings.unlink()


def test_the_buttons_undo_and_redo_source_handle_and_value(open_notebook: Open, screenshot: Screenshot) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    expect(button(notebook, "No change of the batch size to undo")).to_be_disabled()
    notebook.drag(128)
    notebook.wait_until_run(LOADER, after=2)
    screenshot(notebook, "undo")

    button(notebook, "Undo: back to 64").click()
    notebook.wait_until_run(LOADER, after=6)

    assert notebook.sources()[SIZE] == SIZE_SOURCE
    assert notebook.evaluate("[batch_size, len(loader)]") == [64, 64]
    notebook.expect_handle(64)

    button(notebook, "Redo: 128 again").click()
    notebook.wait_until_run(LOADER, after=8)

    assert notebook.sources()[SIZE] == EDITED
    assert notebook.evaluate("[batch_size, len(loader)]") == [128, 128]
    notebook.expect_handle(128)


def test_the_buttons_are_in_notebook_7_too(open_notebook: Open, notebook7: Server) -> None:
    notebook = open_notebook(cells(), server=notebook7)
    notebook.run_all()
    notebook.drag(128)
    notebook.wait_until_run(LOADER, after=2)

    button(notebook, "Undo: back to 64").click()
    notebook.wait_until_run(LOADER, after=6)

    assert notebook.sources()[SIZE] == SIZE_SOURCE
    assert notebook.evaluate("[batch_size, len(loader)]") == [64, 64]


def test_the_button_and_the_key_go_on_from_one_another(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.drag(128)
    notebook.wait_until_run(LOADER, after=2)
    notebook.undo(SIZE)
    notebook.wait_until_run(LOADER, after=6)

    button(notebook, "Redo: 128 again").click()
    notebook.wait_until_run(LOADER, after=8)
    notebook.undo(SIZE)
    notebook.wait_until_run(LOADER, after=10)

    assert notebook.sources()[SIZE] == SIZE_SOURCE
    expect(button(notebook, "Redo: 128 again")).to_be_enabled()


def test_after_a_reload_the_button_still_brings_the_size_back(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.drag(128)
    notebook.wait_until_run(LOADER, after=2)
    notebook.save()
    page.reload()
    notebook.wait_until_ready()
    panel = notebook.side_panel()

    panel.get_by_role("button", name="Undo: back to 64").click()
    notebook.wait_until_run(LOADER, after=6)

    assert notebook.sources()[SIZE] == SIZE_SOURCE
    assert notebook.evaluate("[batch_size, len(loader)]") == [64, 64]


def test_a_request_to_a_busy_kernel_waits_in_sight_and_can_be_given_up(
    open_notebook: Open, gate: Gate, screenshot: Screenshot
) -> None:
    notebook = open_notebook([*cells(), ("busy", gate.wait)])
    notebook.run_all()
    gate.shut()
    notebook.start_cell(4)
    notebook.drag(128)
    waiting = notebook.cell(BOARD).get_by_text("Waiting for the kernel, which is busy: cell [1] runs with 128 next.")
    expect(waiting).to_be_visible()
    screenshot(notebook, "waiting")

    button(notebook, "Cancel").click()

    notebook.wait_until_source(SIZE, SIZE_SOURCE)
    notebook.expect_handle(64)
    expect(waiting).to_be_hidden()
    gate.open()
    notebook.wait_idle()
    assert notebook.execution_counts()[:4] == [1, 2, 3, 4]
    assert notebook.evaluate("[batch_size, standin.heard]") == [64, []]


@pytest.mark.parametrize(
    ("choice", "ran", "values"),
    [("edit", [], [64, 64, 64]), ("all", ["size", "loader", "train"], [128, 128, 128])],
)
def test_the_setting_says_what_a_release_runs(
    open_notebook: Open, lab: Server, choice: str, ran: list[str], values: list[int]
) -> None:
    words = {"edit": "changes the text alone: the kernel keeps 64", "all": "then runs [1], [2] and [4]"}[choice]
    with chosen(lab, choice):
        notebook = open_notebook(cells())
        notebook.run_all()
        counts = notebook.execution_counts()

        notebook.hold(128)
        expect(notebook.cell(BOARD)).to_contain_text(words)
        notebook.page.mouse.up()
        notebook.wait_until_source(SIZE, EDITED)
        if ran:
            notebook.wait_until_run(TRAIN, after=4)

        assert notebook.run_since(counts) == ran
        assert notebook.evaluate("[batch_size, len(loader), trained_with]") == values


def test_a_number_is_typed_on_the_handle(open_notebook: Open, page: Page, screenshot: Screenshot) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.handle().focus()

    page.keyboard.type("77")
    notebook.expect_handle(77)
    page.keyboard.press("Enter")

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.evaluate("[batch_size, len(loader)]") == [77, 77]
    page.keyboard.type("9000")
    expect(notebook.cell(BOARD).get_by_role("alert")).to_have_text("8 to 512")
    screenshot(notebook, "typed")


def test_a_read_only_cell_offers_the_line_to_paste(open_notebook: Open, page: Page, screenshot: Screenshot) -> None:
    notebook = open_notebook(cells(), metadata={"size": {"editable": False}})
    notebook.run_all()
    before = notebook.sources()

    notebook.drag(128)

    expect(page.get_by_text("put this into a cell and run it: batch_size = 128")).to_be_visible()
    assert notebook.sources() == before
    screenshot(notebook, "read-only")


def test_of_two_panels_of_one_notebook_the_one_in_view_runs_the_cell_once(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:clone').then(() => null)")
    expect(page.locator(".jp-NotebookPanel")).to_have_count(2)
    second = page.locator(".jp-NotebookPanel:visible .jp-Notebook").last
    expect(notebook.handle(second)).to_be_visible()

    notebook.drag(128, within=second)

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.sources()[SIZE] == EDITED
    assert notebook.execution_counts() == [5, 6, 3, 4]


def test_a_hidden_cell_is_edited_and_stays_hidden(open_notebook: Open) -> None:
    notebook = open_notebook(cells(), metadata={"size": {"jupyter": {"source_hidden": True}}})
    notebook.run_all()

    notebook.drag(128)

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.sources()[SIZE] == EDITED
    expect(notebook.cell(SIZE).locator(".jp-InputArea-editor")).to_be_hidden()


def test_a_stale_cell_far_out_of_sight_is_marked_when_it_is_scrolled_to(open_notebook: Open, page: Page) -> None:
    *first, train = cells()
    notebook = open_notebook([*first, *((f"filler{i}", "\n" * 30) for i in range(12)), train])
    notebook.run_all()
    notebook.use_windowing("full")
    notebook.drag(128)
    notebook.wait_until_run(LOADER, after=2)
    marked = page.locator(".jp-Notebook .skyline-stale-cell")

    notebook.scroll_to(notebook.index_of("train"))

    expect(marked).to_contain_text("trained_with")
    expect(marked.locator(".jp-InputPrompt")).to_have_css("text-decoration-line", "underline")


def test_while_a_size_is_held_the_title_says_what_it_would_bring(open_notebook: Open, screenshot: Screenshot) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    chart = notebook.cell(BOARD).locator(".skyline-chart")
    place = chart.bounding_box()

    notebook.hold(256)

    expect(notebook.cell(BOARD).get_by_role("heading").first).to_contain_text("At 256: ")
    assert chart.bounding_box() == place
    notebook.page.screenshot(path=SCREENSHOTS / "held.png")
    notebook.page.mouse.up()


def test_the_settings_explain_what_a_release_does(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    for theme in ("Dark", "Light"):
        notebook.use_theme(f"JupyterLab {theme}")
        page.evaluate(
            "() => window.jupyterapp.commands.execute('settingeditor:open', {query: 'Skyline'}).then(() => null)"
        )
        expect(page.get_by_text("When the batch size is changed")).to_be_visible()
        page.screenshot(path=SCREENSHOTS / f"settings-{theme.lower()}.png")
    chosen_now = page.locator(".jp-SettingsPanel select").first.locator("option:checked")
    expect(chosen_now).to_have_text("Edit it and run the light cells that depend on it")
