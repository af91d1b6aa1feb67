"""One JupyterLab, one Notebook 7 and one Chromium for all browser tests; a fresh page and a fresh notebook for each."""

import itertools
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.chromium import chromium
from tests.browser.gate import Gate
from tests.browser.notebook_page import WAIT_MS, Notebook, write_notebook
from tests.browser.server import Server, running

HERE = Path(__file__).parent
SCREENSHOTS = HERE.parents[1] / "build" / "screenshots"

Open = Callable[..., Notebook]
Screenshot = Callable[[Notebook, str], None]
expect.set_options(timeout=WAIT_MS)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A JupyterLab server."""
    with running("jupyterlab", tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="session")
def notebook7(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Notebook 7 server, under a base URL such as a hub gives it."""
    with running("notebook", tmp_path_factory.mktemp("notebook7"), base_url="/user/ada/") as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page; a test fails if our code raised an error on it."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    errors: list[Error] = []
    page.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108 - Playwright writes attributes on it
    yield page
    context.close()
    assert [error for error in errors if _is_ours(error)] == []


@pytest.fixture
def open_notebook(page: Page, lab: Server, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Write a notebook of the given cells (id and source) into JupyterLab's folder and open it."""
    numbers = itertools.count()
    opened: list[Notebook] = []

    def open_(
        cells: Sequence[tuple[str, str]],
        metadata: Mapping[str, Mapping[str, object]] | None = None,
        server: Server = lab,
        beside: Notebook | None = None,
    ) -> Notebook:
        name = f"{re.sub(r'[^a-z0-9]+', '_', request.node.name)}_{next(numbers)}.ipynb"
        shutil.copy(HERE / "standin.py", server.root)
        shutil.copy(HERE.parent / "fixtures" / "breakdown.json", server.root)
        write_notebook(server.root / name, cells, metadata or {})
        notebook = Notebook.open_beside(beside, name) if beside else Notebook.open(page, server, name)
        opened.append(notebook)
        return notebook

    yield open_
    for notebook in opened:
        notebook.shut_down()


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    """An open one."""
    return Gate(tmp_path / "gate")


@pytest.fixture
def screenshot() -> Screenshot:
    """Keep pictures of the dashboard and what is around it in build/screenshots/, light and dark."""

    def take(notebook: Notebook, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        notebook.page.mouse.move(0, 0)
        for theme in ("Dark", "Light"):
            notebook.use_theme(f"JupyterLab {theme}")
            notebook.show_dashboard()
            notebook.page.screenshot(path=SCREENSHOTS / f"{name}-{theme.lower()}.png")

    return take


def _is_ours(error: Error) -> bool:
    # anywidget loads a widget's code from a blob. JupyterLab's and Notebook's own pages throw errors without us too.
    return any(place in (error.stack or "") for place in ("skyline-jupyter", "blob:"))
