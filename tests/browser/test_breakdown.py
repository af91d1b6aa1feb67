"""What a step is made of, in the dashboard and beside the lines of the cells."""

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Open, Screenshot
from tests.browser.notebook_page import Notebook

MODEL = "y = abs(-2)\nz = abs(y)"
LINES = (("model", 1, "y = abs(-2)", 0.84, 8), ("model", 2, "z = abs(y)", 0.1, 132))
BOARD = f"""import standin
standin.Standin(site=('size', 'batch_size = 64', '64'), lines={LINES!r})
None"""
CELLS = [("size", "batch_size = 64"), ("model", MODEL), ("board", BOARD)]


def opened(open_notebook: Open) -> Notebook:
    """The notebook with its breakdown shown."""
    notebook = open_notebook(CELLS)
    notebook.run_all()
    notebook.page.locator(".jp-Notebook").get_by_text("Where time and memory go", exact=True).click()
    return notebook


def marks(notebook: Notebook) -> Locator:
    """The marks beside the lines of the model's cell."""
    return notebook.cell(notebook.index_of("model")).locator(".skyline-heat-mark")


def test_the_breakdown_opens_under_the_dashboard(open_notebook: Open, screenshot: Screenshot) -> None:
    notebook = opened(open_notebook)
    tree = notebook.page.locator(".jp-Notebook .skyline-tree")
    expect(tree.get_by_role("row", name="blocks.0–3 ×4")).to_be_visible()
    expect(notebook.page.locator(".jp-Notebook .skyline-areas")).to_be_visible()
    notebook.page.locator(".jp-Notebook .skyline-icicle").scroll_into_view_if_needed()
    screenshot(notebook, "breakdown")


def test_a_search_leads_to_a_module(open_notebook: Open) -> None:
    notebook = opened(open_notebook)
    notebook.page.locator(".jp-Notebook .skyline-tree input").fill("gelu")
    rows = notebook.page.locator(".jp-Notebook .skyline-tree tbody tr")
    expect(rows.last).to_contain_text("gelu")


def test_each_line_has_its_share_beside_it(open_notebook: Open) -> None:
    notebook = opened(open_notebook)
    expect(marks(notebook)).to_have_text(["84 %", "10 %"])


def test_a_mark_moves_with_its_line_and_fades_when_the_line_is_edited(open_notebook: Open) -> None:
    notebook = opened(open_notebook)
    index = notebook.index_of("model")

    notebook.type_at_end(index, " + 1")

    expect(marks(notebook)).to_have_text(["84 %", "10 %"])
    expect(marks(notebook).first).to_have_class("skyline-heat-mark skyline-heat-old")
    expect(marks(notebook).last).to_have_class("skyline-heat-mark")


def test_a_line_that_is_pointed_at_is_shown_in_the_breakdown_and_the_other_way_round(open_notebook: Open) -> None:
    notebook = opened(open_notebook)
    page = notebook.page
    row = page.locator(".jp-Notebook .skyline-tree").get_by_role("row", name="head")

    marks(notebook).last.hover()
    expect(row).to_have_class("skyline-row-marked")

    row.hover()
    expect(notebook.cell(notebook.index_of("model")).locator(".skyline-heat-pointed")).to_contain_text("z = abs(y)")


def test_the_command_shows_memory_then_nothing_then_time(open_notebook: Open) -> None:
    notebook = opened(open_notebook)

    for texts in (["1 MiB", "1 MiB"], [], ["84 %", "10 %"]):
        notebook.command("skyline:next-heat")
        expect(marks(notebook)).to_have_text(texts)
