"""Heat in the cells stays beside the right lines, whatever is done to them, and says all that is known of each."""

from collections.abc import Sequence

import msgspec
from playwright.sync_api import Locator, expect

from skyline_jupyter.report.format import format_milliseconds
from tests.browser.axe import violations
from tests.browser.conftest import SCREENSHOTS, Open
from tests.browser.notebook_page import Notebook
from tests.browser.states import shared_breakdown

MODEL = "y = abs(-2)\nz = abs(y)"
HOT, COLD = ("model", 1, "y = abs(-2)", 0.84, 5), ("model", 2, "z = abs(y)", 0.1, 106)
BOARD = f"import standin\nboard = standin.Standin(site=('size', 'batch_size = 64', '64'), lines={(HOT, COLD)!r})"
IS_BESIDE = """([mark, line]) => {
  const at = line.getBoundingClientRect();
  return Math.abs(mark.getBoundingClientRect().y - at.y) < at.height / 2;
}"""
CELLS = [("size", "batch_size = 64"), ("model", MODEL), ("board", BOARD)]


def profiled(open_notebook: Open, cells: Sequence[tuple[str, str]] = CELLS) -> Notebook:
    """The notebook, run from top to bottom."""
    notebook = open_notebook(cells)
    notebook.run_all()
    return notebook


def marks(notebook: Notebook) -> Locator:
    """The marks beside the lines of the model's cell, wherever it stands."""
    return notebook.cell(notebook.index_of("model")).locator(".skyline-heat-mark")


def card(notebook: Notebook) -> Locator:
    return notebook.page.locator(".skyline-heat-card")


def test_a_pointer_that_rests_on_a_mark_reads_what_is_known_of_its_line(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)

    forward = format_milliseconds(0.84 * sum(msgspec.structs.astuple(shared_breakdown().phases)))

    marks(notebook).first.hover()

    expect(card(notebook).locator("b")).to_have_text("84 % of the step at batch size 64")
    expect(card(notebook).locator("dt")).to_have_text(["forward", "backward", "allocates", "operators run"])
    expect(card(notebook).locator("dd")).to_have_text([forward, "0.000 ms", "1 MiB", "3"])
    expect(card(notebook).locator("p")).to_have_count(0)
    notebook.page.mouse.move(0, 0)
    expect(card(notebook)).to_have_count(0)


def test_pictures_of_the_card_in_both_themes(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    notebook.type_at_end(notebook.index_of("model"), " + 1")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for theme in ("Dark", "Light"):
        notebook.use_theme(f"JupyterLab {theme}")
        marks(notebook).first.hover()
        expect(card(notebook)).to_be_visible()
        notebook.page.screenshot(path=SCREENSHOTS / f"heat-{theme.lower()}.png")
        notebook.page.mouse.move(0, 0)


def test_the_card_of_an_edited_line_says_so_and_an_undo_takes_it_back(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    model = notebook.index_of("model")

    notebook.type_at_end(model, " + 1")
    marks(notebook).first.hover()
    expect(card(notebook).locator("p")).to_have_text("The line was edited since.")

    notebook.undo(model)
    marks(notebook).first.hover()
    expect(card(notebook).locator("b")).to_be_visible()
    expect(card(notebook).locator("p")).to_have_count(0)


def test_the_card_is_read_without_a_pointer_and_gives_the_cursor_back(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    keyboard, read = notebook.page.keyboard, card(notebook)
    notebook.type_at_end(notebook.index_of("model"), "")

    keyboard.press("Control+Alt+h")
    expect(read).to_be_focused()
    expect(read).to_have_accessible_name("84 % of the step at batch size 64")
    assert violations(notebook.page, ".skyline-heat-card") == []
    keyboard.press("ArrowDown")
    expect(read).to_have_accessible_name("10 % of the step at batch size 64")
    expect(read).to_be_focused()
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    notebook.page.screenshot(path=SCREENSHOTS / "heat-read.png")

    keyboard.press("Escape")
    expect(read).to_have_count(0)
    keyboard.type("  # 1")
    assert notebook.sources()[notebook.index_of("model")] == "y = abs(-2)  # 1\nz = abs(y)"


def test_enter_on_the_card_unfolds_the_breakdown_at_its_node(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    notebook.type_at_end(notebook.index_of("model"), "")
    notebook.page.keyboard.press("Control+Alt+h")
    expect(card(notebook)).to_be_focused()
    notebook.page.keyboard.press("ArrowDown")
    expect(card(notebook)).to_have_accessible_name("10 % of the step at batch size 64")

    notebook.page.keyboard.press("Enter")

    expect(card(notebook)).to_have_count(0)
    expect(notebook.page.locator(".jp-Notebook .skyline-crumbs")).to_contain_text("net")


def test_a_click_on_a_mark_looks_into_what_holds_its_node(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)

    marks(notebook).last.click()

    expect(notebook.page.locator(".jp-Notebook .skyline-crumbs")).to_contain_text("net")


def test_marks_follow_a_cell_that_moves_and_outlive_its_run_and_new_lines(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    model = notebook.index_of("model")

    notebook.select_cell(model)
    notebook.command("notebook:move-cell-down")
    assert notebook.index_of("model") == model + 1
    expect(marks(notebook)).to_have_text(["84 %", "10 %"])

    notebook.editor(model + 1).click()
    notebook.page.keyboard.press("Control+Home")
    notebook.page.keyboard.type("x = 1\n")
    notebook.command("notebook:run-cell")
    notebook.wait_idle()
    expect(marks(notebook)).to_have_class(["skyline-heat-mark", "skyline-heat-mark"])
    line = notebook.cell(model + 1).locator(".cm-line", has_text="y = abs(-2)").element_handle()
    notebook.page.wait_for_function(IS_BESIDE, arg=[marks(notebook).first.element_handle(), line])


def test_a_new_profile_of_edited_lines_is_no_longer_old(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    notebook.type_at_end(notebook.index_of("model"), " + 1")
    expect(marks(notebook).first).to_have_class("skyline-heat-mark skyline-heat-old")

    edited = ("model", 1, "y = abs(-2) + 1", 0.7, 5)
    notebook.execute(f"standin.Standin(site=('size', 'batch_size = 64', '64'), lines={(edited, COLD)!r})")

    expect(marks(notebook)).to_have_text(["70 %", "10 %"])
    expect(marks(notebook).first).to_have_class("skyline-heat-mark")


def test_a_cell_of_a_windowed_notebook_has_its_marks_once_it_is_scrolled_to(open_notebook: Open) -> None:
    fillers = [(f"filler{number}", "\n".join("pass" for _ in range(12))) for number in range(20)]
    notebook = open_notebook([*CELLS[:2], *fillers, CELLS[2]])
    notebook.use_windowing("full")
    notebook.run_all()
    notebook.scroll_to(notebook.index_of("board"))
    expect(notebook.page.locator(".skyline-heat-mark")).to_have_count(0)

    notebook.scroll_to(notebook.index_of("model"))

    expect(marks(notebook)).to_have_text(["84 %", "10 %"])


def test_after_a_reload_the_marks_and_the_dashboards_are_there_again(open_notebook: Open) -> None:
    notebook = profiled(open_notebook)
    notebook.save()

    notebook.page.reload()
    notebook.wait_until_ready()

    notebook.expect_handle(64)
    notebook.expect_handle(64, within=notebook.side_panel())
    expect(marks(notebook)).to_have_text(["84 %", "10 %"])
