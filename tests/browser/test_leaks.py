"""A hundred drags leave nothing behind: no listener, DOM node or comm is added by one."""

from collections.abc import Callable
from typing import Any

import msgspec
from playwright.sync_api import CDPSession, Page

from skyline_jupyter.report.model import View
from tests.browser.conftest import Open
from tests.browser.standalone import Standalone
from tests.browser.standin_cells import LOADER, cells
from tests.browser.states import states

COUNTED = ("JSEventListeners", "Nodes")
ROUNDS = 3
COMMS = "len(__import__('comm').get_comm_manager().comms)"


def counts(session: CDPSession) -> dict[str, int]:
    """What lives on the page once its garbage is collected."""
    session.send("Performance.enable")
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    metrics: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: int(metric["value"]) for metric in metrics if metric["name"] in COUNTED}


def sized(view: View, batch_size: int) -> View:
    """The view once the kernel works with another size."""
    assert view.report is not None
    return msgspec.structs.replace(view, report=msgspec.structs.replace(view.report, batch_size=batch_size))


def growth(session: CDPSession, drag: Callable[[int], None], drags: int) -> dict[str, int]:
    """What each round of drags adds, one for each drag at least: what a page makes once is no leak."""
    more: dict[str, int] = {}
    for _ in range(ROUNDS):
        before = counts(session)
        drag(drags)
        now = counts(session)
        more = {name: now[name] - before[name] for name in COUNTED if now[name] - before[name] >= drags}
        if not more:
            break
    return more


def test_a_hundred_drags_leave_the_widget_as_it_was(page: Page) -> None:
    widget = Standalone(page)
    view = states()["ready"]
    widget.render(view)
    widget.unfold()
    widget.handle().scroll_into_view_if_needed()
    session = page.context.new_cdp_session(page)
    places = [widget.handle_at()]
    places.append((places[0][0] + 60, places[0][1]))

    def drag(times: int) -> None:
        for number in range(times):
            page.mouse.move(*places[number % 2])
            page.mouse.down()
            page.mouse.move(*places[1 - number % 2])
            page.mouse.up()
            widget.show(sized(view, widget.asked()))

    drag(4)
    assert growth(session, drag, 100) == {}


def test_drags_leave_jupyterlab_as_it_was(open_notebook: Open) -> None:
    notebook = open_notebook(cells())
    notebook.run_all()
    notebook.side_panel()
    session = notebook.page.context.new_cdp_session(notebook.page)

    def drag(times: int) -> None:
        for number in range(times):
            ran = notebook.execution_counts()[LOADER]
            notebook.drag(64 if number % 2 else 128)
            notebook.wait_until_run(LOADER, after=ran)

    drag(4)
    comms = notebook.evaluate(COMMS)
    assert growth(session, drag, 10) == {}
    assert notebook.evaluate(COMMS) == comms
