"""Several notebooks, several views of one output, a reloaded page: the edit goes where the user looks."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.standin_cells import BOARD, LOADER, SIZE, SIZE_SOURCE, cells

EDITED = "batch_size = 128  # a person's choice"


def test_a_copied_notebook_with_the_same_cell_ids_keeps_to_itself(open_notebook: Open) -> None:
    original = open_notebook(cells())
    original.run_all()
    copy = open_notebook(cells(), beside=original)
    copy.run_all()

    copy.drag(128)

    copy.wait_until_run(LOADER, after=2)
    assert [original.sources()[SIZE], copy.sources()[SIZE]] == [SIZE_SOURCE, EDITED]
    assert [original.evaluate("batch_size"), copy.evaluate("batch_size")] == [64, 128]


def test_of_two_notebooks_on_one_kernel_the_one_in_view_is_edited(open_notebook: Open) -> None:
    first = open_notebook(cells())
    first.run_all()
    second = open_notebook(cells(), beside=first)
    second.use_kernel_of(first)
    first.activate()

    first.drag(128)

    first.wait_until_run(LOADER, after=2)
    assert [first.sources()[SIZE], second.sources()[SIZE]] == [EDITED, SIZE_SOURCE]
    second.activate()

    second.drag(256, within=second.side_panel())

    second.wait_until_run(LOADER, after=6)
    assert [first.sources()[SIZE], second.sources()[SIZE]] == [EDITED, EDITED.replace("128", "256")]
    assert first.evaluate("batch_size") == 256


def test_an_output_in_a_tab_of_its_own_edits_its_notebook(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.select_cell(BOARD)
    notebook.command("notebook:create-output-view")
    view = page.locator(".jp-LinkedOutputView:visible")
    expect(notebook.handle(view)).to_be_visible()

    notebook.drag(128, within=view)

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.sources()[SIZE] == EDITED


def test_the_side_panel_shows_the_active_notebook_and_edits_it(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    panel = notebook.side_panel()
    expect(panel).to_contain_text("%load_ext skyline_jupyter")
    notebook.run_all()
    notebook.expect_handle(64, within=panel)

    notebook.drag(128, within=panel)

    notebook.wait_until_run(LOADER, after=2)
    notebook.expect_handle(128)
    notebook.wait_until_evaluates("len(standin.heard)", 1)
    assert notebook.evaluate("standin.heard") == [{"type": "measure", "batch_size": 128, "via": "channel"}]
    assert notebook.sources()[SIZE] == EDITED


def test_the_side_panel_follows_the_active_notebook(open_notebook: Open) -> None:
    profiled = open_notebook(cells())
    profiled.run_all()
    panel = profiled.side_panel()
    expect(panel).to_contain_text(profiled.path)
    expect(profiled.handle(panel)).to_be_visible()

    other = open_notebook([("one", "1")], beside=profiled)

    expect(panel).to_contain_text(other.path)
    expect(panel).to_contain_text("%load_ext skyline_jupyter")
    expect(profiled.handle(panel)).not_to_be_visible()


def test_a_reloaded_page_shows_the_profile_again_while_the_kernel_lives(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.save()
    page.reload()
    notebook.wait_until_ready()
    panel = notebook.side_panel()
    notebook.expect_handle(64, within=panel)

    notebook.drag(128, within=panel)

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.sources()[SIZE] == EDITED


def test_closing_the_notebook_empties_the_side_panel(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    panel = notebook.side_panel()
    expect(notebook.handle(panel)).to_be_visible()

    notebook.close()

    expect(panel).to_contain_text("Open a notebook that trains a PyTorch model.")
