"""A notebook as its user has it before them: what the tests do with mouse and keyboard, and what they read."""

import ast
import itertools
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Locator, Page, expect

from tests.browser.server import Server

WAIT_MS = 180_000
RUN_MS = 600_000
"""Within these the page answers and cells come to their end, whatever the machine."""
UNHURRIED = "from skyline_jupyter.measure import sampling, steps\nsampling._SECONDS_BESIDE = steps._PATIENCE = 10_000"
"""Run in a kernel, has a profile with a time budget of as many seconds visit every size, whatever the machine."""

# What is listened with is in place once the effects of the last drawing have run, and nothing moves any more.
AT_REST = """async element => {
  const frame = () => new Promise(next => requestAnimationFrame(() => setTimeout(next)));
  for (let before = '', now = '?'; before !== now; ) {
    await frame();
    await frame();
    before = now;
    const { x, y } = element.getBoundingClientRect();
    now = `${x} ${y}`;
  }
}"""

# The notebook of this page, wherever JupyterLab or Notebook 7 keeps it.
PANEL = """path => {
  for (const widget of window.jupyterapp.shell.widgets('main')) {
    if (widget.context?.path === path && widget.content?.model) return widget;
  }
  return null;
}"""


class Notebook:
    """One notebook, open in JupyterLab or Notebook 7."""

    def __init__(self, page: Page, path: str) -> None:
        self.page = page
        self.path = path

    @classmethod
    def open_beside(cls, other: "Notebook", path: str) -> "Notebook":
        """Open a second notebook on the page of another, and make it the active one."""
        other.page.evaluate(
            "path => window.jupyterapp.commands.execute('docmanager:open', {path}).then(() => null)", path
        )
        notebook = cls(other.page, path)
        notebook.wait_until_ready()
        return notebook

    @classmethod
    def open(cls, page: Page, server: Server, path: str) -> "Notebook":
        """Load the page of the notebook and wait for its kernel."""
        page.goto(server.page(path))
        notebook = cls(page, path)
        notebook.wait_until_ready()
        return notebook

    def wait_until_ready(self) -> None:
        """Wait until the notebook is shown and its kernel is idle."""
        self.page.wait_for_function("() => window.jupyterapp !== undefined", timeout=WAIT_MS)
        self.page.wait_for_function(f"path => ({PANEL})(path) !== null", arg=self.path, timeout=WAIT_MS)
        self._ask("panel => panel.context.ready.then(() => panel.sessionContext.ready).then(() => null)")
        self.wait_idle()

    def wait_idle(self) -> None:
        """Wait until no cell runs or waits to run."""
        self._until(
            "panel => panel.sessionContext.session?.kernel?.status === 'idle' &&"
            " !panel.content.widgets.some(cell => cell.promptNode?.textContent.includes('*'))",
            timeout=RUN_MS,
        )

    # What the user does.

    def run_all(self) -> None:
        """Run > Run All Cells, to the end."""
        self.command("notebook:run-all-cells")
        self.wait_idle()

    def command(self, command: str) -> None:
        """Execute a command of the application."""
        self.page.evaluate("id => window.jupyterapp.commands.execute(id).then(() => null)", command)

    def save(self) -> None:
        """File > Save."""
        self._ask("panel => panel.context.save().then(() => null)")

    def restart_kernel(self) -> None:
        """Restart the kernel, without the question whether."""
        self._ask("panel => panel.sessionContext.session.kernel.restart().then(() => null)")
        self.wait_idle()

    def use_theme(self, theme: str) -> None:
        """Settings > Theme."""
        self.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme}).then(() => null)", theme
        )
        self.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)

    def show_dashboard(self) -> None:
        """Scroll so that the dashboard ends at the bottom of the page."""
        self.page.locator(".jp-Notebook:visible .skyline-root").last.evaluate(
            "dashboard => dashboard.scrollIntoView({block: 'end'})"
        )

    def use_windowing(self, mode: str) -> None:
        """Settings > Notebook > Windowing mode."""
        self._ask(
            "(panel, windowingMode) => {"
            " panel.content.notebookConfig = {...panel.content.notebookConfig, windowingMode}; }",
            mode,
        )

    def scroll_to(self, index: int) -> None:
        """Scroll until a cell is in view, also where it is not on the page yet."""
        self._ask("(panel, index) => panel.content.scrollToItem(index).then(() => null)", index)

    def use_kernel_of(self, other: "Notebook") -> None:
        """Kernel > Change Kernel, to the one of another notebook; the own kernel is stopped."""
        change = (
            "(panel, id) => panel.sessionContext.shutdown()"
            ".then(() => panel.sessionContext.changeKernel({id})).then(() => null)"
        )
        self._ask(change, other.kernel_id())
        self.wait_idle()

    def activate(self) -> None:
        """Click on the notebook's tab."""
        self._ask("panel => window.jupyterapp.shell.activateById(panel.id)")
        expect(self.page.locator(".jp-NotebookPanel:visible")).to_have_count(1)

    def close(self) -> None:
        """Close the notebook's tab; its kernel lives on."""
        self._ask("panel => { panel.context.model.dirty = false; panel.dispose(); }")

    def side_panel(self) -> Locator:
        """Open Skyline's side panel."""
        self.command("skyline:open-panel")
        panel = self.page.locator(".skyline-panel")
        expect(panel).to_be_visible()
        return panel

    def type_at_end(self, index: int, text: str) -> None:
        """Type at the end of a cell's first line."""
        self.editor(index).click()
        self.page.keyboard.press("Control+Home")
        self.page.keyboard.press("End")
        self.page.keyboard.type(text)

    def start_cell(self, index: int) -> None:
        """Shift-Enter in a cell, without waiting for it."""
        before = self.execution_counts()[index]
        self.editor(index).click()
        self.page.keyboard.press("Shift+Enter")
        self._until(
            "(panel, [index, before]) => { const n = panel.content.model.cells.get(index).executionCount;"
            " return panel.sessionContext.session.kernel.status === 'busy' || (n !== null && n !== before); }",
            [index, before],
        )

    def select_cell(self, index: int) -> None:
        """Make a cell the active one, without editing it."""
        self.cell(index).locator(".jp-InputPrompt").click()

    def delete_cell(self, index: int) -> None:
        """`dd` on a cell."""
        self.select_cell(index)
        self.command("notebook:delete-cell")

    def replace_by_typing(self, index: int, old: str, new: str) -> None:
        """Select `old` in the first line of a cell with the keyboard, and type `new` over it."""
        before = self.sources()[index].index(old)
        self.editor(index).click()
        self.page.keyboard.press("Control+Home")
        for _ in range(before):
            self.page.keyboard.press("ArrowRight")
        for _ in old:
            self.page.keyboard.press("Shift+ArrowRight")
        self.page.keyboard.type(new)

    def undo(self, index: int) -> None:
        """Ctrl+Z in a cell."""
        self.editor(index).click()
        self.page.keyboard.press("Control+z")

    def redo(self, index: int) -> None:
        """Ctrl+Shift+Z in a cell."""
        self.editor(index).click()
        self.page.keyboard.press("Control+Shift+z")

    def drag(self, batch_size: int, within: Locator | None = None) -> None:
        """Drag the handle to a batch size with the mouse and let it go there."""
        self.hold(batch_size, within)
        self.page.mouse.up()

    def hold(self, batch_size: int, within: Locator | None = None) -> None:
        """Drag the handle to a batch size with the mouse and keep the button down."""
        x, y = self._middle_at_rest(self.handle(within))
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        low, high = 0.0, float(self.page.viewport_size["width"]) if self.page.viewport_size else 0.0
        while high - low > 0.25:
            middle = (low + high) / 2
            self.page.mouse.move(middle, y)
            shown = self.handle_value(within)
            if shown == batch_size:
                return
            low, high = (middle, high) if shown < batch_size else (low, middle)
        message = f"the handle does not stop at {batch_size}, only at {self.handle_value(within)}"
        raise AssertionError(message)

    def drag_bar(self, name: str, pixels: int) -> int:
        """Drag the knob of a bar upwards and let it go; returns the batch size on which it came to rest."""
        x, y = self._middle_at_rest(self.page.locator(f".jp-Notebook:visible .skyline-knob[aria-label='{name}']"))
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x, y - pixels, steps=4)
        batch_size = self.handle_value()
        self.page.mouse.up()
        return batch_size

    def shake(self, moves: int) -> int:
        """Drag the handle to and fro, and give up with Escape; returns how often it moved."""
        x, y = self._middle_at_rest(self.handle())
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        seen = [self.handle_value()]
        for move in range(moves):
            self.page.mouse.move(x + (-60 if move % 2 else 60), y)
            seen.append(self.handle_value())
        self.page.keyboard.press("Escape")
        self.page.mouse.up()
        return sum(before != after for before, after in itertools.pairwise(seen))

    # What the user sees.

    def handle(self, within: Locator | None = None) -> Locator:
        """The handle on the batch size, in the notebook or `within` another part of the page."""
        part = within if within is not None else self.page.locator(".jp-Notebook:visible")
        return part.locator(".skyline-handle[role=slider]").first

    def handle_value(self, within: Locator | None = None) -> int:
        """The batch size at which the handle stands."""
        return int(self.handle(within).get_attribute("aria-valuenow") or "-1")

    def expect_handle(self, batch_size: int, within: Locator | None = None) -> None:
        """Wait until the handle stands at a batch size."""
        expect(self.handle(within)).to_have_attribute("aria-valuenow", str(batch_size), timeout=WAIT_MS)

    def cell(self, index: int) -> Locator:
        """A cell on the page."""
        return self.page.locator(".jp-Notebook:visible .jp-Cell").nth(index)

    def editor(self, index: int) -> Locator:
        """The editor of a cell."""
        return self.cell(index).locator(".cm-content").first

    def index_of(self, cell_id: str) -> int:
        """Where the cell with this id stands."""
        ids: list[str] = self._list("[...panel.content.model.cells].map(cell => cell.id)")
        return ids.index(cell_id)

    def sources(self) -> list[str]:
        """The text of every cell."""
        return self._list("[...panel.content.model.cells].map(cell => cell.sharedModel.getSource())")

    def execution_counts(self) -> list[int | None]:
        """The number in the prompt of every cell; `None` for one that never ran."""
        return self._list("[...panel.content.model.cells].map(cell => cell.executionCount ?? null)")

    def wait_until_run(self, index: int, after: int | None) -> None:
        """Wait until a cell has run again since its execution count was `after`."""
        self._until(
            "(panel, [index, after]) => { const n = panel.content.model.cells.get(index).executionCount;"
            " return n !== null && n > after; }",
            [index, after or 0],
        )
        self.wait_idle()

    def wait_until_source(self, index: int, source: str) -> None:
        """Wait until a cell holds a text."""
        self._until(
            "(panel, [index, source]) => panel.content.model.cells.get(index).sharedModel.getSource() === source",
            [index, source],
        )

    def run_since(self, counts: Sequence[int | None]) -> list[str]:
        """The ids of the cells whose execution count is not what it was in `counts`."""
        ids = self._list("[...panel.content.model.cells].map(cell => cell.id)")
        now = self.execution_counts()
        return [cell_id for cell_id, before, after in zip(ids, counts, now, strict=True) if before != after]

    def output_of(self, index: int) -> str:
        """The text that a cell has written."""
        return self.cell(index).locator(".jp-OutputArea-output pre").first.inner_text()

    def cursor(self) -> tuple[int, int, int]:
        """The index of the active cell, and line and column of the cursor in it."""
        cell, line, column = self._ask(
            "panel => { const {line, column} = panel.content.activeCell.editor.getCursorPosition();"
            " return [panel.content.activeCellIndex, line, column]; }"
        )
        return cell, line, column

    def wait_until_evaluates(self, expression: str, value: object) -> None:
        """Wait until an expression has a value in the kernel."""
        deadline = time.monotonic() + WAIT_MS / 1000
        while (seen := self.evaluate(expression)) != value:
            assert time.monotonic() < deadline, f"{expression} is {seen}, not {value}"
            self.page.wait_for_timeout(50)

    def evaluate(self, expression: str) -> Any:  # noqa: ANN401 - whatever JSON the kernel answers
        """The value of a Python expression in the kernel, through JSON."""
        reply = self._ask(
            "(panel, value) => panel.sessionContext.session.kernel.requestExecute("
            "{code: '', silent: true, store_history: false, user_expressions: {value}}).done"
            ".then(reply => reply.content.user_expressions.value)",
            f"__import__('json').dumps({expression})",
        )
        assert reply["status"] == "ok", reply
        return json.loads(ast.literal_eval(reply["data"]["text/plain"]))

    def shut_down(self) -> None:
        """Stop the kernel and close the notebook without saving it."""
        self._ask("panel => { if (panel) panel.context.model.dirty = false; }")
        self._ask("panel => panel?.sessionContext.shutdown().then(() => null) ?? null")

    def execute(self, code: str) -> None:
        """Execute code in the kernel without a cell."""
        reply = self._ask(
            "(panel, code) => panel.sessionContext.session.kernel"
            ".requestExecute({code, silent: true, store_history: false}).done.then(reply => reply.content)",
            code,
        )
        assert reply["status"] == "ok", reply

    def kernel_id(self) -> str:
        """The id of the notebook's kernel."""
        return str(self._ask("panel => panel.sessionContext.session.kernel.id"))

    @staticmethod
    def _middle_at_rest(knob: Locator) -> tuple[float, float]:
        """Where something that can be dragged is on the page, once it can be dragged and stays there."""
        expect(knob).to_have_attribute("aria-disabled", "false", timeout=RUN_MS)
        knob.scroll_into_view_if_needed()
        knob.evaluate(AT_REST)
        box = knob.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _list(self, expression: str) -> list[Any]:
        answer: list[Any] = self._ask(f"panel => {expression}")
        return answer

    def _ask(self, function: str, argument: object = None) -> Any:  # noqa: ANN401 - whatever JSON the page answers
        return self.page.evaluate(self._of_panel(function), [self.path, argument])

    def _until(self, function: str, argument: object = None, timeout: int = WAIT_MS) -> None:
        self.page.wait_for_function(self._of_panel(function), arg=[self.path, argument], timeout=timeout)

    @staticmethod
    def _of_panel(function: str) -> str:
        return f"([path, argument]) => ({function})(({PANEL})(path), argument)"


def write_notebook(path: Path, cells: Sequence[tuple[str, str]], metadata: Mapping[str, Mapping[str, object]]) -> None:
    """Write a notebook of code cells, given as id and source; `metadata` is by cell id."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for cell_id, source in cells:
        cell = nbformat.v4.new_code_cell(source, id=cell_id)
        cell.metadata.update(metadata.get(cell_id, {}))
        notebook.cells.append(cell)
    nbformat.write(notebook, path)
