"""axe-core finds nothing to complain about: in any state, in light and in dark, alone and in JupyterLab."""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Open
from tests.browser.standalone import Standalone, unfold
from tests.browser.states import states

Scheme = Literal["light", "dark"]

BOARD = "import standin\nboard = standin.Standin(site=('size', 'batch_size = 64', '64'))"
CELLS = [("size", "batch_size = 64"), ("board", BOARD)]
REFUSED = {"kind": "refused", "message": "The cell that sets the batch size is no longer in this notebook."}
TOLD = {"kind": "applied", "line": "batch_size = 72", "message": "Cell [2] was left alone."}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violation_in_any_state_of_the_widget_alone(page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    widget = Standalone(page)
    found: list[str] = []
    for name, view in states().items():
        widget.render(view)
        unfold(page)
        found += told(name, violations(page, ".skyline-root"))
        widget.remove()
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violation_while_the_handle_is_moved_and_when_it_is_answered(page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    widget = Standalone(page)
    widget.render(states()["ready"])
    found: list[str] = []
    widget.handle().press("ArrowRight")
    found += told("moved", violations(page, ".skyline-root"))
    for name, outcome in (("refused", REFUSED), ("told", TOLD)):
        widget.answer(outcome)
        widget.handle().press("ArrowRight")
        widget.handle().press("Enter")
        expect(page.locator(".skyline-notices")).to_contain_text(outcome["message"])
        found += told(name, violations(page, ".skyline-root"))
    assert found == []


def test_no_violation_in_the_breakdown_however_it_is_shown(page: Page) -> None:
    widget = Standalone(page)
    widget.render(states()["ready"])
    unfold(page)
    tree = page.locator(".skyline-tree")
    found: list[str] = []
    steps: dict[str, Callable[[], None]] = {
        "memory": page.get_by_role("button", name="memory", exact=True).click,
        "looked into": page.locator(".skyline-box", has_text="mlp").first.click,
        "each": tree.get_by_role("button", name="each").first.click,
        "nothing found": lambda: tree.get_by_role("searchbox").fill("no such name"),
    }
    for name, step in steps.items():
        step()
        found += told(name, violations(page, ".skyline-root"))
    assert found == []


def test_no_violation_in_jupyterlab_in_the_widget_and_in_the_side_panel(open_notebook: Open) -> None:
    notebook = open_notebook(CELLS)
    panel, dashboard = notebook.side_panel(), notebook.page.locator(".jp-Notebook")
    found = told("empty panel", violations(notebook.page, ".skyline-panel"))
    notebook.run_all()
    views = states(kernel_id=notebook.kernel_id())
    for name in ("candidates", "ready"):
        view = msgspec.structs.replace(views[name], id=name)
        notebook.execute(f"board.show({msgspec.json.encode(view).decode()!r})")
        for place in (panel, dashboard):
            expect(place.locator(f".skyline-{view.status}")).to_be_visible()
        unfold(notebook.page)
        for theme in ("Dark", "Light"):
            notebook.use_theme(f"JupyterLab {theme}")
            lines = violations(notebook.page, ".skyline-panel", ".jp-Notebook .skyline-root")
            found += told(f"{name}, {theme}", lines)
    assert found == []


def told(state: str, lines: Sequence[str]) -> list[str]:
    """The lines, each with the state in which it was found."""
    return [f"{state}: {line}" for line in lines]
