"""Letting the handle go changes one literal and runs what must follow: no more, and nothing by surprise."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.gate import Gate
from tests.browser.server import Server
from tests.browser.standin_cells import BOARD, LOADER, SIZE, TRAIN, cells


def test_a_drag_changes_the_digits_and_runs_the_light_cells(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    before = notebook.sources()

    notebook.drag(128)

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.sources() == ["batch_size = 128  # a person's choice", *before[1:]]
    assert notebook.execution_counts() == [5, 6, 3, 4]
    assert notebook.evaluate("[batch_size, len(loader), trained_with]") == [128, 128, 64]


def test_a_bar_is_dragged_to_the_throughput_that_is_wanted(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()

    batch_size = notebook.drag_bar("Throughput", 25)

    notebook.wait_until_run(LOADER, after=2)
    assert batch_size > 64
    assert notebook.evaluate("[batch_size, len(loader)]") == [batch_size, batch_size]


def test_a_drag_sends_the_kernel_one_message_and_none_before_release(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()

    notebook.hold(128)
    assert notebook.evaluate("standin.heard") == []
    assert notebook.evaluate("batch_size") == 64

    notebook.page.mouse.up()
    notebook.wait_until_evaluates("len(standin.heard)", 1)
    assert notebook.evaluate("standin.heard") == [{"type": "measure", "batch_size": 128, "via": "widget"}]


def test_the_same_works_in_notebook_7_under_a_base_url(open_notebook: Open, notebook7: Server) -> None:
    notebook = open_notebook(cells(), server=notebook7)
    notebook.run_all()

    notebook.drag(128)

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.evaluate("[batch_size, len(loader), trained_with]") == [128, 128, 64]


def test_a_drag_leaves_the_active_cell_and_the_cursor_where_they_are(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    panel = notebook.side_panel()
    notebook.type_at_end(TRAIN, "  # here")
    cursor = notebook.cursor()

    notebook.drag(128, within=panel)
    notebook.wait_until_run(LOADER, after=2)

    assert notebook.cursor() == cursor == (TRAIN, 0, len("trained_with = batch_size  # here"))


def test_a_heavy_cell_is_rewritten_but_only_its_statement_is_executed(open_notebook: Open) -> None:
    size = "print('slow')\nbatch_size = 64\nbuilt = object()"
    notebook = open_notebook(cells(size=size, site_heavy="it builds `built`"))
    notebook.run_all()
    built = notebook.evaluate("id(built)")

    notebook.drag(128)

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.sources()[SIZE] == size.replace("64", "128")
    assert notebook.execution_counts() == [1, 5, 3, 4]
    assert notebook.evaluate("[batch_size, len(loader), id(built)]") == [128, 128, built]


def test_a_cell_edited_since_it_ran_is_refused_and_left_as_it_is(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.type_at_end(SIZE, "!")
    before = notebook.sources()

    notebook.drag(128)

    expect(page.get_by_text("Cell [1] was edited since it ran. Run it, then drag again.")).to_be_visible()
    assert notebook.sources() == before
    assert notebook.execution_counts() == [1, 2, 3, 4]
    notebook.expect_handle(64)


def test_a_deleted_cell_is_refused(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.delete_cell(SIZE)

    notebook.drag(128)

    expect(page.get_by_text("The cell that sets the batch size is no longer in this notebook.")).to_be_visible()
    assert notebook.execution_counts() == [2, 3, 4]


def test_a_read_only_cell_is_refused(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells(), metadata={"size": {"editable": False}})
    notebook.run_all()
    before = notebook.sources()

    notebook.drag(128)

    expect(page.get_by_text("Cell [1] is read-only, so the batch size in it cannot be changed.")).to_be_visible()
    assert notebook.sources() == before
    assert notebook.execution_counts() == [1, 2, 3, 4]


def test_a_light_cell_edited_since_it_ran_is_left_alone_and_named(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.type_at_end(LOADER, "[:8]")

    notebook.drag(128)

    expect(page.get_by_text("Cell [2] was edited since it ran, so it was left alone.")).to_be_visible()
    notebook.wait_until_run(SIZE, after=1)
    assert notebook.execution_counts() == [5, 2, 3, 4]


def test_a_cell_that_fails_with_the_new_size_says_so(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells(loader="assert batch_size < 100"))
    notebook.run_all()

    notebook.drag(128)

    expect(page.get_by_text("Cell [6] did not run to its end. Its output says why.")).to_be_visible()
    expect(notebook.cell(LOADER)).to_contain_text("AssertionError")


def test_of_two_requests_to_a_busy_kernel_the_newer_is_run(open_notebook: Open, gate: Gate) -> None:
    notebook = open_notebook([*cells(), ("busy", gate.wait)])
    notebook.run_all()
    panel = notebook.side_panel()
    gate.shut()
    notebook.start_cell(4)

    notebook.drag(128)
    notebook.wait_until_source(SIZE, "batch_size = 128  # a person's choice")
    notebook.drag(256, within=panel)
    notebook.wait_until_source(SIZE, "batch_size = 256  # a person's choice")
    gate.open()

    notebook.wait_until_run(LOADER, after=2)
    assert notebook.execution_counts()[:5] == [7, 8, 3, 4, 6]
    assert notebook.evaluate("[batch_size, len(loader)]") == [256, 256]


def test_after_a_kernel_restart_the_old_profile_edits_nothing(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    before = notebook.sources()
    notebook.restart_kernel()

    notebook.drag(128)

    expect(page.get_by_text("The kernel that made this profile is gone.")).to_be_visible()
    assert notebook.sources() == before


def test_heavy_cells_are_marked_until_they_are_run_by_a_click(open_notebook: Open, page: Page) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()

    notebook.drag(128)
    expect(page.locator(".jp-Notebook .skyline-stale-cell")).to_have_count(1)
    expect(notebook.cell(TRAIN)).to_contain_class("skyline-stale-cell")
    notebook.cell(BOARD).get_by_role("button", name="Run [4]").click()

    notebook.wait_until_run(TRAIN, after=4)
    expect(page.locator(".jp-Notebook .skyline-stale-cell")).to_have_count(0)
    assert notebook.evaluate("trained_with") == 128
